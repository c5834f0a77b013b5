"""Property test: the least delta of rates that are nearly constant (--drift=PPM,WANDER), against cutting planes in
fractions, written from doc/algorithms.md and cellsync(1) alone; and the truth in its bounds.

    test_steady.py CELLSYNC [--seeds=N] [--first=SEED]

Rates are whole ppb, so with one clock besides the reference delta is exactly the least. With two it is the least for real
rates, or half a tick more, since 1 ppb is less than a tick here. A lesser delta is refused, and the message names delta.
"""

import csv
import json
import os
import random
import re
import sys
import tempfile
from fractions import Fraction
from math import ceil, floor

import drift
import partial
from compare import read
from drift import UNIT
from test_drift import csv_text, exact, run, true_trace
from trials import run_seeds


class Rates:
    """Edges (a, b, weight, {clock: factor}): a - b <= weight + sum of factor rate, in 1 / (2 * 10^9) ticks."""

    def __init__(self, network, added, wander):
        self.most = network.rate - wander
        self.edges = [(a, b, w, {}) for a, b, w in network.edges(added) if a[0] == "p" or b[0] == "p"]
        self.free = [t for t in range(len(network.readings)) if t != network.tau]
        for t, readings in enumerate(network.readings):
            around = 0 if t == network.tau else wander
            for a, b in zip(readings, readings[1:]):
                factor = {t: 2 * (b - a)} if t in self.free else {}
                back = {t: -2 * (b - a)} if t in self.free else {}
                self.edges.append(((t, b), (t, a), 2 * around * (b - a), factor))
                self.edges.append(((t, a), (t, b), 2 * around * (b - a), back))

    def cycle(self, rates):
        """None, or (weight, factors) of a negative cycle at these rates: feasible rates have weight + factors rates >= 0."""
        value, parent = {}, {}
        for edge in self.edges:
            value[edge[0]] = value[edge[1]] = Fraction(0)
        weights = [w + sum(f * rates[t] for t, f in factors.items()) for _, _, w, factors in self.edges]
        last = None
        for _ in range(len(value) + 1):
            last = None
            for i, (a, b, _, _) in enumerate(self.edges):
                if value[b] + weights[i] < value[a]:
                    value[a], parent[a] = value[b] + weights[i], i
                    last = a
            if last is None:
                return None
        for _ in range(len(value)):
            last = self.edges[parent[last]][1]
        weight, factors, at = 0, {}, last
        while True:
            a, b, w, f = self.edges[parent[at]]
            weight += w
            for t, factor in f.items():
                factors[t] = factors.get(t, 0) + factor
            at = b
            if at == last:
                return weight, factors

    def whole(self):
        """Whether one free clock has a rate in whole ppb."""
        t, = self.free
        low, high = -self.most, self.most
        while low <= high:
            middle = (low + high) // 2
            cut = self.cycle({t: middle})
            if cut is None:
                return True
            weight, factor = cut[0], cut[1].get(t, 0)
            if factor == 0:
                return False
            if factor > 0:
                low = ceil(Fraction(-weight, factor))
            else:
                high = floor(Fraction(weight, -factor))
        return False

    def real(self):
        """Whether two free clocks have real rates; None: not known."""
        s, t = self.free
        m = Fraction(self.most)
        region = [(-m, -m), (m, -m), (m, m), (-m, m)]
        for _ in range(200):
            middle = tuple(sum(p[i] for p in region) / len(region) for i in (0, 1))
            middle = tuple(Fraction(round(v * 2**20), 2**20) if len(region) > 2 else v for v in middle)
            cut = self.cycle({s: middle[0], t: middle[1]})
            if cut is None:
                return True
            region = clip(region, lambda p, cut=cut: cut[0] + cut[1].get(s, 0) * p[0] + cut[1].get(t, 0) * p[1])
            if not region:
                return False
        return None


def clip(region, side):
    """The part of a convex polygon where side is at least 0."""
    out = []
    for p, q in zip(region, region[1:] + region[:1]):
        at, then = side(p), side(q)
        if at >= 0:
            out.append(p)
        if (at > 0 > then) or (at < 0 < then):
            part = at / (at - then)
            out.append(tuple(a + (b - a) * part for a, b in zip(p, q)))
    return list(dict.fromkeys(out))


def least(network, wander):
    """(2 delta in whole ticks, whether it is exact)"""
    def serves(added):
        there = network.at(added)
        if wander >= network.rate:
            return there.is_feasible(added)
        rates = Rates(there, added, wander)
        return rates.whole() if len(rates.free) == 1 else rates.real()
    if serves(0):
        return 0
    high = 1
    while True:
        answer = serves(high)
        if answer is None:
            return None
        if answer:
            break
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        answer = serves(middle)
        if answer is None:
            return None
        low, high = (low, middle) if answer else (middle, high)
    return high


def outside(report, rows, clocks, knots):
    """A knot whose true time is outside of its event bounds, or None."""
    reference = report["reference"]
    first = next(row.time for row in rows if row.thread == reference)
    base = next(int(k["global"].replace(".", "")) - int(k["local"]) * UNIT for k in knots if k["thread"] == reference)
    for knot in knots:
        offset, age = clocks[knot["thread"]]
        local = int(knot["local"])
        truth = base + (local + offset - clocks[reference][0]) * UNIT + age(local + offset)
        for end, sign in (("earliest_event", 1), ("latest_event", -1)):
            if knot[end] and sign * (truth - exact(knot[end])) < 0:
                return f"{knot['thread']} at {local} ({first}): {truth} is not in {knot}"
    return None


def check(program, seed):
    rng = random.Random(f"steady {seed}")
    line = rng.random() < 0.3
    rows, clocks, rate, wander = true_trace(rng, line)
    kept = list(clocks)[:rng.choice([2, 2, 3])]
    rows = [row for row in rows if row.thread in kept][:40]
    off = rng.choice([0, 0, 1, 5, 40])
    for row in rows:
        row.time += rng.randint(-off, off)
    sends = {row.send for row in rows if row.send}
    received = {row.recv for row in rows if row.recv}
    for row in rows:
        row.recv = row.recv if row.recv in sends else ""
        row.send = row.send if row.send in received else ""
        row.latency = row.latency if row.recv else None
    threads = {row.thread for row in rows}
    if "c0" not in threads or not 2 <= len(threads) <= 3:
        return None
    if max(row.time for row in rows) - min(row.time for row in rows) > 4 * 10**9:
        return None
    with tempfile.TemporaryDirectory() as folder:
        return compare(program, seed, rng, line, rows, clocks, rate, wander, off, folder)


def compare(program, seed, rng, line, rows, clocks, rate, wander, off, folder):
    trace, report, knots = (os.path.join(folder, name) for name in ("t.csv", "r.json", "k.csv"))
    with open(trace, "w", encoding="utf-8") as out:
        out.write("".join(["thread,time\n"] + [f"{row.thread},{row.time}\n" for row in rows]) if line else
                  csv_text(rows, rng))
    try:
        order = drift.Line(rows) if line else partial.Order(rows, 0)
        if not line:
            order.sorted_points()
    except partial.Cycle:
        return None
    tau = order.clocks.index("c0")
    network = drift.Network(order, rate, tau)
    want = least(network, wander)
    if want is None:
        return None
    span = max(row.time for row in rows) - min(row.time for row in rows)
    arguments = [program, "-q", f"--drift={rate // 1000}.{rate % 1000:03},{wander // 1000}.{wander % 1000:03}",
                 "--reference=c0"]
    done = run(*arguments, "-r", report, f"--clocks={knots}", trace)
    if done.returncode != 0:
        return f"exit status {done.returncode}: {done.stderr.decode()}"
    found = json.loads(read(report), parse_float=str)
    added = Fraction(found["delta"]["ticks"]) * 2
    more = 0 if len(order.clocks) == 2 else 1 + span // 10**9
    if not want <= added <= want + more:
        return f"2 delta is {added}, the least is {want}; {rate} ppb, {wander} ppb"
    if added >= 2 * off:
        wrong = outside(found, rows, clocks, list(csv.DictReader(
            text for text in read(knots).decode().splitlines() if not text.startswith("#"))))
        if wrong and not line:
            return wrong
    if want > 0:
        given = Fraction(want - 1, 2)
        done = run(*arguments, f"--delta={given}", "-r", report, trace)
        if done.returncode != 3:
            return f"--delta={given} gives exit status {done.returncode}, the least is {want}/2"
        named = re.search(rb"pass --delta=(\S+) or more", done.stderr)
        if wander < rate and (not named or Fraction(named.group(1).decode()) != added / 2):
            return f"the message does not name {added}/2: {done.stderr.decode()}"
    return None


if __name__ == "__main__":
    run_seeds(check, 60)
