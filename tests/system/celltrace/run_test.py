#!/usr/bin/env python3
"""A run's folder as input of cellsync, held against what the programs did and what was hidden of their clocks.

Usage: run_test.py CELLSYNC TRACED
"""
import csv
import json
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from run_files import processes  # noqa: E402
from run_truth import check_knots, rows, truths  # noqa: E402

CELLSYNC, TRACED = (str(pathlib.Path(p).resolve()) for p in sys.argv[1:3])
RUNS = next((int(a.split("=")[1]) for a in sys.argv if a.startswith("--runs=")), 3)


def start(run, *words, settings="", **more):
    return subprocess.Popen([TRACED, *words], env=dict(os.environ, CELLTRACE=f"events=none;{settings}run={run}"), **more)


def talk(run, rounds, settings=""):
    """Two processes that send each other numbered messages."""
    (a, b), (c, d) = os.pipe(), os.pipe()
    first = start(run, "talk", "0", str(rounds), str(a), str(d), settings=settings, pass_fds=[a, d])
    second = start(run, "talk", "1", str(rounds), str(c), str(b), settings=settings, pass_fds=[b, c])
    for fd in (a, b, c, d):
        os.close(fd)
    assert first.wait(60) == 0 and second.wait(60) == 0


def cellsync(*words, status=0, said=""):
    ended = subprocess.run([CELLSYNC, *map(str, words)], capture_output=True, text=True, timeout=120)
    assert ended.returncode == status and said in ended.stderr, (words, ended.returncode, ended.stderr)
    return ended.stderr


def hidden(folder):
    """The offset that --skew hid is within the bounds, and messages are matched as their numbers say."""
    for k in range(RUNS):
        run = pathlib.Path(folder) / f"run{k}"
        talk(run, 200, "skew=1000000000;")
        found = processes(run)
        hz = int(found[0].root.find("clock").get("hz"))
        cellsync(run, "-q", "-o", f"{run}.csv", "-r", f"{run}.json")
        cellsync("--check", f"--original={run}", f"{run}.csv")
        threads = {t["name"]: t for t in json.load(open(f"{run}.json"))["threads"]}
        assert set(threads) == {p.pex.stem for p in found}, threads
        truth = truths(run, hz)
        reference = json.load(open(f"{run}.json"))["reference"]
        for name, thread in threads.items():
            true = truth[reference][1] - truth[name][1] + threads[reference]["offset_ticks"]
            assert thread["earliest_ticks"] - 1 <= true <= thread["latest_ticks"] + 1, (name, thread, true)
            assert thread["latest_ticks"] - thread["earliest_ticks"] < hz / 100
        sent = {}
        for row in rows(f"{run}.csv"):
            if row["event"] in ("SEND", "RECV"):
                sent.setdefault(row["values"], {})[row["event"]] = row
        assert len(sent) == 400
        for number, pair in sent.items():
            assert int(pair["SEND"]["global_time"]) <= int(pair["RECV"]["global_time"]), (number, pair)


def drifting(folder):
    """Hidden rates, too."""
    run = pathlib.Path(folder) / "run"
    talk(run, 2000, "skew=1000000,100;")
    hz = int(processes(run)[0].root.find("clock").get("hz"))
    cellsync(run, "-q", "--drift=250", "--clocks", f"{run}.csv", "-r", f"{run}.json")
    check_knots(run, hz, f"{run}.csv", json.load(open(f"{run}.json"))["reference"])
    assert len(rows(f"{run}.csv")) > 2


def hosts(folder):
    """A warning says that clocks of two hosts are taken to run at one rate, if --drift=0 is given.  Clocks of one host get
    none, and two machines of one name are two hosts."""
    run = pathlib.Path(folder) / "run"
    talk(run, 2000, "skew=1000;")
    assert "equal rates" not in cellsync(run, "-r", f"{run}.txt")
    pex = processes(run)[1].pex
    host = processes(run)[1].root.find("process").get("host")
    pex.write_text(pex.read_text().replace(f'host="{host}"', 'host="other"'))
    cellsync(run, "-r", f"{run}.txt", said="assuming that the clocks run within 101 ppm of each other")
    cellsync(run, "-r", f"{run}.txt", "--drift=0",
             said="bounds assume that the clocks of all 2 hosts run at equal rates; a difference of 100 ppm, ")
    assert "equal rates" not in cellsync(run, "-r", f"{run}.txt", "--drift=101")
    machine = processes(run)[1].root.find("clock").get("id").split("+")[0]
    pex.write_text(pex.read_text().replace('host="other"', f'host="{host}"').replace(f'id="{machine}', 'id="other-machine'))
    cellsync(run, "-r", f"{run}.txt", "--drift=0",
             said="bounds assume that the clocks of all 2 hosts run at equal rates; a difference of 100 ppm, ")


def outputs(folder):
    """All formats.  Functions are among the types, but are not recorded: routines are empty fields."""
    run = pathlib.Path(folder) / "run"
    talk(run, 20, "events=functions;")
    found = processes(run)
    records = sum(len(p.records) for p in found)
    for name in ("out.csv", "out.json", "out.pftrace"):
        cellsync(run, "-q", "-o", pathlib.Path(folder) / name)
    cellsync(run, "-q", "--to=ctf", "-o", f"{folder}/out")
    written = rows(f"{folder}/out.csv")
    assert len(written) == records
    # One host is one clock; names, values and stamps are those of the records.
    assert {row["clock"] for row in written} == {found[0].root.find("process").get("host")}
    want = sorted((r.time, p.types[r.id].get("name"), " ".join(map(str, r.values))) for p in found for r in p.records)
    assert sorted((int(r["time"]), r["event"], r["values"]) for r in written) == want
    events = (pathlib.Path(folder) / "out.json").read_text()
    assert all(f'"values":"{row["values"]}"' in events for row in written if row["values"]), "payload values are in JSON, too"
    cellsync(run, "-o", f"{folder}/out.pex", status=2, said="")
    alone = "this file is one process of a run recorded by celltrace; to synchronize all processes, give the folder, "
    assert "one process" not in cellsync(run) and found[0].pex.parent == run
    said = cellsync(found[0].pex, "-o", f"{folder}/alone.pex", said=f"{found[0].pex}: {alone}{run}\n")
    assert said.count("warning") == 1, said
    assert "one process" not in cellsync("--check", f"{folder}/alone.pex")
    shutil.copytree(run, f"{folder}/other")
    pex = sorted(pathlib.Path(f"{folder}/other").glob("*.pex"))[1]
    hz = found[1].root.find("clock").get("hz")
    pex.write_text(pex.read_text().replace(f'timebase_hz="{hz}"', 'timebase_hz="1000"'))
    cellsync(f"{folder}/other", status=1, said=f"the clock of {found[0].pex.stem} has {hz} Hz, but the clock of {pex.stem} has 1000 Hz")
    pex.write_text(pex.read_text().replace("<recording", "<recorded"))
    cellsync(f"{folder}/other", status=1, said=f"other: this folder is neither an OTF2 archive (no traces.otf2) nor a run of celltrace(1): {pex} has no element")
    (pathlib.Path(folder) / "empty").mkdir()
    cellsync(f"{folder}/empty", status=1, said=f"{folder}/empty: this folder is neither an OTF2 archive (no traces.otf2) nor a run of celltrace(1): it contains no .pex")


def killed(folder):
    """What a killed program recorded is there, with --salvage; after an exec without."""
    run = pathlib.Path(folder) / "run"
    said = pathlib.Path(folder) / "said"
    for settings in ("page=8192;", "page=8192;skew=1000,100;", "page=8192;order=buffer;skew=1000,100;"):
        said.write_bytes(bytes(4096))
        with open(said, "r+b") as file:
            program = start(run, "until-killed", str(file.fileno()), "1", settings=settings, pass_fds=[file.fileno()])
            while said.read_bytes()[:8] == bytes(8):
                time.sleep(0.001)
            time.sleep(0.002)
            program.send_signal(signal.SIGKILL)
            program.wait()
        (p,) = processes(run)
        assert p.has_live and p.recording == {"complete": "no"}
        cellsync(run, status=1, said=f"the recording of {p.pex.stem} is not complete")
        assert "1 process did not end" in cellsync(run, "--salvage", "-o", f"{run}.csv")
        written = [r for r in rows(f"{run}.csv") if r["event"] == "NUMBER"]
        assert [int(r["values"]) for r in written] == [r.values[0] for r in p.of("NUMBER")]
        times = [int(r["time"]) for r in written]
        assert times == sorted(times), "pages are skewed as blocks are"
        (run / f"{p.pex.stem}.live").write_bytes(b"PDTPAGES" + bytes(100))
        cellsync(run, "--salvage", status=1, said="offset 8: unknown version, expected 1")
        shutil.rmtree(run)
        pathlib.Path(f"{run}.csv").unlink()
    assert start(run, "exec", TRACED).wait(60) == 0
    cellsync(run, "-q", "-o", f"{run}.csv")
    assert sum(r["event"] == "NUMBER" for r in rows(f"{run}.csv")) == 6


def cut(folder):
    """Of a finished run whose records are cut off those that are whole are read, if that is wanted."""
    run = pathlib.Path(folder) / "run"
    talk(run, 200, "")
    records = processes(run)[0].pex.with_suffix(".trace")
    cellsync(run, "-q", "-o", f"{run}.csv")
    whole = rows(f"{run}.csv")
    size = records.stat().st_size
    for less in (1, 100, size // 2):
        os.truncate(records, size - less)
        assert f"{records}: offset " in cellsync(run, status=1, said="whole records precede it (see --salvage)")
        pathlib.Path(f"{run}.csv").unlink()
        told = cellsync(run, "--salvage", "-o", f"{run}.csv", said="the trace is cut off, so only its first ")
        left = rows(f"{run}.csv")
        assert f"only its first {len(left)} records could be read" in told, (len(left), told)
        stem = records.stem
        kept, of_all = ([[r["time"], r["event"], r["values"]] for r in sheet if r["thread"].startswith(f"{stem}/")]
                        for sheet in (left, whole))
        assert 0 < len(kept) < len(of_all) and kept == of_all[:len(kept)]
        assert len(whole) - len(left) == len(of_all) - len(kept)


# Bits of signed and of real values, and what is to be read of them.
TYPED = [(-1, 0.1, "-1", "0.1"), (-2**63, float("inf"), "-9223372036854775808", "inf"), (2**63 - 1, float("-inf"), "9223372036854775807", "-inf"),
         (0, -0.0, "0", "-0"), (1, float("nan"), "1", "nan"), (-2, 1.0, "-2", "1"), (2, 5e-324, "2", "5e-324"), (3, 1 / 3, "3", "0.3333333333333333"),
         (4, 0.1 + 0.2, "4", "0.30000000000000004"), (5, sys.float_info.max, "5", "1.7976931348623157e+308"), (6, -1e22, "6", "-1e+22"),
         (7, 2.2250738585072014e-308, "7", "2.2250738585072014e-308"), (8, 9007199254740993.0, "8", "9007199254740992")]


def bits(signed, real):
    return struct.unpack(">QQ", struct.pack(">qd", signed, real))


def typed(folder):
    """Values are written by the types of their fields, of a run and of the .pex of one of its processes."""
    run = pathlib.Path(folder) / "run"
    assert start(run, "typed", *(f"{word:x}" for pair in TYPED for word in bits(*pair[:2]))).wait(60) == 0
    (process,) = processes(run)
    want = [" ".join([i, f, str(bits(a, b)[0]), f"0x{bits(a, b)[1]:08x}"]) for a, b, i, f in TYPED]
    raw = [" ".join(map(str, bits(a, b) * 2)) for a, b, *_ in TYPED]
    for name, original in (("run", run), ("alone", process.pex)):
        csv_path = f"{folder}/{name}.csv"
        for suffix in ("csv", "json", "pftrace"):
            cellsync(original, "-q", "-o", f"{folder}/{name}.{suffix}")
        cellsync(original, "-q", "--to=ctf", "-o", f"{folder}/{name}.ctf")
        assert [r["values"] for r in rows(csv_path) if r["event"] == "TYPED"] == want
        cellsync("--check", *([f"--original={run}"] if original == run else []), csv_path)
        cellsync(csv_path, "-q", "-o", f"{csv_path}.csv")
        assert [r["values"] for r in rows(f"{csv_path}.csv") if r["event"] == "TYPED"] == want
    # Proved beside the run; so is one of before types were heeded, but not one with another number.
    cellsync("--check", f"--original={run}", f"{folder}/run.csv")
    for name, kind, status in ("old", "u64", 0), ("other", "f64", 1):
        shutil.copytree(run, f"{folder}/{name}")
        (pex,) = pathlib.Path(f"{folder}/{name}").glob("*.pex")
        pex.write_text(re.sub('type="(i64|f64|address)"', f'type="{kind}"', pex.read_text()))
        cellsync(f"{folder}/{name}", "-q", "-o", f"{folder}/{name}.csv")
        said = "" if status == 0 else "the value of this event differs from"
        cellsync("--check", f"--original={run}", f"{folder}/{name}.csv", status=status, said=said)
    assert [r["values"] for r in rows(f"{folder}/old.csv") if r["event"] == "TYPED"] == raw
    # Native numbers, where the format has them.
    events = [e for e in json.load(open(f"{folder}/alone.json"), parse_int=lambda text: -0.0 if text == "-0" else int(text))["traceEvents"] if e.get("name") == "TYPED"]
    strings = ("inf", "-inf", "nan")
    for event, (a, b, _, f) in zip(events, TYPED, strict=True):
        payload = event["args"]["payload"]
        assert payload["signed"] == a and payload["plain"] == bits(a, b)[0] and payload["at"] == f"0x{bits(a, b)[1]:08x}", payload
        assert payload["real"] == f if f in strings else struct.pack(">d", payload["real"]) == struct.pack(">d", b), payload
    assert all(f'"values":"{value}"' in pathlib.Path(f"{folder}/run.json").read_text() for value in want)
    if shutil.which("babeltrace2"):
        alone = subprocess.run(["babeltrace2", f"{folder}/alone.ctf"], capture_output=True, text=True, check=True).stdout
        found = re.findall(r"signed = (-?\d+), real = (\S+), plain = (\d+)", alone)
        assert len(found) == len(TYPED), alone
        for (signed, real, plain), (a, b, *_) in zip(found, TYPED):
            assert int(signed) == a and int(plain) == bits(a, b)[0] and abs(float(real) - b) <= 1e-5 * abs(b) or b != b or b in (float("inf"), -float("inf")), (signed, real)
        of_run = subprocess.run(["babeltrace2", f"{folder}/run.ctf"], capture_output=True, text=True, check=True).stdout
        assert all(f'values = "{value}"' in of_run for value in want)
    # In Perfetto's entries of dictionaries: field 4, a varint, and field 5, eight bytes.
    trace = pathlib.Path(f"{folder}/alone.pftrace").read_bytes()
    for a, b, *_ in TYPED:
        signed = bits(a, b)[0]
        varint = b""
        while signed > 127:
            varint, signed = varint + bytes([signed & 127 | 128]), signed >> 7
        assert b"\x20" + varint + bytes([signed]) in trace and b"\x29" + struct.pack("<d", b) in trace, (a, b)


def damaged(folder):
    """What a run claims to be long costs nothing, and what is no file is refused."""
    run = pathlib.Path(folder) / "run"
    assert start(run, "count", "1", "10", settings="events=functions;").wait(60) == 0
    (p,) = processes(run)
    trace, live = (run / f"{p.pex.stem}.{suffix}" for suffix in ("trace", "live"))
    whole, document = trace.read_bytes(), p.pex.read_text()
    header = struct.pack(">8s8Q", b"PDTPAGES", 1 << 48 | 4096, 131072, 133120, 0, 0, 0, 0, 0)

    def salvaged(document, claims):
        p.pex.write_text(document)
        for path, start, size, last in claims:
            path.write_bytes(start)
            os.truncate(path, size)
            with open(path, "ab") as file:
                file.write(last)
        before = os.times().children_user + os.times().children_system
        ended = subprocess.run([CELLSYNC, "-q", run, "--salvage", "-r", "/dev/null"], capture_output=True, text=True, timeout=60)
        assert os.times().children_user + os.times().children_system - before < 2, claims
        return ended.returncode, ended.stderr

    unfinished = re.sub('complete="yes"[^/]*', 'complete="no"  ', document)
    huge = 1 << 42
    assert salvaged(document, [(trace, whole, huge, b"")]) == (0, "")
    assert salvaged(unfinished, [(trace, whole, huge, b""), (live, header, huge, b"")]) == (0, "")
    code, said = salvaged(document, [(trace, whole, huge, b"x")])
    assert code == 1 and "record size 0, but bytes other than zero follow" in said, said
    trace.write_bytes(whole)
    live.unlink()
    symbols = run / "x.symbols"
    p.pex.write_text(document.replace("<threads>", '<symbols href="x.symbols" image="x"/><threads>'))
    symbols.write_bytes(b"")
    os.truncate(symbols, 1 << 40)
    cellsync(run, status=1, said="x.symbols: line 1: this line was not written by nm or addr2line")
    p.pex.unlink()
    os.mkfifo(p.pex)
    cellsync(run, status=1, said=f"{p.pex}: this is not a regular file")


def main():
    cases = [hidden, drifting, hosts, outputs, typed, killed, cut, damaged]
    for case in cases:
        with tempfile.TemporaryDirectory() as folder:
            case(folder)
    print(f"{len(cases)} cases")


if __name__ == "__main__":
    main()
