#!/usr/bin/env python3
"""A run's folder as input of cellsync, held against what the programs did and what was hidden of their clocks.

Usage: run_test.py CELLSYNC TRACED
"""
import csv
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from run_files import FLUSH, processes  # noqa: E402
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


def outputs(folder):
    run = pathlib.Path(folder) / "run"
    talk(run, 20)
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
    alone = "this is one process of a run that celltrace has recorded; give the folder, "
    assert "one process" not in cellsync(run) and found[0].pex.parent == run
    said = cellsync(found[0].pex, "-o", f"{folder}/alone.pex", said=f"{found[0].pex}: {alone}{run}, for all of them in one time\n")
    assert said.count("warning") == 1, said
    assert "one process" not in cellsync("--check", f"{folder}/alone.pex")
    shutil.copytree(run, f"{folder}/other")
    pex = sorted(pathlib.Path(f"{folder}/other").glob("*.pex"))[1]
    hz = found[1].root.find("clock").get("hz")
    pex.write_text(pex.read_text().replace(f'timebase_hz="{hz}"', 'timebase_hz="1000"'))
    cellsync(f"{folder}/other", status=1, said=f"the clock of {found[0].pex.stem} has {hz} Hz, that of {pex.stem} has 1000 Hz")
    pex.write_text(pex.read_text().replace("<recording", "<recorded"))
    cellsync(f"{folder}/other", status=1, said=f"{pex}: it is not of a run")
    (pathlib.Path(folder) / "empty").mkdir()
    cellsync(f"{folder}/empty", status=1, said=f"{folder}/empty: it is a folder")


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
        cellsync(run, "--salvage", status=1, said="offset 8: the version is not 1, the only one known")
        shutil.rmtree(run)
        pathlib.Path(f"{run}.csv").unlink()
    assert start(run, "exec", TRACED).wait(60) == 0
    cellsync(run, "-q", "-o", f"{run}.csv")
    assert sum(r["event"] == "NUMBER" for r in rows(f"{run}.csv")) == 6


def main():
    cases = [hidden, drifting, outputs, killed]
    for case in cases:
        with tempfile.TemporaryDirectory() as folder:
            case(folder)
    print(f"{len(cases)} cases")


if __name__ == "__main__":
    main()
