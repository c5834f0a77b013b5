#!/usr/bin/env python3
"""The truth is inside every bound, always: random programs, simulated, synchronized, compared.

Usage: truth_test.py PDTSIM CELLSYNC [--runs=N] [--seed=N]

Half of the programs are ranks that send messages, half flush their records in blocks, or to a buffer for each core.
cellsync is told how imprecise the stamps are, and at times how long messages take at least, both from the head of the
truth.  Each clock's true offset, and each pair's difference, must lie within the bounds.  A claim that is wrong, that
messages take four times as long, must show: else the test would see nothing.
"""
import argparse
import csv
import json
import pathlib
import random
import subprocess
import sys
import tempfile
from fractions import Fraction


class Truth:
    """What pdtsim says: facts of its head, and rows by clock."""

    def __init__(self, path):
        lines = path.read_text().splitlines()
        self.facts = dict(line[2:].split("=") for line in lines if line.startswith("# "))
        self.clocks = {}
        for row in csv.DictReader(line for line in lines if not line.startswith("#")):
            self.clocks.setdefault(row["thread"], []).append(row)

    def offset(self, name):
        """Of a clock that does not drift, by the clock that keeps true time."""
        return Fraction(0) if name == "ppe" else Fraction(self.clocks[name][0]["offset_ticks"])


def simulate(pdtsim, folder, options, suffix):
    trace, truth = folder / f"t.{suffix}", folder / "t.truth"
    subprocess.run([pdtsim, *options, "-o", trace, f"--truth={truth}"], check=True, timeout=60)
    return trace, Truth(truth)


def solve(cellsync, trace, options):
    """The report; None where the trace is infeasible."""
    report = trace.with_name("report.json")
    done = subprocess.run([cellsync, "-q", *options, "--pairs=all", trace, "-r", report], capture_output=True, text=True)
    if done.returncode not in (0, 3):
        raise AssertionError(f"exit status {done.returncode}: {done.stderr}")
    return None if done.returncode else json.loads(report.read_text())


def within(least, value, greatest):
    return (least is None or least <= value) and (greatest is None or value <= greatest)


def outside(found, truth):
    """What of the report the truth contradicts."""
    zero = next(t["earliest_ticks"] for t in found["threads"] if t["name"] == found["reference"])
    own = truth.offset(found["reference"])
    for t in found["threads"]:
        if not within(t["earliest_ticks"], truth.offset(t["name"]) - own + zero, t["latest_ticks"]):
            yield t["name"]
    for p in found["pairs"]:
        if not within(p["lower_ticks"], truth.offset(p["s"]) - truth.offset(p["t"]), p["upper_ticks"]):
            yield f"{p['s']},{p['t']}"


def imprecise(draw):
    """Options that make stamps less good."""
    return [*([f"--jitter={draw.choice([1, 5, 100, 3000])}"] if draw.random() < 0.5 else []),
            *([f"--late-writes={draw.choice([5, 50, 100])}"] if draw.random() < 0.5 else [])]


def halo(draw):
    """A program of ranks that send messages."""
    nodes = draw.choice([1, 2, 3, 5, 9])
    ranks = max(nodes * draw.choice([1, 2, 4]) + (draw.random() < 0.3 and nodes < 5), 2)
    keys = {"swaps": draw.choice([1, 4, 9]), "compute": draw.choice([1000, 100000, 5000000]),
            "bytes": draw.choice([0, 100, 8192]), **{key: draw.randint(0, 1) for key in
                                                     ("sync", "barrier", "latency", "shared")}}
    return ["--workload=halo:" + ",".join(f"{key}={value}" for key, value in keys.items()), f"--nodes={nodes}",
            f"--contexts={ranks}", f"--machine={draw.choice(['qs20', 'qs22', 'ps3'])}",
            f"--level={draw.choice(['stalls', 'full'])}", f"--events={draw.choice([300, 2000])}"]


def blocks(draw):
    """A program on one blade, whose records go to buffers in another way than one by one."""
    workload = draw.choice(["blackscholes", "juliaset", "matrix_mul", "oversubscribed", "synthetic",
                            "synthetic:compute=20000,blocks=30,spread=90"])
    k = draw.choice([1, 2, 3, 8, 64, 256])
    how = draw.choice([f"--flush={k}", f"--flush={k},stamped", f"--flush={k},next", f"--flush={k},double",
                       "--buffers=core", "--tracer=pages"])
    more = []
    if "flush" in how or "pages" in how:
        more += [f"--burst={draw.choice([1, 4, 16])}"] if draw.random() < 0.4 else []
        more += ["--buffers=core"] if draw.random() < 0.3 else []
    return [f"--workload={workload}", how, *more, f"--contexts={draw.choice([1, 3, 16, 20])}",
            f"--machine={draw.choice(['qs20', 'qs22'])}", f"--level={draw.choice(['stalls', 'full'])}",
            f"--events={draw.choice([300, 3000])}"]


def run_blocks(tools, folder, seed):
    """The same of blocks; whether anything is bounded."""
    draw = random.Random(seed)
    options = [*blocks(draw), *imprecise(draw), f"--seed={seed}"]
    trace, truth = simulate(tools[0], folder, options, "csv")
    found = solve(tools[1], trace, [f"--delta={truth.facts['imprecision_ticks']}"])
    bad = ["infeasible"] if found is None else list(outside(found, truth))
    return options, bad, found is not None and any(p["upper_ticks"] is not None for p in found["pairs"])


def run(tools, folder, seed):
    """One program; the options that it was run with, what is outside, and whether a wrong claim shows."""
    draw = random.Random(seed)
    options = [*halo(draw), *imprecise(draw), f"--seed={seed}"]
    trace, truth = simulate(tools[0], folder, options, "csv")
    given = [f"--delta={truth.facts['imprecision_ticks']}", "--reference=node0"]
    least = int(truth.facts["latency_ticks"])
    told = [f"--latency={least}"] if draw.random() < 0.5 else []
    found = solve(tools[1], trace, given + told)
    wrong = solve(tools[1], trace, [*given, f"--latency={4 * least}"])
    bad = ["infeasible"] if found is None else list(outside(found, truth))
    return options + told, bad, wrong is None or any(outside(wrong, truth))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pdtsim")
    parser.add_argument("cellsync")
    parser.add_argument("--runs", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    failed = shown = 0
    with tempfile.TemporaryDirectory() as name:
        for seed in range(arguments.seed, arguments.seed + arguments.runs):
            kind = run if seed % 2 else run_blocks
            options, bad, shows = kind((arguments.pdtsim, arguments.cellsync), pathlib.Path(name), seed)
            failed += bool(bad)
            shown += shows
            if bad:
                print("FAIL", " ".join(options), "outside:", " ".join(bad[:5]))
    print(f"{arguments.runs - failed} of {arguments.runs} inside; a wrong latency, or a bound, shows in {shown}")
    return 1 if failed or shown < arguments.runs // 4 else 0


if __name__ == "__main__":
    sys.exit(main())
