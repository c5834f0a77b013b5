#!/usr/bin/env python3
"""The CSV of an archive says what its events say of order: read again it has the same messages and the same bounds,
but messages of channels of which receives are missing are groups of two.

Usage: order_columns_test.py CELLSYNC OTF2GEN [--seeds=N] [--first=SEED]

Programs are those of otf2_match_test.py: threads that share a process, wildcards, requests, operations of every
kind, and clocks that contradict the order.  Nothing of what wrote the columns reads them.
"""
import argparse
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

from otf2_match_test import PER, Program, started

SAME = ["reference", "alpha", "delta", "conditional", "correction", "threads", "pairs", "summary"]


def options_of(rng):
    """What bounds depend on."""
    options = []
    if rng.random() < 0.3:
        options.append(f"--latency={rng.choice([1, 5, 40])}")
    if rng.random() < 0.2:
        options.append(f"--drift={rng.choice([1, 50])}")
    elif rng.random() < 0.3:
        options.append(f"--delta={rng.choice(['0', '1', '31/2', '300'])}")
    return options


def solve(cellsync, trace, options, *more):
    done = started.run([cellsync, "-q", trace, "-r", "-", "--report-format=json", *options, *more],
                       capture_output=True, text=True)
    return done.returncode, json.loads(done.stdout) if done.returncode == 0 else done.stderr


def groups_of_two(csv):
    """Pairs of channels of which receives are missing: which message is received is not known, only what comes before what."""
    lines = [line for line in csv.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return len(set(re.findall(r"#e\d+", "\n".join(lines))))


def compare(first, second, csv):
    if first["matched"]["groups"]:      # figures of pairs that met leave out groups that a single member does not need
        for found in (first, second):
            (found["summary"] or {}).pop("met", None)
    for name in SAME:
        if first.get(name) != second.get(name):
            return f"{name}: {first.get(name)}, read again {second.get(name)}"
    one, other = first["matched"], second["matched"]
    apart = groups_of_two(csv)
    if (one["messages"], one["synchronous"]) != (other["messages"] + apart, other["synchronous"]):
        return f"{one['messages']} messages, read again {other['messages']} and {apart} groups of two"
    if apart:
        return None
    raw = [found.get("violations", {}).get("raw") for found in (first, second)]
    if one["messages"] and raw[0] != raw[1]:
        return f"violations {raw[0]}, read again {raw[1]}"
    return None


def look(cellsync, folder, per, options):
    """What differs, and how many messages there were; None where the archive has no bounds."""
    csv = folder / "x.csv"
    code, first = solve(cellsync, folder / "traces.otf2", options, f"--clock-per={per}", "-o", csv)
    if code == 0:
        code, second = solve(cellsync, csv, options)
        return compare(first, second, csv) if code == 0 else f"read again: exit {code}: {second}", first["matched"]["messages"]
    if code not in (1, 3):
        return f"exit {code}: {first}", 0
    return None, None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", nargs=2, type=pathlib.Path)
    parser.add_argument("--seeds", type=int, default=60)
    parser.add_argument("--first", type=int, default=0)
    args = parser.parse_args()
    cellsync, otf2gen = (p.resolve() for p in args.programs)
    faults = messages = refused = 0
    with tempfile.TemporaryDirectory() as name:
        for seed in range(args.first, args.first + args.seeds):
            rng = random.Random(seed)
            program = Program(rng, plain=rng.random() < 0.4, steps=rng.choice([40, 200]),
                              late=rng.choice([0, 0, 0.02]), operations=rng.choice([0, 0, None, 3]))
            folder = pathlib.Path(name) / str(seed)
            lines = program.write()
            subprocess.run([otf2gen, folder], input="\n".join(lines) + "\n", text=True, check=True)
            per = rng.choice(PER[PER.index(program.truth):])
            options = options_of(rng)
            fault, n = look(cellsync, folder, per, options)
            messages += n or 0
            refused += n is None
            if fault:
                faults += 1
                print(f"FAULT: seed {seed}, a clock per {per}, {options}: {fault}")
    print(f"{args.seeds} programs, {messages} messages, {refused} without bounds")
    return 1 if faults or refused > args.seeds // 2 else 0


if __name__ == "__main__":
    sys.exit(main())
