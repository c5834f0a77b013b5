"""Ticks as people read them: three significant digits and a unit, as csy_time_text has them."""

import math
from fractions import Fraction

UNITS = [(1, "s"), (10**3, "ms"), (10**6, "us"), (10**9, "ns")]


def halves_up(value):
    return math.floor(value + Fraction(1, 2))


def rounded(value, decimals, whole=halves_up):
    """A value from 0 with so many decimals at most."""
    units = whole(value * 10**decimals)
    text = f"{units // 10**decimals}.{units % 10**decimals:0{decimals}}" if decimals else str(units)
    return text.rstrip("0").rstrip(".") if decimals else text


def time_text(ticks, hz, whole=halves_up):
    """Ticks, a whole number or a text such as "7/2", of a clock.  whole: how numbers are rounded."""
    seconds = Fraction(ticks) / hz
    for per_second, unit in reversed(UNITS):
        value = seconds * per_second
        if unit == "s" or Fraction(rounded(value, 0, whole)) < 1000:
            break
    decimals = 0
    while decimals < 12 and Fraction(rounded(value, decimals + 1, whole)) * 10**(decimals + 1) < 1000:
        decimals += 1
    return f"{rounded(value, decimals, whole)} {unit}"
