"""Ranges of cellstat if clocks drift: small random programs (worlds.py), stamped by clocks whose rates change within the limit
that is passed. What activity.py says of each figure at the true times is in its range.

    python3 test_drift_ranges.py CELLSYNC CELLSTAT

CELLSYNC_TEST_TIMES in the environment multiplies the programs, CELLSYNC_TEST_FIRST is the first seed.
"""

import math
import os
import random
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import test_ranges  # noqa: E402
import worlds  # noqa: E402
from test_ranges import Bounds, Odd, Ranges, Window  # noqa: E402
from trials import run_in_folder, trials  # noqa: E402

UNIT = 1000                         # parts of a tick
SLOWER = 20                         # by so much more time passes than in worlds of one rate
PROGRAMS = trials(75)
PPM_OF_PART = 1000                  # a rate of one part a tick


class Clock:
    """True time as a function of a reading: linear between turns, with a rate of so many parts more than UNIT a tick."""

    def __init__(self, rng, rate, offset):
        self.turns, at, time = [], -10**6, -10**6 * UNIT + offset
        while at < 10**6:
            more = rng.choice((-rate, rate, 2 * rng.randint(-rate // 2, rate // 2)))
            self.turns.append((at, time, more))
            step = rng.choice((30, 200, 1000, 10**6)) if abs(at) < 20000 else 980000
            at, time = at + step, time + step * (UNIT + more)

    def time(self, reading2):
        """The time at half a reading."""
        at, time, more = max(turn for turn in self.turns if 2 * turn[0] <= reading2)
        return time + (reading2 - 2 * at) * (UNIT + more) // 2

    def reading(self, time):
        """The first reading that is not before a time."""
        at, begin, more = max(turn for turn in self.turns if turn[1] <= time)
        return at + math.ceil((time - begin) / (UNIT + more))


class Drifting(worlds.Drawing):
    """A world on clocks that drift."""

    def __init__(self, rng, **limits):
        super().__init__(rng, **limits)
        self.unit, self.least = UNIT, 2
        self.halves = rng.choice((0, 0, 1, 4))      # delta in half ticks
        self.rate = rng.choice((2, 10, 50))

    def gap(self):
        return self.rng.randint(self.least, self.apart) * SLOWER * UNIT + self.rng.randint(0, UNIT - 1)

    def stamp_drifting(self, clocks):
        """Whole ticks that are off by no more than delta; true times are moved to where the stamps may be."""
        made = {clock: Clock(self.rng, 0 if clock == "ppe" else self.rate,
                             0 if clock == "ppe" else self.rng.randint(-20, 20) * UNIT) for clock in clocks.values()}
        for thread, points in self.points.items():
            clock = made[clocks[thread]]
            for row, end in points:
                reading = clock.reading(row.end if end else row.begin)
                off = self.rng.randint(-self.halves, self.halves)
                row.stamps = row.stamps or [None, None]
                row.stamps[end] = reading
                at = clock.time(2 * reading + off)
                if end:
                    row.end = at
                else:
                    row.begin = at

    def draw(self):
        rng = self.rng
        shared = len(self.names) > 2 and rng.random() < 0.2
        clocks = {name: "shared" if shared and name in ("a", "b") else name for name in self.names}
        for name in self.names:
            self.points[name] = points = []
            at = self.gap()
            self.put(name, "MARK", None, at, {}, points)
            self.act(name, at, 1, points)
        self.stamp_drifting(clocks)
        messages, groups = (self.meet(), self.barriers()) if self.partial else ([], [])
        tied = [rng.random() for _ in self.names]
        turn = {id(row): i for i, row in enumerate(self.rows)}
        self.rows.sort(key=lambda row: (row.end, tied[self.names.index(row.thread)], turn[id(row)]))
        place = {id(row): i for i, row in enumerate(self.rows)}
        own = {name: [(place[id(row)], end) for row, end in points] for name, points in self.points.items()}
        world = worlds.World(self.rows, clocks, dict.fromkeys(clocks.values(), 0), UNIT, self.halves * UNIT // 2, self.partial,
                             own)
        world.messages = [(place[id(a)], place[id(b)]) for a, b in messages]
        world.groups = [[place[id(row)] for row in group] for group in groups]
        world.order()
        world.rate = self.rate
        for points in own.values():
            stamps = [world.rows[i].stamps[end] for i, end in points]
            times = [world.true(point) for point in points]
            if any(a >= b for a, b in zip(stamps, stamps[1:])) or any(a >= b for a, b in zip(times, times[1:])):
                return None
        held = all(world.true(a) + gap <= world.true(b) for a in world.points for b, gap in world.after[a].items())
        return world if held and world.sorted_points() else None


def draw(rng):
    while True:
        world = Drifting(rng).draw()
        if world:
            return world


class DriftRanges(Ranges):
    """Ranges of small programs on clocks that drift."""

    def hold_estimate(self, *_):
        """Estimates are for other tests."""

    def hold_range(self, shown, key, figure, ends, world, every):
        low, high = ends
        what = (shown, key, figure.kind, "told", float(figure.low), float(figure.high), "is", float(low), float(high))
        if figure.kind == "unknown":
            self.unknown += 1
            return
        self.assertTrue(figure.low <= figure.at <= figure.high, what)
        if figure.kind == "clock":      # by the actor's own clock, as stamped
            if key[2] not in test_ranges.PERCENTILES and world.delta == 0:
                off = figure.step + abs(figure.at) * world.rate / UNIT
                if key[2] in ("utilization", "mean", "overlap"):    # of several clocks
                    off += 5 * abs(figure.at) * world.rate / UNIT
                self.assertTrue(figure.at - off <= low and high <= figure.at + off, what)
            return
        self.assertTrue(figure.low <= low and high <= figure.high, what)
        self.held += 1
        self.width += min((figure.high - figure.low) / max(1, abs(figure.at)), 1)

    def ask(self, world, verb, *options):
        """The window may be none by the estimate."""
        try:
            return super().ask(world, verb, *options)
        except AssertionError as error:
            if "ends before it begins" in str(error):
                raise Odd from error
            raise

    def parts_of(self, rng, world, by_estimate):
        """An option, if any, and what part of the time it asks for."""
        if rng.random() < 0.4:
            return [], [None]
        window = self.window_of(rng, world)
        a, b = window.ends(by_estimate, world.unit)
        return ([f"--window={window}"], [window]) if a < b else ([], [None])

    def hold_last(self, shown, told, bounds, estimate, every):
        """Who came last to a barrier: if there is no rival, that is certain."""
        super().hold_last(shown, told, bounds, {}, False)

    def compare(self, seed):
        rng = random.Random(seed)
        world = draw(rng)
        worlds.write(world, "t.csv")
        trace = test_ranges.trace_of(world)
        truth = {point: world.true(point) for point in world.points}
        options, windows = self.parts_of(rng, world, truth)
        roles = {record.meaning.role for record in trace.records} | ({"send"} if world.messages else set())
        verbs = [verb for verb in test_ranges.VERBS
                 if verb not in test_ranges.NEEDED or roles & set(test_ranges.NEEDED[verb])]
        chosen = set(rng.sample(sorted(world.own), rng.randint(1, len(world.own)))) if rng.random() < 0.3 else None
        options += [f"--actors={','.join(sorted(chosen))}"] if chosen else []
        options += [f"--drift={world.rate * PPM_OF_PART}"] + ([] if world.delta else ["--delta=0"])
        for verb in rng.sample(verbs, min(len(verbs), 4)):
            bound = Bounds()
            try:
                bound.add(test_ranges.figures_of(world, trace, truth, windows[0], verb, chosen))
                _, tables = self.ask(world, verb, *options)
            except Odd:
                continue
            self.hold((seed, verb, options), tables[0], bound, {}, world, False)

    def test_small_programs(self):
        with open("e.xml", "w", encoding="ascii") as file:
            file.write(test_ranges.EVENTS)
        first = int(os.environ.get("CELLSYNC_TEST_FIRST", "1"))
        self.held, self.unknown, self.width = 0, 0, 0
        for seed in range(first, first + PROGRAMS):
            with self.subTest(seed):
                self.compare(seed)
        if os.environ.get("SHOW"):
            print(self.held, self.unknown, float(self.width / max(1, self.held)))
        if PROGRAMS >= 50:             # else it is left to chance
            self.assertGreater(self.held, 10 * PROGRAMS)


del Ranges                              # its own tests are not to run here

if __name__ == "__main__":
    test_ranges.CELLSYNC, test_ranges.CELLSTAT = map(os.path.abspath, sys.argv[1:3])
    run_in_folder()
