"""Property test: clocks that are read in steps of no whole number of ticks are warned of, and the delta named holds the truth.

    test_uneven.py CELLSYNC [--seeds=N] [--first=SEED]

Every even seed draws counters of a known rate that is printed in other units, and events in the order of their true times.
Where these are as frequent as the manual wants, the warning names the clocks and their step, to one percent; with the delta
that it names the true offsets are inside the bounds, and nothing is warned of. Every odd seed draws activity of clocks
without steps, regular or not, and no such steps are warned of. On a failure the seed is printed; exit status 1.
"""

import json
import random
import re
from fractions import Fraction
from math import floor

import started
from trials import run_seeds

# The steps in ticks, and of how many ticks stamps are multiples.
COUNTERS = {
    "14.318 MHz in ns": (Fraction(10**9, 14318180), 1),
    "19.2 MHz in ns": (Fraction(10**9, 19200000), 1),
    "24 MHz in ns": (Fraction(10**9, 24000000), 1),
    "32768 Hz in us": (Fraction(10**6, 32768), 1),
    "32768 Hz in us, of ns": (Fraction(10**6, 32768), 1000),
    "a double since 1970": (Fraction(10**9, 2**22), 1),
}
SAID = re.compile(r" in steps of about ([\d.]+) ticks \(.*\. If so, pass --delta=([\d/]+) \(")


def gaps(rng, mean):
    """Times from one event to the next: three kinds, none of which is regular."""
    kind, left = rng.choice(["any", "up to", "bursts"]), 0
    while True:
        if kind == "any":
            yield rng.expovariate(1 / mean)
        elif kind == "up to":
            yield rng.uniform(0, 2 * mean)
        else:
            yield rng.expovariate(0.1 / mean) if left == 0 else rng.uniform(0, mean / 2)
            left = rng.randint(2, 9) if left == 0 else left - 1


def stamp(name, clock, near):
    """What is printed when an exact clock shows that many units, in ticks."""
    step, unit = COUNTERS[name]
    if name == "a double since 1970":
        return round(Fraction(float(clock / 10**9)) * 10**9)
    return floor(clock // step * step + (Fraction(1, 2) if near else 0)) * unit


def draw_steps(rng):
    """The counter, its clocks, how far they are ahead in ticks, and rows."""
    name, clocks, near = rng.choice(list(COUNTERS)), rng.randint(2, 5), rng.random() < 0.5
    step, unit = COUNTERS[name]
    begin = 1700000000 * 10**9 if name == "a double since 1970" else 0
    ahead = [begin + Fraction(rng.randint(0, 10**12), 1000) for _ in range(clocks)]
    pace = gaps(rng, float(step) / clocks * 10**rng.uniform(1.6, 4.5))
    now, rows = Fraction(10**9), ["thread,time"]
    for _ in range(rng.choice([70, 200, 1000])):
        now += Fraction(next(pace)).limit_denominator(10**6)
        t = rng.randrange(clocks)
        rows.append(f"t{t},{stamp(name, now + ahead[t], near)}")
    return name, [unit * a for a in ahead], rows


def run(program, rows, *options):
    """The JSON report, and its warning of steps, or None."""
    done = started.run([program, "-", "-q", "--report=-", "--report-format=json", *options],
                       input="\n".join(rows) + "\n", capture_output=True, text=True, check=True)
    report = json.loads(done.stdout)
    return report, next((text for text in report["warnings"] if " in steps of " in text), None)


def check_steps(program, rng):
    """What is wrong, or None."""
    name, ahead, rows = draw_steps(rng)
    step, unit = COUNTERS[name]
    _, text = run(program, rows)
    said = SAID.search(text or "")
    if not said or not text.startswith("all clocks seem to advance in steps of"):
        return f"{name}, {len(rows) - 1} records: {text}"
    if abs(Fraction(said[1]) / (step * unit) - 1) > Fraction(1, 100):
        return f"{name}: {text}"
    if not 0 <= 2 * Fraction(said[2]) - (step + 1) * unit < 3 * unit:
        return f"{name}: {text}: not half a step and half a unit"
    report, text = run(program, rows, f"--delta={said[2]}")
    if text:
        return f"{name}: warned of though delta is given: {text}"
    own = int(report["reference"][1:])
    reference = next(thread for thread in report["threads"] if thread["name"] == report["reference"])
    for thread in report["threads"]:
        truth = reference["offset_ticks"] + ahead[own] - ahead[int(thread["name"][1:])]
        if not thread["earliest_ticks"] <= truth <= thread["latest_ticks"]:
            return f"{name}: the truth of {thread['name']}, {float(truth)}, is outside with {said[2]}"
    return None


def regular(rng, clocks, records):
    """Moments and clocks of what is done at regular times, or takes the same time again and again."""
    kind, period = rng.choice(["period", "jitter", "bursts", "costs", "grid"]), rng.choice([1000, 16666.7, 10**6 / 60, 15])
    costs = [rng.randint(10, 300) for _ in range(4)]
    for t in range(clocks):
        now = rng.uniform(10**9, 10**9 + period)
        for _ in range(records // clocks):
            if kind == "bursts":
                now += rng.choice([15, 15, 15, 15.3, rng.expovariate(1e-4)])
            elif kind == "costs":
                now += rng.choice(costs) * rng.randint(1, 3)
            elif kind == "grid":
                now += 100 * rng.randint(0, 20)
            else:
                now += period
            yield now + (rng.uniform(-3, 3) if kind == "jitter" else 0) + (rng.randint(0, 1) if kind == "grid" else 0), t


def check_none(program, rng):
    """What is wrong where no clock has steps, or None."""
    clocks, records = rng.randint(2, 5), rng.choice([40, 200, 1000])
    ahead = [rng.randint(0, 10**9) for _ in range(clocks)]
    if rng.random() < 0.5:
        events = sorted(regular(rng, clocks, records))
    else:
        now, pace, events = 10**9, gaps(rng, 10**rng.uniform(1, 6)), []
        for _ in range(records):
            now += next(pace)
            events.append((now, rng.randrange(clocks)))
    _, text = run(program, ["thread,time"] + [f"t{t},{floor(now) + ahead[t]}" for now, t in events])
    return f"no clock has steps, and yet: {text}" if text and " about " in text else None


def check(program, seed):
    return (check_none if seed % 2 else check_steps)(program, random.Random(seed))


run_seeds(check, 100)
