"""Property test: partial orders with begins, ties and shared clocks against the definition; and halo exchanges.

    test_begins.py CELLSYNC [--seeds=N] [--first=SEED]

The definition, of doc/algorithms.md: every ordered pair of points deserves 2 delta once, and a begin is a point of its own,
after an earlier row of its location and clock exactly if its timestamp is at least 2 delta greater.  Here those edges are
made for each delta, all pairs of points are closed, and all cycles of clocks are tried.  So it shares neither code nor
method with the program, nor with partial.py.

Each seed is a program that ran: its true offsets must lie inside all bounds for a delta that its timestamps keep, which are
compared with those of the definition for deltas of 0, 1/2 and 2, and for the least one, which is compared, too.
Every fifth seed is a halo exchange of four ranks with microsecond timestamps instead.  Two of five are threads that share
queues: the truth must lie inside all bounds, and what is written must be proved.
"""

import json
import os
import random
import tempfile
from fractions import Fraction
from itertools import permutations
from math import ceil, floor, inf

import started
from trials import run_seeds


# ------------------------------------------------------------------------------------------------------- the program

class Program:
    """Locations that send, receive and meet in barriers, some without waiting; times are in quarters of a tick."""

    def __init__(self, rng):
        self.rng = rng
        self.locations = rng.randint(2, 5)
        clocks = rng.randint(2, self.locations)
        self.clock = [i % clocks if i < clocks else rng.randrange(clocks) for i in range(self.locations)]
        self.wrong = rng.choice([Fraction(0), Fraction(1, 2), Fraction(1, 2), Fraction(2), Fraction(7)])
        unit = 1 if self.wrong == 0 else 4
        self.step = 4 // unit
        self.offset = [Fraction(rng.randint(-40 * unit, 40 * unit), unit) for _ in range(clocks)]
        self.slow = rng.choice([1, 2, 6])
        self.now = [0] * self.locations
        self.rows = []                              # (true end, location, true begin or None, roles)
        self.latency = rng.choice([0, 0, 0, 1])
        for number in range(rng.randint(3, 14)):
            rng.choice([self.message, self.message, self.barrier, self.alone])(str(number))

    def pause(self):
        return self.step * self.rng.randint(0, 2 * self.slow)

    def act(self, location, least=0, waits=True, begins=None, **roles):
        """A row that ends at `least` or later; one that does not wait lets its location go on."""
        begin = self.now[location] + self.pause()
        end = max(begin, least) + self.pause()
        if begins is None:
            begins = self.rng.random() < 0.5 or "enter" in roles
        self.rows.append([end, location, begin if begins else None, roles])
        self.now[location] = end if waits else begin
        return begin if begins else end

    def message(self, key):
        s, r = self.rng.randrange(self.locations), self.rng.randrange(self.locations)
        left = self.act(s, waits=self.rng.random() < 0.5, send="m" + key)
        self.act(r, left + 4 * self.latency, recv="m" + key)

    def barrier(self, key):
        members = self.rng.sample(range(self.locations), self.rng.randint(2, self.locations))
        begins = {m: self.now[m] + self.pause() for m in members}
        for m in members:
            end = max(begins.values()) + self.pause()
            self.rows.append([end, m, begins[m], {"enter": "g" + key, "leave": "g" + key}])
            self.now[m] = begins[m] if self.rng.random() < 0.4 else end

    def alone(self, _):
        self.act(self.rng.randrange(self.locations))

    def stamp(self, location, time):
        """An integer that is no farther than `wrong` from what the clock should show."""
        exact = Fraction(time, 4) + self.offset[self.clock[location]]
        return self.rng.randint(ceil(exact - self.wrong), floor(exact + self.wrong))

    def table(self):
        """[(location, begin or None, time, roles)], each location in the order in which its rows ended."""
        rows = sorted(self.rows, key=lambda row: row[0])
        if self.rng.random() < 0.3:
            rows.sort(key=lambda row: row[1])
        found = []
        for end, location, begin, roles in rows:
            time = self.stamp(location, end)
            if begin is not None:
                begin = min(self.stamp(location, begin), time)
            found.append((location, begin, time, roles))
        return found


# ---------------------------------------------------------------------------------------------------- the definition

class Order:
    def __init__(self, program, rows):
        self.rows, self.clock, self.n = rows, program.clock, len(program.offset)
        self.latency = program.latency

    def place(self, i, begins):
        """The point of a row at which edges leave it (begins), or reach it."""
        return 2 * i + (not begins or self.rows[i][1] is None)

    def stamp(self, point):
        _, begin, time, _ = self.rows[point // 2]
        return time if point % 2 else begin

    def edges(self, window):
        """[(from, to, latency)]; window: 2 delta, rounded up."""
        found = []
        for i, (location, begin, _, roles) in enumerate(self.rows):
            earlier = [j for j in range(i) if self.rows[j][0] == location]
            found += [(2 * j + 1, 2 * i + 1, 0) for j in earlier[-1:]]
            if begin is not None:
                found.append((2 * i, 2 * i + 1, 0))
                found += [(2 * j + 1, 2 * i, 0) for j in earlier if begin - self.rows[j][2] >= window]
            for k, (_, _, _, others) in enumerate(self.rows):
                if "send" in roles and others.get("recv") == roles["send"]:
                    found.append((self.place(i, True), 2 * k + 1, self.latency))
                if "enter" in roles and others.get("leave") == roles["enter"]:
                    found.append((self.place(i, True), 2 * k + 1, 0))
        return found

    def weights(self, window):
        """The least hi(q) - lo(p) - L(p,q) by clocks, None if some point is later than itself."""
        size = 2 * len(self.rows)
        far = [[-inf] * size for _ in range(size)]
        for p, q, latency in self.edges(window):
            far[p][q] = max(far[p][q], latency)
        for k in range(size):
            for p in range(size):
                if far[p][k] > -inf:
                    by = far[p][k]
                    far[p] = [max(a, by + b) for a, b in zip(far[p], far[k])]
        if any(far[p][p] > 0 for p in range(size)):
            return None
        weight = [[inf] * self.n for _ in range(self.n)]
        for p in range(size):
            for q in range(size):
                if far[p][q] > -inf:
                    s, t = (self.clock[self.rows[x // 2][0]] for x in (p, q))
                    weight[s][t] = min(weight[s][t], self.stamp(q) - self.stamp(p) - far[p][q])
        return weight

    def asks(self, window):
        """The least 2 delta that the constraints of this window allow."""
        weight = self.weights(window)
        if weight is None:
            return inf
        least = Fraction(0)
        for size in range(1, self.n + 1):
            for cycle in permutations(range(self.n), size):
                total = sum(weight[s][t] for s, t in zip(cycle, cycle[1:] + cycle[:1]))
                if total < inf:
                    least = max(least, Fraction(-total, size))
        return least

    def least(self):
        """The least 2 delta for which the constraints of that delta can be kept."""
        window = 0
        while self.asks(window) > window:
            window += 1
        asks = self.asks(window)
        assert window == 0 or asks > window - 1, "the least delta is not attained"
        return asks

    def bounds(self, twice):
        """The greatest g[s] - g[t] at 2 delta, rounded up; None if there are no offsets."""
        window = ceil(twice)
        if self.asks(window) > twice:
            return None
        weight = self.weights(window)
        bar = [[0 if s == t else weight[s][t] + window for t in range(self.n)] for s in range(self.n)]
        for k in range(self.n):
            for s in range(self.n):
                for t in range(self.n):
                    bar[s][t] = min(bar[s][t], bar[s][k] + bar[k][t])
        return bar


# --------------------------------------------------------------------------------------------------------- comparing

def write(path, rows, clock):
    columns = "send", "recv", "enter", "leave"
    with open(path, "w", encoding="ascii") as out:
        print("# order=partial\nthread,clock,begin,time," + ",".join(columns), file=out)
        for location, begin, time, roles in rows:
            print(f"L{location}", f"C{clock[location]}", "" if begin is None else begin, time,
                  *(roles.get(c, "") for c in columns), sep=",", file=out)


def run(program, path, *options):
    """The exit status, and the report of one that succeeds or the messages of one that does not."""
    done = started.run([program, path, "-q", "--pairs=all", "--time-unit=ticks", "-r", path + ".json", *options],
                       capture_output=True, text=True)
    if done.returncode:
        return done.returncode, done.stderr
    with open(path + ".json", encoding="utf-8") as report:
        return 0, json.load(report)


def uppers(report, names):
    """{(s, t): the greatest g[s] - g[t]} by indexes of clocks."""
    found = {}
    for pair in report["pairs"]:
        s, t = names.index(pair["s"]), names.index(pair["t"])
        upper, lower = pair["upper_ticks"], pair["lower_ticks"]
        found[s, t] = inf if upper is None else upper
        found[t, s] = inf if lower is None else -lower
    return found


def compare(cellsync, order, path, delta, offset):
    """What is wrong; delta: None if it is estimated.  offset: by clock, None: the delta is not that of the program."""
    options = [f"--latency={order.latency}", *([] if delta is None else [f"--delta={delta}"])]
    code, report = run(cellsync, path, *options)
    twice = order.least() if delta is None else 2 * delta
    wanted = order.bounds(twice)
    if wanted is None:
        return None if code == 3 else f"delta {delta}: exit status {code}, but the definition refuses it: {report}"
    if code:
        return f"delta {delta}: exit status {code}: {report}"
    if delta is None and Fraction(report["delta"]["ticks"]) * 2 != twice:
        return f"the least delta is {twice / 2}, printed is {report['delta']['ticks']}"
    names = [f"C{i}" for i in range(order.n)]
    for (s, t), upper in uppers(report, names).items():
        if upper != wanted[s][t]:
            return f"delta {delta}: g[C{s}] - g[C{t}] <= {wanted[s][t]}, printed is {upper}"
        if offset and offset[t] - offset[s] > upper:
            return f"delta {delta}: the true {offset[t] - offset[s]} is above {upper}"
    return None


def check_order(cellsync, rng, path):
    program = Program(rng)
    rows = program.table()
    if len({program.clock[row[0]] for row in rows}) < len(program.offset):
        return None
    write(path, rows, program.clock)
    order = Order(program, rows)
    for delta in (Fraction(0), Fraction(1, 2), Fraction(2), None):
        honest = delta is not None and delta >= program.wrong
        fault = compare(cellsync, order, path, delta, program.offset if honest else None)
        if fault:
            return fault
    return None


# ------------------------------------------------------------------------------------------------------------- halos

def halo(rng, path):
    """Four ranks on four hosts exchange with their neighbours in a ring; clocks are read in whole microseconds.
    The phases and offsets of the clocks, in ticks."""
    n = 4
    phase, offset = [rng.random() for _ in range(n)], [rng.randrange(10**6) for _ in range(n)]
    rows, now = [], 10.0
    for step in range(30):
        sent = {}
        for rank in range(n):
            begin = now + rng.random() * 1.5
            for k, other in enumerate(((rank + 1) % n, (rank - 1) % n)):
                sent[rank, other] = begin + k * (0.1 + rng.random() * 0.5)
        arrives = {pair: time + 0.3 + rng.random() * 1.7 for pair, time in sent.items()}
        for rank in range(n):
            last = max(time for pair, time in sent.items() if pair[0] == rank) + 0.05
            received = sorted((max(time, last if rng.random() < 0.5 else 0), pair) for pair, time in arrives.items()
                              if pair[1] == rank)
            end = received[-1][0] + 0.1
            rows += [(time, rank, None, time, "", f"{s}>{r}.{step}") for time, (s, r) in received]
            for (s, r), time in sent.items():
                if s == rank:
                    end = max(end, time) + 0.05
                    rows.append((end, rank, time, end, f"{s}>{r}.{step}", ""))
        now += 6 + rng.random() * 3
    with open(path, "w", encoding="ascii") as out:
        print("# order=partial\n# timebase_hz=1000000\nthread,begin,time,send,recv", file=out)
        for _, rank, begin, end, send, recv in sorted(rows, key=lambda row: row[0]):
            begin, end = ("" if t is None else floor(t + phase[rank]) + offset[rank] for t in (begin, end))
            print(f"C{rank},{begin},{end},{send},{recv}", file=out)
    return [phase[rank] + offset[rank] for rank in range(n)]


def check_halo(cellsync, rng, path):
    true = halo(rng, path)
    code, report = run(cellsync, path, "--delta=1/2")
    if code:
        return f"halo: exit status {code}: {report}"
    for (s, t), upper in uppers(report, [f"C{i}" for i in range(4)]).items():
        if true[t] - true[s] > upper + 1e-6:
            return f"halo: the true {true[t] - true[s]} is above {upper}"
    code, report = run(cellsync, path)
    return f"halo, without delta: exit status {code}: {report}" if code else None


# ------------------------------------------------------------------------------------------------------------ queues

def queue(rng):
    """Threads of one clock put into a queue, threads of one clock take from it, first in, first out.  So which thread
    has the k-th time of a channel may be hidden by timestamps.  Rows as of Program.table, clocks by location, true
    offsets, and the error of timestamps; the rows of a location are in their true order."""
    wrong = rng.choice([Fraction(0), Fraction(1, 2), Fraction(1, 2), Fraction(2)])
    clocks, unit = rng.randint(2, 3), 1 if wrong == 0 else 4
    clock = [c for c in range(clocks) for _ in range(rng.randint(1, 3))]
    offset = [Fraction(rng.randint(-40 * unit, 40 * unit), unit) for _ in range(clocks)]
    pauses = rng.choice([2, 6, 24])
    now, found, puts = [Fraction(0)] * len(clock), [], []
    ways = [(s, r) for s in range(clocks) for r in range(clocks)]

    def pause():
        """No two happen at once where timestamps may be wrong: which is first would not matter then, but be asked."""
        moment = Fraction(rng.randint(1, 10**9), 10**12) if wrong else 0
        return Fraction(rng.randint(0, pauses), unit) + moment

    for _ in range(rng.randint(3, 12)):
        s, r = rng.choice(ways)
        key = f"q{s}{r}" if rng.random() < 0.8 else f"m{len(puts)}"
        location = rng.choice([i for i, c in enumerate(clock) if c == s])
        begin = now[location] + pause()
        waits = rng.random() < 0.7
        end = now[location] = begin + pause()
        found.append((end, location, None if waits else begin, {"send": key}))
        puts.append((end if waits else begin, key, r))
        if rng.random() < 0.6:
            take(rng, now, clock, puts, found, pause)
    while puts:
        take(rng, now, clock, puts, found, pause)

    def stamp(location, time):
        exact = time + offset[clock[location]]
        return rng.randint(ceil(exact - wrong), floor(exact + wrong))

    rows = []
    for end, location, begin, roles in sorted(found, key=lambda row: row[0]):
        time = stamp(location, end)
        rows.append((location, None if begin is None else min(stamp(location, begin), time), time, roles))
    return rows, clock, offset, wrong


def take(rng, now, clock, puts, found, pause):
    """Some thread takes what was put first into one of the queues; of one queue nobody takes before another one did."""
    _, key, r = rng.choice(puts)
    first = min(put for put in puts if put[1] == key)
    puts.remove(first)
    location = rng.choice([i for i, c in enumerate(clock) if c == r])
    taken = [end for end, _, _, roles in found if roles.get("recv") == key]
    end = now[location] = max([first[0], now[location], *taken]) + pause()
    found.append((end, location, None, {"recv": key}))


def check_queue(cellsync, rng, path):
    rows, clock, offset, wrong = queue(rng)
    clocks = sorted({clock[row[0]] for row in rows})
    write(path, rows, clock)
    for delta in (Fraction(0), Fraction(1, 2), Fraction(2), None):
        synchronized = path + ".out.csv"
        options = [] if delta is None else [f"--delta={delta}"]
        code, report = run(cellsync, path, "-o", synchronized, *options)
        if code:
            tied = delta == 0 and "cycle" in report     # at delta 0, rows with one timestamp are in the order of the file
            if (delta is None or delta >= wrong) and not tied:
                return f"queues, delta {delta}: exit status {code}: {report}"
            continue
        used = Fraction(report["delta"]["ticks"])
        for (s, t), upper in uppers(report, [f"C{i}" for i in clocks]).items():
            if used >= wrong and offset[clocks[t]] - offset[clocks[s]] > upper:
                return f"queues, delta {delta}: the true {offset[clocks[t]] - offset[clocks[s]]} is above {upper}"
        done = started.run([cellsync, "--check", synchronized], capture_output=True, text=True)
        if done.returncode:
            return f"queues, delta {delta}: not proved: {done.stderr}"
        if delta is None and used > 0:
            again, report = run(cellsync, path, f"--delta={used}")
            if again:
                return f"queues: the least delta of {used} is refused: {report}"
    return None


def check(cellsync, seed):
    rng = random.Random(f"begins {seed}")
    with tempfile.TemporaryDirectory() as folder:
        checks = {0: check_halo, 1: check_queue, 2: check_queue}
        return checks.get(seed % 5, check_order)(cellsync, rng, os.path.join(folder, "t.csv"))


if __name__ == "__main__":
    run_seeds(check, 60)
