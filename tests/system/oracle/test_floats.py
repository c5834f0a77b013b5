"""Property test: timestamps that went through floating-point numbers are warned of, and the delta named holds the truth.

    test_floats.py CELLSYNC [--seeds=N] [--first=SEED]

Every seed draws clocks and events in the order of their true times, near 1.7e18 ns, and prints the timestamps in one of
the ways that lose digits: all digits of the double, 17 digits, or as few as tell it from its neighbours, in ns, us, ms
or s. The delta named is half the spacing of the doubles and what printing adds, in whole ticks; with it the true offsets
are inside the bounds, and nothing is warned of. Clocks that are read in steps of 1, 100, or 1000 ns, and printed as they
are, are not warned of in these words. On a failure the seed is printed; exit status 1.
"""

import json
import math
import random
import re
from fractions import Fraction

import started
from trials import run_seeds

UNITS = {"time": 1, "time_ns": 1, "time_us": 10**3, "time_ms": 10**6, "time_s": 10**9}
PRINTS = {"all": lambda value: str(int(value)), "17": "{:.17g}".format, "shortest": repr}


def plain(text):
    """The number without an exponent, as jq prints it."""
    return str(int(Fraction(text))) if "e" in text else text


def draw(rng):
    """What is done to timestamps, and the offsets of the clocks and rows of their events."""
    unit = rng.choice(list(UNITS))
    how = rng.choice(["all", "17", "shortest"] if UNITS[unit] == 1 else ["17", "shortest"])
    step = rng.choice([1, 100, 1000]) if rng.random() < 0.3 else None
    offsets = [rng.randint(-10**6, 10**6) for _ in range(rng.randint(2, 4))]
    now, rows = rng.randint(16 * 10**17, 18 * 10**17), [f"thread,{unit if step is None else 'time_ns'}"]
    for _ in range(rng.choice([30, 60, 300])):
        now += rng.randint(1, rng.choice([300, 3000]))
        t = rng.randrange(len(offsets))
        stamp = now + offsets[t]
        text = plain(PRINTS[how](float(Fraction(stamp, UNITS[unit])))) if step is None else str(stamp // step * step)
        rows.append(f"t{t},{text}")
    return unit, how, step, offsets, rows


def run(program, rows, *options):
    """The JSON report."""
    done = started.run([program, "-", "-q", "--report=-", "--report-format=json", *options],
                       input="\n".join(rows) + "\n", capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def named(report):
    """The delta of the warning, and whether it names the cause."""
    text = next((text for text in report["warnings"] if " in steps of " in text), "")
    found = re.search("--delta=([0-9/]+) ", text)
    return found and Fraction(found[1]), "converted through floating-point numbers" in text


def outside(report, offsets):
    """The clocks whose true offset is outside the bounds."""
    reference = next(thread for thread in report["threads"] if thread["name"] == report["reference"])
    own = offsets[int(reference["name"][1:])]
    inf, bad = math.inf, []
    for thread in report["threads"]:
        truth = reference["offset_ticks"] + own - offsets[int(thread["name"][1:])]
        least, most = thread["earliest_ticks"], thread["latest_ticks"]
        if not (-inf if least is None else least) <= truth <= (inf if most is None else most):
            bad.append(thread["name"])
    return bad


def check(program, seed):
    """What is wrong, or None."""
    unit, how, step, offsets, rows = draw(random.Random(seed))
    report = run(program, rows)
    delta, by_floats = named(report)
    if step is not None:
        return f"steps of {step} ns are called floating-point numbers" if by_floats else None
    spacing = Fraction(math.ulp(float(Fraction(17 * 10**17, UNITS[unit])))) * UNITS[unit]
    half = spacing / 2
    wanted = {"all": {half}, "17": {math.ceil(half + 50), math.ceil(spacing)}, "shortest": {math.ceil(spacing)}}[how]
    if Fraction(report["delta"]["ticks"]) < half and not by_floats:
        return f"{how} digits of {unit}: the cause is not named: {report['warnings']}"
    if not by_floats:
        return None
    if delta not in wanted:
        return f"{how} digits of {unit}: a delta of {delta}; expected: {wanted}"
    report = run(program, rows, f"--delta={delta}")
    if named(report)[0]:
        return f"warned of though delta is given: {report['warnings']}"
    bad = outside(report, offsets)
    return f"{how} digits of {unit}: the truth of {bad} is outside with the delta named" if bad else None


run_seeds(check, 120)
