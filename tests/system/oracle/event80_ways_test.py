#!/usr/bin/env python3
"""Logs of Dursun's profiler that are read each by itself, against event by event: the same reports.

Usage: event80_ways_test.py PDTSIM WAYS [--seeds=N] [--first=SEED]

The programs are those of test_event80.py, but longer, with transfers within what takes time, clocks that run fast or slow and
late stamps; and runs of pdtsim. Latencies, deltas, drift, one worker and two are drawn.
"""
import argparse
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
from fractions import Fraction

from test_event80 import Program


class Long(Program):
    """Many messages and operations."""

    def __init__(self, rng):
        self.rng = rng
        self.n = rng.randint(2, 6)
        self.done = [[] for _ in range(self.n)]
        self.now = [Fraction(rng.randint(0, 50)) for _ in range(self.n)]
        kinds = rng.choice([[self.message], [self.message, self.meet], [self.message, self.message, self.meet, self.other, self.inner],
                            [self.message, self.meet, self.lonely]])
        for _ in range(rng.choice([5, 30, 200, 600])):
            rng.choice(kinds)()
        self.offsets = [rng.randint(0, 10**6) + (Fraction(rng.randint(0, 9), 10) if rng.random() < 0.5 else 0) for _ in range(self.n)]
        gain = rng.choice([0, 0, 0, 10, 2000])
        rates = [1 + Fraction(rng.randint(-gain, gain), 10**5) for _ in range(self.n)]
        self.done = [[(begin * rate, end * rate, *what) for begin, end, *what in done] for done, rate in zip(self.done, rates)]

    def inner(self):
        """A transfer, or a message to none, within what was done last."""
        rank = self.rng.randrange(self.n)
        if self.done[rank]:
            begin, end, *_ = self.done[rank][-1]
            self.done[rank].append((begin + (end - begin) / 4, begin + (end - begin) / 2, 10, (0,) * 8))


def simulate(rng, seed, pdtsim, folder):
    workload = rng.choice(["sweep3d", "sweep3d:root=cell", "md", "lb", "pingpong"])
    nodes, spes = rng.choice([(2, 1), (1, 3), (2, 2), (3, 2)]) if workload in ("md", "lb", "pingpong") else (2, rng.choice([1, 2]))
    workload += ("," if ":" in workload else ":") + f"rounds={rng.choice([1, 5, 40])},stamp={rng.choice(['begin', 'end'])}"
    more = rng.choice([[], [], [f"--jitter={rng.choice([3, 300])}"], ["--drift=100"]])
    trace = os.path.join(folder, "t.pex")
    subprocess.run([pdtsim, f"--workload={workload}", f"--nodes={nodes}", f"--spes={spes}", f"--seed={seed}", "--machine=qs22", *more,
                    "-o", trace], check=True, capture_output=True)
    return trace


def draw(seed, pdtsim, folder):
    """Lines of ways.c."""
    rng = random.Random(f"ways {seed}")
    os.mkdir(folder)
    trace = simulate(rng, seed, pdtsim, folder) if seed % 3 == 0 else Long(rng).write(folder)
    lines = []
    for _ in range(3):
        drift = rng.choice([-1, -1, 60_000, 500_000, 30_000_000, 500_000_000])
        wander = -1 if drift < 0 else rng.choice([-1, -1, 0, drift // 10])
        delta = 0 if drift >= 0 else rng.choice([0, 0, 2, 7, 400])
        lines.append(f"{trace} 0 {rng.choice([0, 0, 0, 1, 30])} {delta} {rng.choice([1, 2])} {drift} {wander}\n")
    return lines


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", nargs=2, type=pathlib.Path)
    parser.add_argument("--seeds", type=int, default=60)
    parser.add_argument("--first", type=int, default=0)
    args = parser.parse_args()
    pdtsim, ways = (p.resolve() for p in args.programs)
    with tempfile.TemporaryDirectory() as name:
        jobs = [line for seed in range(args.first, args.first + args.seeds)
                for line in draw(seed, pdtsim, os.path.join(name, str(seed)))]
        done = subprocess.run([ways, name], input="".join(jobs), capture_output=True, text=True)
    print(done.stdout + done.stderr, end="")
    found = re.search(r"(\d+) archives, (\d+) replayed, (\d+) with operations", done.stdout)
    least = len(jobs), args.seeds // 2, args.seeds // 2
    if not found or any(int(n) < want for n, want in zip(found.groups(), least)):
        print("FAULT: too few of them were read each by itself")
        return 1
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
