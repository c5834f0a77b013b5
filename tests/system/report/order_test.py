#!/usr/bin/env python3
"""The order before and after, told again from the records as CSV output has them, is what every report says.

Usage: order_test.py CELLSYNC TESTDATA_FOLDER

Traces are those of the samples, and random ones whose stamps may contradict their order.
"""
import csv
import html
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

TRIALS = 60


def run(cellsync, *arguments):
    return subprocess.run([cellsync, "-q", *map(str, arguments)], check=True, stdout=subprocess.PIPE).stdout.decode()


def wrong(pairs):
    """Of (thread, time) in buffer order: how many neighbours of two threads, how many wrong, and the largest."""
    steps = [b[1] - a[1] for a, b in zip(pairs, pairs[1:]) if a[0] != b[0]]
    down = [-step for step in steps if step < 0]
    return len(steps), {"wrong": len(down), "largest_ticks": max(down, default=0)}


def aligned(rows):
    """By the threads' own clocks, each set by its first record to the time of the record before it."""
    shift, last = {}, 0
    for thread, time in rows:
        last = time + shift.setdefault(thread, last - time)
        yield thread, last


def told(path):
    rows = list(csv.DictReader(line for line in path.read_text().splitlines() if not line.startswith("#")))
    neighbours, before = wrong(list(aligned([(row["thread"], int(row["time"])) for row in rows])))
    after = wrong([(row["thread"], int(row["global_time"])) for row in rows])[1]
    return {"neighbours": neighbours, "before": before, "after": after}


def check(cellsync, folder, trace, *options):
    out, report, page = folder / "o.csv", folder / "r.json", folder / "r.html"
    run(cellsync, trace, "-o", out, "-r", report, *options)
    want, found = told(out), json.loads(report.read_text())["order"]
    assert found.pop("doubted") is False, f"{trace} {options}: the order of one buffer is doubted"
    assert want == found, f"{trace} {options}: {found}, by the records {want}"
    line = re.search(r"^order +(\d+) of (\d+) pairs of neighbour.*; after synchronization: (\d+)", run(cellsync, trace, *options),
                     re.M)
    numbers = want["before"]["wrong"], want["neighbours"], want["after"]["wrong"]
    assert tuple(map(int, line.groups())) == numbers, f"{trace}: the text report says {line.group()}"
    if any(option.startswith("--method") for option in options):
        return want
    row = next(csv.DictReader(run(cellsync, trace, "--table", "--report-format=csv", "-r", "-", *options).splitlines()))
    assert [int(row[name]) for name in ("wrong_before", "neighbours", "wrong_after", "largest_wrong_before_ticks",
                                        "largest_wrong_after_ticks")] == \
        [*numbers, want["before"]["largest_ticks"], want["after"]["largest_ticks"]], f"{trace}: the table says {row}"
    run(cellsync, trace, "-r", page, *options)
    sentence = re.sub("<[^>]*>", "", re.search(r'<p id="order">.*?</p>', page.read_text(), re.S).group())
    counts = [int(n) for n in re.findall(r"(?<![\d.])\d+(?![.\d]| [nm\u00b5u]?s)",
                                         html.unescape(sentence).replace("\u202f", ""))]
    assert counts == [n for n in numbers[:2 + (numbers[2] > 0)]], f"{trace}: the page says {sentence}"
    return want


def random_trace(path, rng):
    """Threads with hidden offsets and stamps that are off by up to `off`, in the order of the true time."""
    off, now, rows = rng.choice([0, 0, 3, 50]), 0, []
    offsets = [rng.randrange(-10**9, 10**9) for _ in range(rng.randint(1, 6))]
    for _ in range(rng.randint(1, 80)):
        now += rng.randint(0, 10)
        thread = rng.randrange(len(offsets))
        rows.append(f"t{thread},{now + offsets[thread] + rng.randint(-off, off)}\n")
    path.write_text("# timebase_hz=1000000000\nthread,time\n" + "".join(rows))


def main():
    cellsync, data = sys.argv[1], pathlib.Path(sys.argv[2])
    rng = random.Random(1)
    repaired = left = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        traces = [data / "demo.pex", *sorted((data / "samples").glob("*.pex")), *sorted((data / "samples").glob("*.csv"))]
        for trace in (t for t in traces if t.suffixes == [t.suffix]):
            for options in [], ["--threads=1"], ["--relax=paper"], ["--method=lsq"], ["--method=lamport-clock"]:
                check(cellsync, folder, trace, *options)
        for _ in range(TRIALS):
            random_trace(folder / "t.csv", rng)
            found = check(cellsync, folder, folder / "t.csv", *rng.choice([[], ["--monotonic"], ["--engine=dense"]]))
            repaired += found["before"]["wrong"] > found["after"]["wrong"]
            left += found["after"]["wrong"] > 0
    assert repaired > TRIALS / 2 and left > 3, (repaired, left)


main()
