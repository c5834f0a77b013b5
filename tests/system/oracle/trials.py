"""How many random trials a test makes: CELLSYNC_TEST_ONE_IN in the environment divides them, as in unit tests, and
CELLSYNC_TEST_TIMES multiplies them, where a test looks for more.  And how tests of seeds, and those of unittest, are run."""

import argparse
import os
import sys
import tempfile
import unittest


def trials(all_of_them):
    one_in = max(1, int(os.environ.get("CELLSYNC_TEST_ONE_IN", "1")))
    return max(1, all_of_them * max(1, int(os.environ.get("CELLSYNC_TEST_TIMES", "1"))) // one_in)


def run_seeds(check, seeds):
    """The main of a test: check(program, seed) says what is wrong, or None."""
    parser = argparse.ArgumentParser()
    parser.add_argument("cellsync")
    parser.add_argument("--seeds", type=int, default=trials(seeds))
    parser.add_argument("--first", type=int, default=1)
    args = parser.parse_args()
    bad = 0
    for seed in range(args.first, args.first + args.seeds):
        fault = check(args.cellsync, seed)
        bad += fault is not None
        if fault:
            print(f"seed {seed}: {fault}")
    print(f"{args.seeds - bad} passed, {bad} failed")
    sys.exit(bad > 0)


def run_in_folder():
    """The tests of the main module, in an empty folder of their own."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            unittest.main(argv=sys.argv[:1])
        finally:
            os.chdir("/")
