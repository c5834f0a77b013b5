"""Clocks that run at constant rates, from messages: the exact bounds of their global times, by linear programming.

Written from the model alone; shares no code with cellsync. A clock that shows x, counted in spans of the trace, has the global time
x + h, h = a + r x, all in ticks; the reference has h = 0. What comes before another point by a latency L keeps
x_p + h_p + L <= x_q + h_q + added.
"""

SLACK = 1e-3        # ticks by which a constraint may be broken, which is more than rounding makes
LEAST = 1e-6        # a share that is not 0


def inverted(rows):
    """The inverse of a square matrix."""
    n = len(rows)
    m = [list(row) + [float(i == k) for k in range(n)] for i, row in enumerate(rows)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda k, i=i: abs(m[k][i]))
        m[i], m[pivot] = m[pivot], m[i]
        m[i] = [value / m[i][i] for value in m[i]]
        for k in range(n):
            if k != i and m[k][i]:
                m[k] = [a - m[k][i] * b for a, b in zip(m[k], m[i])]
    return [row[n:] for row in m]


class Affine:
    """The constraints of clocks 1, 2, ...; clock 0 is the reference. A row is ({variable: factor}, most)."""

    def __init__(self, clocks, rate, span):
        """rate: how far it may be from 1; span: ticks of the trace, which offsets are far within."""
        self.n, self.rows, self.all, self.span = 2 * (clocks - 1), [], [], span
        for i in range(self.n):
            most = rate * span * (i % 2 or 2)
            self.rows += [({i: 1.0}, most), ({i: -1.0}, most)]

    def terms(self, clock, x, sign):
        """Of h."""
        return {} if clock == 0 else {2 * clock - 2: sign, 2 * clock - 1: sign * x / self.span}

    def add(self, source, x_source, target, x_target, slack):
        """h(source at x_source) - h(target at x_target) <= slack."""
        if source != target:
            self.all.append((source, target, x_source, self.terms(source, x_source, 1.0) | self.terms(target, x_target, -1.0),
                             float(slack)))

    def begin(self):
        """All have been added. Those that say most are tried first: of two clocks the lower hull of slacks over readings."""
        hulls = {}
        for one in sorted(self.all, key=lambda one: (one[2], one[4])):
            hull = hulls.setdefault(one[:2], [])
            while len(hull) > 1 and ((hull[-1][4] - hull[-2][4]) * (one[2] - hull[-2][2]) >=
                                     (one[4] - hull[-2][4]) * (hull[-1][2] - hull[-2][2])):
                hull.pop()
            hull.append(one)
        self.rows += [one[3:] for hull in hulls.values() for one in hull]
        self.all = [one[3:] for one in self.all]

    def violated(self, rows, y):
        """The row that is violated most, or None."""
        worst, at = max((sum(f * y[i] for i, f in row.items()) - most, -k) for k, (row, most) in enumerate(rows))
        return None if worst <= SLACK else -at

    def most(self, clock, x, sign):
        """The greatest sign * h of that clock at x: the dual simplex method, that begins at the limits and takes what is violated most."""
        n, c = self.n, self.terms(clock, x, sign)
        basis = [2 * i + (c.get(i, 0.0) < 0) for i in range(n)]
        while True:
            inverse = inverted([[self.rows[k][0].get(i, 0.0) for i in range(n)] for k in basis])
            y = [sum(inverse[i][k] * self.rows[basis[k]][1] for k in range(n)) for i in range(n)]
            entering = self.violated(self.rows, y)
            if entering is None:
                more = self.violated(self.all, y)
                if more is None:
                    return sum(f * y[i] for i, f in c.items())
                self.rows.append(self.all[more])
                entering = len(self.rows) - 1
            dual, share = ([sum(f * inverse[i][k] for i, f in row.items()) for k in range(n)]
                           for row in (c, self.rows[entering][0]))
            step = min(max(dual[k], 0.0) / share[k] for k in range(n) if share[k] > LEAST)
            leaving = max((k for k in range(n) if share[k] > LEAST and dual[k] <= step * share[k] + LEAST),
                          key=lambda k: share[k])
            basis[leaving] = entering

    def error(self, clock, x):
        """The width of what h may be."""
        return self.most(clock, x, 1.0) + self.most(clock, x, -1.0)
