#!/usr/bin/env python3
"""Times of a CSV become the ticks that fractions and the calendar of Python make of them, or are refused with the
least timebase at which they would.

Usage: csv_times_test.py CELLSYNC [SEED] [FILES].  The PPE's global times are its local ones, so that the output shows
what was read.  Times of a file go up, as a clock's do.
"""
import datetime
import os
import random
import re
import subprocess
import sys
from fractions import Fraction

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "oracle"))
import started  # noqa: E402

UNITS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
TIMEBASES = [1, 7, 1000, 14318000, 79800000, 10**6, 10**9, 3 * 10**9, 2**30, 10**12, 2**40 * 5, 999999937]
MOST = 2**57
ROWS = 60
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def as_decimal(rng, value, mark):
    """A way to write a fraction whose denominator divides a power of 10."""
    sign = "-" if value < 0 else rng.choice(["", "", "+"])
    digits = 0
    value = abs(value)
    while (value * 10**digits).denominator > 1:
        digits += 1
    digits += rng.choice([0, 0, 0, 1, 5])
    text = str(int(value * 10**digits)).rjust(digits + 1, "0")
    text = f"{text[:-digits]}{mark}{text[-digits:]}" if digits else text + rng.choice(["", "", mark])
    if rng.random() < 0.1 and len(text) < 20:
        shift = rng.randrange(-5, 6)
        moved = value / Fraction(10)**shift
        places = 0
        while (moved * 10**places).denominator > 1:
            places += 1
        text = str(int(moved * 10**places)).rjust(places + 1, "0")
        text = (f"{text[:-places]}{mark}{text[-places:]}" if places else text) + f"{rng.choice('eE')}{shift:+d}"
    elif rng.random() < 0.1:
        text = "0" * rng.randrange(1, 4) + text
    return rng.choice(["", "", "", " "]) + sign + text + rng.choice(["", "", "", " "])


def as_stamp(rng, value, separator):
    """A stamp of that many seconds since 1970, in some zone."""
    whole = value.numerator // value.denominator
    fraction = value - whole
    zone = rng.choice([0, 0, 120, -330, 845, -1439])
    then = EPOCH + datetime.timedelta(seconds=whole + zone * 60)
    digits = 0
    while (fraction * 10**digits).denominator > 1:
        digits += 1
    digits += rng.choice([0, 0, 2])
    part = rng.choice("." if separator == "," else ".,") + str(int(fraction * 10**digits)).rjust(digits, "0") if digits else ""
    offset = f"{'-' if zone < 0 else '+'}{abs(zone) // 60:02}{rng.choice([':', ''])}{abs(zone) % 60:02}"
    if zone == 0:
        offset = rng.choice(["Z", "z", "+00:00", "-00:00", "", "+00"])
    return then.strftime(f"%Y-%m-%d{rng.choice('Tt ')}%H:%M:%S") + part + offset


def write_file(rng):
    """(text, options, times in seconds, timebase) of a file of one kind of time."""
    hz = rng.choice(TIMEBASES)
    unit = rng.choice([*UNITS, "stamps"])
    separator = rng.choice(",;\t")
    mark = rng.choice(".,") if separator == ";" else "."
    good = rng.random() < 0.8
    decimals = rng.randrange(0, 13)
    seconds = []
    for _ in range(ROWS):
        if good and rng.random() < 0.9:
            step = Fraction(rng.randrange(0, 10**rng.randrange(1, 15)), hz)
        else:
            step = Fraction(rng.randrange(0, 10**decimals * 10), 10**decimals)
        seconds.append(step)
    least = Fraction(rng.randrange(-10**9, 10**9)) if unit != "stamps" else Fraction(rng.randrange(0, 4 * 10**9))
    times, now = [], least
    for step in seconds:
        # what decimals cannot write, as thirds, stays out
        twos = (now + step).denominator
        for prime in (2, 5):
            while twos % prime == 0:
                twos //= prime
        now = now + step if twos == 1 else now + int(step)
        times.append(now)
    times = [time for time in times if abs(time * hz) < MOST and abs(time) < 2 * 10**11]
    times = [time for time in times if len(str((time * 10**60).numerator).rstrip("0")) <= 30] or [least * 0]
    if unit == "stamps":
        texts = [as_stamp(rng, time, separator) for time in times]
        head, options = "time", []
    else:
        texts = [as_decimal(rng, time * UNITS[unit], mark) for time in times]
        named = rng.random() < 0.5
        head = f"time_{unit}" if named else "time"
        options = [] if named else [f"--time-unit={unit}"]
    column = rng.randrange(2)
    rows = [["ppe", head], *(["ppe", text] for text in texts)]
    rows[0][0] = "thread"
    lines = [separator.join(row if column else row[::-1]) for row in rows]
    base = f"# timebase_hz={hz}\n" if hz != 10**9 or rng.random() < 0.5 else ""
    return base + "\n".join(lines) + "\n", options, times, hz, separator


def check(cellsync, text, options, times, hz, separator):
    """What is wrong, or None."""
    run = started.run([cellsync, "-q", *options, "-o", "-", "-"], input=text.encode(), stdout=subprocess.PIPE,
                      stderr=subprocess.PIPE, check=False)
    broken = [time for time in times if (time * hz).denominator != 1]
    if broken:
        least = broken[0].denominator
        want = f"timebase_hz={least}\n" if least < 2**64 else "at any timebase below 2^64 Hz\n"
        if run.returncode == 1 and run.stderr.decode().endswith(want):
            return None
        return f"expected it refused with {want!r}, got {run.returncode} {run.stderr!r}"
    if run.returncode != 0:
        return f"refused: {run.stderr!r}"
    rows = [line for line in run.stdout.decode().splitlines() if not re.match("#|.*global_time$", line)]
    got = [int(row.split(separator)[-1]) for row in rows]
    want = [int(time * hz) for time in times]
    return None if got == want else f"want {want}, got {got}"


def main(cellsync, seed=20080826, files=150):
    rng = random.Random(seed)
    refused = 0
    for number in range(files):
        text, options, times, hz, separator = write_file(rng)
        refused += any((time * hz).denominator != 1 for time in times)
        fault = check(cellsync, text, options, times, hz, separator)
        if fault:
            sys.exit(f"seed {seed}, file {number}, {options}: {fault}\n{text}")
    print(f"{files} files as wanted, {refused} of them refused")
    return 0 if 0 < refused < files else "only one kind of file"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *map(int, sys.argv[2:])))
