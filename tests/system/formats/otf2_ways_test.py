#!/usr/bin/env python3
"""Locations of OTF2 archives that are read each by itself, against event by event: the same reports.

Usage: otf2_ways_test.py OTF2GEN OTF2WAYS [--seeds=N] [--first=SEED]

The programs are those of otf2_match_test.py, most with a thread a process, many with stamps that contradict one
another; latencies, deltas, one worker and two are drawn.
"""
import argparse
import pathlib
import random
import re
import subprocess
import sys
import tempfile

from otf2_match_test import PER, Program

NUMBER = {"process": 0, "node": 1, "location": 2}


def draw(seed):
    """A program, and what it is synchronized with."""
    rng = random.Random(seed)
    operations = rng.choice([0, 1, 20]) if seed % 2 else 0
    program = Program(rng, plain=rng.random() < 0.9, steps=rng.choice([40, 200, 600]), late=rng.choice([0, 0, 0, 0, 0.01]),
                      operations=operations)
    per = rng.choice(["process"] + PER[PER.index(program.truth):])
    latency = rng.choice([0, 0, 0, 0, 1])
    delta = rng.choice([0, 0, 0, 1, 2, 3, 20])
    return program, f"{NUMBER[per]} {latency} {delta} {rng.choice([1, 2])}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", nargs=2, type=pathlib.Path)
    parser.add_argument("--seeds", type=int, default=120)
    parser.add_argument("--first", type=int, default=0)
    args = parser.parse_args()
    otf2gen, ways = (p.resolve() for p in args.programs)
    with tempfile.TemporaryDirectory() as name:
        jobs = []
        for seed in range(args.first, args.first + args.seeds):
            program, options = draw(seed)
            folder = pathlib.Path(name) / str(seed)
            subprocess.run([otf2gen, folder], input="\n".join(program.write()) + "\n", text=True, check=True)
            jobs.append(f"{folder}/traces.otf2 {options}\n")
        done = subprocess.run([ways, name], input="".join(jobs), capture_output=True, text=True)
    print(done.stdout + done.stderr, end="")
    found = re.search(r"(\d+) archives, (\d+) streamed, (\d+) groups", done.stdout)
    if not found or int(found[1]) != args.seeds or int(found[2]) < args.seeds // 4 or int(found[3]) < args.seeds:
        print("FAULT: too few of them were read each by itself, or too much of them was kept")
        return 1
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
