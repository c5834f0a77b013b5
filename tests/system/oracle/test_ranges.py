"""Ranges of cellstat, held to what else may have been: small random programs (worlds.py), and for each many offsets of clocks
and errors of stamps that their order allows. With each of these a figure is what activity.py says, and is in its range; one
that is called exact is at both ends of its range with some of them, where all can be tried. Estimates are those at the offsets
of cellsync.

    python3 test_ranges.py CELLSYNC CELLSTAT

CELLSYNC_TEST_TIMES in the environment multiplies the programs, CELLSYNC_TEST_FIRST is the first seed.
"""

import collections
import csv
import math
import os
import random
import subprocess
import sys
import unittest
from fractions import Fraction

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import activity  # noqa: E402
import meaning  # noqa: E402
import started  # noqa: E402
import worlds  # noqa: E402
from trials import run_in_folder, trials  # noqa: E402

EVENTS = """<events version="1">
  <recordType name="WORK" role="call" routine="work"/>
  <recordType name="WAITING" role="call" routine="waiting" stall="yes" class="message"/>
  <recordType name="SLEEP" role="wait" class="event"/>
</events>
"""
MEANINGS = {**meaning.meanings_of(None),
            "WORK": meaning.Meaning("call", routine="work"),
            "WAITING": meaning.Meaning("call", "message", routine="waiting", stalls=True),
            "SLEEP": meaning.Meaning("wait", "event"),
            "PHASE_ENTRY": meaning.Meaning("enter", routine="PHASE"),
            "PHASE_EXIT": meaning.Meaning("exit", routine="PHASE")}
ELAPSED = {"elapsed_direct", "elapsed_cumulative", "sequential", "concurrent", "overlap", "sequential_calls",
           "concurrent_calls", "greatest_concurrency"}
HZ = 1000
LOOKS = 40                          # at what may have been, of a program
PROGRAMS = trials(120)
SEEDS = 154, 204, 408, 749         # that see mistakes in averages and sections which those do not
ROUNDED = {"bytes_per_second", "mean", "share", "average", "efficiency", "utilization", "cost", "intercept", "limit"}
PERCENTILES = {"p50", "p95", "p99"}
ALL = -math.inf, math.inf


def share(a, b):
    return Fraction(a, b) if b else None


def trace_of(world):
    """Its records, with stamps in parts of a tick."""
    records = []
    for row in world.rows:
        begin, end = row.stamps
        records.append(meaning.Record(world.clocks[row.thread], row.thread, row.thread != "ppe", row.event, end * world.unit,
                                      None if begin is None else begin * world.unit, dict(row.more),
                                      MEANINGS.get(row.event, meaning.Meaning())))
    return meaning.Trace(records, [], {})


def put_at(trace, moments):
    for i, record in enumerate(trace.records):
        record.at = moments[i, 1]
        record.begun = None if record.begin is None else moments[i, 0]


class Window:
    """A part of the time: an end is a point of a world, a time by the first clock, or none, the first record or the last."""

    def __init__(self, begin=None, end=None):
        self.begin, self.end = begin, end

    def __str__(self):
        return "..".join("" if end is None else str(end) if isinstance(end, int) else f"#{end[0]}{('.begin', '')[end[1]]}"
                         for end in (self.begin, self.end))

    def ends(self, moments, unit):
        def find(end, pick):
            if end is None:
                return pick(at for (_, whole), at in moments.items() if whole)
            return end * unit if isinstance(end, int) else moments[end]
        begin, end = find(self.begin, min), find(self.end, max)
        return begin, max(begin, end)

    def open(self, ends):
        """The same, but for an end that is none: all that is on that side is in it."""
        return -math.inf if self.begin is None else ends[0], math.inf if self.end is None else ends[1]


# ------------------------------------------------------------------------------------------------------------ figures

class Odd(Exception):
    """A message met another one's receive: how much of it is in a window nobody says."""


class Figures(dict):
    """(table, row, column) -> what it is: a number, or the least and the most of it where rules leave that open."""

    def put(self, table, row, **columns):
        row = tuple("-" if name in (None, "") else str(name) for name in row)
        self.update(((table, row, name), value) for name, value in columns.items())


def exchanges_of(world, trace):
    """Messages of a partial order are those that it says."""
    found = [x for x in activity.exchanges(trace) if not world.partial or x.what != "message"]
    for send, receive in world.messages:
        s, r = trace.records[send], trace.records[receive]
        found.append(activity.Exchange("message", s.actor, r.actor, s.what.get("bytes"), s.at if s.begun is None else s.begun,
                                       r.at, r.at if r.begun is None else r.begun))
    return found


def class_of(x):
    return "memory" if x.what == "transfer" else "unknown"


def put_states(out, actors, ends, first, last):
    begin, end = (first, last) if ends is ALL else ends
    times, total = activity.states_in(actors, begin, end), collections.Counter()
    for actor in actors:
        row = {state: times[actor.name, state] for state in ("blocked", "idle", "absent")}
        row["user"] = times[actor.name, "active"]
        there = end - begin - row["absent"]
        out.put(("states", 0), ("actor", actor.name), virtual=row["user"], utilization=share(row["user"], there), **row)
        total.update(row)
    levels = activity.executing_in(actors, begin, end)
    virtual = sum(time for n, time in levels.items() if n)
    there = len(actors) * (end - begin) - total["absent"]
    out.put(("states", 0), ("all", "all"), virtual=virtual, utilization=share(total["user"], there),
            **{name: total[name] for name in ("blocked", "idle", "absent", "user")})
    put_levels(out, ("states", 1), levels, len(actors))


def put_levels(out, table, levels, n):
    for i in range(n + 1):
        out.put(table, (str(i),), time=levels[i], at_least=sum(time for j, time in levels.items() if j >= i))


def put_concurrency(out, actors, ends, first, last):
    begin, end = (first, last) if ends is ALL else ends
    levels = activity.executing_in(actors, begin, end)
    put_levels(out, ("concurrency", 0), levels, len(actors))
    elapsed = sum(time for n, time in levels.items() if n)
    active = sum(n * time for n, time in levels.items())
    for n, time in levels.items():
        if n:
            out["concurrency", 0, (str(n),), "share"] = share(time, elapsed)
    average = share(active, elapsed)
    out.put(("concurrency", 1), (), span=end - begin, active=active, elapsed=elapsed, average=average,
            efficiency=average and average / len(actors), limit=share(elapsed, levels[1]))


def put_sync(out, world, trace, actors, ends, chosen):
    for key, (count, time, greatest) in activity.waits_by_object(actors, *ends).items():
        out.put(("sync", 0), key, count=count, time=time, greatest=greatest, mean=share(time, count))
    for key, row in activity.locks_in(trace, *ends, chosen).items():
        out.put(("sync", 1), key, **{name: row[name] for name in row if not world.partial or name in ("holds", "held")})
    for key, (arrivals, inside) in activity.instances_in(trace, *ends, chosen).items():
        out.put(("sync", 2), key, arrivals=inside, spread=max(arrivals.values()) - min(arrivals.values()), who=arrivals)


def put_lines(out, found, unit):
    """Messages of a kind and class, whose bytes are known, and the line through them."""
    costs = collections.Counter()
    for key, (group, line) in activity.lines_in(found, class_of).items():
        out.put(("latency", 1), key, messages=len(group))
        if line:
            rate = HZ * unit / line[1] if line[1] > 0 else math.inf
            out.put(("latency", 1), key, intercept=line[0], bytes_per_second=rate)
        mean = share(sum(x.end - x.begin for x in group), len(group))
        for x in group:
            costs[x.sender, x.receiver, x.what] += line[0] + line[1] * x.bytes if line else mean
    for key, cost in costs.items():
        if not any(x.end is None or x.bytes is None for x in found if (x.sender, x.receiver, x.what) == key):
            out.put(("comm", 0), key, cost=cost)


def put_comm(out, found, ends, chosen, unit):
    found = [x for x in found if chosen is None or {x.sender, x.receiver} & chosen]
    if any(x.end is not None and x.end < x.begin for x in found) and ends is not ALL:
        raise Odd
    for (what, sender, receiver), row in activity.comm_in(found, *ends).items():
        out.put(("comm", 0), (sender, receiver, what), **row)
    for key, row in activity.latency_in(found, class_of, *ends).items():
        out.put(("latency", 0), key, **row)
    if ends is ALL:
        put_lines(out, found, unit)
    if ends is not ALL or any(x.bytes is None or x.end is None for x in found):
        for key in (("message", "unknown"), ("transfer", "memory")):     # lines, and rows of others
            out.put(("latency", 1), key, messages=None)


def put_profile(out, actors, calls, ends, chosen):
    inside = activity.calls_in(calls, *ends)
    mine = activity.Calls([call for call in inside.calls if chosen is None or call.actor in chosen])
    rows, more = activity.profile(mine, actors), activity.profile_more(mine)
    for key, row in rows.items():
        group = [call for call in mine.calls if call.routine == key]
        at_ends = [c for c in group if c.end == ends[1] or c.begin == ends[0]]  # which these may end, or not
        row["open"] = row["open"] - sum(c.opened for c in at_ends), row["open"]
        row["implied"] = row["implied"] - sum(c.implied for c in at_ends), row["implied"]
        row["overlap"] = row["cumulative"] - row["elapsed_cumulative"]
        row.update(more[key])
        for table in (0, 1):
            out.put(("profile", table), (key,), **{name: row[name] for name in row if (name in ELAPSED) == (table == 1)})
    for key, (n, time) in activity.call_pairs(mine).items():
        out.put(("calls", 0), (key[0] or "", key[1]), calls=n, time=time)
    for key, (n, direct) in activity.call_paths(mine).items():
        out.put(("calls", 1), (";".join(key),), calls=n, direct=direct, cumulative=sum(
            c.end - c.begin for c in mine.calls if c.path == key))


def figures_of(world, trace, moments, window, verb, chosen):
    """All figures of a verb with these moments."""
    put_at(trace, moments)
    actors, out = activity.actors_of(trace), Figures()
    first, last = activity.span_of(actors)
    ends = window.ends(moments, world.unit) if window else ALL
    some = [actor for actor in actors if chosen is None or actor.name in chosen]
    if verb == "states":
        put_states(out, some, ends, first, last)
    if verb == "concurrency":
        put_concurrency(out, activity.units_of(some), ends, first, last)
    ends = window.open(ends) if window else ends
    if verb == "sync":
        put_sync(out, world, trace, some, ends, chosen)
    if verb in ("comm", "latency"):
        put_comm(out, exchanges_of(world, trace), ends, chosen, world.unit)
    if verb in ("profile", "calls"):
        put_profile(out, actors, activity.calls_of(trace, actors), ends, chosen)
    return out


# ------------------------------------------------------------------------------------------------------------- tables

KEYS = {("states", 0): ("what", "name"), ("states", 1): ("executing",), ("concurrency", 0): ("level",), ("concurrency", 1): (),
        ("sync", 0): ("class", "object"), ("sync", 1): ("object", "holder"), ("sync", 2): ("event", "group", "instance"),
        ("comm", 0): ("sender", "receiver", "what"), ("latency", 0): ("what", "class", "bytes"),
        ("latency", 1): ("what", "class"), ("profile", 0): ("routine",), ("profile", 1): ("routine",),
        ("calls", 0): ("caller", "callee"), ("calls", 1): ("path",)}
SUFFIXES = {"ticks", "microticks", "ppm"}


class Told:
    """A figure of cellstat: an estimate, both ends, in parts of a tick where it is a time, and its kind."""

    def __init__(self, row, name, suffix, unit):
        self.step = {"ticks": unit, "microticks": Fraction(unit, 10**6), "ppm": Fraction(1, 10**6), "": 1}[suffix]

        def number(text):
            return None if text == "" else float(text) if "inf" in text else int(text) * self.step

        end = f"_{suffix}" if suffix else ""
        self.at = number(row[name + end])
        ranged = f"{name}_lo{end}" in row
        self.low, self.high = (number(row[f"{name}_{which}{end}"]) if ranged else self.at for which in ("lo", "hi"))
        self.kind = row.get(f"{name}_kind") or ("clock" if self.at is not None else "")


def read_rows(rows, verb, number, unit):
    """(table, row, column) -> what is told of it."""
    out = {}
    for row in rows:
        if row.get("kind") == "leaf" or row.get("what") == "unit":
            continue
        key = tuple(row[name] or "-" for name in KEYS[verb, number])
        for column, text in row.items():
            name, _, suffix = column.rpartition("_")
            if suffix not in SUFFIXES:
                name, suffix = column, ""
            if name in ("last", "rival"):
                out[(verb, number), key, name] = text
            elif not name.endswith(("_lo", "_hi", "_kind")) and name not in KEYS[verb, number] + (
                    "file", "line", "kind", "block", "begin", "end", "misses"):
                out.setdefault(((verb, number), key, name), Told(row, name, suffix, unit))
    return out


# -------------------------------------------------------------------------------------------------------------- asking

COUNTED = {"count", "time", "greatest", "holds", "held", "waits", "waited", "arrivals", "calls", "recursive", "open", "implied",
           "direct", "cumulative", "elapsed_direct", "elapsed_cumulative", "overlap", "sequential", "concurrent", "messages",
           "late_sender", "sequential_calls", "concurrent_calls", "bytes", "greatest_concurrency"}
VERBS = ("states", "concurrency", "sync", "comm", "latency", "profile", "calls")
FULL = {"profile": ("--top=0",), "calls": ("--top=0", "--leaves=0")}
NEEDED = {"profile": ("call", "enter"), "calls": ("call", "enter"), "comm": ("send", "recv", "transfer"),
          "latency": ("send", "recv", "transfer")}


class Bounds:
    """Of each figure the least and the most that it is, over what may have been."""

    def __init__(self):
        self.low, self.high, self.n, self.seen, self.none, self.who = {}, {}, 0, collections.Counter(), set(), {}

    def add(self, figures):
        self.n += 1
        for key, value in figures.items():
            if value is None or isinstance(value, dict):
                if value is None:
                    self.none.add(key)
                else:
                    self.who.setdefault(key[:2], []).append(value)
                continue
            low, high = value if isinstance(value, tuple) else (value, value)
            self.high[key] = max(self.high.get(key, low), low)     # no less than that it may be, at most
            self.low[key] = min(self.low.get(key, high), high)
            self.seen[key] += 1

    def ends(self, key):
        """None of a figure that is none with some of them."""
        if key in self.none:
            return None
        if key not in self.low:
            return (0, 0) if key[2] in COUNTED else None
        low, high = self.low[key], self.high[key]
        if self.seen[key] < self.n and key[2] in COUNTED:
            return min(low, 0), max(high, 0)
        return low, high


class Ranges(unittest.TestCase):
    """Ranges of small programs."""

    def ask(self, world, verb, *options):
        """The windows of sections, or one that is none; and for each (table, row, column) -> what is told."""
        delta = [f"--delta={Fraction(world.delta, world.unit)}"] if world.delta else []
        words = [CELLSTAT, verb, "-q", "t.csv", "--events=e.xml", "--format=csv", *delta, *FULL.get(verb, ()), *options]
        done = started.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 0, (words, done.stderr))
        tables = [list(csv.DictReader(text.splitlines())) for text in done.stdout.decode().split("\n\n")]
        if not any(option.startswith("--section") for option in options):
            return [None], [self.read(tables, verb, world.unit)]
        windows = [row["window"] for row in tables.pop(0)] if verb != "concurrency" else None
        blocks = len(windows) if windows else max(int(row["block"]) for table in tables for row in table)
        return windows, [self.read([[row for row in table if row["block"] == str(i + 1)] for table in tables], verb, world.unit)
                         for i in range(blocks)]

    def read(self, tables, verb, unit):
        out = {}
        for number, rows in enumerate(tables):
            if (verb, number) in KEYS:
                out.update(read_rows(rows, verb, number, unit))
        return out

    def estimated(self, world, trace):
        """Moments by the offsets of cellsync."""
        delta = [f"--delta={Fraction(world.delta, world.unit)}"] if world.delta else []
        started.run([CELLSYNC, "-q", "t.csv", "--to=csv", "-o", "s.csv", *delta], check=True)
        with open("s.csv", newline="") as file:
            rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
        moments = {}
        for i, (row, record) in enumerate(zip(rows, trace.records)):
            moments[i, 1] = int(row["global_time"]) * world.unit
            if record.begin is not None:
                moments[i, 0] = moments[i, 1] - record.time + record.begin
        return moments

    def hold(self, shown, told, bounds, estimate, world, every):
        """What is told of each figure, and what it is."""
        self.hold_last(shown, told, bounds, estimate if not world.delta else {}, every)
        tables = {key[0] for key in told} - {
            key[0] for key, figure in told.items() if isinstance(figure, Told) and figure.kind == "unknown"}
        for key in set(bounds.low) | {key for key in estimate if not isinstance(estimate[key], dict)}:
            if key[0] in tables and key not in told and key not in bounds.none:
                self.assertIn(key[2], COUNTED | {"at_least"}, (shown, "no row of", key))
                self.assertEqual(bounds.ends(key), (0, 0), (shown, "no row of", key))
        for key, figure in told.items():
            if not isinstance(figure, Told):
                continue
            self.hold_estimate(shown, key, figure, estimate, world)
            ends = bounds.ends(key)
            if ends is None or figure.low is None:
                continue
            self.hold_range(shown, key, figure, ends, world, every)

    def hold_last(self, shown, told, bounds, estimate, every):
        """Who came last to a barrier, and who else may have."""
        for table, key, name in [key for key in told if key[2] == "last"]:
            last, rival = (told[table, key, which] for which in ("last", "rival"))
            arrived = bounds.who.get((table, key), [])
            by_estimate = estimate.get((table, key, "who"))
            if by_estimate:
                self.assertEqual(by_estimate[last], max(by_estimate.values()), (shown, key))
            if rival in ("", "-"):
                self.assertTrue(all(who[last] == max(who.values()) for who in arrived), (shown, key, last, "no rival"))
            elif every:
                self.assertTrue(any(who[rival] == max(who.values()) for who in arrived), (shown, key, last, rival))

    def hold_estimate(self, shown, key, figure, estimate, world):
        value = estimate.get(key)
        if value is None or figure.at is None or world.delta:
            return
        low, high = value if isinstance(value, tuple) else (value, value)
        off = figure.step if key[2] in ROUNDED else 0
        if key[2] in PERCENTILES:
            off = value * (2**(1 / 32) - 1) + 1
        self.assertTrue(low - off <= figure.at <= high + off, (shown, "estimate", key, figure.at, low, high))

    def hold_range(self, shown, key, figure, ends, world, every):
        low, high = ends
        what = (shown, key, figure.kind, "told", figure.low, figure.high, "is", float(low), float(high))
        self.assertTrue(figure.low <= figure.at <= figure.high, what)
        if figure.kind == "clock":
            if world.delta == 0:
                self.assertTrue(high - figure.step < figure.at < low + figure.step or key[2] in PERCENTILES, what)
            return
        self.assertTrue(figure.low <= low and high <= figure.high, what)
        self.held += 1
        if every and figure.kind == "exact":
            self.attained += 1
            self.assertTrue(abs(figure.low - low) < figure.step and abs(figure.high - high) < figure.step, what)

    def window_of(self, rng, world):
        """Two points, or two times by the clock of the reference, or no end."""
        points = sorted(world.points, key=world.true)
        if rng.random() < 0.25:
            own = [point for point in points if world.clock_of(point) == "ppe" and point[1]]
            first, last = (world.rows[point[0]].stamps[1] for point in (own[0], own[-1]))
            a, b = sorted(rng.randint(first, last) for _ in range(2))
            if a < b:
                return Window(a, b)
        i, j = sorted(rng.sample(range(len(points)), 2))
        return Window(*(None if rng.random() < 0.1 else point for point in (points[i], points[j])))

    def sections_of(self, world, name, moments):
        """Sections of a name, by their begins."""
        found = []
        for thread in world.own:
            rows = [i for i, end in world.own[thread] if end]
            mine = [i for i in rows if world.rows[i].event.removesuffix("_ENTRY") == name]
            stack = []
            for i in rows:
                event = world.rows[i].event
                if i in mine and world.rows[i].begin is not None:
                    found.append(Window((i, 0), (i, 1)))
                elif event == name + "_ENTRY":
                    stack.append(i)
                elif event == name + "_EXIT" and stack:
                    begin = stack.pop()
                    found += [] if stack else [Window((begin, 1), (i, 1))]     # else it is within another one
                elif i in mine:
                    found += [Window((j, 1), (i, 1)) for j in stack]
                    stack = [i]
            found += [Window((i, 1), (rows[-1], 1)) for i in stack[:1]]
        found = [window for window in found if moments[window.begin] <= moments[window.end]]     # stamps may step back
        return sorted(found, key=lambda window: (*window.ends(moments, 1), window.end, window.begin))

    def parts_of(self, rng, world, by_estimate):
        """An option, if any, and what parts of the time it asks for."""
        how = rng.random()
        if how < 0.35:
            return [], [None]
        intervals = {row.event: 0 for row in world.rows}
        for row in world.rows:
            intervals[row.event] |= 1 << int(row.begin is None)
        names = [event.removesuffix("_ENTRY") for event, kinds in intervals.items() if kinds < 3 and event != "PHASE_EXIT"]
        if how < 0.65 and names:
            name = rng.choice(names)
            found = self.sections_of(world, name, by_estimate)
            begins = collections.Counter(window.ends(by_estimate, 1)[0] for window in found)
            first = rng.randrange(len(found))
            some = found[first:first + 2]
            if all(begins[window.ends(by_estimate, 1)[0]] == 1 for window in some):
                return [f"--section={name}#{first + 1}-{first + len(some)}"], some
        window = self.window_of(rng, world)
        a, b = window.ends(by_estimate, world.unit)
        return ([f"--window={window}"], [window]) if a < b else ([], [None])

    def compare(self, seed):
        rng = random.Random(seed)
        world = worlds.draw(rng)
        worlds.write(world, "t.csv")
        trace = trace_of(world)
        by_estimate = self.estimated(world, trace)
        moments, every = worlds.Histories(world).look(rng, LOOKS)
        options, windows = self.parts_of(rng, world, by_estimate)
        roles = {record.meaning.role for record in trace.records} | ({"send"} if world.messages else set())
        verbs = [verb for verb in VERBS if verb not in NEEDED or roles & set(NEEDED[verb])]
        chosen = set(rng.sample(sorted(world.own), rng.randint(1, len(world.own)))) if rng.random() < 0.3 else None
        options += [f"--actors={','.join(sorted(chosen))}"] if chosen else []
        options += ["--ranges=star"] if rng.random() < 0.1 else []
        for verb in rng.sample(verbs, min(len(verbs), 3)):
            self.check(seed, world, trace, moments, every, by_estimate, windows, verb, chosen, options)

    def check(self, seed, world, trace, moments, every, by_estimate, windows, verb, chosen, options):
        """One question."""
        bounds, estimates = [Bounds() for _ in windows], []
        for window, bound in zip(windows, bounds):
            for some in moments:
                try:
                    bound.add(figures_of(world, trace, some, window, verb, chosen))
                except Odd:
                    every = False
            try:
                estimates.append(figures_of(world, trace, by_estimate, window, verb, chosen))
            except Odd:
                estimates.append({})
        named, tables = self.ask(world, verb, *options)
        if named and windows[0] and options[0].startswith("--section"):
            self.assertEqual(named, [str(window) for window in windows], (seed, verb, options))
        for told, bound, estimate in zip(tables, bounds, estimates):
            if bound.n > 0:
                self.hold((seed, verb, options), told, bound, estimate, world, every)

    def test_small_programs(self):
        with open("e.xml", "w", encoding="ascii") as file:
            file.write(EVENTS)
        first = int(os.environ.get("CELLSYNC_TEST_FIRST", "1"))
        self.held, self.attained = 0, 0
        for seed in [*range(first, first + PROGRAMS), *SEEDS]:
            with self.subTest(seed):
                self.compare(seed)
        if PROGRAMS >= 100:         # else it is left to chance
            self.assertGreater(self.held, 10 * PROGRAMS)
            self.assertGreater(self.attained, PROGRAMS // 2)


if __name__ == "__main__":
    CELLSYNC, CELLSTAT = map(os.path.abspath, sys.argv[1:3])
    run_in_folder()
