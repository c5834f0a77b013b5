"""Property test: --steps cuts clocks that were set, and no others.

    test_set_clocks.py CELLSYNC [--seeds=N] [--first=SEED] [--count]

Each trace comes from a hidden truth: clocks of constant rates within 101 ppm of each other, round trips, and rows without
messages. One kind of event happens, or none: a clock is set, twice, twice by one amount, in a silence, or starts again from 0; a clock is slewed by
500 ppm for a while; timestamps jitter; one or two timestamps are wrong; or a clock is set among many rows without messages and with
messages one way, by less or more than a round trip, so that several rows may be on either side of the step. In half of the traces, some
clocks have several threads, whose rows follow each other or alternate. A trace in which no clock was set must not get a step. If a clock was set once, or twice by one amount, the places named must hold the truth, and so must the ranges of all segments and
of all rows, and rows between the places have the mark `step`; their ranges also hold their global times. --check must accept the
output, and not without the step, or without a mark, or with a marked global time outside its range. --count prints how many traces
of each kind got how many steps, how many rows have the mark, and how many of these are at an end of their range.
"""

import collections
import csv
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor

from trials import run_seeds

MILLION = 10**6
KINDS = ["set", "set", "set", "silence", "reset", "twice", "again", "again", "honest", "honest", "jitter", "jitter and set", "slew", "wrong",
         "rows", "rows", "rows", "rows"]
COUNTS = collections.Counter()


@dataclass
class Clock:
    name: str
    rate: Fraction
    start: Fraction
    threads: int = 1
    steps: list = field(default_factory=list)       # (instant, by)

    def shows(self, instant, after=None):
        """Exactly, in ticks of 1 us; after: how many of the steps are behind, if that is known."""
        behind = sum(at < instant for at, _ in self.steps) if after is None else after
        return self.start + instant * self.rate + sum(by for _, by in self.steps[:behind])

    def instant(self, reading, after):
        return (reading - self.start - sum(by for _, by in self.steps[:after])) / self.rate


class World:
    def __init__(self, rng):
        self.rng = rng
        self.kind = rng.choice(KINDS)
        n = rng.choice([2, 3, 3, 4])
        self.rate = rng.choice([50, 50, 50, 0])
        self.clocks = [Clock("ABCD"[i], 1 + Fraction(rng.randint(-self.rate, self.rate), MILLION), Fraction(rng.randint(-10**7, 10**8)))
                       for i in range(n)]
        self.length, self.every = 20 * MILLION, rng.choice([200000, 400000, 800000])
        self.jitter = rng.choice([5, 20, 50]) if self.kind.startswith("jitter") else 0
        self.silence = (0, 0)
        if self.kind == "silence":
            middle = rng.randint(4 * MILLION, 12 * MILLION)
            self.silence = (middle, middle + 4 * MILLION)
        self.victim = rng.choice(self.clocks)
        self.rows = []                              # (instant, number, clock, row)
        if rng.random() < 0.5:
            for clock in self.clocks:
                clock.threads = rng.choice([1, 2, 4])
        self.set_clocks()
        self.fill()

    def set_clocks(self):
        rng, victim = self.rng, self.victim
        sizes = [-350000, 50000, 3000, -3000, -20000, 10**6, 1000]
        at = Fraction(rng.randint(6 * MILLION, 14 * MILLION)) + Fraction(1, 3)
        if self.kind == "silence":
            at = Fraction(rng.randint(*self.silence)) + Fraction(1, 3)
        if self.kind in ("set", "silence", "jitter and set"):
            victim.steps = [(at, rng.choice(sizes))]
        elif self.kind == "rows":
            victim.steps = [(at, rng.choice([-1, 1]) * rng.choice([200, 500, 1000, 3000, 20000, 100000, 350000]))]
        elif self.kind == "reset":
            victim.start = abs(victim.start)
            victim.steps = [(at, -floor(victim.start + at * victim.rate))]
        elif self.kind == "twice":
            victim.steps = [(at - 3 * MILLION, rng.choice(sizes)), (at, rng.choice(sizes))]
        elif self.kind == "again":
            size = rng.choice([-1, 1]) * rng.choice([20000, 50000, 350000])
            victim.steps = [(at - 4 * MILLION, size), (at, rng.choice([-1, 1]) * size)]
        elif self.kind == "slew":
            self.slewed = (at - rng.randint(1, 5) * MILLION, at)

    def event(self, clock, instant, **row):
        row["thread"] = self.rng.randrange(clock.threads) if clock.threads > 1 else 0
        self.rows.append((Fraction(instant), len(self.rows), clock, row))

    def fill(self):
        rng, number = self.rng, 0
        for begin in range(0, self.length, self.every):
            for i, one in enumerate(self.clocks):
                for other in self.clocks[i + 1:]:
                    at = begin + rng.randint(0, self.every // 2)
                    if self.silence[0] - 2000 < at < self.silence[1]:
                        continue
                    for source, target in ((one, other), (other, one)):
                        took = 50 + 2 * self.jitter + floor(rng.expovariate(1 / 100))
                        self.event(source, at, send=f"m{number}")
                        at += took
                        self.event(target, at, recv=f"m{number}")
                        at += 20 + 2 * self.jitter
                        number += 1
        for _ in range(rng.choice([0, 0, 50]) if self.kind != "rows" else rng.choice([50, 200, 400])):
            one, at = rng.choice(self.clocks), rng.randint(0, self.length)
            if self.kind != "rows" or rng.random() < 0.7:
                self.event(one, at)
                continue
            self.event(one, at, send=f"m{number}")
            at += 50 + floor(rng.expovariate(1 / rng.choice([100, 10000])))
            self.event(rng.choice([other for other in self.clocks if other is not one]), at, recv=f"m{number}")
            number += 1
        self.rows.sort(key=lambda row: row[:2])
        if any(clock.threads > 1 for clock in self.clocks) and rng.random() < 0.5:
            self.rows.sort(key=lambda row: (row[3]["thread"], row[2].name))
        if self.kind == "wrong":
            wrong = set(rng.sample(range(len(self.rows)), rng.choice([1, 2])))
        for i, (instant, _, clock, row) in enumerate(self.rows):
            shown = clock.shows(instant) + Fraction(rng.randint(-1000, 1000), 1000) * self.jitter
            if self.kind == "slew" and clock is self.victim:
                shown += (min(max(instant, self.slewed[0]), self.slewed[1]) - self.slewed[0]) * Fraction(500, MILLION)
            if self.kind == "wrong" and i in wrong:
                shown += rng.choice([-1, 1]) * rng.randint(1000, MILLION)
            row["time"] = floor(shown)

    def text(self):
        lines = ["# order=partial", "# timebase_hz=1000000", "clock,thread,time,send,recv"]
        return "\n".join(lines + [f"{clock.name},{clock.name}{row['thread'] or ''},{row['time']},{row.get('send', '')},{row.get('recv', '')}"
                                  for _, _, clock, row in self.rows]) + "\n"

    def behind(self, clock, instant):
        return sum(at < instant for at, _ in clock.steps)


def run(args):
    return subprocess.run(args, capture_output=True, text=True, timeout=120, check=False)


def move_out(match):
    """The columns of a row with a mark, with a global time below its range."""
    low = int(match[2])
    return f"{low - 1},{low},{match[3]},step\n"


class Step:
    """A step in the line of facts: NAME:RECORD-RECORD, or with times NAME:RECORD@TICKS-RECORD@TICKS."""

    def __init__(self, name, before, before_ticks, after, after_ticks):
        self.name, self.before, self.after = name, int(before), int(after)
        self.timed = before_ticks != ""
        self.ends = (int(before_ticks), int(after_ticks)) if self.timed else (self.before, self.after)

    def side(self, position, row):
        """-1: the record is before the step; 1: after it; 0: unknown."""
        at = row["time"] if self.timed else position
        return (at >= self.ends[1]) - (at <= self.ends[0])


def segment(steps, name, position, row):
    """The name of the segment of a record, as the manual has it."""
    n = 1
    for step in steps:
        if step.name == name:
            if step.side(position, row) == 0:
                return f"{name}@{position}"
            n += step.side(position, row) > 0
    return name if n == 1 else f"{name}/{n}"


def members_of(world, steps):
    """(reading, clock, steps behind) of each record, by segments."""
    members = {}
    for position, (instant, _, clock, row) in enumerate(world.rows):
        members.setdefault(segment(steps, clock.name, position, row), []).append((row["time"], clock, world.behind(clock, instant)))
    return members


def check_rows(world, found, steps, rows):
    """A row whose truth is outside its range, or whose mark is wrong, or None."""
    _, tau, tau_behind = members_of(world, steps)[found["reference"]][0]
    first = rows[next(i for i, (_, _, clock, row) in enumerate(world.rows)
                      if segment(steps, clock.name, i, row) == found["reference"])]
    base = int(first["global_time"]) - int(first["time"])
    for position, (row, (instant, _, clock, own)) in enumerate(zip(rows, world.rows, strict=True)):
        truth = tau.shows(instant, tau_behind) - Fraction(1, 2) + base
        low, high = row["global_earliest"], row["global_latest"]
        if (low and truth < int(low)) or (high and truth > int(high)):
            return f"the truth of record {position}, {float(truth)}, is outside {row}"
        inside = any(step.name == clock.name and step.side(position, own) == 0 for step in steps)
        if row.get("global_mark", "") != ("step" if inside else ""):
            return f"the mark of record {position}: {row}"
        if inside:
            COUNTS["row with mark", "of the clock that was set" if clock is world.victim else "of another clock"] += 1
    return None


def check_times(rows):
    """A row with a mark whose global time is outside its range, or None."""
    for row in rows:
        low, high, time = row["global_earliest"], row["global_latest"], int(row["global_time"])
        if not row.get("global_mark"):
            continue
        if (low and time < int(low)) or (high and time > int(high)):
            return f"the global time is outside its range: {row}"
        COUNTS["row with mark", "at an end of its range" if str(time) in (low, high) else "within its range"] += 1
    return None


def check_choice(world, names):
    """Two clocks show which of them was set only if its time goes back, or a message was under way: otherwise the same rows
    follow if the other clock was set the other way. A clock that is cut alone without this evidence, or None."""
    if len(world.clocks) != 2 or world.kind not in ("set", "silence", "reset", "rows"):
        return None
    at = world.victim.steps[0][0]
    own = [row["time"] for _, _, clock, row in world.rows if clock is world.victim]
    sent = {row["send"]: instant for instant, _, _, row in world.rows if "send" in row}
    under_way = any(sent[row["recv"]] < at < instant for instant, _, _, row in world.rows if "recv" in row)
    back = any(later < earlier for earlier, later in zip(own, own[1:]))
    COUNTS["two clocks", "both are cut" if len(names) == 2 else "one is cut, as it went back" if back else "one is cut"] += 1
    return None if len(names) == 2 or back or under_way else f"nothing shows that only {names} were set"


def check_ranges(world, found, steps):
    """A segment whose truth is outside its range, or None."""
    members = members_of(world, steps)
    clocks = found["drift"]["clocks"]
    if sorted(members) != sorted(row["name"] for row in clocks):
        return f"segments {sorted(row['name'] for row in clocks)}, expected {sorted(members)}"
    _, tau, tau_behind = members[found["reference"]][0]
    base = Fraction(str(next(row for row in clocks if row["name"] == found["reference"])["first"]["offset_ticks"]))
    for row in clocks:
        if not row["bounded"]:
            continue
        for end in ("first", "last"):
            said = row[end]
            for shown, clock, behind in members[row["name"]]:
                if shown != said["local_ticks"]:
                    continue
                at = clock.instant(shown + Fraction(1, 2), behind)
                truth = tau.shows(at, tau_behind) - Fraction(1, 2) + base - shown
                if not Fraction(str(said["earliest_ticks"])) <= truth <= Fraction(str(said["latest_ticks"])):
                    return f"{row['name']}, {end}: the truth, {float(truth)}, is outside {said}"
    return None


def check(program, seed):
    rng = random.Random(seed)
    world = World(rng)
    honest = not any(clock.steps for clock in world.clocks)
    with tempfile.TemporaryDirectory() as folder:
        trace, report, out, changed = (os.path.join(folder, name) for name in ("t.csv", "r.json", "o.csv", "c.csv"))
        with open(trace, "w", encoding="utf-8") as file:
            file.write(world.text())
        options = ["-q", "--drift=101" if world.rate else "--drift=0", "--ranges=yes", "--steps=" + str(rng.choice([1, 2, 8]))]
        spared = [clock.name for clock in world.clocks if clock is not world.victim] if rng.random() < 0.3 else []
        options += [f"--reference={name}" for name in spared[:1]]
        done = run([program, trace, "-r", report, "-o", out, *options])
        case = f"{world.kind}, {' '.join(options)}\n{world.text() if '--count' not in sys.argv else ''}"
        if done.returncode:
            return f"exit {done.returncode}: {done.stderr}\n{case}"
        with open(report, encoding="utf-8") as file:
            found = json.load(file)
        with open(out, encoding="utf-8") as file:
            facts = file.readline()
            rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
        steps = [Step(*words) for words in re.findall(r" step=(\w+):(\d+)(?:@(-?\d+))?-(\d+)(?:@(-?\d+))?", facts)]
        places = {(step.before, step.after) for step in steps}
        COUNTS[world.kind + (", threads" if world.victim.threads > 1 else ""),
               len(places) if len({step.name for step in steps}) < 2 else "one of several"] += 1
        if spared and any(step.name == spared[0] for step in steps):
            return f"the reference was cut: {facts}{case}"
        if honest and steps:
            return f"no clock was set, and yet: {facts}{case}"
        if ("steps" in " ".join(re.findall(r"(\w+)=yes", facts))) != bool(steps):
            return f"no condition: {facts}{case}"
        instants = [row[0] for row in world.rows]
        mine = [(step.before, step.after) for step in steps if step.name == world.victim.name]
        for at, _ in world.victim.steps if mine and world.kind != "twice" else ():
            if not any(instants[before] < at < instants[after] for before, after in mine):
                return f"the step is elsewhere: {facts}{case}"
        if world.kind == "again" and all(clock.threads == 1 for clock in world.clocks) and len(mine) != 2 and "--steps=1" not in options:
            return f"the two steps are not found: {facts}{case}"
        if steps and world.victim.name not in {step.name for step in steps}:
            return f"{world.victim.name} was set: {facts}{case}"
        fault = check_choice(world, {step.name for step in steps}) if steps and not spared else None
        if fault:
            return f"{fault}: {facts}{case}"
        fault = check_times(rows)
        if fault:
            return f"{fault}: {facts}{case}"
        proof = run([program, "--check", out])
        if proof.returncode:
            return f"--check: {proof.stderr}\n{case}"
        if any(row.get("global_mark") for row in rows):
            with open(out, encoding="utf-8") as file, open(changed, "w", encoding="utf-8") as other:
                other.write(file.read().replace(",step\n", ",\n", 1))
            if "mark" not in run([program, "--check", changed]).stderr:
                return f"--check accepts it without a mark: {facts}{case}"
            with open(out, encoding="utf-8") as file, open(changed, "w", encoding="utf-8") as other:
                text, moved = re.subn(r"(-?\d+),(-?\d+),(-?\d+),step\n", move_out, file.read(), count=1)
                other.write(text)
            if moved and run([program, "--check", changed]).returncode == 0:
                return f"--check accepts a time outside its range: {facts}{case}"
        if len(steps) > 0:
            with open(out, encoding="utf-8") as file, open(changed, "w", encoding="utf-8") as other:
                other.write(re.sub(r" step=\w+:\d+(@-?\d+)?-\d+(@-?\d+)?", "", file.read(), count=len(steps)))
            if run([program, "--check", changed]).returncode == 0:
                return f"--check accepts it without the step: {facts}{case}"
        if found["conditional"] or world.kind == "slew" or (honest and world.kind != "honest") or world.jitter:
            return None
        if world.victim.steps and not steps:            # too small to be seen
            return None
        if world.kind == "twice" and len(places) != 2:
            return None
        fault = check_rows(world, found, steps, rows) or (check_ranges(world, found, steps) if world.rate else None)
        return f"{fault}: {facts}{case}" if fault else None


if __name__ == "__main__":
    count = "--count" in sys.argv
    if count:
        sys.argv.remove("--count")
    try:
        run_seeds(check, 40)
    finally:
        for (kind, found), n in sorted(COUNTS.items(), key=str) if count else ():
            print(f"{kind:16} {found!s:16} {n}")
