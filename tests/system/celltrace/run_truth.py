"""What celltrace's --skew has hidden of clocks, held against what cellsync finds of them."""
import csv
from fractions import Fraction


def rows(path):
    with open(path) as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def truths(run, hz):
    """By stem: a stamp t of the machine's clock was written as t + t*ppm/10^6 + ns."""
    out = {}
    for line in csv.DictReader(open(run / "truth.csv")):
        out[f"{line['host']}.{line['pid']}"] = (Fraction(line["ppm"]) / 10**6, int(int(line["ns"]) * hz / 10**9))
    return out


def check_knots(run, hz, clocks, reference):
    """Hidden offsets and rates are within all bounds of a --clocks file; how wide the widest is, in ticks."""
    truth, knots = truths(run, hz), rows(clocks)
    offset = next(Fraction(k["global"]) - int(k["local"]) for k in knots if k["thread"] == reference)
    widest = 0
    for knot in knots:
        ppm, ticks = truth[knot["thread"]]
        raw = (int(knot["local"]) - ticks) / (1 + ppm)
        true = raw * (1 + truth[reference][0]) + truth[reference][1] + offset
        assert Fraction(knot["earliest"]) - 2 <= true <= Fraction(knot["latest"]) + 2, (knot, float(true))
        widest = max(widest, Fraction(knot["latest"]) - Fraction(knot["earliest"]))
    assert {k["thread"] for k in knots} == set(truth), (knots, truth)
    return float(widest)
