"""An independent solver of clocks that drift: brute force, written from doc/algorithms.md alone.

    order (partial.Order), or a line of rows --> Network    an age for every reading, an instant for every point
    Network --> delta, least and greatest ages of every reading of a component, to its own reference

Global time of a reading x is x + age / 10^9 (and one number a clock). Nothing is dropped, no list, no pair is made.
"""

from math import inf

UNIT = 10**9


class Line:
    """Rows that are in one order, each before all that follow it, as partial.Order has a partial one."""

    def __init__(self, rows):
        self.rows = rows
        self.clocks = list(dict.fromkeys(row.runs_on for row in rows))
        self.points = [(i, "end") for i in range(len(rows))]
        self.edges = [((i, "end"), (i + 1, "end"), 0) for i in range(len(rows) - 1)]

    def at(self, _):
        """The same for another 2 delta."""
        return self

    def clock_stamps(self, point):
        row = self.rows[point[0]]
        return self.clocks.index(row.runs_on), row.time, row.time


class Network:
    """Edges (a, b, w): a - b <= w, in 1 / (2 * 10^9) ticks; vertices are points, and (clock, reading)."""

    def __init__(self, order, rate_ppb, tau):
        self.order, self.rate, self.tau = order, rate_ppb, tau
        self.readings = [set() for _ in order.clocks]
        self.stamps = {p: order.clock_stamps(p) for p in order.points}
        for row in order.rows:
            self.readings[order.clocks.index(row.runs_on)] |= {row.time} | ({row.begin} - {None})
        for t, lo, hi in filter(None, self.stamps.values()):
            self.readings[t] |= {lo, hi}
        self.readings = [sorted(readings) for readings in self.readings]
        self.component = self.find_components()
        self.references = {c: self.choose(c) for c in set(self.component)}
        self.rates = [(0, 0) if t == tau else (-rate_ppb, rate_ppb) for t in range(len(order.clocks))]

    def choose(self, component):
        """tau, else the clock of most records, of which the first."""
        members = [t for t, c in enumerate(self.component) if c == component]
        records = [row.runs_on for row in self.order.rows]
        return self.tau if self.tau in members else \
            max(members, key=lambda t: (records.count(self.order.clocks[t]), -t))

    def find_components(self):
        n = len(self.order.clocks)
        after = {p: set() for p in self.order.points}
        for p, q, _ in self.order.edges:
            after[p].add(q)
        reach = [[s == t for t in range(n)] for s in range(n)]
        for p in self.order.points:
            if not self.stamps[p]:
                continue
            met, todo = {p}, [p]
            while todo:
                for q in after[todo.pop()] - met:
                    met.add(q)
                    todo.append(q)
            for q in met:
                if self.stamps[q]:
                    reach[self.stamps[p][0]][self.stamps[q][0]] = True
        for k in range(n):
            for s in range(n):
                for t in range(n):
                    reach[s][t] = reach[s][t] or (reach[s][k] and reach[k][t])
        return [min(t for t in range(n) if reach[s][t] and reach[t][s]) for s in range(n)]

    def edges(self, added):
        slack = added * (UNIT + self.rate)
        found = []
        for t, (least, greatest) in enumerate(self.rates):
            for a, b in zip(self.readings[t], self.readings[t][1:]):
                found.append(((t, b), (t, a), 2 * greatest * (b - a)))
                found.append(((t, a), (t, b), -2 * least * (b - a)))
        for p in self.order.points:
            if self.stamps[p]:
                t, lo, hi = self.stamps[p]
                found.append(((t, lo), ("p", p), slack - 2 * UNIT * lo))
                found.append((("p", p), (t, hi), slack + 2 * UNIT * hi))
        for p, q, latency in self.order.edges:
            found.append((("p", p), ("p", q), -2 * UNIT * latency))
        return found

    def relax(self, edges, start):
        """The least of start[b] + w over walks to each vertex, a - b <= w giving a; None: there is a negative cycle."""
        value = dict(start)
        into = {}
        for a, b, w in edges:
            into.setdefault(b, []).append((a, w))
        todo = list(value)
        rounds = 0
        while todo:
            rounds += 1
            if rounds > len(into) + len(value) + 2:
                return None
            changed = {}
            for b in todo:
                for a, w in into.get(b, ()):
                    if value[b] + w < value.get(a, inf):
                        value[a] = value[b] + w
                        changed[a] = True
            todo = list(changed)
        return value

    def is_feasible(self, added):
        edges = self.edges(added)
        return self.relax(edges, {v: 0 for edge in edges for v in edge[:2]}) is not None

    def at(self, added):
        """The same with the order for another 2 delta."""
        window = -(-added * (UNIT + self.rate) // (UNIT - self.rate))
        order = self.order.at(window)
        return self if order.edges == self.order.edges else Network(order, self.rate, self.tau)

    def least_added(self):
        """The least 2 delta in whole ticks."""
        high = 1
        if self.at(0).is_feasible(0):
            return 0
        while not self.at(high).is_feasible(high):
            high *= 2
        low = high // 2
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self.at(middle).is_feasible(middle) else (middle, high)
        return high

    def bounds(self, added):
        """{(clock, reading): (least age, greatest age)}, of each component to the first reading of its reference."""
        edges = self.edges(added)
        found = {}
        for component, reference in self.references.items():
            start = {(reference, self.readings[reference][0]): 0}
            greatest = self.relax(edges, start)
            least = self.relax([(b, a, w) for a, b, w in edges], start)
            for t, readings in enumerate(self.readings):
                for x in readings if self.component[t] == component else ():
                    found[t, x] = (-least[t, x] // 2, greatest[t, x] // 2)
        return found

    def sides(self, added):
        """{(clock, reading): (least age, greatest age)} to the first reading of tau, of all clocks; None: no limit there."""
        edges = self.edges(added)
        start = {(self.tau, self.readings[self.tau][0]): 0}
        greatest = self.relax(edges, start)
        least = self.relax([(b, a, w) for a, b, w in edges], start)
        return {(t, x): (-least[t, x] // 2 if (t, x) in least else None, greatest[t, x] // 2 if (t, x) in greatest else None)
                for t, readings in enumerate(self.readings) for x in readings}

    def between(self, added, s, x, t, y):
        """The least and the greatest age of clock s at x less that of t at y, of one component; of any local times."""
        readings = self.readings
        self.readings = [sorted({*mine, *(time for clock, time in ((s, x), (t, y)) if clock == c)})
                         for c, mine in enumerate(readings)]
        edges = self.edges(added)
        self.readings = readings
        greatest = self.relax(edges, {(t, y): 0})[s, x]
        least = -self.relax([(b, a, w) for a, b, w in edges], {(t, y): 0})[s, x]
        return least // 2, greatest // 2
