"""Chrome JSON of the ranks of a job: the truth is inside the bounds, and only times change.

usage: ranks_test.py CELLSYNC [SEEDS [FIRST]]

The true times of a job (ranks.py) are hidden from cellsync, and the judge below shares no code with it.
"""
import csv
import json
import re
import subprocess
import sys
import tarfile
import tempfile
from fractions import Fraction
from pathlib import Path

from ranks import Job

FAILURES = []


def expect(condition, *what):
    if not condition:
        FAILURES.append(" ".join(map(str, what)))
        print("FAILED:", *what)


def run(cellsync, *arguments):
    done = subprocess.run([cellsync, "-q", *map(str, arguments)], capture_output=True, text=True)
    return done.returncode, done.stderr


def true_of(clock, local):
    return (Fraction(local) - 1_790_000_000 * 10**9 - clock.offset) / (1 + Fraction(clock.ppb, 10**9))


def check_knots(job, path, reference):
    """At each reading in the file of clocks, the time of the reference is inside the bound: how many have one, and how many do not."""
    rows = list(csv.DictReader(line for line in path.read_text().splitlines() if not line.startswith("#")))
    own = next(r for r in rows if r["thread"] == reference)
    origin, bounded, outside = Fraction(own["global"]) - int(own["local"]), 0, []
    for row in rows:
        if not row["earliest"] or not row["latest"]:
            continue
        want = job.clocks[reference].at(true_of(job.clocks[row["thread"]], int(row["local"]))) + origin
        bounded += row["thread"] != reference
        if not Fraction(row["earliest_event"]) - 1 <= want <= Fraction(row["latest_event"]) + 1:
            outside.append((row["thread"], "the truth is not between", row["earliest"], "and", row["latest"], "but", float(want)))
    return bounded, outside


def without_times(document):
    return {**document, "cellsync": None,
            "traceEvents": [{k: v for k, v in e.items() if k not in ("ts", "dur")} for e in document["traceEvents"]]}


def check_copy(job, rank, name, copy, reference, most, seed):
    old, new = json.loads(name.read_text(), parse_float=Fraction), json.loads(copy.read_text(), parse_float=Fraction)
    expect(without_times(old) == without_times(new), seed, name.name, "more than times has changed")
    for event in new["traceEvents"]:
        clock = f"rank{rank}.gpu{rank}" if event["pid"] == rank else f"rank{rank}"
        if "dur" not in event or clock not in most or event["cat"] == "cuda_sync":
            continue
        begin = event["ts"] * 1000 + new.get("baseTimeNanoseconds", 0)
        for shown, true in ((begin, event["args"]["true"][0]), (begin + event["dur"] * 1000, event["args"]["true"][1])):
            error = abs(shown - job.clocks[reference].at(true))
            expect(error <= most[clock] + 3, seed, clock, "an event is off by", float(error), "of", most[clock])


def check_archive(cellsync, names, out, folder, seed):
    """One offset a file gives the corrected times, off by at most the error that the warning states."""
    archive, units = folder / "m.tar", {"ns": 1, "us": 1000, "ms": 10**6, "s": 10**9}
    done = subprocess.run([cellsync, *names, "-o", archive, "-r", folder / "a.txt"], capture_output=True, text=True)
    stated = re.search(r"archive are wrong by up to ([0-9.]+) (\w+)", done.stderr)
    most = Fraction(stated[1]) * units[stated[2]] if stated else 0
    with tarfile.open(archive) as tar:
        inside = {member.name: tar.extractfile(member).read() for member in tar}
    manifest = json.loads(inside.pop("perfetto_manifest.json"))["perfetto_manifest"]
    expect(inside == {name.name: name.read_bytes() for name in names}, seed, "files of the archive differ from the input")
    expect(manifest["version"] == 1 and len({f["machine"]["name"] for f in manifest["files"]}) == len(names), seed, "manifest")
    roots = [f["path"] for f in manifest["files"] if "clocks" not in f]
    expect(len(roots) == 1, seed, "references:", roots)
    apart = []
    for entry in manifest["files"]:
        clocks = entry.get("clocks", {"sync_to": {"file": roots[0]}, "offset_ns": 0})
        expect(clocks["sync_to"] == {"file": roots[0]} and clocks["offset_ns"] >= 0, seed, "manifest:", entry)
        raw = json.loads(inside[entry["path"]], parse_float=Fraction)
        new = json.loads((out / entry["path"]).read_text(), parse_float=Fraction)
        apart += [b["ts"] * 1000 + new.get("baseTimeNanoseconds", 0) - a["ts"] * 1000 - clocks["offset_ns"]
                  for a, b in zip(raw["traceEvents"], new["traceEvents"]) if "ts" in a]
    expect(max(apart) - min(apart) <= 2 * most * Fraction(101, 100) + 3, seed, "times in the archive are off by",
           float(max(apart) - min(apart)) / 2, "and not by", float(most))
    return most


def try_job(cellsync, seed, folder, **how):
    job = Job(seed, **how)
    names = [folder / f"rank{i}.json" for i in range(len(job.ranks))]
    for i, name in enumerate(names):
        name.write_text(job.profile(i))
    out, report, clocks = folder / "out", folder / "r.json", folder / "clocks.csv"
    code, error = run(cellsync, *names, "-o", f"{out}/", "-r", report, f"--clocks={clocks}")
    if code != 0:
        expect("has" in error and how.get("lost"), seed, "exit", code, error)
        return 0
    facts = json.loads(report.read_text())
    reference = facts["reference"] if isinstance(facts["reference"], str) else facts["reference"]["name"]
    bounded, outside = check_knots(job, clocks, reference)
    if how.get("wrong"):
        return bool(outside) or facts["witness"] is not None
    for what in outside:
        expect(False, seed, *what)
    errors = check_archive(cellsync, names, out, folder, seed) if how.get("gpu") and how.get("seq") else 1
    expect(errors > 0, seed, "an archive without errors of drift")
    most = {}
    for clock in facts["drift"]["clocks"]:
        if clock["bounded"]:
            most[clock["name"]] = float(clock["max_error_ticks"])
    expect(len(most) >= 2, seed, "no clock has bounds")
    for i, name in enumerate(names):
        check_copy(job, i, name, out / name.name, reference, most, seed)
    return bounded


def main():
    cellsync, seeds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
    first, bounded, both = int(sys.argv[3]) if len(sys.argv) > 3 else 0, 0, 0
    noticed = {"direction": 0, "root": 0, "stream": 0}
    with tempfile.TemporaryDirectory() as name:
        for seed in range(first, first + seeds):
            for gpu in (False, True):
                for seq in (False, True):
                    bounded += try_job(cellsync, seed, Path(name), gpu=gpu, seq=seq)
            # Operations with a root, and calls that wait; without Seq, k-th with k-th.  Each false statement must be noticed.
            both += try_job(cellsync, seed, Path(name), gpu=True, rooted=True, seq=True)
            both += try_job(cellsync, seed, Path(name), gpu=True, rooted=True)
            for wrong in noticed:
                noticed[wrong] += try_job(cellsync, seed, Path(name), gpu=True, rooted=True, seq=True, wrong=wrong)
            # Without the k-th operation of one rank, others would be matched wrongly.
            expect(try_job(cellsync, seed, Path(name), lost=True) == 0 or
                   not any(e["name"] == "gloo:all_reduce" for e in Job(seed).events["rank1"]), seed, "a lost operation is taken")
            bounded += try_job(cellsync, seed, Path(name), lost=True, seq=True)
    expect(bounded > seeds * 20, "hardly any clock has bounds:", bounded)
    expect(both > seeds * 20, "hardly any clock has bounds by roots and calls that wait:", both)
    for wrong, times in noticed.items():
        expect(times > seeds * 0.8, "a wrong", wrong, "is noticed in", times, "of", seeds, "jobs")
    print(f"{seeds} jobs, {bounded} readings with bounds, {both} by roots and waiting; wrong statements noticed: {noticed}")
    sys.exit(bool(FAILURES))


if __name__ == "__main__":
    main()
