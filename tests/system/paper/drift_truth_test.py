#!/usr/bin/env python3
"""Clocks that drift: the truth is inside every bound at every knot, always.

Usage: drift_truth_test.py PDTSIM CELLSYNC [--runs=N] [--seed=N]

Programs of truth_test.py whose clocks run apart, with and without a wander.  Two of them differ by up to twice what one
differs from true time, which is what cellsync is told, beside how imprecise stamps are.  A claim that is wrong, a hundredth
of that, must show in some run: else the test would see nothing.
"""
import argparse
import csv
import pathlib
import random
import subprocess
import sys
import tempfile
from fractions import Fraction

from truth_test import blocks, halo, imprecise, simulate

NANO = 10**9


class Clock:
    """What pdtsim says of one: true time less its own, from each of its kinks on."""

    def __init__(self, rows):
        self.pieces = [(int(row["local_ticks"]), Fraction(row["offset_ticks"]), int(row.get("rate_ppb") or 0))
                       for row in rows]

    def true_time(self, local):
        at, offset, rate = next((p for p in reversed(self.pieces) if p[0] <= local), self.pieces[0])
        return local + offset + Fraction(rate * (local - at), NANO)

    def shown_at(self, time):
        """Its own time, as a fraction, at a true time."""
        at, offset, rate = next((p for p in reversed(self.pieces) if p[0] + p[1] <= time), self.pieces[0])
        return at + (time - at - offset) / (1 + Fraction(rate, NANO))


def solve(cellsync, folder, trace, options):
    """Knots by clock, [(local, global, earliest, latest)]; None where it is infeasible."""
    path = folder / "knots.csv"
    done = subprocess.run([cellsync, "-q", *options, f"--clocks={path}", trace, "-r", "/dev/null"], capture_output=True,
                          text=True)
    if done.returncode not in (0, 3):
        raise AssertionError(f"exit status {done.returncode}: {done.stderr}")
    if done.returncode:
        return None
    knots = {}
    with path.open() as rows:
        for row in csv.DictReader(rows):
            knots.setdefault(row["thread"], []).append(
                [int(row["local"]), *(Fraction(row[end]) if row[end] else None for end in ("global", "earliest", "latest"))])
    return knots


def outside(knots, truth, reference):
    """The knots that the truth contradicts, and how many it does not."""
    clocks = {name: Clock(rows) for name, rows in truth.clocks.items()}
    if "ppe" not in clocks:
        clocks["ppe"] = Clock([{"local_ticks": "0", "offset_ticks": "0"}])
    base = knots[reference][0][1] - knots[reference][0][0]
    bad, good = [], 0
    for name, mine in knots.items():
        for local, _, earliest, latest in mine:
            if earliest is None or name == reference:
                continue
            own = clocks[reference].shown_at(clocks[name].true_time(local)) + base
            good += earliest <= own <= latest
            if not earliest <= own <= latest:
                bad.append(f"{name} at {local}: {float(own - earliest)} {float(latest - own)}")
    return bad, good


def run(tools, folder, seed):
    draw = random.Random(f"drift {seed}")
    messages = draw.random() < 0.6
    ppm, wander = draw.choice([20, 1000, 50000]), draw.choice([None, 0, 1])
    drift = f"--drift={ppm}" if wander is None else f"--drift={ppm},{wander}"
    options = [*(halo(draw) if messages else blocks(draw)), *imprecise(draw), drift, f"--seed={seed}"]
    trace, truth = simulate(tools[0], folder, options, "csv")
    names = list(truth.clocks)
    reference = names[0] if messages else "ppe"
    told = [f"--delta={truth.facts['imprecision_ticks']}", f"--reference={reference}"]
    more = f",{wander * 3}" if wander else ""
    knots = solve(tools[1], folder, trace, [*told, f"--drift={ppm * 9 // 4}{more}"])
    bad, good = (["infeasible"], 0) if knots is None else outside(knots, truth, reference)
    if messages and len(names) > 1 and not bad:
        wrong = solve(tools[1], folder, trace, [*told, f"--drift={Fraction(ppm, 100).__float__():.3f}"])
        good = (good, wrong is None or bool(outside(wrong, truth, reference)[0]))
    else:
        good = (good, False)
    return options, bad, good


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tools", nargs=2, metavar="PROGRAM")
    parser.add_argument("--runs", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    faults, inside, shown = 0, 0, 0
    for seed in range(arguments.seed, arguments.seed + arguments.runs):
        with tempfile.TemporaryDirectory() as name:
            options, bad, (good, wrong) = run(arguments.tools, pathlib.Path(name), seed)
        inside, shown = inside + good, shown + wrong
        if bad:
            faults += 1
            print(f"seed {seed}: pdtsim {' '.join(options)}: {len(bad)} outside: {'; '.join(bad[:3])}")
    print(f"{arguments.runs} runs, {faults} with the truth outside; {inside} knots with it inside, "
          f"{shown} wrong claims seen")
    return 1 if faults or inside == 0 or shown == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
