"""--drop, against the solver: random CSVs of exact stamps of which a few are early or late, by far or a little.

    test_dropped.py CELLSYNC [--seeds=N] [--first=SEED]

Where all bad stamps are left out, delta is 0 and the true offsets lie within the bounds: the guarantee for the rest.
Prints how often that was; exit status 1 on a failure, with its seed.
"""

import argparse
import os
import random
import sys
import tempfile
from fractions import Fraction

import dropped
import pexfile
import solver
import started
from compare import same
from trials import trials


def draw(rng, path):
    """Writes a trace; returns its true offsets, by thread, and the positions of bad stamps."""
    n, records = rng.randint(2, 6), rng.randint(100, 400)
    offsets = [rng.randint(-10**rng.randint(0, 12), 10**6) for _ in range(n)]
    bad = set(rng.sample(range(records), rng.randint(0, records // 100)))
    jitter, time, rows, seen = rng.choice([0, 0, 0, 0, 3, 40]), 0, ["thread,time"], set()
    for i in range(records):
        time += rng.randint(0, 40)
        thread = rng.randrange(n)
        bad -= {i} if thread not in seen else set()
        seen.add(thread)
        off = rng.choice([-1, -1, -1, 1]) * rng.randint(1, 10**rng.randint(2, 6)) if i in bad else rng.randint(-jitter, jitter)
        rows.append(f"T{thread},{time - offsets[thread] + off}")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(rows) + "\n")
    return {f"T{t}": offset for t, offset in enumerate(offsets)}, bad, jitter


def check_truth(solution, truth):
    """The true offsets against each other lie within the bounds."""
    threads = solution.clocked.threads
    for s, t in solver.pairs(solution):
        lower, upper = solution.bounds(s, t)
        same(lower <= truth[threads[s].name] - truth[threads[t].name] <= upper, True,
             f"truth of {threads[s].name} and {threads[t].name}")


def check_seed(program, seed, folder):
    """Returns how many were left out, and whether the guarantee could be looked at."""
    rng, path = random.Random(f"dropped {seed}"), os.path.join(folder, f"t{seed}.csv")
    truth, bad, jitter = draw(rng, path)
    clocked = solver.clocked_csv(pexfile.read_csv(path))
    most = len(clocked.owner) // 100
    options = solver.Options(drop=rng.choice([most, most, rng.randint(1, most)]), alpha=rng.choice([Fraction(1, 2), Fraction(1, 3)]),
                             center=rng.choice(["reference", "local"]))

    def run(*arguments):
        done = started.run([program, *arguments], capture_output=True, timeout=60, check=False)
        same(done.returncode, 0, f"exit status of {arguments}: {done.stderr.decode()}")
        return done.stdout

    arguments = [f"--alpha={options.alpha}", f"--center={options.center}"]
    solution = dropped.check(run, path, clocked, options, arguments, folder)
    good = bad <= set(solution.options.without) and jitter == 0
    if good:
        same(solution.delta, 0, "delta where all bad stamps are left out")
        check_truth(solution, truth)
    return len(solution.options.without), good and bool(bad)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", metavar="CELLSYNC")
    parser.add_argument("--seeds", type=int, default=trials(50))
    parser.add_argument("--first", type=int, default=1)
    arguments = parser.parse_args()
    program, failures, some, proved = os.path.abspath(arguments.program), 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(arguments.first, arguments.first + arguments.seeds):
            try:
                count, good = check_seed(program, seed, folder)
                some, proved = some + (count > 0), proved + good
            except Exception as error:      # whatever goes wrong belongs to this seed
                failures += 1
                print(f"seed {seed} failed: {type(error).__name__}: {error}")
    print(f"{some} of {arguments.seeds} traces had records left out, {proved} all bad ones: true offsets lie within bounds")
    print(f"{failures} failed")
    return 1 if failures or arguments.seeds >= 50 and (some < arguments.seeds // 4 or proved < 3) else 0


if __name__ == "__main__":
    sys.exit(main())
