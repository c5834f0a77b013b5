"""How many random trials a test makes: CELLSYNC_TEST_ONE_IN in the environment divides them, as in unit tests, and
CELLSYNC_TEST_TIMES multiplies them, where a test looks for more."""

import os


def trials(all_of_them):
    one_in = max(1, int(os.environ.get("CELLSYNC_TEST_ONE_IN", "1")))
    return max(1, all_of_them * max(1, int(os.environ.get("CELLSYNC_TEST_TIMES", "1"))) // one_in)
