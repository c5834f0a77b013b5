#!/usr/bin/env python3
"""The columns of global begins in a synchronized CSV against the solver and the columns of the CSV; --check proves
them, and finds one that is changed; the CSV given as input again comes out the same.

Usage: global_begins_test.py CELLSYNC [SEEDS]
"""
import os
import random
import sys
import tempfile
from fractions import Fraction

import inputs  # the path to the next ones
import pexfile
import started
from compare import same

COLUMNS = {"ticks": ["global_time", "global_begin"], "seconds": ["global_time_s", "global_begin_s"],
           "both": ["global_time", "global_time_s", "global_begin", "global_begin_s"]}


def status_of(program, *arguments):
    return started.run([program, *arguments], capture_output=True, timeout=60, check=False).returncode


def check_columns(solved, path, columns):
    """The columns that are added, in order, and what is in them."""
    written, hz = pexfile.read_csv(path), solved.solution.clocked.timebase_hz
    same(written.names, solved.csv.names + columns, "columns")
    for position, row in enumerate(written.rows):
        begin = solved.row_begin(position)
        if "global_begin" in columns:
            same(row["global_begin"], "" if begin is None else str(begin), f"begin of {position}")
        if "global_begin_s" in columns:
            seconds = row["global_begin_s"]
            same(None if seconds == "" else round(Fraction(seconds) * hz), begin, f"begin of {position} in seconds")


def spoil(rng, path, spoiled):
    """Changes one begin, or gives one to a row that has none."""
    written = pexfile.read_csv(path)
    at, column = rng.randrange(len(written.rows)), rng.choice(["global_begin", "global_begin_s"])
    text = written.rows[at][column]
    written.raw_rows[at] = pexfile.with_column(written.raw_rows[at], written.names.index(column), text + "1")
    with open(spoiled, "wb") as file:
        file.write(b"".join(written.comments + [written.header] + written.raw_rows))


def check(program, rng, folder, seed):
    path = inputs.write_intervals(folder, seed)
    solved, target = inputs.solve(path), os.path.join(folder, "x.csv")
    for word, columns in COLUMNS.items():
        inputs.run(program, "-q", path, "-o", target, f"--csv-time={word}")
        check_columns(solved, target, columns)
        same(status_of(program, "--check", target), int(word == "seconds"), f"--check of {word}")
        inputs.run(program, "-q", target, "-o", os.path.join(folder, "again.csv"), f"--csv-time={word}")
        with open(target, "rb") as first, open(os.path.join(folder, "again.csv"), "rb") as again:
            same(again.read(), first.read(), "written again")
    inputs.run(program, "-q", path, "-o", target, "--csv-time=both")
    spoil(rng, target, os.path.join(folder, "spoiled.csv"))
    same(status_of(program, "--check", os.path.join(folder, "spoiled.csv")), 1, "--check of another begin")


def main(program, seeds=40):
    failed, rng = 0, random.Random(12)
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(int(seeds)):
            try:
                check(os.path.abspath(program), rng, folder, seed)
            except Exception as error:  # whatever it is, the others go on
                failed += 1
                print(f"seed {seed}: FAILED: {type(error).__name__}: {error}")
    print(f"{seeds} traces, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
