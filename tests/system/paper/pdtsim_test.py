#!/usr/bin/env python3
"""Every true offset lies inside its bounds, whatever is simulated; the same options give the same bytes.

Usage: pdtsim_test.py PDTSIM CELLSYNC

Stamps are exact, or cellsync is told how imprecise they are (--delta, from the head of the truth).
"""
import csv
import fractions
import pathlib
import subprocess
import sys
import tempfile

from paper import Run, Simulated
from truth import Course

RUNS = [
    ["--workload=blackscholes", "--spes=1"],
    ["--workload=blackscholes", "--contexts=40", "--machine=qs21"],
    ["--workload=blackscholes", "--level=basic", "--seed=7"],
    ["--workload=juliaset", "--jitter=3", "--machine=ps3"],
    ["--workload=juliaset", "--late-writes=100", "--level=full", "--events=3000"],
    ["--workload=matrix_mul", "--jitter=1", "--late-writes=30", "--events=3000"],
    ["--workload=fft16m", "--spes=5", "--compress", "--events=9000", "--machine=qs22"],
    ["--workload=fft16m", "--level=outer"],
    ["--workload=synthetic:blocks=3,hold=100000", "--level=full", "--events=5000", "--contexts=20"],
    ["--workload=synthetic:compute=400000000000,spread=90,blocks=2", "--machine=ps3", "--events=500"],
    ["--workload=oversubscribed", "--events=60000", "--jitter=2"],
    ["--workload=oversubscribed", "--events=60000", "--switch-source=notifier", "--late-writes=10"],
    ["--workload=oversubscribed", "--switch-source=notifier", "--spes=2", "--contexts=9"],
]


def stragglers(cellsync, folder):
    """The straggling records of the last trace."""
    report = folder / "s.json"
    subprocess.run([cellsync, "-q", folder / "t.pex", "-r", report], check=True)
    return int(report.read_text().split('"stragglers": ')[1].split("}")[0])


def same_bytes(pdtsim, folder, first, second):
    names = ["pex", "trace", "csv"]
    made = []
    for options in (first, second):
        subprocess.run([pdtsim, *options, "-o", folder / "a.pex", f"--truth={folder / 'a.csv'}"], check=True)
        made.append([(folder / f"a.{name}").read_bytes() for name in names])
    return made[0] == made[1]


def lags(pdtsim, folder):
    """By how many ticks each restored decrementer lags: what decrementer and timebase add up to has grown."""
    truth = folder / "l.csv"
    subprocess.run([pdtsim, "--workload=oversubscribed", "--events=60000", "-o", folder / "l.pex",
                    f"--truth={truth}"], check=True)
    starts, found = {}, []
    for row in csv.DictReader(truth.read_text().splitlines()[1:]):
        start = (int(row["decr_first"]) + int(row["offset_ticks"])) % 2**32
        if row["context"] in starts:
            found.append((start - starts[row["context"]]) % 2**32)
        starts[row["context"]] = start
    return found


def courses(truth):
    rows = {}
    for row in csv.DictReader(truth.read_text().splitlines()[1:]):
        rows.setdefault(row["thread"], []).append(row)
    return {name: Course(found) for name, found in rows.items()} | {
        "ppe": Course([{"local_ticks": "0", "offset_ticks": "0", "rate_ppb": "0"}])}


def drift_well(tools, folder, ppm, *options):
    """Whether clocks that drift stamp each record while they show that, in the order of the buffer; and drift."""
    trace, truth = folder / "d.pex", folder / "d.csv"
    subprocess.run([tools[0], f"--drift={ppm}", *options, "-o", trace, f"--truth={truth}"], check=True)
    clocks, limit = courses(truth), fractions.Fraction(ppm.split(",")[0]) * 1000
    rates = [rate for clock in clocks.values() for _, _, rate in clock.knots]
    done = subprocess.run([tools[1], "-q", "--to=csv", "-o", "-", trace], check=True, capture_output=True, text=True)
    begun = 0
    for row in csv.DictReader(line for line in done.stdout.splitlines() if not line.startswith("#")):
        clock, local = clocks[row["thread"]], int(row["time"])
        if clock.at(local + 1) <= begun:
            return False
        begun = max(begun, clock.at(local))
    return (all(clock.joined() for clock in clocks.values()) and all(abs(rate) <= limit for rate in rates) and
            max(rates) > limit / 2 and min(rates) < -limit / 2)


def lag_well(found):
    """Each switch costs STORE_MOVE, DECR_START and DECR_HALT, the latter give or take 25 %, at 223.5 cycles a
    tick; between two records there can be several switches."""
    return len(set(found)) > 9 and all(any(217 * n <= lag <= 262 * n for n in range(1, 5)) for lag in found)


def main(pdtsim, cellsync):
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for options in RUNS:
            run = Run(cellsync, Simulated(pdtsim, folder, options))
            failed += not run.proved()
            print("ok  " if run.proved() else "FAIL", " ".join(options), f"{run.inside} of {len(run.threads)}")
        switched = len(run.threads)
        checks = {
            "many switches": switched > 300,
            "stragglers": stragglers(cellsync, folder) > 0,
            "decrementers lag": lag_well(lags(pdtsim, folder)),
            "drift": drift_well((pdtsim, cellsync), folder, "50", "--workload=juliaset"),
            "wander": drift_well((pdtsim, cellsync), folder, "200,60.5", "--workload=fft16m", "--level=outer"),
            "drift and switches": drift_well((pdtsim, cellsync), folder, "80.125,20", "--workload=oversubscribed",
                                             "--switch-source=notifier", "--events=20000"),
            "the same seed, the same bytes": same_bytes(
                pdtsim, folder, RUNS[5] + ["--seed=9"], RUNS[5] + ["--seed=9"]),
            "another seed, other bytes": not same_bytes(
                pdtsim, folder, RUNS[5] + ["--seed=9"], RUNS[5] + ["--seed=10"]),
        }
    for what, good in checks.items():
        failed += not good
        print("ok  " if good else "FAIL", what)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
