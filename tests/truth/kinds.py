"""The kinds of hostile reality: each is one function from a Draw to a Trace, and breaks one thing.

Kinds about rates have free-running crystals.  All other kinds have clocks of exactly one rate and timestamps exact to the
tick, apart from what the kind itself breaks, so that no other premise fails beside it.
"""
import math

from world import Clock, Form, Net, Row, Trace, base_of, by_host, form_of


def hosts_of(draw, net, form, crystal=None):
    """A clock for each host: of one rate, or each with a crystal of its own from that range."""
    return {host: Clock(base_of(draw, form), form.hz, draw.of(crystal) if crystal else 0.0) for host in net.hosts}


def ready(draw, net, clocks, form, rows=None, **more):
    return Trace(by_host(draw, net.run() if rows is None else rows), clocks, form, **more).finish()


# Controls: every premise that cellsync prints is true.

def honest(draw):
    """Clocks of one rate, exact timestamps, and no lost message: messages in a partial order."""
    net, form = Net(draw), form_of(draw)
    return ready(draw, net, hosts_of(draw, net, form), form)


def honest_buffer(draw):
    """The same in one buffer, in the order of writing.  Offsets are longer than the trace, so rows are not sorted by time."""
    net, form = Net(draw), form_of(draw)
    clocks = {host: Clock(base_of(draw, form) + i * round(1.1 * net.duration) * draw.sign()) for i, host in
              enumerate(net.hosts)}
    return Trace(net.run(), clocks, form, partial=False).finish()


# Rates.

def crystals(draw):
    """Each clock has a constant rate of its own, within 50 ppm of true time."""
    form = form_of(draw, counter=draw.random() < 0.3)
    net = Net(draw, exact=False)
    return ready(draw, net, hosts_of(draw, net, form, "crystal"), form, facts={"rate"})


def jitter_rows(draw, rows):
    """Timestamps are taken late (interrupts), or early and late (a recorder that rounds), but in order within a thread."""
    size, late, last = draw.of("jitter"), draw.random() < 0.5, {}
    for row in rows:
        off = min(draw.expovariate(3 / size), size) if late else draw.uniform(-size, size)
        row.read = max(row.tau + off, last.get(row.thread, -math.inf))
        last[row.thread] = row.read
    return rows


def crystals_jitter(draw):
    """Crystals, and timestamps that are taken late by up to the jitter, or early or late."""
    form, net = form_of(draw), Net(draw, exact=False)
    return ready(draw, net, hosts_of(draw, net, form, "crystal"), form, jitter_rows(draw, net.run()), facts={"rate", "stamps"})


def temperature(draw):
    """Crystals whose rate follows the temperature of the room: a sine, in 24 pieces a period."""
    form, net = form_of(draw), Net(draw, exact=False)
    clocks = hosts_of(draw, net, form, "crystal")
    for clock in clocks.values():
        mean, amplitude = clock.ppms[0], draw.of("temperature amplitude")
        period = max(draw.of("temperature period"), net.duration / 20)
        phase = draw.random()
        for i in range(math.ceil(24 * 1.1 * net.duration / period)):
            clock.bend(i * period / 24, mean + amplitude * math.sin(2 * math.pi * (phase + i / 24)))
    return ready(draw, net, clocks, form, facts={"rate"})


def slewed(draw, ppm):
    """Clocks whose crystals are within 20 ppm, and of which one or more are slewed for a while, each at `ppm` either way."""
    form, net = form_of(draw), Net(draw, exact=False)
    clocks = hosts_of(draw, net, form, "steered crystal")
    for host in draw.sample(net.hosts, draw.randint(1, len(net.hosts))):
        clock, start = clocks[host], draw.of("slew start") * net.duration
        rate = clock.ppms[0]
        clock.bend(start, rate + draw.sign() * ppm)
        clock.bend(start + draw.of("slew length") * net.duration, rate)
    return ready(draw, net, clocks, form, facts={"rate"})


# Clocks that are set, reset, or wrap.

def stepped(draw, sign, small=False):
    """One clock is set by NTP, once."""
    form, net = form_of(draw), Net(draw)
    clocks = hosts_of(draw, net, form)
    size = draw.of("small step") * net.least_round_trip if small else draw.of("step")
    clocks[draw.choice(net.hosts)].jump(net.whole(draw.of("place of the fault") * net.duration), sign * max(round(size), 1))
    return ready(draw, net, clocks, form, facts={"set"})


def stepped_twice(draw):
    """One clock is set twice, by one amount or by a similar one, in either direction."""
    form, net = form_of(draw), Net(draw, exact=False)
    clocks = hosts_of(draw, net, form, "crystal")
    clock, size = clocks[draw.choice(net.hosts)], draw.sign() * draw.of("step")
    places = sorted(draw.of("place of the fault") for _ in range(2))
    for place, part in zip(places, (1, draw.sign() * draw.choice((1, 1, draw.uniform(0.6, 1.6))))):
        clock.jump(net.whole(place * net.duration), max(round(abs(size * part)), 1) * (1 if size * part > 0 else -1))
    return ready(draw, net, clocks, form, facts={"rate", "set"})


def reset(draw):
    """The counter of one host restarts at 0, as at a reboot."""
    form, net = Form("time"), Net(draw)
    clocks = hosts_of(draw, net, form)
    clock, tau = clocks[draw.choice(net.hosts)], net.whole(draw.of("place of the fault") * net.duration)
    clock.jump(tau, -clock.relative(tau) - clock.base)
    return ready(draw, net, clocks, form, facts={"reset"})


def wraps(draw, bits):
    """The counters of one host or of all have so many bits, and at least one wraps within the trace."""
    hz = draw.choice((10**6, 8 * 10**6, 192 * 10**5)) if bits == 24 else draw.choice((10**7, 10**8, 10**9))
    period = 2**bits * 10**9 / hz
    form = Form("time", hz)
    net = Net(draw, duration=min(draw.of("duration"), 3 * period))
    net.delay = max(net.delay, 20 * 10**9 / hz)
    tick = 10**9 / hz
    clocks = hosts_of(draw, net, form)
    of_all = draw.random() < 0.5
    for i, host in enumerate(draw.sample(net.hosts, len(net.hosts))):
        if i and not of_all:
            continue
        clock = clocks[host]
        wrap = math.ceil(draw.of("place of the fault") * net.duration / tick) if i == 0 else draw.randrange(2**bits)
        clock.base = (2**bits - wrap) % 2**bits
        while wrap * tick < 2 * net.duration:
            clock.jump(wrap * tick, -2**bits)
            wrap += 2**bits
    # Whole ticks of counters that tick at the same instants, so that timestamps are exact.
    rows = net.run()
    for row in rows:
        row.tau = math.ceil(row.tau / tick) * tick
    return ready(draw, net, clocks, form, rows, facts={"wrap"})


# Timestamps.

def truncated(draw):
    """One host writes whole milliseconds, the others whole microseconds; both round down."""
    net, form = Net(draw), Form(draw.choice(("time", "time_us", "time_s", "date")))
    coarse = draw.choice(net.hosts)
    form.steps = {host: 10**6 if host == coarse else 1000 for host in net.hosts}
    if form.column == "time":
        form.column = "time_us"
    return ready(draw, net, hosts_of(draw, net, form), form, facts={"stamps", "units"})


def gpu(draw):
    """A tracer has converted the timestamps of a GPU to the clock of its host, with an error that changes; another host is
    tied to the first by messages.  The trace says that the GPU's rows are of the host's clock."""
    form, net = form_of(draw), Net(draw)
    first = net.hosts[0]
    clocks = hosts_of(draw, net, form)
    least = net.whole(0.05 * net.delay)
    begin, end, bow = (draw.sign() * draw.of("GPU conversion error") for _ in range(3))

    def wrong(tau):
        x = min(tau / net.duration, 1)
        return begin + (end - begin) * x + bow * 4 * x * (1 - x) / 2

    rows, tau = net.run(), 1000.0
    name = f"{first}.0" if net.threads > 1 else first
    kernels = draw.randint(5, 40)
    for i in range(kernels):
        tau = net.whole(tau + draw.expovariate(kernels / net.duration))
        times = [tau]
        for span in (1, 5, 1):
            times.append(net.whole(times[-1] + least + draw.expovariate(1 / (span * net.delay))))
        rows += [Row(times[0], first, name, send=f"launch{i}"), Row(times[1], first, "gpu", recv=f"launch{i}", off=wrong(times[1])),
                 Row(times[2], first, "gpu", send=f"ready{i}", off=wrong(times[2])), Row(times[3], first, name, recv=f"ready{i}")]
        tau = times[3]
    rows.sort(key=lambda row: row.tau)
    return ready(draw, net, clocks, form, rows, facts={"stamps", "converted"})


def tsc(draw):
    """Threads write to one buffer.  Some timestamps of one thread, or all from some moment on, are read from another core,
    whose counter differs."""
    form = form_of(draw)
    net = Net(draw)
    net.threads = 1
    clocks = {host: Clock(base_of(draw, form) + i * round(1.1 * net.duration) * draw.sign()) for i, host in
              enumerate(net.hosts)}
    rows, off = net.run(), draw.sign() * draw.of("TSC difference")
    moved, place = draw.choice(net.hosts), draw.of("place of the fault") * net.duration
    share = draw.of("timestamps of another core") if draw.random() < 0.5 else None
    mine = [row for row in rows if row.host == moved]
    for row in mine:
        if draw.random() < share if share else row.tau > place:
            row.off = float(round(off))
    if not any(row.off for row in mine):
        draw.choice(mine).off = float(round(off))
    return Trace(rows, clocks, form, partial=False, facts={"stamps", "core"}).finish()


# Messages.

def chosen(draw, rows, end):
    """Which messages are at fault: some at random, the first ones, or the last ones."""
    ends = [row for row in rows if getattr(row, end)]
    count = max(1, round(draw.of("messages at fault") * len(ends)))
    where = draw.choice(("anywhere", "first", "last"))
    draw.drawn["where"] = [where]
    return draw.sample(ends, count) if where == "anywhere" else ends[:count] if where == "first" else ends[-count:]


def without(rows, gone):
    gone = {id(row) for row in gone}
    return [row for row in rows if id(row) not in gone]


def lost(draw, ends):
    """Rows of some sends, of some receives, or of both are not in the trace; as many of both in half of the seeds."""
    form, net = form_of(draw), Net(draw)
    rows, gone = net.run(), []
    if ends == ["send", "recv"] and draw.random() < 0.5:
        # As many sends as receives of one channel, but not those of the same messages: the counts are equal.
        channel = draw.choice([row.send for row in rows if row.send]).split("/")[0]
        mine = {end: [row for row in rows if getattr(row, end).split("/")[0] == channel] for end in ends}
        count = max(1, round(draw.of("messages at fault") * len(mine["send"])))
        first, last = draw.sample(ends, 2)
        gone = mine[first][:count] + mine[last][-count:]
    else:
        for end in ends:
            gone += chosen(draw, rows, end)
    return ready(draw, net, hosts_of(draw, net, form), form, without(rows, gone), facts={"ends"})


def duplicated(draw):
    """Some receives are in the trace twice, the second a while after the first."""
    form, net = form_of(draw), Net(draw)
    rows = net.run()
    for row in chosen(draw, rows, "recv"):
        rows.append(Row(net.whole(row.tau + 1 + draw.expovariate(1 / net.delay)), row.host, row.thread, recv=row.recv))
    rows.sort(key=lambda row: row.tau)
    return ready(draw, net, hosts_of(draw, net, form), form, rows, facts={"twice"})


def swapped(draw):
    """Pairs of receives have each other's message."""
    form, net = form_of(draw), Net(draw, unique=draw.random() < 0.8)
    rows = net.run()
    receives = [row for row in rows if row.recv]
    for row in chosen(draw, rows, "recv"):
        same = [other for other in receives if other.host == row.host and other is not row] or receives
        other = draw.choice(same)
        row.recv, other.recv = other.recv, row.recv
    return ready(draw, net, hosts_of(draw, net, form), form, rows, facts={"swap"})


def asymmetric(draw):
    """One direction of each route takes longer than the other.  Every premise is true, and bounds have to hold."""
    form = form_of(draw)
    net = Net(draw, asymmetry=draw.of("asymmetry"))
    return ready(draw, net, hosts_of(draw, net, form), form)


# Order.

def sorted_logs(draw):
    """Logs of several hosts, merged by their timestamps, given as if they had been written in one buffer."""
    form = form_of(draw)
    net = Net(draw, exchanges="exchanges of sorted logs")
    clocks = {host: Clock((EPOCH_OF[form.column]) + draw.sign() * round(draw.of("offset of sorted logs")), form.hz)
              for host in net.hosts}
    trace = Trace(net.run(), clocks, form, partial=False, facts={"sorted"}).finish()
    trace.rows.sort(key=lambda row: row.stamp)
    return trace


EPOCH_OF = {"date": 1_764_000_000 * 10**9, "time": 10**15, "time_us": 10**15, "time_s": 10**15}


def mixed(draw):
    """Rows of another run, of the same hosts with the same keys: in front of the log of one host, in front of all logs with
    clocks that were set in between, or in place of the log of one host."""
    form, net = form_of(draw), Net(draw)
    how = draw.choice(("one log has both runs", "all logs have both runs", "one log is of another run"))
    draw.drawn["how"] = [how]
    gap = round(draw.of("time between runs"))
    clocks, first = hosts_of(draw, net, form), net.run()
    net.rows, net.arrived, net.numbers = [], {}, {}
    second = net.run()
    later = max(row.tau for row in first) + gap
    for row in second:
        row.tau += later
    one = draw.choice(net.hosts)
    if how == "one log has both runs":
        rows = [row for row in first if row.host == one] + second
    elif how == "one log is of another run":
        rows = [row for row in first if row.host == one] + [row for row in second if row.host != one]
    else:
        rows = first + second
        for clock in clocks.values():
            clock.jump(later, draw.sign() * round(draw.of("step")))
    return ready(draw, net, clocks, form, rows, facts={"ends", "mixed"})


KINDS = {
    "honest": (honest, "control: one rate, exact timestamps, messages"),
    "honest-buffer": (honest_buffer, "control: one rate, exact timestamps, one buffer"),
    "crystals": (crystals, "free-running crystals"),
    "crystals-jitter": (crystals_jitter, "crystals, and timestamps with jitter"),
    "temperature": (temperature, "crystals that follow the temperature"),
    "ntp-slew-100": (lambda draw: slewed(draw, 100), "slews of 100 ppm by NTP"),
    "ntp-slew-500": (lambda draw: slewed(draw, 500), "slews of 500 ppm by NTP"),
    "chrony-slew-1000": (lambda draw: slewed(draw, 1000), "slews of 1000 ppm by chronyd"),
    "chrony-slew-83333": (lambda draw: slewed(draw, 83333), "slews of 83,333 ppm by chronyd"),
    "step-forward": (lambda draw: stepped(draw, 1), "a clock that NTP sets forward"),
    "step-back": (lambda draw: stepped(draw, -1), "a clock that NTP sets back"),
    "step-twice": (stepped_twice, "a clock that is set twice by similar amounts"),
    "small-step": (lambda draw: stepped(draw, draw.sign(), small=True), "a step smaller than a round trip"),
    "reset": (reset, "a counter that is reset to 0"),
    "wrap-24": (lambda draw: wraps(draw, 24), "counters of 24 bits that wrap"),
    "wrap-32": (lambda draw: wraps(draw, 32), "counters of 32 bits that wrap"),
    "two-units": (truncated, "timestamps truncated to ms on one host, to us on the others"),
    "lost-sends": (lambda draw: lost(draw, ["send"]), "lost sends"),
    "lost-receives": (lambda draw: lost(draw, ["recv"]), "lost receives"),
    "lost-both": (lambda draw: lost(draw, ["send", "recv"]), "lost sends and lost receives"),
    "duplicated-receives": (duplicated, "receives recorded twice"),
    "swapped-ids": (swapped, "messages with swapped ids"),
    "asymmetric": (asymmetric, "asymmetric routes"),
    "gpu": (gpu, "a GPU clock behind a converted one"),
    "tsc": (tsc, "timestamps from the TSC of another core"),
    "sorted-logs": (sorted_logs, "logs sorted by time"),
    "another-run": (mixed, "another run mixed in"),
}
CONTROLS = ("honest", "honest-buffer")
