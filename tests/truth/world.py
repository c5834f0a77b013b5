"""Simulated hosts: true time, clocks that read it, messages with delays, and the CSV that a recorder would write.

Nothing here knows how cellsync works.  True time is in nanoseconds.  A clock is a piecewise linear function from true time to
ticks; jumps are allowed, so one class serves for drift, slews, steps, resets, and counters that wrap.
"""
import bisect
import dataclasses
import datetime
import heapq
import math
import random

# Ranges from which a seed draws its parameters: (least, greatest, unit, law).  doc/truth.md prints this table.
RANGES = {
    "hosts": (2, 6, "", "whole"),
    "exchanges": (12, 120, "", "log whole"),
    "duration": (1e6, 1.44e13, "ns", "log"),
    "one-way delay": (1e3, 2e7, "ns", "log"),
    "queueing": (0.05, 3.0, "of the one-way delay, on average", "log"),
    "service time": (0.1, 5.0, "of the one-way delay, on average", "log"),
    "clock offset": (-1e12, 1e12, "ns", "uniform"),
    "crystal": (-50.0, 50.0, "ppm", "uniform"),
    "steered crystal": (-20.0, 20.0, "ppm", "uniform"),
    "jitter": (500.0, 2e5, "ns", "log"),
    "temperature amplitude": (0.5, 10.0, "ppm", "log"),
    "temperature period": (1e10, 7.2e12, "ns", "log"),
    "slew start": (0.0, 0.8, "of the duration", "uniform"),
    "slew length": (0.05, 0.9, "of the duration", "uniform"),
    "place of the fault": (0.1, 0.9, "of the duration", "uniform"),
    "step": (1e6, 1e12, "ns", "log"),
    "small step": (0.1, 1.0, "of the least round trip", "uniform"),
    "messages at fault": (0.005, 0.1, "of the messages", "log"),
    "asymmetry": (2.0, 50.0, "one direction to the other", "log"),
    "GPU conversion error": (500.0, 1e5, "ns", "log"),
    "TSC difference": (100.0, 1e6, "ns", "log"),
    "timestamps of another core": (0.01, 0.3, "of the timestamps of one thread", "log"),
    "exchanges of sorted logs": (2, 120, "", "log whole"),
    "offset of sorted logs": (1e3, 1e10, "ns", "log"),
    "time between runs": (1e9, 8.64e13, "ns", "log"),
}
TICKS_PER_SECOND = (10**9, 10**8, 24 * 10**6, 2_400_000_000)
EPOCH = 1_764_000_000 * 10**9


class Draw(random.Random):
    """Random numbers of one seed, and the parameters that were drawn: lists by name."""

    def __init__(self, kind, seed):
        super().__init__(f"{kind}/{seed}")
        self.drawn = {}

    def of(self, name):
        least, greatest, _, law = RANGES[name]
        if law == "whole":
            value = self.randint(least, greatest)
        elif law.startswith("log"):
            value = math.exp(self.uniform(math.log(least), math.log(greatest)))
        else:
            value = self.uniform(least, greatest)
        value = round(value) if "whole" in law else value
        self.drawn.setdefault(name, []).append(value)
        return value

    def sign(self):
        return self.choice((-1, 1))


class Clock:
    """What a clock shows: base + relative(true time), in ticks.  `base` is an integer, so that dates keep their digits."""

    def __init__(self, base=0, hz=10**9, ppm=0.0):
        self.base, self.hz = base, hz
        self.starts, self.values, self.ppms, self.jumps = [-math.inf], [0.0], [ppm], []

    def relative(self, tau):
        i = bisect.bisect_right(self.starts, tau) - 1
        start = max(self.starts[i], 0.0)
        return self.values[i] + self.ticks(tau - start, self.ppms[i])

    def ticks(self, span, ppm):
        return span * (self.hz / 10**9) + span * (self.hz / 10**9) * ppm / 10**6

    def bend(self, tau, ppm, jump=0):
        """From `tau` on, after all bends before, run at `ppm`; and jump there by so many ticks."""
        value = self.relative(tau) + jump
        self.starts.append(tau)
        self.values.append(value)
        self.ppms.append(ppm)
        if jump:
            self.jumps.append((tau, jump))

    def jump(self, tau, ticks):
        self.bend(tau, self.ppms[-1], ticks)

    def steady(self, tau):
        """The reading without its jumps: what its rate alone makes of true time."""
        return self.relative(tau) - sum(ticks for at, ticks in self.jumps if at <= tau)

    def when(self, reading, first, last):
        """All instants from `first` to `last` at which it shows `reading`; several if it was set back."""
        for i, start in enumerate(self.starts):
            begin, rate = max(start, 0.0), self.ticks(1.0, self.ppms[i])
            tau = begin + (reading - self.base - self.values[i]) / rate
            end = self.starts[i + 1] if i + 1 < len(self.starts) else math.inf
            if max(start, first) <= tau <= min(end, last):
                yield tau


@dataclasses.dataclass
class Row:
    """One record: when it truly happened, on which clock, and what it says of messages."""
    tau: float
    host: str
    thread: str
    send: str = ""
    recv: str = ""
    read: float = None  # when the clock was read, if not at `tau`
    off: float = 0.0  # what was added to the reading, in ticks
    stamp: int = 0


@dataclasses.dataclass
class Form:
    """How times are written: the column, and how many ticks (1 ns except for counters) each host rounds down to."""
    column: str
    hz: int = 10**9
    steps: dict = dataclasses.field(default_factory=dict)

    def step(self, host):
        return self.steps.get(host, 1)

    def text(self, stamp, host):
        digits = {1: 9, 1000: 6, 10**6: 3}[self.step(host)]
        if self.column == "time":
            return str(stamp)
        if self.column == "time_us":
            sign, size = "-" * (stamp < 0), abs(stamp)
            return f"{sign}{size // 1000}.{size % 1000:03}" if digits == 9 else f"{sign}{size // 1000}"
        if self.column == "time_s":
            sign, size = "-" * (stamp < 0), abs(stamp)
            return f"{sign}{size // 10**9}." + f"{size % 10**9:09}"[:digits]
        date = datetime.datetime.fromtimestamp(stamp // 10**9, datetime.timezone.utc)
        return f"{date:%Y-%m-%dT%H:%M:%S}." + f"{stamp % 10**9:09}"[:digits] + "Z"


@dataclasses.dataclass
class Trace:
    """What is written, and the truth beside it."""
    rows: list
    clocks: dict
    form: Form
    partial: bool = True
    facts: set = dataclasses.field(default_factory=set)  # what the kind breaks: keys of judge.CAUSES

    def finish(self):
        """Read the clocks.  A thread reads its clock in its own order, but the clock itself may go back."""
        for row in self.rows:
            clock, step = self.clocks[row.host], self.form.step(row.host)
            exact = clock.relative(row.tau if row.read is None else row.read) + row.off
            row.stamp = clock.base + (math.floor(exact) if step > 1 else round(exact))
            row.stamp -= row.stamp % step
        return self

    def write(self, path):
        shared = any(row.thread != row.host for row in self.rows)
        comments = ["# order=partial"] * self.partial
        if self.form.column == "time":
            comments.append(f"# timebase_hz={self.form.hz}")
        column = "time" if self.form.column == "date" else self.form.column
        head = ["thread"] + ["clock"] * shared + [column] + ["send", "recv"] * self.partial
        lines = [*comments, ",".join(head)]
        for row in self.rows:
            lines.append(",".join([row.thread] + [row.host] * shared + [self.form.text(row.stamp, row.host)] +
                                  [row.send, row.recv] * self.partial))
        path.write_text("\n".join(lines) + "\n")


def form_of(draw, counter=False):
    """A way to write times; each of its ticks is one nanosecond, except for counters of another frequency."""
    column = "time" if counter else draw.choice(("time", "time_us", "time_s", "date"))
    return Form(column, draw.choice(TICKS_PER_SECOND) if counter else 10**9)


def base_of(draw, form, start=2 * 10**12):
    """Where a clock begins: hosts were switched on at different times, or were set by hand."""
    offset = round(draw.of("clock offset") * form.hz / 10**9)
    return offset + (EPOCH if form.column == "date" else round(start * form.hz / 10**9))


class Net:
    """Messages between hosts, event by event in true time.

    Each exchange is a request with a response, or one message each way between two hosts.  A delay is the least one-way
    delay of its direction and an exponential queueing time; one in 50 queues twenty times as long.  Channels deliver in order.
    """

    def __init__(self, draw, duration=None, hosts=None, exchanges="exchanges", asymmetry=1.0, unique=None, exact=True):
        self.draw = draw
        self.hosts = [f"host{i}" for i in range(hosts or draw.of("hosts"))]
        self.exchanges = draw.of(exchanges)
        self.duration = duration or draw.of("duration")
        self.delay = min(draw.of("one-way delay"), self.duration / 50)
        self.queueing, self.service = draw.of("queueing"), draw.of("service time")
        self.unique = draw.random() < 0.4 if unique is None else unique
        self.threads = 1 + (draw.random() < 0.3)
        self.bursts = draw.random() < 0.3
        self.pattern = draw.choice(("star", "ring", "any"))
        self.exact = exact
        self.slow = {}  # which directions are slower, and by how much
        for a in self.hosts:
            for b in self.hosts:
                length = draw.uniform(1.0, 3.0)
                self.slow[a, b] = self.slow.get((b, a), length) if asymmetry == 1 else length
                if asymmetry > 1 and a < b:
                    self.slow[a, b] = length * asymmetry
        self.rows, self.queue, self.arrived, self.numbers, self.count = [], [], {}, {}, 0
        draw.drawn.update(duration=[self.duration], unique=[self.unique], pattern=[self.pattern], bursts=[self.bursts])
        self.least_round_trip = min(self.delay * (self.slow[a, b] + self.slow[b, a])
                                    for a in self.hosts for b in self.hosts if a != b)

    def whole(self, tau):
        return float(math.ceil(tau)) if self.exact else tau

    def partners(self, i):
        others = len(self.hosts)
        if self.pattern == "star":
            return self.hosts[0], self.hosts[1 + i % (others - 1)]
        if self.pattern == "ring":
            return self.hosts[i % others], self.hosts[(i + 1) % others]
        return tuple(self.draw.sample(self.hosts, 2))

    def thread(self, host):
        return host if self.threads == 1 else f"{host}.{self.draw.randrange(self.threads)}"

    def push(self, tau, action, *more):
        self.count += 1
        heapq.heappush(self.queue, (tau, self.count, action, more))

    def send(self, tau, source, target, answer):
        channel = f"{source}>{target}"
        number = self.numbers[channel] = self.numbers.get(channel, 0) + 1
        key = f"{channel}/{number}" if self.unique else channel
        least = self.delay * self.slow[source.split(".")[0], target.split(".")[0]]
        queued = self.draw.expovariate(1 / (self.queueing * self.delay)) * (20 if self.draw.random() < 0.02 else 1)
        arrival = max(self.whole(tau + least + queued), self.arrived.get(channel, -1.0) + 100)
        self.arrived[channel] = arrival
        self.rows.append(Row(tau, source.split(".")[0], source, send=key))
        self.push(arrival, self.receive, source, target, key, answer)

    def receive(self, tau, source, target, key, answer):
        self.rows.append(Row(tau, target.split(".")[0], target, recv=key))
        if answer:
            wait = 100 + self.draw.expovariate(1 / (self.service * self.delay))
            self.push(self.whole(tau + wait), self.send, target, source, False)

    def run(self):
        places = sorted(self.draw.random() for _ in range(self.exchanges))
        if self.bursts:
            middles = [self.draw.random() for _ in range(self.draw.randint(2, 5))]
            places = sorted(min(max(self.draw.gauss(self.draw.choice(middles), 0.01), 0), 1) for _ in places)
        for i, place in enumerate(places):
            a, b = (self.thread(host) for host in self.partners(i))
            tau = self.whole(1000 + place * self.duration)
            if self.draw.random() < 0.7:
                self.push(tau, self.send, a, b, True)
            else:
                self.push(tau, self.send, a, b, False)
                self.push(self.whole(tau + self.draw.random() * self.delay), self.send, b, a, False)
        while self.queue:
            tau, _, action, more = heapq.heappop(self.queue)
            action(tau, *more)
        return self.rows


def by_host(draw, rows):
    """Rows in the order in which files are joined: one file for each host, or all merged in true order."""
    return rows if draw.random() < 0.5 else sorted(rows, key=lambda row: row.host)
