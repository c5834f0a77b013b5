"""Property test: longest latencies, moments that several clocks saw, and measured offsets, at one rate and under drift.

    test_limits.py CELLSYNC [--seeds=N] [--first=SEED]

An independent solver, written from pex(5) and doc/algorithms.md: difference constraints over readings of clocks, solved by
Bellman-Ford in whole numbers of 10^-9 ticks. Each trace comes from a hidden truth that keeps all constraints, so delta is 0, and then
the manual calls bounds exact: those that are printed must be equal to those of the solver. They must contain the truth, and --check
must accept the output. Every fourth trace gets a limit that latencies contradict, and must be refused with the line of a limit.
"""

import csv
import json
import os
import random
import subprocess
import tempfile
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from trials import run_seeds

UNIT = 10**9
COLUMNS = ["thread", "clock", "begin", "time", "send", "recv", "latency", "latency_max", "enter", "leave", "same", "within",
           "other_clock", "other_time"]


@dataclass
class Clock:
    """Shows pieces of straight lines of global time: at global time start + k * PIECE its reading is shown[k]."""
    name: str
    start: int
    rates: list         # ppb, of each piece
    shift: int

    PIECE = 4000

    def shows(self, instant):
        """A reading, rounded down, and the exact instant at which the clock shows it."""
        reading, left, k = Fraction(self.shift), Fraction(instant - self.start), 0
        pieces = []
        while left > 0:
            run = min(left, Fraction(self.PIECE))
            pieces.append((reading, run, self.rates[k % len(self.rates)]))
            reading += run * UNIT / (UNIT + pieces[-1][2])
            left -= run
            k += 1
        shown = floor(reading)
        at = Fraction(self.start)
        for first, run, rate in pieces:
            last = first + run * UNIT / (UNIT + rate)
            if shown < last:
                return shown, at + (shown - first) * (UNIT + rate) / UNIT
            at += run
        return shown, at if pieces else Fraction(instant)


class World:
    """Events of a hidden truth, as rows; and the constraints that they state."""

    def __init__(self, rng, rate_ppb):
        self.rng, self.rate = rng, rate_ppb
        self.pad = 3 if rate_ppb else 0          # readings are up to a tick early
        n = rng.randint(2, 5)
        self.clocks = [Clock("ABCDE"[i], 0, [rng.randint(-rate_ppb, rate_ppb) if i else 0 for _ in range(7)],
                             rng.choice([0, rng.randint(-10**6, 10**6)])) for i in range(n)]
        self.threads = [(f"{clock.name}{k}", clock) for clock in self.clocks for k in range(rng.choice([1, 1, 1, 2]))]
        self.events = []                          # (instant, order, thread, row)
        self.edges = []                           # (reading, reading, at least): the one, and so much later the other
        self.limits = []                          # (reading, reading, at most): the one at most so much after the other
        self.instants = {}                        # the truth, by reading
        self.offsets = [] if rng.random() < 0.4 else None   # rows of a file of measured offsets, instead of columns

    def read(self, clock, instant):
        shown, exact = clock.shows(instant)
        reading = (clock.name, shown)
        self.instants.setdefault(reading, exact)
        return reading

    def event(self, thread, instant, **row):
        name, clock = self.threads[thread]
        reading = self.read(clock, instant)
        row = dict(row, thread=name, clock=clock.name, time=reading[1])
        self.events.append((instant, len(self.events), name, row, reading))
        return row, reading

    def message(self, number, option):
        rng = self.rng
        source, target = rng.sample(range(len(self.threads)), 2)
        sent = rng.randint(100, 20000)
        row, send = self.event(source, sent, send=f"m{number}")
        if rng.random() < 0.3:
            send = self.read(self.threads[source][1], sent - rng.randint(0, 50))
            row["begin"] = send[1]
        row, recv = self.event(target, sent + rng.randint(self.pad + 1, 400), recv=f"m{number}")
        took = self.instants[recv] - self.instants[send]
        least = rng.randint(0, floor(took)) if rng.random() < 0.5 else 0
        if least or rng.random() < 0.1:
            row["latency"] = least
        self.edges.append((send, recv, least))
        most = option
        if rng.random() < 0.4:
            most = row["latency_max"] = ceil(took) + rng.choice([0, 0, rng.randint(0, 300)])
        if most is not None:
            self.limits.append((recv, send, most))

    def moment(self, number, default):
        rng = self.rng
        instant, far = rng.randint(100, 20000), rng.choice([0, 0, 5, 40])
        rows = [self.event(thread, instant + rng.randint(-far, far), same=f"shot{number}")
                for thread in rng.sample(range(len(self.threads)), rng.randint(2, len(self.threads)))]
        instants = [self.instants[reading] for _, reading in rows]
        least = ceil(max(instants) - min(instants))
        seen = []
        for row, reading in rows:
            own = default if default >= least and rng.random() < 0.5 else least + rng.choice([0, 0, 10])
            if own != default or rng.random() < 0.5:
                row["within"] = own
            seen.append((reading, own))
        self.limits += [(one, other, max(w, v)) for one, w in seen for other, v in seen if one is not other]

    def comparison(self):
        rng = self.rng
        thread = rng.randrange(len(self.threads))
        clock = self.threads[thread][1]
        other = rng.choice([c for c in self.clocks if c is not clock])
        instant = rng.randint(100, 20000)
        row, end = self.event(thread, instant) if self.offsets is None else ({}, self.read(clock, instant))
        begin = end
        if rng.random() < 0.6:
            begin = self.read(clock, instant - rng.randint(0, 90))
            row["begin"] = begin[1]
        low, high = self.instants[begin], self.instants[end]
        within = rng.choice([0, 3, 30])
        shown, at = other.shows(floor(low + (high - low) * Fraction(rng.randint(0, 8), 8)) +
                                rng.randint(-within, within) // 2)
        off = max(low - at, at - high, Fraction(0))
        within = max(within, ceil(off))
        reading = (other.name, shown)
        self.instants.setdefault(reading, at)
        row.update(other_clock=other.name, other_time=shown, within=within)
        if self.offsets is not None:
            self.offsets.append(dict(row, clock=clock.name, time=end[1]))
        self.limits.append((reading, end, within))
        self.limits.append((begin, reading, within))

    def group(self, number):
        """A barrier: all enter before all leave."""
        rng = self.rng
        middle = rng.randint(100, 20000)
        members = rng.sample(range(len(self.threads)), rng.randint(2, len(self.threads)))
        entered, left = [], []
        for thread in members:
            entered.append(self.event(thread, middle - rng.randint(self.pad + 1, 60), enter=f"g{number}")[1])
        for thread in members:
            left.append(self.event(thread, middle + rng.randint(self.pad + 1, 60), leave=f"g{number}")[1])
        self.edges += [(p, q, 0) for p in entered for q in left]

    def finish(self):
        """Rows of a thread are in the order of time; those at one reading may be in any order."""
        self.events.sort(key=lambda event: (event[0], event[1]))
        last = {}
        for _, _, name, _, reading in self.events:
            if name in last:
                self.edges.append((last[name], reading, 0))
            last[name] = reading

    def text(self, default):
        lines = ["# order=partial", "# timebase_hz=1000000000"]
        lines += [f"# same_within={default}"] if default else []
        lines.append(",".join(COLUMNS))
        lines += [",".join(str(event[3].get(column, "")) for column in COLUMNS) for event in self.events]
        return "\n".join(lines) + "\n"


def offsets_text(world):
    """The file of measured offsets: in ticks of the trace, or in microseconds with decimals."""
    columns = ["clock", "begin", "time", "other_clock", "other_time", "within"]
    world.rng.shuffle(columns)
    micro = world.rng.random() < 0.5

    def field(row, column):
        value = row.get(column, "")
        if not micro or value == "" or "clock" in column:
            return str(value)
        return f"{'-' if value < 0 else ''}{abs(value) // 1000}.{abs(value) % 1000:03}"

    lines = ["# timebase_hz=1000000000"] * world.rng.randint(0, 1) if not micro else []
    lines.append(",".join("time_us" if micro and column == "time" else column for column in columns))
    lines += [",".join(field(row, column) for column in columns) for row in world.offsets]
    return "\n".join(lines) + "\n"


def constraints(world, tau):
    """[(a, b, w)]: instant of b - instant of a <= w, in 10^-9 ticks, between readings."""
    found = []
    by_clock = {}
    for name, shown in world.instants:
        by_clock.setdefault(name, set()).add(shown)
    for name, shown in by_clock.items():
        rate = 0 if name == tau else world.rate
        readings = sorted(shown)
        for x, y in zip(readings, readings[1:]):
            found.append(((name, x), (name, y), (y - x) * (UNIT + rate)))
            found.append(((name, y), (name, x), -(y - x) * (UNIT - rate)))
    found += [(q, p, -least * UNIT) for p, q, least in world.edges]
    found += [(p, q, most * UNIT) for q, p, most in world.limits]
    return found


def furthest(found, start):
    """Bellman-Ford: by reading the greatest instant after that of start; None: they contradict each other."""
    into = {}
    for a, b, w in found:
        into.setdefault(a, []).append((b, w))
    value, todo, rounds = {start: 0}, [start], 0
    while todo:
        rounds += 1
        if rounds > len(into) + 2:
            return None
        changed = {}
        for a in todo:
            for b, w in into.get(a, ()):
                if b not in value or value[a] + w < value[b]:
                    value[b] = value[a] + w
                    changed[b] = True
        todo = list(changed)
    return value


def fixed(text):
    """A number of JSON with nine decimals, in 10^-9."""
    return None if text is None else int(Fraction(str(text)) * UNIT)


def run(args):
    return subprocess.run(args, capture_output=True, text=True, timeout=120, check=False)


def compare(world, found, tau):
    """What is wrong with the bounds of the report, or None."""
    cons = constraints(world, tau.name)
    firsts = {}
    for _, _, _, row, reading in world.events:
        firsts.setdefault(reading[0], []).append(reading)
    start = firsts[tau.name][0]
    latest, back = furthest(cons, start), furthest([(b, a, w) for a, b, w in cons], start)
    if latest is None or back is None:
        return "the solver finds a contradiction in a true trace"
    rows = found["drift"]["clocks"] if world.rate else found["threads"]
    base = next(row for row in rows if row["name"] == tau.name)
    base = fixed((base["first"] if world.rate else base)["offset_ticks"])
    for row in rows:
        if row["name"] == tau.name:
            continue
        for end in ("first", "last") if world.rate else ("first",):
            said = row[end] if world.rate else row
            if world.rate and not row["bounded"]:
                said = {"earliest_ticks": None, "latest_ticks": None}
            reading = firsts[row["name"]][0 if end == "first" else -1]
            zero = base + start[1] * UNIT - reading[1] * UNIT     # of an instant, as an offset
            want = [zero - back[reading] if reading in back else None, zero + latest[reading] if reading in latest else None]
            if world.rate and None in want:
                want = [None, None]
            have = [fixed(said["earliest_ticks"]), fixed(said["latest_ticks"])]
            if want != have:
                return f"{row['name']} {end}: bounds {have}, the solver has {want}"
            truth = zero + (world.instants[reading] - world.instants[start]) * UNIT
            if None not in want and not want[0] <= truth <= want[1]:
                return f"{row['name']} {end}: the truth is outside"
    return None


def compare_rows(world, found, tau, out):
    """What is wrong with the ranges in the columns of the CSV, or None."""
    cons = constraints(world, tau.name)
    start = next(reading for *_, reading in world.events if reading[0] == tau.name)
    latest, back = furthest(cons, start), furthest([(b, a, w) for a, b, w in cons], start)
    rows = found["drift"]["clocks"] if world.rate else found["threads"]
    base = next(row for row in rows if row["name"] == tau.name)
    zero = fixed((base["first"] if world.rate else base)["offset_ticks"]) + start[1] * UNIT
    with open(out, encoding="utf-8") as file:
        table = list(csv.DictReader(line for line in file if not line.startswith("#")))
    for row, (*_, stated, reading) in zip(table, world.events, strict=True):
        begin = (reading[0], stated["begin"]) if "begin" in stated else None
        for prefix, at in ("global", reading), ("global_begin", begin):
            have = [row[f"{prefix}_earliest"], row[f"{prefix}_latest"]]
            want = [floor(Fraction(zero - back[at], UNIT)) if at in back else "",
                    ceil(Fraction(zero + latest[at], UNIT)) if at in latest else ""]
            if at is None or (world.rate and "" in want):
                want = ["", ""]
            if have != [str(end) for end in want]:
                return f"{prefix} of {at}: {have}, the solver has {want}"
    return None


def contradict(world, rng):
    """A message of a long latency, and a moment that both its ends, or a row after one, are to have seen."""
    source, target = rng.sample(range(len(world.threads)), 2)
    world.event(source, 30000, send="x1", same="x")
    world.event(target, 30500, recv="x1", latency=400)
    world.event(target, 30501, same="x")


def check(program, seed):
    rng = random.Random(seed)
    world = World(rng, rng.choice([0, 0, 100000, 50000000]))
    option = rng.choice([None, None, 40000])
    default = rng.choice([0, 0, 12])
    for i in range(rng.randint(1, 12)):
        world.message(i, option)
    for i in range(rng.choice([0, 1, 1, 3])):
        world.moment(i, default)
    for _ in range(rng.choice([0, 1, 2])):
        world.comparison()
    for i in range(rng.choice([0, 0, 1, 2])):
        world.group(i)
    seen = {reading[0] for *_, reading in world.events}
    for k, (_, clock) in enumerate(world.threads):     # every clock has a row, so that it can be named
        if clock.name not in seen:
            world.event(k, rng.randint(1, 20000))
            seen.add(clock.name)
    refused = seed % 4 == 0
    if refused:
        contradict(world, rng)
    world.finish()
    tau = world.clocks[0]
    with tempfile.TemporaryDirectory() as folder:
        trace, report, out = (os.path.join(folder, name) for name in ("t.csv", "r.json", "o.csv"))
        with open(trace, "w", encoding="utf-8") as file:
            file.write(world.text(default))
        options = [f"--reference={tau.name}"] + [f"--max-latency={option}"] * (option is not None)
        options += [f"--drift={world.rate // 1000}", "--delta=least"]
        measured = []
        if world.offsets is not None:
            measured = [f"--offsets={os.path.join(folder, 'offsets.csv')}"]
            with open(os.path.join(folder, "offsets.csv"), "w", encoding="utf-8") as file:
                file.write(offsets_text(world))
        options += measured
        done = run([program, "-q", trace, "-r", report, "-o", out, "--ranges=yes"] + options)
        if refused:
            if done.returncode != 3 or "line " not in done.stderr or "same moment 'x'" not in done.stderr:
                return f"a contradiction: exit {done.returncode}: {done.stderr}"
            return None
        if done.returncode:
            return f"exit {done.returncode}: {done.stderr}\n{world.text(default)}"
        with open(report, encoding="utf-8") as file:
            found = json.load(file)
        if found["delta"]["ticks"] != "0":
            return f"delta is {found['delta']['ticks']}\n{world.text(default)}"
        fault = compare(world, found, tau) or compare_rows(world, found, tau, out)
        if fault:
            return f"{fault}\n{' '.join(options)}\n{world.text(default)}"
        proof = run([program, "--check", out] + measured)
        if proof.returncode:
            return f"--check: {proof.stderr}\n{' '.join(options)}\n{world.text(default)}"
        with open(out, encoding="utf-8") as file:
            lines = file.read().splitlines()
        at = rng.randrange(next(i for i, line in enumerate(lines) if line.startswith("thread,")) + 1, len(lines))
        fields = lines[at].split(",")
        fields[-4] = str(int(fields[-4]) - 1) if fields[-4] else "0"     # global_earliest
        with open(out, "w", encoding="utf-8") as file:
            file.write("\n".join(lines[:at] + [",".join(fields)] + lines[at + 1:]) + "\n")
        refusal = run([program, "--check", out] + measured)
        if refusal.returncode != 1 or "the earliest global time of this row does not" not in refusal.stderr:
            return f"--check accepts a wrong range: {refusal.stderr}"
        if world.offsets and run([program, "--check", out]).returncode != 2:
            return "--check accepts it without the offsets"
    return None


if __name__ == "__main__":
    run_seeds(check, 300)
