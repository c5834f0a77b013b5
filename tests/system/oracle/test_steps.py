"""Property test: clocks some of which are read in steps are warned of, and the delta named holds the truth.

    test_steps.py CELLSYNC [--seeds=N] [--first=SEED]

Every seed draws clocks with offsets that are no multiples of a step, some of them read in steps, all rounded the same
way, and events in the order of their true times. The warning names the first of the clocks that step, how many others
there are, and the step of the coarsest; with half of it the true offsets are inside the bounds, and nothing is warned
of. Clocks without steps are not warned of. On a failure the seed is printed; exit status 1.
"""

import json
import random
from fractions import Fraction

import started
from trials import run_seeds

STEPS = [1, 1, 16, 40, 100, 1000, 15625, 4000000]


def draw(rng):
    """The steps and offsets of the clocks, and the rows of their events."""
    steps = [rng.choice(STEPS) for _ in range(rng.randint(2, 6))]
    offsets = [rng.randint(-10**12, 10**12) for _ in steps]
    pace, half = max(steps) // rng.choice([1, 3, 10]) + 5, rng.random() < 0.5
    now, rows = 10**9, ["thread,time"]
    for _ in range(60 * len(steps)):
        now += rng.randint(1, pace)
        t = rng.randrange(len(steps))
        stamp = (now + offsets[t] + (steps[t] // 2 if half else 0)) // steps[t] * steps[t]
        rows.append(f"t{t},{stamp}")
    return steps, offsets, rows


def run(program, rows, *options):
    """The JSON report."""
    done = started.run([program, "-", "-q", "--report=-", "--report-format=json", *options],
                       input="\n".join(rows) + "\n", capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def coarse(report):
    """The warning of steps, or None."""
    return next((text for text in report["warnings"] if " in steps of " in text), None)


def expected(steps, names):
    """How the warning begins, by what the clocks are; names are in the order of the report."""
    stepped = [(name, step) for name, step in zip(names, steps) if step > 1]
    if not stepped:
        return None
    coarsest = max(step for _, step in stepped)
    up_to = "up to " if min(step for _, step in stepped) < coarsest else ""
    others = len(stepped) - 1
    who = "all clocks seem to advance" if len(stepped) == len(steps) else \
        f"the clock of {stepped[0][0]} seems to advance" if others == 0 else \
        f"the clocks of {stepped[0][0]} and {others} other{'s' * (others > 1)} seem to advance"
    return f"{who} in steps of {up_to}{coarsest} ticks ("


def check(program, seed):
    """What is wrong, or None."""
    steps, offsets, rows = draw(random.Random(seed))
    report = run(program, rows)
    threads = report["threads"]
    order = [int(thread["name"][1:]) for thread in threads]
    text = coarse(report)
    begin = expected([steps[t] for t in order], [thread["name"] for thread in threads])
    if begin is None:
        return f"no clock has steps, and yet: {text}" if text else None
    if text is None:
        enough = 2 * Fraction(report["delta"]["ticks"]) >= max(steps)
        return None if enough else f"no warning; expected: {begin}"
    if not text.startswith(begin):
        return f"{text}; expected: {begin}"
    named = Fraction(max(steps), 2)
    if f"pass --delta={named} (" not in text:
        return f"{text}: not half a step"
    report = run(program, rows, f"--delta={named}")
    if coarse(report):
        return f"warned of though delta is given: {coarse(report)}"
    reference = next(thread for thread in report["threads"] if thread["name"] == report["reference"])
    own = int(reference["name"][1:])
    for thread in report["threads"]:
        truth = reference["offset_ticks"] + offsets[own] - offsets[int(thread["name"][1:])]
        if not thread["earliest_ticks"] <= truth <= thread["latest_ticks"]:
            return f"the truth of {thread['name']}, {truth}, is outside with the delta named"
    return None


run_seeds(check, 60)
