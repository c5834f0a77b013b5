"""Property test: the table of explanations, and clocks of a partial order that were set, written from doc/algorithms.md.

    test_explanations.py CELLSYNC [--seeds=N] [--first=SEED]

Each seed is a trace of round trips between two or three clocks whose truth is known: crystals, jitter, wandering rates, a
clock that was set, or one wrong timestamp. Every row has the least delta by the brute force of drift.py and test_steady.py
where traces are small, and its options solve the trace. A clock that is named was set there and by so much.
"""

import json
import os
import random
import re
import sys
import tempfile
from fractions import Fraction

import drift
import partial
from compare import read
from partial import Row
from test_partial import run
from test_steady import Rates, least
from trials import run_seeds

SECOND = 10**9
CRYSTAL = 101000


class Clock:
    def __init__(self, rng, wander_ppm, jitter):
        self.offset = rng.randint(-SECOND, SECOND)
        self.rates = [(0, rng.uniform(-50, 50))]
        for at in range(1, 4):
            self.rates.append((at * SECOND // 4, self.rates[0][1] + rng.uniform(-wander_ppm, wander_ppm)))
        self.jitter, self.rng = jitter, rng
        self.step = None        # (time, ticks)

    def read(self, when):
        value = self.offset + when
        for (start, rate), (end, _) in zip(self.rates, self.rates[1:] + [(10**18, 0)]):
            value += rate * 1e-6 * max(0, min(when, end) - start)
        value += self.rng.randint(-self.jitter, self.jitter) if self.jitter else 0
        if self.step and when >= self.step[0]:
            value += self.step[1]
        return int(value) // 1000


def world(rng, kind, small):
    """(rows, clocks, what is true)"""
    names = ["a", "b", "c"][:2 if small else rng.choice([2, 3])]
    jitter = rng.choice([5000, 20000]) if kind == "jitter" else 0
    clocks = {name: Clock(rng, 20 if kind == "wander" else 0, jitter) for name in names}
    length = (4 if small else 20) * SECOND
    truth = None
    if kind == "step":
        name = rng.choice(names)
        size = rng.choice([-1, 1]) * int(10**rng.uniform(6.7, 9))
        clocks[name].step = (rng.randint(length // 4, 3 * length // 4), size)
        truth = name, clocks[name].step
    events, message = [], 0
    for s in names:
        for t in names:
            if s >= t:
                continue
            when = rng.randint(0, SECOND // 2)
            while when < length:
                out = when + 50000 + int(rng.expovariate(1 / 100000))
                back = out + 20000
                home = back + 50000 + int(rng.expovariate(1 / 100000))
                events += [(when, s, f"m{message}", ""), (out, t, "", f"m{message}"),
                           (back, t, f"m{message + 1}", ""), (home, s, "", f"m{message + 1}")]
                message += 2
                when += int(0.4 * SECOND * rng.uniform(0.8, 1.2))
    events.sort()
    rows = [Row(thread=name, time=clocks[name].read(when), send=send, recv=recv) for when, name, send, recv in events]
    if kind == "bad":
        rows[len(rows) // 2].time += rng.choice([-1, 1]) * rng.randint(10**4, 10**6)
    return rows, [event[0] for event in events], truth


def check_rows(program, report, trace, rows, folder):
    order = partial.Order([Row(thread=r.thread, time=1000 * r.time, send=r.send, recv=r.recv) for r in rows], 0)
    tau = order.clocks.index(report["reference"])
    floor = 1000
    for row in report["explanations"]:
        twice = Fraction(row["delta_ticks"]) * 2
        network = drift.Network(order, row["drift_ppb"], tau)
        if row["at_least"]:
            return f"{row} is not known"
        if row["example"] and row["wander_ppb"] != 0:
            return f"{row} has an example"
        if row["wander_ppb"] == 0:
            want = least(network, 0)
            if want is None or len(order.clocks) > 2:
                continue
            # Rates are whole ppb, so at the example's rate a few ticks more may be needed.
            free, = (t for t in range(2) if t != tau)
            example = row["example"] or {"name": order.clocks[free], "rate_ppb": 0}
            if Rates(network, int(twice) + 20, 0).cycle({order.clocks.index(example["name"]): example["rate_ppb"]}):
                return f"{row}: the example does not fit"
        elif row["options"] == "--drift=1001" or row["options"] is None or row["drift_ppb"] not in (0, CRYSTAL):
            if not network.is_feasible(int(twice)):
                return f"{row} does not explain it"
            if drift.Network(order, row["drift_ppb"] - 1, tau).is_feasible(int(twice)):
                return f"{row} has not the least rate"
            continue
        else:
            want = network.least_added()
        if twice != max(want, floor) and not max(want, floor) - 1 < twice <= max(want, floor):
            return f"{row}: 2 delta is {twice}, the least is {want}"
    for row in report["explanations"]:
        if row["options"]:
            done = run(program, "-q", *row["options"].split(), "-r", os.path.join(folder, "o.json"), trace)
            if done.returncode:
                return f"{row['options']} gives {done.returncode}: {done.stderr.decode()}"
            delta = json.loads(read(os.path.join(folder, "o.json")))["delta"]["ticks"]
            if Fraction(delta) < Fraction(row["delta_ticks"]):
                return f"{row['options']} solves it with {delta}, less than {row['delta_ticks']}"
    if sum(row["plausible"] for row in report["explanations"]) > 1:
        return "two rows are marked"
    return None


def check_step(report, rows, times, truth):
    found = report["diagnosis"]
    if found["kind"] != "stepped_clock":
        return None
    if not truth:
        return f"no clock was set: {found['text']}"
    name, (when, size) = truth
    if name not in found["clocks"]:
        return f"{name} was set: {found['text']}"
    lines = re.search(r"between lines (\d+) and (\d+)", found["text"])
    first, last = (int(line) - 3 for line in lines.groups())
    step = found["step"]
    if found["clocks"][0] != name:      # another clock, the other way
        return None
    if not times[first] <= when <= times[last]:
        return f"set at {when}, which is not from {times[first]} to {times[last]}: {found['text']}"
    if not step["least_ticks"] - 1000 <= size <= step["most_ticks"] + 1000:
        return f"set by {size}: {found['text']}"
    return None


NAMED = [0, 0]          # steps that were named, and all


def check(program, seed):
    rng = random.Random(f"explanations {seed}")
    kind = rng.choice(["crystals", "jitter", "wander", "step", "step", "bad"])
    small = rng.random() < 0.4
    rows, times, truth = world(rng, kind, small)
    with tempfile.TemporaryDirectory() as folder:
        trace, path = os.path.join(folder, "t.csv"), os.path.join(folder, "r.json")
        with open(trace, "w", encoding="utf-8") as out:
            out.write("# order=partial\nthread,time_us,send,recv\n")
            out.writelines(f"{r.thread},{r.time},{r.send},{r.recv}\n" for r in rows)
        arguments = rng.choice([[], ["--drift=0"], ["--drift=101,0"], ["--drift=20"]])
        done = run(program, "-q", *arguments, "-r", path, trace)
        if done.returncode:
            return f"exit status {done.returncode}: {done.stderr.decode()}"
        report = json.loads(read(path))
        if kind in ("crystals", "wander") and not arguments and report["explanations"]:
            return f"{kind} need no explanation: {report['explanations']}"
        wrong = check_step(report, rows, times, truth)
        NAMED[0] += report["diagnosis"]["kind"] == "stepped_clock"
        NAMED[1] += kind == "step"
        if not wrong and small and report["explanations"]:
            wrong = check_rows(program, report, trace, rows, folder)
        return f"{kind}, {arguments}: {wrong}" if wrong else None


def check_many(program):
    """A ring of 64 crystals: constant rates would take a minute to find, so their row is left out."""
    rng = random.Random(7)
    clocks = [Clock(rng, 0, 0) for _ in range(64)]
    now, rows = 0, []
    for i in range(40000):
        now += rng.randint(10**6, 6 * 10**6)
        sender, receiver = i * 37 % 64, (i * 37 + 1) % 64
        received = now + rng.randint(2000, 40000)
        rows += [(now, sender, f"{i},"), (received, receiver, f",{i}")]
    with tempfile.TemporaryDirectory() as folder:
        trace, path = os.path.join(folder, "t.csv"), os.path.join(folder, "r.json")
        with open(trace, "w", encoding="utf-8") as out:
            out.write("# order=partial\nthread,time_us,send,recv\n")
            out.writelines(f"{c},{clocks[c].read(when)},{keys}\n" for when, c, keys in sorted(rows))
        done = run(program, "-q", "--drift=0", "-r", path, trace)
        if done.returncode:
            sys.exit(f"a ring of 64 clocks: exit status {done.returncode}: {done.stderr.decode()}")
        report = json.loads(read(path))
    found = [(row["options"], row["plausible"]) for row in report["explanations"]]
    if found[1:] != [("--drift=101", True)] or not report.get("explanations_untried"):
        sys.exit(f"a ring of 64 clocks: {found}")


if __name__ == "__main__":
    check_many(sys.argv[1])
    try:
        run_seeds(check, 40)
    finally:
        print(f"{NAMED[0]} of {NAMED[1]} steps named")
