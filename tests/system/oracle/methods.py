"""The methods to compare with, as their definitions read; doc/algorithms.md, Other methods.

Shares nothing with what it checks: least squares is Gauss's elimination of the normal equations in exact fractions.
"""

from fractions import Fraction
from math import floor

METHODS = ["lamport", "lamport-clock", "lsq"]


def lamport(clocked):
    """Counters: one more than the greatest of the record before and the thread's own before."""
    times, last = [], {}
    for owner in clocked.owner:
        before = times[-1:] + ([last[owner]] if owner in last else [])
        last[owner] = max(before) + 1 if before else 0
        times.append(last[owner])
    return times


def lamport_clock(clocked):
    """A clock that goes on with the thread's own and is pushed past the record before; the PPE sets it."""
    times, last = [], {}
    for owner, time in zip(clocked.owner, clocked.time):
        least = times[-1] + 1 if times else 0
        own = [last[owner][1] + time - last[owner][0]] if owner in last else []
        last[owner] = time, max([least] + own)
        times.append(last[owner][1])
    first = clocked.threads[clocked.ppe].positions[0] if clocked.ppe is not None else None
    shift = 0 if first is None else clocked.time[first] - times[first]
    return [time + shift for time in times]


def normal_equations(clocked, anchor):
    """Rows of the derivatives of the sum over neighbours e1, e2 of (g[t] + time(e2) - g[s] - time(e1))^2."""
    n = len(clocked.threads)
    rows = [[Fraction(0)] * (n + 1) for _ in range(n)]
    ends = list(zip(clocked.owner, clocked.time))
    for (s, time_s), (t, time_t) in zip(ends, ends[1:]):
        if s != t:
            for i, j, difference in ((t, s, time_s - time_t), (s, t, time_t - time_s)):
                rows[i][i] += 1
                rows[i][j] -= 1
                rows[i][n] += difference
    rows[anchor] = [Fraction(int(i == anchor)) for i in range(n)] + [Fraction(0)]
    return rows


def solved(rows):
    """The solution of a regular system, by Gauss and Jordan."""
    n = len(rows)
    for k in range(n):
        pivot = next(i for i in range(k, n) if rows[i][k])
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [x / rows[k][k] for x in rows[k]]
        for i in range(n):
            if i != k and rows[i][k]:
                rows[i] = [x - rows[i][k] * y for x, y in zip(rows[i], rows[k])]
    return [row[n] for row in rows]


def least_squares(clocked):
    """Offsets: the fit relative to the PPE, or to the first thread, to the nearest tick, halves up."""
    anchor = clocked.ppe if clocked.ppe is not None else 0
    offsets = [floor(g + Fraction(1, 2)) for g in solved(normal_equations(clocked, anchor))]
    if clocked.ppe is None:
        least = min(offsets[o] + t for o, t in zip(clocked.owner, clocked.time))
        offsets = [offset - least for offset in offsets]
    return offsets


def place(clocked, method):
    """The offsets of a method, None where it has none, and its global times."""
    if method == "lsq":
        offsets = least_squares(clocked)
        return offsets, [offsets[o] + t for o, t in zip(clocked.owner, clocked.time)]
    return [None] * len(clocked.threads), {"lamport": lamport, "lamport-clock": lamport_clock}[method](clocked)


def damage(clocked, times):
    """How much the distance of each record to the one before of its thread differs from its own clock's."""
    return [abs((times[b] - times[a]) - (clocked.time[b] - clocked.time[a]))
            for thread in clocked.threads for a, b in zip(thread.positions, thread.positions[1:])]
