#!/usr/bin/env python3
"""Names of functions in all outputs of a run, against what nm says of the program; addresses where it was stripped.

Usage: symbols_test.py CELLTRACE CELLSYNC HOOKED
"""
import csv
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
from collections import Counter

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from run_files import processes  # noqa: E402

CELLTRACE, CELLSYNC, HOOKED = (str(pathlib.Path(p).resolve()) for p in sys.argv[1:4])
CALLS = {"FUNCTION_ENTRY": "B", "FUNCTION_EXIT": "E"}


def record(program, target):
    ended = subprocess.run([CELLTRACE, "-o", str(target), "-e", "functions", program], capture_output=True, text=True)
    assert ended.returncode == 0 and ended.stderr == "", ended
    (process,) = processes(target)
    return process


def cellsync(*words, status=0, said=""):
    ended = subprocess.run([CELLSYNC, *map(str, words)], capture_output=True, text=True, timeout=60)
    assert ended.returncode == status and said in ended.stderr, (words, ended.returncode, ended.stderr)


def table(run):
    """Routines of function records in the order of the CSV."""
    cellsync("-q", run, "-o", f"{run}.csv")
    cellsync("--check", f"--original={run}", f"{run}.csv")
    with open(f"{run}.csv", newline="") as file:
        found = list(csv.DictReader(line for line in file if not line.startswith("#")))
    assert all((row["routine"] != "") == (row["event"] in CALLS) for row in found)
    assert all(row["values"] == "" for row in found if row["event"] in CALLS)
    return [(row["event"], row["routine"]) for row in found if row["event"] in CALLS]


def functions(program, *options):
    """By address, of nm: names that it may have."""
    found = {}
    for line in subprocess.run(["nm", *options, program], capture_output=True, text=True, check=True).stdout.splitlines():
        words = line.split()
        if len(words) == 3 and words[1] in "TtWw":
            found.setdefault(int(words[0], 16), set()).add(words[2])
    return found


def check(process, got, names):
    """Each record's address, as it is in the file, has a name of nm, or is that address."""
    base = next(int(i.get("base"), 16) for i in process.root.iter("image"))
    addresses = [r.values[0] - base for r in process.records if r.id & 0xff == 9]
    assert len(addresses) == len(got) > 100
    for address, (_, name) in zip(addresses, got):
        assert name in names.get(address, {f"0x{address:08x}"}), (hex(address), name)


def check_pictures(run, got):
    """The same in the formats for viewers, where a call is a slice."""
    cellsync("-q", run, "-o", f"{run}.json")
    events = json.load(open(f"{run}.json"))["traceEvents"]
    assert [(e["ph"], e["name"]) for e in events if e["ph"] in "BE"] == [(CALLS[event], name) for event, name in got]
    cellsync("-q", run, "-o", f"{run}.pftrace")
    bytes_ = pathlib.Path(f"{run}.pftrace").read_bytes()
    assert all(name.encode() in bytes_ for _, name in got)
    cellsync("-q", run, "--to=ctf", "-o", f"{run}.ctf")
    if shutil.which("babeltrace2"):
        lines = subprocess.run(["babeltrace2", f"{run}.ctf"], capture_output=True, text=True, check=True).stdout.splitlines()
        found = [line.split('routine = "')[1].split('"')[0] for line in lines if " FUNCTION_" in line]
        assert sorted(found) == sorted(name for _, name in got)


def profile(trace, *options):
    cellstat = pathlib.Path(CELLSYNC).with_name("cellstat")
    ended = subprocess.run([str(cellstat), "profile", str(trace), "-q", "--top=0", "--format=json", *options],
                           capture_output=True, text=True, check=True)
    return json.loads(ended.stdout)["sheets"]["profile"]


def check_profile(run, got):
    """cellstat counts calls of the same names."""
    assert {row["routine"]: row["calls"] for row in profile(run)} == Counter(name for event, name in got if "ENTRY" in event)


def check_given(run, folder, names):
    """Functions of a program that was stripped, in a folder, a .pex and a CSV, by what is said of it elsewhere."""
    given = folder / "given"
    given.write_text(subprocess.run(["nm", "-S", HOOKED], capture_output=True, text=True, check=True).stdout)
    (document,) = run.glob("*.pex")
    bare = {row["routine"]: row["calls"] for row in profile(run)}
    want = Counter()
    for name, calls in bare.items():
        want[min(names[int(name, 16)]) if name.startswith("0x") else name] += calls
    assert len(want) == len(bare) and want != bare
    for trace in (run, document, f"{run}.csv"):
        assert {row["routine"]: row["calls"] for row in profile(trace, f"--symbols={given}")} == want, trace
    (address, *_) = (name for name in bare if name.startswith("0x"))
    given.write_text(f"{address}: by_addr2line at /home/f.c:7\n")
    (row,) = (row for row in profile(run, f"--symbols={given}") if row["routine"] == "by_addr2line")
    assert (row["file"], row["line"]) == ("/home/f.c", 7)


def check_bad_files(run, process):
    """Names come from anywhere, and files may be anything."""
    (symbols,) = run.glob("*.symbols")
    good = symbols.read_text()
    base = next(int(i.get("base"), 16) for i in process.root.iter("image"))
    address = next(r.values[0] for r in process.records if r.id == 0x0109) - base
    bad = 'a, "b"\x1b[31m<&\tc'
    symbols.write_text(f"{address:016x} {4:016x} T {bad}\n")
    harmless = 'a, "b"?[31m<&?c'
    assert harmless in {name for _, name in table(run)}
    cellsync("-q", run, "-o", f"{run}.json")
    assert harmless in {e["name"] for e in json.load(open(f"{run}.json"))["traceEvents"]}
    symbols.write_text(f"0x{address:x}: by_addr2line at /home/f.c:7\n")
    assert "by_addr2line" in {name for _, name in table(run)}
    symbols.write_text(good + "what\n")
    lines = good.count("\n") + 1
    cellsync(run, "-o", f"{run}.csv", status=1, said=f"{symbols}: line {lines}: this line was not written by nm or addr2line")
    symbols.unlink()
    cellsync(run, "-o", f"{run}.csv", said=f"{symbols}: No such file or directory: addresses stay without its names")
    assert ("FUNCTION_ENTRY", f"0x{address:08x}") in table(run)


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        if not shutil.which("nm") or not shutil.which("strip"):
            print("SKIP: no nm or strip to compare with")
            return
        run = folder / "run"
        process = record(HOOKED, run)
        got = table(run)
        check(process, got, functions(HOOKED))
        check_pictures(run, got)
        check_profile(run, got)
        check_bad_files(run, process)
        bare = folder / "bare"
        subprocess.run(["strip", "-o", str(bare), HOOKED], check=True)
        process = record(str(bare), folder / "stripped")
        got = table(folder / "stripped")
        check(process, got, functions(HOOKED, "-D"))
        assert any(name.startswith("0x") for _, name in got)
        check_given(folder / "stripped", folder, functions(HOOKED))
    print("functions have their names, and their addresses where they were taken")


if __name__ == "__main__":
    main()
