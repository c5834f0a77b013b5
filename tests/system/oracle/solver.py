"""An independent solver of the clock synchronization problem: brute force, obviously right rather than fast.

Written from doc/algorithms.md and pex(5) alone; it shares no code with cellsync. The whole trace is in memory, every
record's constraints are listed one by one, and bounds are shortest paths by Bellman-Ford from every thread.

    records --> clocked_pex / clocked_csv --> Clocked     which thread and which local time each record has
    Clocked --> solve                     --> Solution    delta, bounds, offsets, or Infeasible

A constraint is always g[s] - g[t] <= w(s,t), an edge s -> t; wbar(s,t) is the length of the shortest path from s to t.
"""

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from fractions import Fraction
from math import ceil, floor, inf
from operator import add
from types import SimpleNamespace

from pexfile import PPE, SPE, SWITCH_IN, SWITCH_OUT, WRAP

B_LIMIT = 2**30


class Infeasible(Exception):
    """No offsets satisfy the constraints."""


# ----------------------------------------------------------------------------------------- traces on local clocks

@dataclass
class Thread:
    """A pseudo-thread: the PPE clock, a live interval, or a thread of a CSV trace."""
    name: str
    kind: str                   # "ppe" or "spe"
    context: int = None
    spe: int = None             # physical SPE, where it is known
    decr_first: int = None
    positions: list = field(default_factory=list)
    members: list = None        # threads of a CSV trace that ran on this clock, by their first rows


@dataclass
class Clocked:
    """A trace on its local clocks; owner and time have one entry a record."""
    timebase_hz: int
    threads: list
    owner: list
    time: list
    imprecision: int = 0        # B of its unwrapping
    wraps: int = 0
    splits: int = 0
    assumed: int = 0
    lost_outs: int = 0
    lost_ins: int = 0
    stragglers: int = 0
    timebase_assumed: bool = False
    says_cores: bool = False    # some record says its core

    @property
    def ppe(self):
        """Index of the PPE thread, or None."""
        return next((i for i, t in enumerate(self.threads) if t.kind == "ppe"), None)


# ---------------------------------------------------------------------------------------------- live intervals

@dataclass
class Residency:
    """The records of a context between two of its switches."""
    context: int
    spe: int = None             # as the IN before it says
    said: tuple = None          # where no IN does: (position, physical SPE) of the next switch
    positions: list = field(default_factory=list)


@dataclass
class Context:
    """What the switch records seen so far say about a context."""
    resident: bool = None       # None before its first switch record
    spe: int = None
    open: Residency = None      # the residency that its next record joins


class Switches:
    """Walks the records in order and sorts those of SPEs into residencies."""

    def __init__(self, notifier=False):
        self.notifier = notifier
        self.contexts = {}
        self.residencies = []
        self.lost_outs = self.lost_ins = self.stragglers = 0

    def switch_in(self, context, spe, position):
        lost = context.resident or (context.resident is None and context.open and not self.notifier)
        self.lost_outs += bool(lost)
        if lost or context.resident is not None:
            context.open = None
        elif context.open:
            context.open.said = position, spe
        context.resident, context.spe = True, spe

    def switch_out(self, context, spe, position):
        if context.resident is False:
            self.lost_ins += 1
        if context.open and context.open.spe is None and context.open.said is None:
            context.open.said = position, spe
        context.resident, context.spe, context.open = False, None, None

    def record(self, context, number, position):
        straggler = context.resident is False
        self.stragglers += straggler
        residency = context.open
        if residency is None:
            residency = Residency(number, context.spe)
            self.residencies.append(residency)
        residency.positions.append(position)
        context.open = None if straggler else residency

    def walk(self, records):
        for position, r in enumerate(records):
            if r.core == SPE:
                self.record(self.contexts.setdefault(r.thread, Context()), r.thread, position)
            elif r.event in (SWITCH_IN, SWITCH_OUT):
                context = self.contexts.setdefault(r.values[0], Context())
                switch = self.switch_in if r.event == SWITCH_IN else self.switch_out
                switch(context, r.values[1], position)
        return self


# -------------------------------------------------------------------------------------------------- unwrapping

def unseen_imprecision(timebase_hz):
    """B: what is still taken for imprecision rather than for a changed clock, 10 ms in ticks."""
    return min(timebase_hz // 100, B_LIMIT)


def ppe_before(records, position):
    """The time of the last PPE record before a position, or None."""
    return next((records[i].time for i in range(position - 1, -1, -1) if records[i].core == PPE), None)


def ppe_after(records, position):
    """The time of the first PPE record after a position, or None."""
    return next((records[i].time for i in range(position + 1, len(records)) if records[i].core == PPE), None)


def limits(records, a, b):
    """Rule 1: what the PPE timebase next to records a and b says about the time between them, [L, U]."""
    before_a, after_a = ppe_before(records, a), ppe_after(records, a)
    before_b, after_b = ppe_before(records, b), ppe_after(records, b)
    upper = inf if before_a is None or after_b is None else after_b - before_a
    lower = 0 if before_b is None or after_a is None else max(0, before_b - after_a)
    return lower, upper


def closed_limits(clocked, records, a, b):
    """Rule 2: what the bounds of all records before b, each constraint loosened, say about it, [L, U].

    Nothing, where these contradict one another.
    """
    n, j = len(clocked.threads), clocked.owner[a]
    past = Clocked(0, clocked.threads, clocked.owner[:b], clocked.time[:b])
    graph = loosened(tightest(immediate_pairs(past)), clocked.imprecision)
    if not is_feasible(graph, n):
        return -inf, inf
    from_j = shortest_from(graph, n, j)
    last = dict(zip(past.owner, past.time))
    lower = max(time - from_j[k] for k, time in last.items()) - past.time[a]
    after_b = ppe_after(records, b)
    upper = inf
    if clocked.ppe is not None and after_b is not None:
        upper = after_b + shortest_from(graph, n, clocked.ppe)[j] - past.time[a]
    return lower, upper


def candidates(r, lower, upper):
    """r + m*2^32, m >= -1, within the limits; no more than two where there is no upper limit."""
    found, value = [], r - WRAP
    while value <= upper and (upper < inf or len(found) < 2):
        if value >= lower:
            found.append(value)
        value += WRAP
    return found


def elapsed(clocked, records, a, b):
    """Ticks between consecutive records of an interval (None: the clock was written), and whether assumed."""
    imprecision = clocked.imprecision
    lower, upper = limits(records, a, b)
    r = (records[a].time - records[b].time) % WRAP
    found = candidates(r, lower - imprecision, upper + imprecision)
    if len(found) > 1:
        closed = closed_limits(clocked, records, a, b)
        lower, upper = max(lower, closed[0]), min(upper, closed[1])
        found = candidates(r, lower - imprecision, upper + imprecision)
    return (min(found, key=abs) if found else None), len(found) > 1


def wraps_of(clocked, records, thread):
    """How often the decrementer passed through zero within an interval."""
    first, last = thread.positions[0], thread.positions[-1]
    return (clocked.time[last] - (records[first].time - records[last].time)) // WRAP


# -------------------------------------------------------------------------------------------- records to clocks

def append_record(clocked, index, time):
    """Gives the next record to a thread."""
    clocked.threads[index].positions.append(len(clocked.owner))
    clocked.owner.append(index)
    clocked.time.append(time)


def append_ppe(clocked, record):
    """Gives the next record to the PPE thread."""
    if clocked.ppe is None:
        clocked.threads.append(Thread("ppe", "ppe"))
    append_record(clocked, clocked.ppe, record.time)


def begin_interval(clocked, record, residency):
    """Begins a live interval, the next of its context, with the next record."""
    k = 1 + sum(t.context == record.thread for t in clocked.threads)
    clocked.threads.append(Thread(f"spe{record.thread}.{k}", "spe", record.thread,
                                  residency.spe, record.time))
    append_record(clocked, len(clocked.threads) - 1, 0)


def name_spe(clocked, residency):
    """Gives the SPE that a switch says to the residency's interval that is open then, and to those after it."""
    if residency.said:
        at, spe = residency.said
        first = max(clocked.owner[p] for p in residency.positions if p < at)
        for index in {clocked.owner[p] for p in residency.positions}:
            if index >= first:
                clocked.threads[index].spe = spe


def append_spe(clocked, records, residency):
    """Gives the next record to its live interval, which splits where its clock was written."""
    b = len(clocked.owner)
    at = residency.positions.index(b)
    if at == 0:
        begin_interval(clocked, records[b], residency)
        return
    a = residency.positions[at - 1]
    ticks, is_assumed = elapsed(clocked, records, a, b)
    clocked.assumed += is_assumed
    if ticks is None:
        clocked.splits += 1
        begin_interval(clocked, records[b], residency)
    else:
        append_record(clocked, clocked.owner[a], clocked.time[a] + ticks)


def clocked_pex(pex, imprecision=None):
    """The local clocks of a .pex trace; imprecision is B where it is not 10 ms."""
    records = pex.trace.records
    switches = Switches(pex.switch_kind == "notifier").walk(records)
    imprecision = unseen_imprecision(pex.timebase_hz) if imprecision is None else imprecision
    clocked = Clocked(pex.timebase_hz, [], [], [], imprecision, lost_outs=switches.lost_outs,
                      lost_ins=switches.lost_ins, stragglers=switches.stragglers, says_cores=True)
    residency_of = {p: residency for residency in switches.residencies for p in residency.positions}
    for position, record in enumerate(records):
        if record.core == PPE:
            append_ppe(clocked, record)
        else:
            append_spe(clocked, records, residency_of[position])
    for residency in switches.residencies:
        name_spe(clocked, residency)
    clocked.wraps = sum(wraps_of(clocked, records, t) for t in clocked.threads if t.kind == "spe")
    return clocked


def csv_thread(row):
    """Name and kind of the thread of a CSV row."""
    core = row.get("core", "")
    name = row.get("clock") or row["thread"]
    if core == "ppe" or (core == "" and name == "ppe"):
        return "ppe", "ppe"
    return name, "spe"


def clocked_csv(trace):
    """The local clocks of a CSV trace."""
    clocked = Clocked(trace.timebase_hz, [], [], [int(row["time"]) for row in trace.rows])
    clocked.timebase_assumed = trace.timebase_assumed
    clocked.says_cores = any(row.get("core") for row in trace.rows)
    index = {}
    for position, row in enumerate(trace.rows):
        key = csv_thread(row)
        if key not in index:
            index[key] = len(index)
            clocked.threads.append(Thread(*key, members=[]))
        thread = clocked.threads[index[key]]
        clocked.owner.append(index[key])
        thread.positions.append(position)
        if row["thread"] not in thread.members:
            thread.members.append(row["thread"])
    return clocked


# ------------------------------------------------------------------------------------------------- constraints

def kept(clocked, without):
    """The positions of the records that are not left out."""
    return [i for i in range(len(clocked.owner)) if i not in without]


def immediate_pairs(clocked, without=()):
    """One constraint (s, t, w) for every record and the one immediately after it, same thread or not; two are
    neighbours if all between them are left out."""
    owner, time, rest = clocked.owner, clocked.time, kept(clocked, without)
    return [(owner[i], owner[j], time[j] - time[i]) for i, j in zip(rest, rest[1:])]


def all_pairs(clocked, without=()):
    """One constraint (s, t, w) for every ordered pair of records, same thread or not."""
    owner, time, rest = clocked.owner, clocked.time, kept(clocked, without)
    return ((owner[i], owner[j], time[j] - time[i]) for n, j in enumerate(rest) for i in rest[:n])


def tightest(constraints):
    """The graph: (s, t) -> the least w."""
    graph = {}
    for s, t, w in constraints:
        graph[s, t] = min(w, graph.get((s, t), inf))
    return graph


@lru_cache(maxsize=8)
def tightest_pairs(owner, time, without):
    """tightest of all_pairs, which is asked for more than once: of the records of a thread before another record, the one
    with the greatest time has the least w."""
    graph, greatest = {}, {}
    for j in kept(SimpleNamespace(owner=owner), without):
        t, now = owner[j], time[j]
        for s, before in greatest.items():
            if now - before < graph.get((s, t), inf):
                graph[s, t] = now - before
        greatest[t] = max(now, greatest.get(t, now))
    return graph


def tightest_of_all(clocked, without=()):
    return tightest_pairs(tuple(clocked.owner), tuple(clocked.time), frozenset(without))


def loosened(graph, addition):
    """The graph with addition on every edge."""
    return {edge: w + addition for edge, w in graph.items()}


def without_loops(graph):
    """The graph between different threads."""
    return {(s, t): w for (s, t), w in graph.items() if s != t}


# ------------------------------------------------------------------------------------------------------ bounds

def incoming(graph, n):
    """For each thread, the edges to it: which threads they come from, and their weights."""
    rows = [([], []) for _ in range(n)]
    for (s, t), w in graph.items():
        rows[t][0].append(s)
        rows[t][1].append(w)
    return rows


def lightest(distance, row):
    """The least way to a thread, by one of the edges to it from where it is as far as the distances say."""
    sources, weights = row
    return min(map(add, map(distance.__getitem__, sources), weights), default=inf)


def one_edge_more(walks, rows):
    """The lightest walks to each thread that are an edge longer than these."""
    return [lightest(walks, row) for row in rows]


def bellman_ford(rows, n, start):
    """Shortest paths over incoming edges; start is the list of initial distances. Infeasible on a negative cycle that it
    reaches."""
    distance = list(start)
    for _ in range(n + 1):
        changed = False
        for t, row in enumerate(rows):
            least = lightest(distance, row)
            if least < distance[t]:
                distance[t] = least
                changed = True
        if not changed:
            return distance
    raise Infeasible


def is_feasible(graph, n):
    """Whether no cycle is negative."""
    try:
        bellman_ford(incoming(graph, n), n, [0] * n)
        return True
    except Infeasible:
        return False


def shortest_from(graph, n, s):
    """The row of wbar of a thread."""
    return row_of(incoming(graph, n), n, s)


def row_of(rows, n, s):
    return bellman_ford(rows, n, [0 if t == s else inf for t in range(n)])


def closure(graph, n):
    """wbar as a list of rows, by Bellman-Ford from every thread."""
    rows = incoming(graph, n)
    return [row_of(rows, n, s) for s in range(n)]


def least_delta(clocked, without=()):
    """The least delta for which all ordered pairs are feasible: half the negated minimum cycle mean (Karp)."""
    n = len(clocked.threads)
    rows = incoming(tightest_of_all(clocked, without), n)
    walks = [[0] * n]                           # walks[k][v]: the lightest walk of k edges that ends at v
    for _ in range(n):
        walks.append(one_edge_more(walks[-1], rows))
    means = [max(Fraction(walks[n][v] - walks[k][v], n - k) for k in range(n) if walks[k][v] < inf)
             for v in range(n) if walks[n][v] < inf]
    return max([Fraction(0)] + [-mean / 2 for mean in means])


def first_negative_diagonal(graph, n):
    """Floyd-Warshall, k outermost: after the first phase with a negative diagonal, its lowest entry, or None."""
    d = [[0 if i == j else graph.get((i, j), inf) for j in range(n)] for i in range(n)]
    for k in range(n):
        for i in range(n):
            if d[i][k] < inf:
                d[i] = [min(old, d[i][k] + new) for old, new in zip(d[i], d[k])]
        for i in range(n):
            if d[i][i] < 0:
                return d[i][i]
    return None


def paper_addition(graph, n):
    """What the procedure of the paper adds to every edge, and how many times it added."""
    graph = {edge: Fraction(w) for edge, w in graph.items()}
    added, steps = Fraction(0), 0
    while (diagonal := first_negative_diagonal(graph, n)) is not None:
        graph = loosened(graph, -diagonal / 2)
        added, steps = added - diagonal / 2, steps + 1
    return added, steps


# ----------------------------------------------------------------------------------------------------- offsets

def default_reference(clocked):
    """The PPE, or else the thread with most records, the earliest such."""
    if clocked.ppe is not None:
        return clocked.ppe
    counts = [len(t.positions) for t in clocked.threads]
    return counts.index(max(counts))


def centered(g, graph, tau, order):
    """g with each thread but tau moved five times, in order, to the middle of what the constraints on it leave."""
    g = {t: floor(x) for t, x in g.items()}
    for t in 5 * [t for t in order if t in g and t != tau]:
        low = max(g[s] - w for (s, other), w in graph.items() if other == t != s and s in g)
        high = min(g[s] + w for (other, s), w in graph.items() if other == t != s and s in g)
        assert low <= g[t] <= high
        g[t] = floor(Fraction(low + high, 2))
    return g


def place_threads(wbar, tau, alpha, center=lambda g: g):
    """g of every thread: tau's two-way component by (9), then threads after it, then threads before."""
    n = len(wbar)
    component = [t for t in range(n) if wbar[t][tau] < inf and wbar[tau][t] < inf]
    after = [t for t in range(n) if wbar[t][tau] == inf and wbar[tau][t] < inf]
    before = [t for t in range(n) if wbar[t][tau] < inf and wbar[tau][t] == inf]
    assert len(component) + len(after) + len(before) == n, "an order that is one line leaves nothing else"
    g = {t: alpha * wbar[t][tau] - (1 - alpha) * wbar[tau][t] for t in component}
    g = center(g)
    g.update({j: max(g[i] - wbar[i][j] for i in component) for j in after})
    g.update({j: min(g[i] + wbar[j][i] for i in component + after if wbar[j][i] < inf) for j in before})
    return [g[t] for t in range(n)]


def shifted(clocked, g):
    """Integer offsets: all floored, then one shift to the PPE timebase, or to a least global time of 0."""
    floors = [floor(x) for x in g]
    if clocked.ppe is not None:
        shift = -floors[clocked.ppe]
    else:
        shift = -min(floors[o] + t for o, t in zip(clocked.owner, clocked.time))
    return [x + shift for x in floors]


# ---------------------------------------------------------------------------------------------------- solution

@dataclass
class Options:
    """What the user asks for: mode is "exact", "paper", "none" or "given" (with delta)."""
    mode: str = "exact"
    delta: Fraction = Fraction(0)
    alpha: Fraction = Fraction(1, 2)
    reference: str = None
    center: str = "reference"
    drop: int = 0                                   # how many records may be left out
    without: tuple = ()                             # which are


@dataclass
class Solution:
    """A solved trace."""
    clocked: Clocked
    options: Options
    tau: int
    delta: Fraction
    steps: int                  # of the paper's procedure
    wbar: list
    offsets: list

    @property
    def added_ticks(self):
        return ceil(2 * self.delta)

    @cached_property
    def global_times(self):
        """One a record."""
        return [self.offsets[o] + t for o, t in zip(self.clocked.owner, self.clocked.time)]

    def bounds(self, s, t):
        """Least and greatest g[s] - g[t]."""
        return -self.wbar[t][s], self.wbar[s][t]

    def error(self, s, t):
        """The error bound of a pair, inf where unbounded."""
        return self.wbar[s][t] + self.wbar[t][s]

    def earliest(self, t):
        return self.offsets[self.tau] - self.wbar[self.tau][t]

    def latest(self, t):
        return self.offsets[self.tau] + self.wbar[t][self.tau]


def relaxed(clocked, options):
    """delta, the steps that found it, and the graph with 2*delta, rounded up, on every edge."""
    n = len(clocked.threads)
    if options.mode == "paper":
        graph = without_loops(tightest(immediate_pairs(clocked)))
        added, steps = paper_addition(graph, n)
        return added / 2, steps, loosened(graph, ceil(added))
    if options.mode == "none":
        delta, graph = Fraction(0), tightest(immediate_pairs(clocked))
    else:
        delta = least_delta(clocked, options.without) if options.mode == "exact" else options.delta
        graph = tightest_of_all(clocked, options.without)
    more = Fraction(2 * delta)
    whole = {edge: w * more.denominator + more.numerator for edge, w in graph.items()}  # fractions are slow
    if not is_feasible(whole, n):
        raise Infeasible
    return delta, 0, loosened(graph, ceil(2 * delta))


def solve(clocked, options):
    """The Solution of a trace; raises Infeasible."""
    delta, steps, graph = relaxed(clocked, options)
    wbar = closure(graph, len(clocked.threads))
    names = [t.name for t in clocked.threads]
    tau = default_reference(clocked) if options.reference is None else names.index(options.reference)
    order = sorted(range(len(names)), key=lambda t: clocked.threads[t].positions[-1])
    center = (lambda g: centered(g, graph, tau, order)) if options.center == "local" else lambda g: g
    offsets = shifted(clocked, place_threads(wbar, tau, options.alpha, center))
    return Solution(clocked, options, tau, delta, steps, wbar, offsets)


# -------------------------------------------------------------------------------------------------- statistics

def inversions(times):
    """How many records are below the running maximum before them, and the largest difference."""
    sizes = [max(times[:i]) - times[i] for i in range(1, len(times)) if times[i] < max(times[:i])]
    return len(sizes), max(sizes, default=0)


def early_ticks(times, without, i):
    """How far a record that is left out is below the greatest before it of the others, or (below 0) above the least
    after it."""
    greatest = max((time for j, time in enumerate(times[:i]) if j not in without), default=times[i])
    least = min((time for j, time in enumerate(times) if j > i and j not in without), default=times[i])
    return greatest - times[i] if times[i] < greatest else least - times[i] if times[i] > least else 0


def inversions_without(times, without):
    """Inversions of the others among themselves, and those that are left out and not in their place."""
    count, largest = inversions([time for i, time in enumerate(times) if i not in without])
    sizes = [abs(early_ticks(times, without, i)) for i in without]
    return count + sum(size > 0 for size in sizes), max([largest] + sizes)


def steps_back(clocked):
    """How many records follow one of the same thread immediately and are earlier."""
    return sum(1 for s, t, w in immediate_pairs(clocked) if s == t and w < 0)


def aligned(clocked):
    """Times by the threads' own clocks, each set by its first record to the time of the record before it."""
    shift, times = {}, [0]
    for thread, time in zip(clocked.owner, clocked.time):
        times.append(time + shift.setdefault(thread, times[-1] - time))
    return times[1:]


def wrong_neighbours(clocked, times):
    """Of records next to each other and of two threads: how many, how many are wrong, and the largest step back."""
    steps = [times[i + 1] - times[i] for i in range(len(times) - 1) if clocked.owner[i] != clocked.owner[i + 1]]
    return len(steps), sum(step < 0 for step in steps), max((-step for step in steps if step < 0), default=0)


def pairs(solution):
    """All unordered pairs of threads, s before t."""
    n = len(solution.offsets)
    return [(s, t) for s in range(n) for t in range(s + 1, n)]


def bounded_errors(solution, with_ppe):
    """Error bounds of the bounded pairs that have, or have not, the PPE in them."""
    ppe = solution.clocked.ppe
    errors = [solution.error(s, t) for s, t in pairs(solution) if (ppe in (s, t)) == with_ppe]
    return [e for e in errors if e < inf]


def is_unbounded(solution, t):
    """Whether a thread is unbounded against the reference."""
    return solution.error(t, solution.tau) == inf
