"""Small random programs of a few clocks, as a CSV, and what else may have been where it says the same: offsets of clocks,
and errors of stamps, that its order allows.

Written from doc/algorithms.md and pex(5) alone. A point is a moment that was stamped: the end of a row, or where it began.
Points of a thread follow one another; so do ends of rows in a buffer, and what messages and barriers join in partial order.
Times are whole numbers of 1/unit tick.
"""

import itertools
import math
from dataclasses import dataclass, field

FAR = 60                            # ticks that a clock is moved at most where nothing limits it


@dataclass
class Row:
    """What a thread does: its event, from when till when in true time, and what the CSV says of it beside."""
    thread: str
    event: str
    begin: int                      # or None
    end: int
    more: dict = field(default_factory=dict)
    stamps: list = None             # of the begin, which may be none, and the end; in ticks


@dataclass
class World:
    """Rows as they are written, and what is known of their order."""
    rows: list
    clocks: dict                    # thread -> clock
    offsets: dict                   # clock -> global time less what it shows
    unit: int                       # parts of a tick
    delta: int                      # parts of a tick by which a stamp is off at most
    partial: bool
    own: dict                       # thread -> its points, as they came
    messages: list = field(default_factory=list)    # (row that sends, row that receives)
    groups: list = field(default_factory=list)      # rows that enter a barrier and leave it
    after: dict = None              # point -> {point that is known to come after it: by how much at least}

    @property
    def points(self):
        return self.after.keys()

    def clock_of(self, point):
        return self.clocks[self.rows[point[0]].thread]

    def true(self, point):
        row = self.rows[point[0]]
        return row.end if point[1] else row.begin

    def stamped(self, point):
        return self.rows[point[0]].stamps[point[1]] * self.unit

    def order(self):
        """The edges between points. What is in what is not to depend on which of two at one moment came first: begins are apart
        from what their threads do before and after."""
        self.after = {point: {} for points in self.own.values() for point in points}
        for points in self.own.values():
            for a, b in itertools.pairwise(points):
                self.after[a][b] = int(not (a[1] and b[1]))
        if not self.partial:
            for a, b in itertools.pairwise(range(len(self.rows))):
                self.after[a, 1].setdefault((b, 1), 0)
        for send, receive in self.messages:
            self.after[self.first_of(send)].setdefault((receive, 1), 0)
        for group in self.groups:
            for a, b in itertools.product(group, group):
                if a != b:
                    self.after[a, 0].setdefault((b, 1), 0)

    def first_of(self, row):
        return row, int(self.rows[row].begin is None)

    def sorted_points(self):
        """Each point after those that it is known to come after."""
        before = dict.fromkeys(self.points, 0)
        for point in self.points:
            for other in self.after[point]:
                before[other] += 1
        ready, out = [point for point, n in before.items() if n == 0], []
        while ready:
            out.append(ready.pop())
            for other in self.after[out[-1]]:
                before[other] -= 1
                if before[other] == 0:
                    ready.append(other)
        return out if len(out) == len(before) else None

    def closure(self, points):
        """Pairs of clocks -> by how much the offset of the first may exceed that of the second one."""
        clocks = list(self.offsets)
        limits = {(s, t): 0 if s == t else math.inf for s in clocks for t in clocks}
        later = {}                  # point -> clock -> the least stamp of what is known to come after
        for point in reversed(points):
            mine = {}
            for other, gap in self.after[point].items():
                for clock, stamp in [*later[other].items(), (self.clock_of(other), self.stamped(other))]:
                    mine[clock] = min(mine.get(clock, math.inf), stamp - gap)
            later[point], clock = mine, self.clock_of(point)
            for other, stamp in mine.items():
                most = stamp - self.stamped(point) + 2 * self.delta
                assert other != clock or most >= 0
                if other != clock:
                    limits[clock, other] = min(limits[clock, other], most)
        for k, s, t in itertools.product(clocks, clocks, clocks):
            limits[s, t] = min(limits[s, t], limits[s, k] + limits[k, t])
        assert all(limits[s, s] >= 0 for s in clocks)
        return limits


class Histories:
    """What may have been."""

    def __init__(self, world):
        self.world = world
        self.points = world.sorted_points()
        self.limits = world.closure(self.points)
        self.clocks = list(world.offsets)

    def room(self, placed, clock):
        """Between which offsets a clock is, where some others have theirs."""
        low = max((g - self.limits[s, clock] for s, g in placed.items()), default=-math.inf)
        high = min((g + self.limits[clock, s] for s, g in placed.items()), default=math.inf)
        return low, high

    def bounded(self, placed, clock):
        low, high = self.room(placed, clock)
        far = FAR * self.world.unit
        if low == -math.inf and high == math.inf:
            return self.world.offsets[clock] - far, self.world.offsets[clock] + far
        return (high - far if low == -math.inf else low), (low + far if high == math.inf else high)

    def all_offsets(self, placed=None):
        """Every one, where all are limited."""
        placed = placed or {self.clocks[0]: 0}
        if len(placed) == len(self.clocks):
            yield dict(placed)
            return
        clock = self.clocks[len(placed)]
        low, high = self.bounded(placed, clock)
        for offset in range(low, high + 1):
            yield from self.all_offsets({**placed, clock: offset})

    def count(self, most):
        """How many there are, or more than most; infinity where one has no limit, or errors of stamps."""
        if self.world.delta or any(limit == math.inf for limit in self.limits.values()):
            return math.inf
        return sum(1 for _ in itertools.islice(self.all_offsets(), most + 1))

    def some_offsets(self, rng):
        """At an edge of what is allowed, or within it."""
        first, *rest = self.clocks
        placed = {first: 0}
        rng.shuffle(rest)
        inside = rng.random() < 0.3
        for clock in rest:
            low, high = self.bounded(placed, clock)
            placed[clock] = rng.randint(low, high) if inside else rng.choice((low, high))
        return placed

    def moments(self, offsets, rng):
        """Point -> when it was, with these offsets and some errors of stamps."""
        world, delta = self.world, self.world.delta
        shown = {point: world.stamped(point) + offsets[world.clock_of(point)] for point in self.points}
        if delta == 0:
            return shown
        latest, out = {}, {}
        for point in reversed(self.points):
            latest[point] = min([shown[point] + delta] + [latest[other] - gap for other, gap in world.after[point].items()])
        earliest = {point: at - delta for point, at in shown.items()}
        way = rng.choice(("least", "most", "apart", "any"))
        for point in self.points:
            low, high = earliest[point], latest[point]
            assert low <= high
            pick = rng.choice(("least", "most")) if way == "apart" else way
            out[point] = low if pick == "least" else high if pick == "most" else rng.randint(low, high)
            for other, gap in world.after[point].items():
                earliest[other] = max(earliest[other], out[point] + gap)
        return out

    def look(self, rng, most):
        """Some of them, or all where these are few; and whether these are all."""
        if self.count(most) <= most:
            return [self.moments(offsets, rng) for offsets in self.all_offsets()], True
        return [{point: self.world.true(point) for point in self.points}] + [
            self.moments(self.some_offsets(rng), rng) for _ in range(most - 1)], False


# ----------------------------------------------------------------------------------------------------------- drawing

ROUTINES = ("f", "g")
PAIRED = {"ENTER": "EXIT", "PHASE_ENTRY": "PHASE_EXIT", "MUTEX_LOCK": "MUTEX_UNLOCK"}
INTERVALS = ("WORK", "WAITING", "SLEEP", "BARRIER", "MPI_BARRIER", "MUTEX_LOCK")
MIXTURES = (
    ("ENTER", "MARK", "SLEEP"), ("ENTER", "WORK", "WAITING"), ("WORK", "MARK"), ("ENTER", "MARK"),
    ("MUTEX_LOCK", "MARK", "SLEEP"), ("MUTEX_LOCK", "BARRIER", "MARK"), ("MPI_BARRIER", "BARRIER", "ENTER"),
    ("MPI_SEND", "MPI_RECV", "MARK"), ("MPI_SEND", "MPI_RECV", "MFC_GET", "ENTER"), ("PHASE_ENTRY", "WORK", "MARK"),
    ("MUTEX_LOCK", "PHASE_ENTRY", "BARRIER", "MPI_SEND", "MPI_RECV", "ENTER", "WORK", "SLEEP"))


class Drawing:
    """One world."""

    def __init__(self, rng, threads=4, steps=4, most_delta=2):
        self.rng = rng
        self.delta2 = rng.choice((0, 0, 0, 1, 2, 2 * most_delta))     # in half ticks
        self.unit = 1 + self.delta2 % 2
        self.partial = rng.random() < 0.35
        self.names = ("ppe", "a", "b", "c")[:rng.randint(2, threads)]
        self.steps = steps
        self.events = rng.choice(MIXTURES)
        if self.partial:
            self.events = [e for e in self.events if not e.startswith("MPI_S") and e != "MPI_RECV"] or ["MARK", "SLEEP"]
        self.apart, self.least = rng.choice((2, 5, 9)), int(self.delta2 > 0 or any(event in INTERVALS for event in self.events))
        self.rows, self.points = [], {}

    def gap(self):
        return self.rng.randint(self.least, self.apart) * self.unit + self.rng.randint(0, self.unit - 1)

    def more_of(self, thread, event):
        """What else a row says."""
        rng, more = self.rng, {}
        if event in ("ENTER", "EXIT"):
            more["routine"] = rng.choice(ROUTINES)
        if event.startswith("MUTEX") or event == "BARRIER":
            more["object"] = rng.choice((1, 1, 2))
        if event in ("MPI_SEND", "MPI_RECV"):
            more["partner"] = rng.choice([name for name in self.names if name != thread])
            more["bytes"], more["tag"] = rng.choice((8, 8, 64, 256)), 0
        if event.startswith("MFC_"):
            more["bytes"] = rng.choice((16, 128))
        return more

    def put(self, thread, event, begin, end, more, points):
        row = Row(thread, event, begin, end, more)
        self.rows.append(row)
        points.append((row, 1))
        return row

    def act(self, thread, at, depth, points):
        """What a thread does from then on; when it is done."""
        rng = self.rng
        for _ in range(rng.randint(1, self.steps)):
            at += self.gap()
            event = rng.choice(self.events)
            interval = event in INTERVALS or event in ("MPI_SEND", "MPI_RECV", "MFC_GET")
            more, begin, place = self.more_of(thread, event), at, len(points)
            if event in ("MPI_SEND", "MPI_RECV", "MUTEX_LOCK"):
                interval = rng.random() < 0.7
            if event == "MFC_GET":
                interval = more["bytes"] == 16      # others are moments
            if interval:
                points.append(None)
            if event in PAIRED and not interval:
                self.put(thread, event, None, at, more, points)
            if depth > 0 and event != "MARK" and rng.random() < 0.35:
                at = self.act(thread, at + 2 * interval * self.delta2 * self.unit, depth - 1, points)
            at += self.gap() if interval or event in PAIRED else 0
            if interval:
                row = self.put(thread, event, begin, at, more, points)
                points[place] = row, 0
                at += self.gap() if event in PAIRED else 0
            if event in PAIRED:
                if rng.random() < 0.9:
                    self.put(thread, PAIRED[event], None, at, more, points)
            elif not interval:
                self.put(thread, event, None, at, more, points)
        return at

    def stamp(self, clocks, offsets):
        """Whole ticks that are off by no more than delta; begins keep their places among the points of their threads."""
        delta = self.delta2 * self.unit // 2
        for thread, points in self.points.items():
            last, before = -math.inf, None
            has_begins = not all(end for _, end in points)
            for row, end in points:
                true = row.end if end else row.begin
                shown = true - offsets[clocks[thread]]
                low, high = math.ceil((shown - delta) / self.unit), (shown + delta) // self.unit
                if before and not (end and before[1]):
                    low = max(low, last + 1)
                    if true <= (before[0].end if before[1] else before[0].begin):
                        return False
                elif has_begins or self.rng.random() < 0.9:
                    low = max(low, last)    # else it may step back
                if low > high:
                    return False
                if before and not before[1] and before[0] is not row:
                    low = max(low, last + 2 * delta // self.unit + 1)   # else it would count as before
                    if low > high:
                        return False
                row.stamps = row.stamps or [None, None]
                row.stamps[end] = last = self.rng.randint(low, high)
                before = row, end
        return True

    def meet(self):
        """Messages of a partial order: (row, row) of two threads, each of one only."""
        able = [row for row in self.rows if row.event in ("MARK", "SLEEP", "WORK")]
        messages, used = [], set()
        for _ in range(3 * len(able)):
            send, receive = self.rng.choice(able), self.rng.choice(able)
            at = send.end if send.begin is None else send.begin
            if send.thread != receive.thread and at <= receive.end and not used & {id(send), id(receive)} and (
                    at + 12 * self.unit > receive.end):
                used |= {id(send), id(receive)}
                messages.append((send, receive))
        return messages

    def barriers(self):
        """Rows that enter a barrier and leave it: those of threads of which each began before all ended."""
        able = [row for row in self.rows if row.event == "BARRIER"]
        groups, used = [], set()
        for row in able:
            group = {row.thread: row}
            for other in able:
                if other.thread not in group and id(other) not in used and all(
                        other.begin <= one.end and one.begin <= other.end for one in group.values()):
                    group[other.thread] = other
            if len(group) > 1 and id(row) not in used:
                used |= {id(one) for one in group.values()}
                groups.append(list(group.values()))
        return groups

    def draw(self):
        """A world, or none where this one cannot be written."""
        rng = self.rng
        shared = len(self.names) > 2 and rng.random() < 0.2
        clocks = {name: "shared" if shared and name in ("a", "b") else name for name in self.names}
        offsets = {clock: 0 if clock == "ppe" else rng.randint(-20, 20) * self.unit for clock in clocks.values()}
        for name in self.names:
            self.points[name] = points = []
            at = self.gap()
            self.put(name, "MARK", None, at, {}, points)    # nothing is there before
            self.act(name, at, 1, points)
        if self.partial:
            messages, groups = self.meet(), self.barriers()
        if not self.stamp(clocks, offsets):
            return None
        turn = {id(row): i for i, row in enumerate(self.rows)}
        tied = [rng.random() for _ in self.names]           # who comes first at one moment
        self.rows.sort(key=lambda row: (row.end, tied[self.names.index(row.thread)], turn[id(row)]))
        place = {id(row): i for i, row in enumerate(self.rows)}
        own = {name: [(place[id(row)], end) for row, end in points] for name, points in self.points.items()}
        world = World(self.rows, clocks, offsets, self.unit, self.delta2 * self.unit // 2, self.partial, own)
        if self.partial:
            world.messages = [(place[id(a)], place[id(b)]) for a, b in messages]
            world.groups = [[place[id(row)] for row in group] for group in groups]
        world.order()
        points = world.sorted_points()
        unlimited = points and any(limit == math.inf for limit in world.closure(points).values())
        return None if not points or unlimited and rng.random() < 0.9 else world


def draw(rng, **limits):
    while True:
        world = Drawing(rng, **limits).draw()
        if world:
            return world


COLUMNS = ("routine", "partner", "bytes", "tag", "object")


def write(world, path):
    """The CSV."""
    with open(path, "w", encoding="ascii") as file:
        file.write("# order=partial\n" if world.partial else "")
        file.write("# timebase_hz=1000\n")
        file.write(",".join(("thread", "clock", "event", "begin", "time", *COLUMNS, "send", "recv", "enter", "leave")) + "\n")
        channels = {send: f"m{i}" for i, (send, _) in enumerate(world.messages)}
        got = {receive: f"m{i}" for i, (_, receive) in enumerate(world.messages)}
        group_of = {row: f"b{i}" for i, rows in enumerate(world.groups) for row in rows}
        for i, row in enumerate(world.rows):
            begin, end = row.stamps
            clock = world.clocks[row.thread]
            file.write(",".join(map(str, (
                row.thread, "" if clock == row.thread else clock, row.event, "" if begin is None else begin, end,
                *(row.more.get(column, "") for column in COLUMNS), channels.get(i, ""), got.get(i, ""),
                group_of.get(i, ""), group_of.get(i, "")))) + "\n")
