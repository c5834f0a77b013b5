"""An independent solver of traces in partial order: brute force, written from doc/algorithms.md and pex(5) alone.

    rows of a CSV --> Order    points, edges, and the longest latencies between any two points
    Order --> solve --> Answer the least delta, bounds of every pair of clocks, offsets, or Infeasible

Every ordered pair of points gives a constraint g[s] - g[t] <= hi(q) - lo(p) - L(p,q) + 2 delta; nothing is dropped.
Which of several locations has the k-th time of a channel, timestamps tell only if they are exact: else the k-th send or
receive is a point of its own, of which nothing but its timestamp is known.
Of blocks all records and all flushes are points, of which flushes without a stamp have no time.
"""

from copy import copy
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor, inf

from methods import solved


class Infeasible(Exception):
    """No offsets satisfy the constraints."""


class Cycle(Exception):
    """Something comes before itself."""


@dataclass
class Row:
    """A row of a CSV in partial order; texts are "" where it says nothing."""
    thread: str
    time: int
    begin: int = None
    clock: str = ""
    location: str = ""
    buffer: str = ""
    block: str = ""
    flush: str = ""
    send: str = ""
    recv: str = ""
    latency: int = None
    sync: str = ""
    enter: str = ""
    leave: str = ""
    id: str = ""
    after: str = ""

    @property
    def runs_on(self):
        return self.clock or self.thread

    @property
    def runs_at(self):
        return self.location or self.thread

    @property
    def has_role(self):
        return any((self.send, self.recv, self.enter, self.leave, self.id, self.after))


COLUMNS = list(Row.__dataclass_fields__)


@dataclass
class Order:
    """Points are (row, "begin" or "end"), (last row of a block, "flush"), ("hub", group), or (row, "sent") and
    (row, "received") of a channel whose row is not known."""
    rows: list
    latency: int
    block_after: str = "flush"
    sends_complete: bool = False                        # it states that no send is missing
    close: int = 0                                      # 2 delta, rounded up; inf: stamps tell nothing
    unordered: bool = False                             # rows of a location are in no order
    points: list = field(default_factory=list)
    edges: list = field(default_factory=list)           # (from, to, latency)
    counts: dict = field(default_factory=dict)          # of the report
    left_out: dict = field(default_factory=dict)        # (end, why) -> [row...]
    messages: list = field(default_factory=list)        # (send row, receive row), each known to be of one message
    took: list = field(default_factory=list)            # at least: by message
    begins_follow: bool = False                         # as with_begins has it
    others: list = field(default_factory=list)          # edges that rows do not say: (from, to)
    uneven: dict = field(default_factory=dict)          # key -> (sends, receives) of channels that are left out

    def __post_init__(self):
        self.counts = dict.fromkeys(("locations", "buffers", "messages", "synchronous", "groups", "enters", "leaves",
                                     "afters", "blocks", "flushes", "posts", "rooms", "handovers", "spawns",
                                     "joins"), 0)
        self.clocks = list(dict.fromkeys(row.runs_on for row in self.rows))
        self.left = []  # rows that leave each group
        self.several = 0                                # channels of several messages, so that a missing one moves others
        self.blocks = {}                                # (location, buffer, name) -> rows
        for i, row in enumerate(self.rows):
            if row.block:
                self.blocks.setdefault((row.runs_at, row.buffer, row.block), []).append(i)
        self.add_chains()
        self.add_blocks()
        self.add_messages()
        self.add_groups()
        self.add_afters()

    def at(self, close):
        """The same for another 2 delta."""
        found = Order(self.rows, self.latency, self.block_after, self.sends_complete, close, self.unordered)
        for edge in self.others:
            found.add_other(*edge)
        return found

    def add_other(self, source, target):
        """An edge that rows do not say."""
        self.others.append((source, target))
        self.add(source, target)

    def begin(self, i):
        """Where edges leave a row."""
        return (i, "begin") if self.rows[i].begin is not None and self.rows[i].has_role else (i, "end")

    def add(self, source, target, latency=0):
        self.edges.append((source, target, latency))

    def out(self, end, why, i):
        self.left_out.setdefault((end, why), []).append(i)

    def add_chains(self):
        last_of, last_in = {}, {}
        for i, row in enumerate(self.rows):
            last = last_of.get(row.runs_at)
            if self.begin(i) != (i, "end"):
                self.points.append((i, "begin"))
                self.add((i, "begin"), (i, "end"))
            self.points.append((i, "end"))
            if last is not None and not self.unordered:
                self.add((last, "end"), (i, "end"))
            last_of[row.runs_at] = i
            place = (i, "end")
            if row.block:
                members = self.blocks[row.runs_at, row.buffer, row.block]
                place = (i, "flush") if i == members[-1] else None
            if row.buffer and place:
                if row.buffer in last_in:
                    self.add(last_in[row.buffer], place)
                last_in[row.buffer] = place
        self.counts["locations"], self.counts["buffers"] = len(last_of), len(last_in)

    def add_blocks(self):
        last_of = {}
        for (location, buffer, _), members in self.blocks.items():
            flush = (members[-1], "flush")
            self.points.append(flush)
            for i in members:
                self.add((i, "end"), flush)
            before = last_of.get((location, buffer))
            if before and not self.rows[before[0]].flush:
                for i in {"flush": members, "block": members[-1:], "none": []}[self.block_after]:
                    self.add(before, (i, "end"))
            last_of[location, buffer] = flush
            self.counts["blocks"] += 1
            self.counts["flushes"] += bool(self.rows[members[-1]].flush)

    # -- messages

    def ends_of(self, column):
        """By key the rows, once for each time that they name it."""
        ends = {}
        for i, row in enumerate(self.rows):
            for key in getattr(row, column).split():
                ends.setdefault(key, []).append(i)
        return ends

    def posted(self, rows, receives):
        """In the order of posting, of one location; and which of them may have changed places with others."""
        begins = all(self.begin(i) != (i, "end") for i in rows)
        if not begins or len({self.rows[i].runs_on for i in rows}) > 1:
            return rows, [False] * len(rows)
        runs = []
        for i in sorted(rows, key=lambda i: self.rows[i].begin):
            if runs and self.rows[i].begin - self.rows[runs[-1][-1]].begin < self.close:
                runs[-1].append(i)
            else:
                runs.append([i])
        return ([i for run in runs for i in (sorted(run) if receives else run)],
                [len(run) > 1 for run in runs for _ in run])

    def loose(self, i, what):
        """A point of its own with the timestamp of a row, unless timestamps are exact; of begins it does not matter."""
        end = self.begin(i) if what == "sent" else (i, "end")
        if self.close == 0 or end[1] == "begin":
            return end
        if (i, what) not in self.points:
            self.points.append((i, what))
        return i, what

    def stamp(self, i):
        row = self.rows[i]
        return row.time if row.begin is None else row.begin

    def add_messages(self):
        sends, recvs = self.ends_of("send"), self.ends_of("recv")
        for key in dict.fromkeys([*sends, *recvs]):
            self.add_channel(key, sends.get(key, []), recvs.get(key, []))

    def add_channel(self, key, sends, recvs):
        def several(rows, what):
            return len({getattr(self.rows[i], what) for i in rows}) > 1

        shared = [rows for rows in (sends, recvs) if several(rows, "runs_at")]
        why = None
        if any(several(rows, "runs_on") for rows in shared):
            why = "locations on several clocks share the channel"
        elif len(recvs) > len(sends) and (sends or shared):
            why = "more receives than sends, and it is unknown which sends are missing"
        elif len(sends) > len(recvs) and recvs and not self.sends_complete:
            why = "more sends than receives, and it is unknown which messages are missing"
        if why and why.startswith("more") and sends:
            self.uneven[key] = len(sends), len(recvs)
        if why:
            for i in sends:
                self.out("send", why, i)
            for i in recvs:
                self.out("receive", why, i)
            return
        changed, least = [[False] * len(rows) for rows in (sends, recvs)], inf
        if several(sends, "runs_at"):
            sends = sorted(sends, key=self.stamp)
        else:
            sends, changed[0] = self.posted(sends, False)
        if several(recvs, "runs_at"):
            recvs = sorted(recvs, key=lambda i: self.rows[i].time)
        elif not shared:
            recvs, changed[1] = self.posted(recvs, True)
        n = min(len(sends), len(recvs))
        sources = [self.loose(i, "sent") if shared else self.begin(i) for i in sends[:n]]
        targets = [self.loose(i, "received") if shared else (i, "end") for i in recvs[:n]]
        self.several += bool(sends and recvs and len(sends) + len(recvs) > 2)
        for k, (s, r) in enumerate(zip(sends, recvs)):
            latency = self.latency if self.rows[r].latency is None else self.rows[r].latency
            least = min(least, latency)         # one of the first k receives got the k-th message, or a later one
            unsure = bool(shared) or changed[1][k]
            whys = ["shared"] * bool(shared) + ["close"] * (changed[0][k] or changed[1][k]) + \
                ["apart"] * (len(sends) > len(recvs))
            self.add_message(s, r, (sources[k], targets[k]), least if unsure else latency, whys)
        for i in sends[len(recvs):]:
            self.out("send", "the other end is missing", i)
        for i in recvs[len(sends):]:
            self.out("receive", "the other end is missing", i)

    def add_message(self, s, r, edge, latency, unsure):
        """unsure: why it is not known that the receive got this message."""
        words = {"shared": "several locations share the channel, so it is unknown for which receive the send waits",
                 "apart": "more sends than receives, and it is unknown which messages are missing",
                 "close": "less than 2 delta from others, so it is unknown which came first"}
        if self.begin(s) == (r, "end"):
            self.out("send", "the begin is missing", s)
            return
        self.counts["messages"] += 1
        if "apart" not in unsure:
            self.messages.append((s, r))
            self.took.append(latency)
        self.add(*edge, latency)
        if self.rows[s].sync != "yes":
            return
        if unsure:
            self.out("sync", words[unsure[0]], s)
        elif self.rows[r].begin is None:
            self.out("sync", "the begin is missing", s)
        else:
            self.counts["synchronous"] += 1
            self.add(self.begin(r), (s, "end"))

    # -- groups, and rows that name rows

    def add_groups(self):
        enters, leaves = self.ends_of("enter"), self.ends_of("leave")
        for key in dict.fromkeys([*enters, *leaves]):
            useful = []
            for i in enters.get(key, []):
                if self.rows[i].begin is None and key in self.rows[i].leave.split():
                    self.out("enter", "the begin is missing", i)
                else:
                    useful.append(i)
            self.add_group(key, useful, leaves.get(key, []))

    def add_group(self, key, enters, leaves):
        if not enters or not leaves:
            for i in enters:
                self.out("enter", "the other end is missing", i)
            for i in leaves:
                self.out("leave", "the other end is missing", i)
            return
        self.counts["groups"] += 1
        self.counts["enters"] += len(enters)
        self.counts["leaves"] += len(leaves)
        hub = ("hub", key)
        self.points.append(hub)
        self.left.append(leaves)
        for i in enters:
            self.add(self.begin(i), hub)
        for i in leaves:
            self.add(hub, (i, "end"))

    def add_afters(self):
        named = {key: i for i, row in enumerate(self.rows) for key in row.id.split()}
        for i, row in enumerate(self.rows):
            for key in row.after.split():
                self.counts["afters"] += 1
                self.add((named[key], "end"), (i, "end"), row.latency or 0)

    # -- what follows

    def with_begins(self):
        """What Lamport's clocks go by: a begin also comes after the row before it of its location if that has the same
        clock and no greater timestamp, unless this makes a cycle."""
        if self.unordered:
            return self
        found, last_of = copy(self), {}
        found.edges, found.begins_follow = list(self.edges), True
        for i, row in enumerate(self.rows):
            last = last_of.get(row.runs_at)
            before = self.rows[last] if last is not None else None
            if before and self.begin(i) != (i, "end") and before.runs_on == row.runs_on and before.time <= row.begin:
                found.add((last, "end"), (i, "begin"))
            last_of[row.runs_at] = i
        try:
            found.sorted_points()
        except Cycle:
            return self
        return found

    def sorted_points(self):
        """A topological order."""
        waiting = {p: 0 for p in self.points}
        following = {p: [] for p in self.points}
        for source, target, latency in self.edges:
            waiting[target] += 1
            following[source].append((target, latency))
        ready = [p for p in self.points if waiting[p] == 0]
        for p in ready:
            for q, _ in following[p]:
                waiting[q] -= 1
                if waiting[q] == 0:
                    ready.append(q)
        if len(ready) < len(self.points):
            raise Cycle
        return ready, following

    def latencies(self):
        """{p: {q: the greatest sum of latencies on a way from p to q}} for all p before q."""
        order, following = self.sorted_points()
        place = {p: i for i, p in enumerate(order)}
        found = {}
        for p in order:
            longest = {p: 0}
            for q in order[place[p]:]:
                for r, latency in following[q] if q in longest else ():
                    longest[r] = max(longest.get(r, -inf), longest[q] + latency)
            del longest[p]
            found[p] = longest
        return found

    def clock_stamps(self, point):
        """The clock of a point, as an index, and the stamps that it is between; None: it has none."""
        if point[0] == "hub" or (point[1] == "flush" and not self.rows[point[0]].flush):
            return None
        row = self.rows[point[0]]
        clock = self.clocks.index(row.runs_on)
        if point[1] == "flush":
            stamps = [int(stamp) for stamp in row.flush.split("/")]
            return clock, stamps[0], stamps[-1]
        time = self.stamp(point[0]) if point[1] in ("begin", "sent") else row.time
        return clock, time, time

    def constraints(self):
        """[(s, t, weight, p, q)], all of them."""
        found = []
        for p, later in self.latencies().items():
            if not self.clock_stamps(p):
                continue
            s, lo, _ = self.clock_stamps(p)
            for q, latency in later.items():
                if self.clock_stamps(q):
                    t, _, hi = self.clock_stamps(q)
                    found.append((s, t, hi - lo - latency, p, q))
        return found


# ---------------------------------------------------------------------------------------------------------- solving

def least_twice_delta(n, weight):
    """The least x >= 0 such that no cycle is negative when x is added to every edge: Karp's minimum cycle mean."""
    mean = inf
    walks = [[0] * n]                               # walks[k][v]: the shortest walk of k edges from anywhere to v
    for _ in range(n):
        walks.append([min((walks[-1][u] + weight[u][v] for u in range(n)), default=inf) for v in range(n)])
    for v in range(n):
        if walks[n][v] < inf:
            mean = min(mean, max(Fraction(walks[n][v] - walks[k][v], n - k) for k in range(n) if walks[k][v] < inf))
    return max(Fraction(0), -mean) if mean < inf else Fraction(0)


def closure(n, weight):
    bar = [[0 if s == t else weight[s][t] for t in range(n)] for s in range(n)]
    for k in range(n):
        for s in range(n):
            for t in range(n):
                bar[s][t] = min(bar[s][t], bar[s][k] + bar[k][t])
    return bar


@dataclass
class Answer:
    order: Order
    delta: Fraction
    added: int
    bar: list           # bar[s][t]: g[s] - g[t] is at most that; inf: unbounded
    tau: int
    offsets: list
    island: list        # by clock: whether it is in tau's island

    @property
    def global_times(self):
        return [self.offsets[self.order.clocks.index(row.runs_on)] + row.time for row in self.order.rows]

    def earliest(self, t):
        return self.offsets[self.tau] - self.bar[self.tau][t]

    def latest(self, t):
        return self.offsets[self.tau] + self.bar[t][self.tau]

    def inversions(self):
        """Of how many records the end is before what it comes after, in global time, and by how much at most."""
        early = {}
        for s, t, weight, _, q in self.order.constraints():
            by = self.offsets[s] - self.offsets[t] - weight
            if by > 0 and q[1] == "end":
                early[q[0]] = max(early.get(q[0], 0), by)
        return len(early), max(early.values(), default=0)


def records_of(order, clock):
    return [i for i, row in enumerate(order.rows) if row.runs_on == order.clocks[clock]]


def choose_reference(order, members):
    """Most records, then the first record."""
    return max(members, key=lambda c: (len(records_of(order, c)), -records_of(order, c)[0]))


def middle(bar, members, reference, alpha):
    """Offsets of a component relative to its reference, floored."""
    return {t: floor(alpha * bar[t][reference] - (1 - alpha) * bar[reference][t]) for t in members}


def components_of(n, bar):
    found, left = [], set(range(n))
    while left:
        s = min(left)
        members = [t for t in left if bar[s][t] < inf and bar[t][s] < inf]
        found.append(sorted(members))
        left -= set(members)
    return found


class Placement:
    """Components as wholes: those after placed ones as early, those before as late as they can, by turns."""

    def __init__(self, order, bar, tau, alpha):
        self.order, self.bar = order, bar
        self.components = components_of(len(order.clocks), bar)
        self.g, self.inside = {}, []
        for members in self.components:
            reference = tau if tau in members else choose_reference(order, members)
            self.inside.append(middle(bar, members, reference, alpha))
        self.home = next(c for c, members in enumerate(self.components) if tau in members)
        self.place(self.home, 0)
        self.grow()
        self.first_island = set(self.g)
        while len(self.g) < len(order.clocks):
            self.begin_island()
            self.grow()

    def place(self, component, shift):
        for t, h in self.inside[component].items():
            self.g[t] = h + shift

    def unplaced(self, condition):
        return [c for c, members in enumerate(self.components)
                if members[0] not in self.g and condition(members[0])]

    def after(self, t):
        return any(self.bar[i][t] < inf for i in self.g)

    def before(self, t):
        return any(self.bar[t][i] < inf for i in self.g)

    def in_order(self, components):
        """Those that reach others first."""
        def reached(c):
            return sum(self.bar[self.components[d][0]][self.components[c][0]] < inf for d in components)
        return sorted(components, key=reached)

    def grow(self):
        while True:
            count = len(self.g)
            for c in self.in_order(self.unplaced(self.after)):
                self.place(c, max(self.g[i] - self.bar[i][j] - h for j, h in self.inside[c].items() for i in self.g
                                  if self.bar[i][j] < inf))
            for c in reversed(self.in_order(self.unplaced(self.before))):
                self.place(c, min(self.g[i] + self.bar[j][i] - h for j, h in self.inside[c].items() for i in self.g
                                  if self.bar[j][i] < inf))
            if len(self.g) == count:
                return

    def least_time(self, offsets):
        return min(offsets[self.order.clocks.index(row.runs_on)] + row.time for row in self.order.rows
                   if self.order.clocks.index(row.runs_on) in offsets)

    def begin_island(self):
        c = min(self.unplaced(lambda _: True), key=lambda c: min(records_of(self.order, t)[0]
                                                                for t in self.components[c]))
        home = self.least_time({t: self.g[t] for t in self.components[self.home]})
        own = self.order.unordered  # the reference of the island keeps its own times
        self.place(c, 0 if own else home - self.least_time(self.inside[c]))


def weights(order):
    n = len(order.clocks)
    weight = [[inf] * n for _ in range(n)]
    for s, t, w, _, _ in order.constraints():
        weight[s][t] = min(weight[s][t], w)
    return weight


def asks(order):
    """The least 2 delta that its constraints allow; inf: they are a cycle."""
    try:
        return least_twice_delta(len(order.clocks), weights(order))
    except Cycle:
        return inf


def least_order(order):
    """The least 2 delta for which the constraints of that delta can be kept, and the order for it."""
    if order.edges == order.at(inf).edges:
        return asks(order), order
    enough, low = asks(order.at(inf)), 0
    if enough == inf:
        raise Cycle
    high = ceil(enough) or 1
    while asks(order.at(high)) > high:
        high *= 2
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if asks(order.at(middle)) <= middle else (middle + 1, high)
    found = order.at(low)
    twice = asks(found)
    return (twice if low == 0 or twice > low - 1 else Fraction(low)), found


def solve(order, mode="exact", delta=Fraction(0), alpha=Fraction(1, 2), reference=None):
    """mode: exact, none, or given, at delta."""
    n = len(order.clocks)
    if mode == "exact":
        twice, order = least_order(order)
    else:
        twice = 2 * delta if mode == "given" else Fraction(0)
        order = order.at(ceil(twice))
    weight = weights(order)
    least = least_twice_delta(n, weight)
    if twice < least:
        raise Infeasible(least)
    added = ceil(twice)
    bar = closure(n, [[w + added for w in row] for row in weight])
    tau = order.clocks.index(reference) if reference else \
        order.clocks.index("ppe") if "ppe" in order.clocks else choose_reference(order, range(n))
    placed = Placement(order, bar, tau, alpha)
    g = [placed.g[t] for t in range(n)]
    if "ppe" in order.clocks:
        shift = -g[order.clocks.index("ppe")]
    else:
        shift = -min(g[order.clocks.index(row.runs_on)] + row.time for row in order.rows)
    return Answer(order, twice / 2, added, bar, tau, [x + shift for x in g],
                  [t in placed.first_island for t in range(n)])


# -------------------------------------------------------------------------------------------------- least squares

def connected(order, pairs):
    """The clocks that pairs of rows connect, each lot in the order of clocks."""
    lots = [{c} for c in range(len(order.clocks))]
    for s, r in pairs:
        ends = {order.clocks.index(order.rows[i].runs_on) for i in (s, r)}
        joined = set().union(*(lot for lot in lots if lot & ends))
        lots = [lot for lot in lots if not lot & ends] + [joined]
    return [sorted(lot) for lot in lots]


def fitted(order, members, anchor, passages):
    """{clock: offset}, from the derivatives of the sum of (g[t] - g[s] + passed)^2 over passages, (row, row, passed)."""
    n = len(members)
    rows = [[Fraction(0)] * (n + 1) for _ in members]
    for i, j, passes in passages:
        s, t = (order.clocks.index(order.rows[row].runs_on) for row in (i, j))
        if s == t or s not in members:
            continue
        a, b = members.index(s), members.index(t)
        for x, y, sign in ((b, a, -1), (a, b, 1)):
            rows[x][x] += 1
            rows[x][y] -= 1
            rows[x][n] += sign * passes
    k = members.index(anchor)
    rows[k] = [Fraction(int(i == k)) for i in range(n)] + [Fraction(0)]
    return {c: floor(g + Fraction(1, 2)) for c, g in zip(members, solved(rows))}


def aligned(order, lots, tau, offsets):
    """Lots of clocks, fitted each for itself, that all begin where that of tau does; an answer without bounds."""
    n = len(order.clocks)

    def begin(members):
        return min(offsets[c] + row.time for row in order.rows for c in [order.clocks.index(row.runs_on)]
                   if c in members)

    home = next(lot for lot in lots if tau in lot)
    start = begin(home)
    placed = dict(offsets)
    for lot in lots:
        if lot is not home:
            shift = start - begin(lot)
            placed.update({c: offsets[c] + shift for c in lot})
    offsets = placed
    shift = -offsets[order.clocks.index("ppe")] if "ppe" in order.clocks else -begin(range(n))
    return Answer(order, Fraction(0), 0, [[inf] * n for _ in range(n)], tau,
                  [offsets[c] + shift for c in range(n)], [c in home for c in range(n)])


def least_squares(order):
    """An answer without bounds; island: the clocks that are connected with the PPE, else with the first one."""
    def left(row):
        return row.time if row.begin is None else row.begin
    return fit(order, [(i, j, order.rows[j].time - left(order.rows[i]) - latency)
                       for (i, j), latency in zip(order.messages, order.took)])


def ends(order):
    """The same, if all who leave a group do so when its first one does."""
    return fit(order, [(rows[0], j, order.rows[j].time - order.rows[rows[0]].time) for rows in order.left for j in rows[1:]])


def fit(order, passages):
    tau = order.clocks.index("ppe") if "ppe" in order.clocks else 0
    lots, offsets = connected(order, [(i, j) for i, j, _ in passages]), {}
    for lot in lots:
        offsets.update(fitted(order, lot, tau if tau in lot else lot[0], passages))
    return aligned(order, lots, tau, offsets)


# ------------------------------------------------------------------------------------------------ midpoints

def least_passages(order):
    """{(s, t): what the message from s to t took that took least}."""
    least = {}
    for (i, j), latency in zip(order.messages, order.took):
        send, receive = order.rows[i], order.rows[j]
        s, t = order.clocks.index(send.runs_on), order.clocks.index(receive.runs_on)
        took = receive.time - (send.time if send.begin is None else send.begin) - latency
        if s != t:
            least[s, t] = min(took, least.get((s, t), inf))
    return least


def midpoints(order):
    """As peers that exchange messages both ways see it, along paths of least width from tau, then fewest clocks, then
    those clocks that come first."""
    n = len(order.clocks)
    tau = order.clocks.index("ppe") if "ppe" in order.clocks else choose_reference(order, range(n))
    least = least_passages(order)
    peers = [(s, t) for s, t in least if (t, s) in least]
    offsets, lots = {}, []
    for root in [tau, *range(n)]:
        if root in offsets:
            continue
        best = {root: (0, 1, (root,))}
        for _ in range(n):
            for s, t in peers:
                if s in best:
                    width, hops, path = best[s]
                    width += max(0, least[s, t] + least[t, s])
                    best[t] = min(best.get(t, (inf,)), (width, hops + 1, (*path, t)))
        for t, (_, _, path) in best.items():
            twice = sum(least[b, a] - least[a, b] for a, b in zip(path, path[1:]))
            offsets[t] = floor(Fraction(twice, 2) + Fraction(1, 2))
        lots.append(sorted(best))
    return aligned(order, lots, tau, offsets)


# ------------------------------------------------------------------------------------------------ Lamport's clocks

def lamport(order):
    """One more than the greatest of all records known to be before, else 0."""
    order = order.with_begins()
    ready, _ = order.sorted_points()
    found, times = order.latencies(), {}
    for q in ready:
        if q[1] == "end":
            times[q[0]] = 1 + max((times[p[0]] for p in ready if p[1] == "end" and q in found[p]), default=-1)
    return [times[i] for i in range(len(order.rows))]


def lamport_clock(order):
    """Times that local clocks advance, and that what comes before pushes on; the PPE, else the least, sets them."""
    order = order.with_begins()
    ready, following = order.sorted_points()
    into = {p: [] for p in ready}
    for p in ready:
        for q, latency in following[p]:
            into[q].append((p, latency))
    before, last = {}, {}
    for i, row in enumerate(order.rows):
        before[i] = last.get(row.runs_at)
        last[row.runs_at] = i
    times = {}
    for q in ready:
        i = q[0]
        if i == "hub" or q[1] == "flush":
            times[q] = max((times[p] for p, _ in into[q] if times[p] is not None), default=None)
            continue
        row, previous = order.rows[i], before[i]
        own = None
        if previous is None and row.begin is not None:
            own = row.begin, 0
        elif previous is not None and order.rows[previous].runs_on == row.runs_on:
            own = order.rows[previous].time, times.get((previous, "end"))
        if q[1] == "begin":
            known = previous is None or (order.begins_follow and own and own[0] <= row.begin)
            times[q] = own[1] + row.begin - own[0] if known else None
            continue
        least = [times[p] + max(latency, 1) for p, latency in into[q] if p != (i, "begin") and times[p] is not None]
        times[q] = max(least + ([own[1] + row.time - own[0]] if own else []), default=0)
    found = [times[i, "end"] for i in range(len(order.rows))]
    first = next((i for i, row in enumerate(order.rows) if row.runs_on == "ppe"), None)
    shift = -min(found) if first is None else order.rows[first].time - found[first]
    return [time + shift for time in found]


def damage(order, times):
    """How far distances between a record and the next of its location, by one clock, are from those of the clock."""
    last, by = {}, []
    for row, time in zip(order.rows, times):
        clock, local, given = last.get(row.runs_at, (None, 0, 0))
        if clock == row.runs_on:
            by.append(abs(time - given - (row.time - local)))
        last[row.runs_at] = row.runs_on, row.time, time
    return {"distances": len(by), "damaged": sum(b > 0 for b in by), "worst_ticks": max(by, default=0)}
