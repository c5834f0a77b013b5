"""Random traces with a known truth, drawn from a seed: what each record's stamp would read on one true clock.

    generate.py SEED FOLDER     writes trace SEED into FOLDER and prints what it is

A world has a true time that only moves forward, the PPE timebase, and contexts whose decrementers are restored
approximately, written now and then, and read with an imprecision of at most J ticks. The order of the records is the
order of true time; the stamps may contradict it. Small: up to 150 records and usually up to 14 threads, but now and
then a crowd of up to 300 records and about 40 threads.

True time is kept in eighths of a tick, so that clocks which tick at different phases can be read in whole ticks.
"""

import os
import random
import sys
from dataclasses import dataclass, field
from fractions import Fraction

import pexfile
from pexfile import INTERVAL, PPE, SPE, WRAP, Record

EIGHTHS = 8
GENERAL_IDS = [0x0300, 0x0400, 0x0500, 0x0600]
GENERAL_NAMES = {0x0100: "IN OR ELSE", 0x0300: "BEGIN"}     # other names than the built-in ones
EVENT_NAMES = {0x0403: "MUTEX_INIT", 0x0503: "MUTEX_LOCK", 0x0702: "GET,LIST", 0x0905: "USER 9"}
TIMEBASES = [14318000, 26666666, 79800000, 1000000, 3000, 10**12]
NAMES = ["A", "worker 1", "x,y", 'say "hi"', "é", "7", "spe1.1", "-", "#4", "p\\q", "tau", "ctx:3", "Ω,\"", "zz"]


@dataclass
class Generated:
    """A trace on disk and its truth."""
    path: str
    kind: str                           # "pex" or "csv"
    style: str
    imprecision: Fraction               # J: no stamp is further off than that
    written: bool                       # whether a clock may have changed with no switch record to show it
    true_stamps: list = field(default_factory=list)     # one a record: its stamp, read on the one true clock


# ------------------------------------------------------------------------------------------------------ stamps

class Stamps:
    """How clocks are read: exactly, in whole ticks of their own phase, with jitter, or with steps back.

    "steady" is jitter that never takes a clock back, so that it takes several clocks to contradict the order.
    """

    STYLES = {"exact": 40, "phases": 12, "jitter": 14, "steps": 10, "steady": 22, "both": 9}
    JITTER = ("jitter", "steps", "steady", "both")

    def __init__(self, rng):
        self.rng = rng
        self.style = rng.choices(list(self.STYLES), self.STYLES.values())[0]
        self.reach = rng.choice([1, 2, 3, 5, 20, 60]) if self.style in self.JITTER else 0
        self.has_phases = self.style in ("phases", "both")
        self.largest = 0
        self.now = 0
        self.last = {}          # clock -> its last reading, less its phase

    @property
    def imprecision(self):
        return self.largest + (Fraction(1, 2) if self.has_phases else 0)

    def new_phase(self):
        """The phase of a clock, in eighths of a tick."""
        return self.rng.randrange(EIGHTHS) if self.has_phases else 0

    def error(self, clock):
        """How far off the next stamp of a clock is, in ticks."""
        ticks = self.now // EIGHTHS
        if self.style == "steps":
            error = self.rng.choice([-self.reach, self.reach]) if self.rng.random() < 0.08 else 0
        else:
            error = self.rng.randint(-self.reach, self.reach)
        if self.style == "steady":
            error = max(error, self.last.get(clock, ticks - self.reach) - ticks)
        self.last[clock] = ticks + error
        self.largest = max(self.largest, abs(error))
        return error

    def read(self, clock, phase):
        """A clock of that phase now: its whole ticks, and the same stamp on the true clock."""
        ticks = (self.now + phase) // EIGHTHS + self.error(clock)
        return ticks, ticks - (Fraction(phase, EIGHTHS) - Fraction(1, 2) if self.has_phases else 0)

    def pass_time(self, ticks):
        """Moves true time on."""
        self.now += ticks * EIGHTHS + (self.rng.randrange(EIGHTHS) if self.has_phases else 0)


def random_size(rng, stamps):
    """How many records a trace shall have; few of each thread where several clocks are to contradict the order."""
    if stamps.style == "steady" and rng.random() < 0.7:
        return rng.randint(8, 40)
    return rng.choices([1, rng.randint(2, 12), rng.randint(5, 60), rng.randint(40, 150)], [2, 12, 44, 42])[0]


def random_pace(rng, stamps):
    """The most ticks between two records, most of the time."""
    return rng.choice([1, 4, 30] if stamps.reach else [1, 4, 30, 1000])


def random_windows(rng, n, relay):
    """When each of n threads acts, as shares of the trace: any time, or in a relay one after the other."""
    if relay:
        return [(i / n, (i + 1 + rng.choice([-0.1, 0, 0.5, 1.5])) / n) for i in range(n)]
    windows = []
    for _ in range(n):
        start, end = sorted([rng.random(), rng.random()])
        windows.append(rng.choice([(0, 1), (0, 1), (0, end), (start, 1), (start, end)]))
    return windows


# ---------------------------------------------------------------------------------------------------- contexts

@dataclass
class SpeContext:
    """An SPE context: its decrementer reads base - ticks."""
    number: int
    base: int
    phase: int
    window: tuple               # the share of the trace in which it acts
    switched: bool              # whether the kernel writes switch records for it at all
    resident: bool
    spe: int = 0
    saved: int = 0              # the decrementer when it was last switched out


class PexWorld:
    """Draws the records of a .pex trace."""

    def __init__(self, rng):
        self.rng = rng
        self.stamps = Stamps(rng)
        self.records, self.true_stamps = [], []
        self.n_records = random_size(rng, self.stamps)
        self.pace = random_pace(rng, self.stamps)
        self.ppe_base = rng.choice([1000, 10**6, rng.randrange(2**52), rng.randrange(2**61)])
        self.ppe_phase = self.stamps.new_phase()
        self.relay = rng.random() < 0.25
        self.ppe_mode = rng.choices(["usual", "rare", "absent", "silent head", "silent tail"],
                                    [10, 10, 60, 10, 10] if self.relay else [64, 12, 4, 8, 12])[0]
        self.notifier = rng.random() < 0.35
        self.lossy = rng.random() < 0.25
        self.writes = rng.random() < 0.2
        self.sleeps = rng.random() < 0.3
        self.may_trail = rng.random() < 0.3
        self.threads, self.threads_max = 1, 14
        if rng.random() < 0.04:
            self.n_records, self.threads_max = rng.randint(150, 300), 40
        self.contexts = self.new_contexts()

    # ------------------------------------------------------------------ setting up

    def new_contexts(self):
        weights = [3, 9, 16, 16, 16, 9, 9, 4, 3, 3, 3, 3, 3, 3]
        numbers = self.rng.sample(range(1, 40), self.rng.choices(range(14), weights)[0])
        if self.rng.random() < 0.1 and numbers:
            numbers[0] = self.rng.choice([0, WRAP - 1])
        if self.ppe_mode == "absent" and not numbers:
            numbers = [1]
        return [self.new_context(number, window)
                for number, window in zip(numbers, random_windows(self.rng, len(numbers), self.relay))]

    def new_context(self, number, window):
        switched = self.ppe_mode != "absent" and self.rng.random() < 0.85
        self.threads += 1
        base = self.rng.choice([self.rng.randrange(4), self.rng.randrange(3 * self.pace + 50),
                                self.rng.randrange(WRAP), self.rng.randrange(WRAP)])
        return SpeContext(number, base, self.stamps.new_phase(), window, switched,
                          resident=not switched or self.rng.random() < 0.2, saved=base)

    # ------------------------------------------------------------------ writing records

    def add(self, record, true_stamp):
        if self.may_trail and self.rng.random() < 0.3:
            record.extra = self.rng.randbytes(8 * self.rng.choice([1, 1, 2, 3]))
        record.pc = self.rng.randrange(WRAP)
        self.records.append(record)
        self.true_stamps.append(true_stamp)
        self.stamps.pass_time(self.rng.choice([0, 1, 1, self.rng.randint(0, self.pace)]))

    def values(self):
        return tuple(self.rng.randrange(2**64) for _ in range(self.rng.choice([0, 0, 1, 2, 5])))

    def write_ppe(self, event=None, values=None):
        ticks, true_stamp = self.stamps.read("ppe", self.ppe_phase)
        time = self.ppe_base + ticks
        record = Record(PPE, event or self.rng.choice(GENERAL_IDS + list(EVENT_NAMES)),
                        self.rng.choice([4711, 4712, WRAP - 1]), time,
                        values=self.values() if values is None else values)
        if self.rng.random() < 0.3:
            record.flags, record.begin = INTERVAL, max(0, time - self.rng.randint(-2, 500))
        elif self.rng.random() < 0.2:
            record.begin = self.rng.randrange(2**64)
        self.add(record, true_stamp)

    def begin_stamp(self, decr):
        """decr_begin of an interval event: some time before, now and then just after the end, or at the limit."""
        edge = WRAP - 2**16
        duration = self.rng.choice([0, self.rng.randint(0, 500), self.rng.randrange(edge), -self.rng.randint(1, 20),
                                    edge - 1, edge, -2**16 + 1])
        return (decr + duration) % WRAP

    def write_spe(self, context):
        ticks, true_stamp = self.stamps.read(context.number, context.phase)
        decr = (context.base - ticks) % WRAP
        record = Record(SPE, self.rng.choice([0x0100, 0x0200, 0x1234] + list(EVENT_NAMES)), context.number, decr,
                        values=self.values())
        if self.rng.random() < 0.4:
            record.flags, record.begin = INTERVAL, self.begin_stamp(decr)
        elif self.rng.random() < 0.4:
            record.begin = self.rng.randrange(WRAP)
        self.add(record, true_stamp)

    def write_switch(self, context, event):
        if not (self.lossy and self.rng.random() < 0.3):
            more = self.values() if self.rng.random() < 0.1 else ()
            self.write_ppe(event, (context.number, context.spe) + more)

    # ------------------------------------------------------------------ what happens

    def switch_out(self, context):
        early = self.notifier and self.rng.random() < 0.5
        context.saved = context.base - self.stamps.now // EIGHTHS
        self.write_switch(context, pexfile.SWITCH_OUT)
        for _ in range(self.rng.randint(0, 2) if early else 0):
            self.threads += 1
            self.write_spe(context)
        context.resident = False

    def switch_in(self, context):
        context.base = context.saved + self.rng.randint(-3000, 3000) + self.stamps.now // EIGHTHS
        context.phase, context.spe, context.resident = self.stamps.new_phase(), self.rng.randrange(16), True
        late = self.notifier and self.rng.random() < 0.5
        for _ in range(self.rng.randint(0, 2) if late else 0):
            self.threads += 1
            self.write_spe(context)
        self.threads += 1
        self.write_switch(context, pexfile.SWITCH_IN)

    def sleep(self):
        """No thread writes for a while, often for several wraps; the PPE may stand guard."""
        guarded = self.ppe_speaks() and self.rng.random() < 0.6
        if guarded:
            self.write_ppe()
        wraps = self.rng.choice([0, 0, 1, 2, self.rng.randint(3, 20)])
        self.stamps.pass_time(wraps * WRAP + self.rng.choice([0, self.rng.randrange(WRAP), 1000]))
        if guarded:
            self.write_ppe()

    def ppe_speaks(self):
        progress = len(self.records) / self.n_records
        return {"usual": True, "rare": self.rng.random() < 0.1, "absent": False,
                "silent head": progress > 0.4, "silent tail": progress < 0.5}[self.ppe_mode]

    def act_in(self, context):
        """One act of a context."""
        switches = context.switched and self.ppe_speaks() and self.threads < self.threads_max
        if not context.resident:
            if switches:
                self.switch_in(context)
        elif switches and self.rng.random() < 0.12:
            self.switch_out(context)
        else:
            if self.writes and self.rng.random() < 0.06 and self.threads < self.threads_max:
                self.threads += 1
                context.base += self.rng.choice([self.rng.randrange(WRAP), self.rng.randint(-30, 30)])
            self.write_spe(context)

    def act(self):
        """Whatever happens next."""
        progress = len(self.records) / self.n_records
        awake = [c for c in self.contexts if c.window[0] <= progress <= c.window[1]]
        if self.sleeps and self.rng.random() < 0.05:
            self.sleep()
        elif awake and self.rng.random() < 0.75:
            self.act_in(self.rng.choice(awake))
        elif self.ppe_speaks():
            self.write_ppe()
        else:
            self.stamps.pass_time(self.rng.randint(0, self.pace))

    def run(self):
        """All records."""
        for _ in range(20 * self.n_records):
            if len(self.records) >= self.n_records:
                break
            self.act()
        if not self.records:
            self.write_spe(self.contexts[0]) if self.contexts else self.write_ppe()


# ------------------------------------------------------------------------------------------ the files of a .pex

def event_types(rng):
    """Elements that name some events; one group in hexadecimal, one in decimal."""
    types = "".join(f'<recordType name="{name.replace("&", "&amp;")}" id="{rng.choice([hex(i), str(i)])}" '
                    f'type="interval"><field name="lock" type="u64"/></recordType>\n'
                    for i, name in EVENT_NAMES.items())
    general = "".join(f'<recordType name="{name}" id="{i}"/>' for i, name in GENERAL_NAMES.items())
    general = rng.choice(["", "", f'<pdtGroup name="GENERAL" id="0">{general}</pdtGroup>\n'])
    return f'{general}<pdtGroup name="LIBSYNC" id="0x03"><subGroup name="MUTEX">\n{types}</subGroup></pdtGroup>\n'


def document_text(rng, world, href, compression):
    """The XML of a trace, with and without its optional parts."""
    hz = rng.choice(TIMEBASES)
    target = f'href="{href}" ' if href else ""
    packed = f'compression="{compression}"' if compression != "none" or rng.random() < 0.5 else ""
    parts = [f'<machine name="QS20" timebase_hz="{rng.choice([str(hz), hex(hz)])}" ppes="2" spes="16"/>',
             f"<trace_file {target}{packed}/>"]
    parts += rng.choice([[], ['<clock kind="local"/>']]) + rng.choice([[], ['<order granularity="record"/>']])
    if world.notifier or rng.random() < 0.5:
        parts.append(f'<switch_source kind="{"notifier" if world.notifier else "switch_log"}"/>')
    parts += rng.choice([[], ['<threads><ppe tid="4711" name="main"/><spe ctx="1" tid="4" image="&amp;"/></threads>']])
    parts += rng.choice([[], ["<!-- kept & <as> it is -->", '<x:future xmlns:x="urn:x" x:a="1">t<b/>u</x:future>']])
    parts += rng.choice([[], [event_types(rng)]])
    declaration = rng.choice(["", '<?xml version="1.0" encoding="UTF-8"?>\n'])
    root = '<pdt_trace version="1" application="é &lt;random&gt;" unknown="kept">'
    return (declaration + root + "\n" + "\n".join(parts) + "\n</pdt_trace>" + rng.choice(["", "\n", " \n"])).encode()


def packed_trace(rng, world, compression):
    """The bytes of the trace file."""
    extra_header = rng.choice([b"", b"", rng.randbytes(8), rng.randbytes(40)])
    data = pexfile.pack_trace(pexfile.TraceFile(world.records, 0, extra_header), count=rng.random() < 0.7)
    if compression == "none":
        return data
    cuts = [rng.randrange(len(data) + 1) for _ in range(rng.choice([0, 0, 1, 3]))]
    return pexfile.compress(data, cuts)


def write_pex_world(rng, world, folder, name):
    """Writes the files of a .pex trace."""
    compression = rng.choice(["none", "none", "gzip"])
    suffix = ".trace.gz" if compression == "gzip" else ".trace"
    href = rng.choice([None, name + suffix, name + suffix, "sub/" + name + suffix])
    path = os.path.join(folder, name + ".pex")
    document = document_text(rng, world, href, compression)
    pexfile.write_pex(path, document, packed_trace(rng, world, compression), href)
    return path


def generate_pex(rng, folder, name):
    """A .pex trace."""
    world = PexWorld(rng)
    world.run()
    if rng.random() < 0.02:
        record = world.records[rng.randrange(len(world.records))]
        record.extra += rng.randbytes(65520 - 8 - len(pexfile.pack_record(record)))     # 8: its global form
    path = write_pex_world(rng, world, folder, name)
    style = f"{world.stamps.style}, {world.ppe_mode} PPE"
    return Generated(path, "pex", style, world.stamps.imprecision, world.writes or world.lossy,
                     world.true_stamps)


# --------------------------------------------------------------------------------------------------------- CSV

@dataclass
class CsvClock:
    """A thread of a CSV trace."""
    name: str
    core: str
    base: int
    phase: int
    window: tuple


class CsvWorld:
    """Draws the rows of a CSV trace."""

    def __init__(self, rng):
        self.rng = rng
        self.stamps = Stamps(rng)
        self.has_core = rng.random() < 0.5
        self.n_rows = random_size(rng, self.stamps)
        self.rows, self.true_stamps = [], []
        self.ppe = (rng.randrange(2**40), self.stamps.new_phase())
        names = rng.sample(NAMES, rng.choice([1, 2, 3, 4, 5, 6, 7, 8, 10, 13]))
        relay = rng.random() < 0.25
        self.clocks = [self.new_clock(name, window)
                       for name, window in zip(names, random_windows(rng, len(names), relay))]
        if rng.random() < (0.2 if relay else 0.6):
            self.clocks += self.ppe_clocks()

    def new_clock(self, name, window):
        base = self.rng.choice([0, self.rng.randrange(-2**40, 2**40), self.rng.randrange(-2**61, 2**61)])
        return CsvClock(name, self.rng.choice(["spe", ""]), base, self.stamps.new_phase(), window)

    def ppe_clocks(self):
        """The PPE clock, under one name or, where a column says the core, under several."""
        clocks = [CsvClock("ppe", "", *self.ppe, (0, 1))]
        if self.has_core:
            names = self.rng.sample(["ppe", "main", "io, thread"], self.rng.randint(1, 3))
            clocks = [CsvClock(name, "ppe", *self.ppe, (0, 1)) for name in names]
        return clocks

    def run_freely(self):
        """Rows of the threads that are awake."""
        pace = random_pace(self.rng, self.stamps)
        while len(self.rows) < self.n_rows:
            progress = len(self.rows) / self.n_rows
            awake = [c for c in self.clocks if c.window[0] <= progress <= c.window[1]] or self.clocks
            clock = self.rng.choice(awake)
            ticks, true_stamp = self.stamps.read("ppe" if clock.core == "ppe" else clock.name, clock.phase)
            self.rows.append((clock, clock.base + ticks))
            self.true_stamps.append(true_stamp)
            self.stamps.pass_time(self.rng.choice([0, 1, 1, self.rng.randint(0, pace)]))

    def turns(self):
        """An order of clocks: any, or a chain, which the first clock begins and ends and the others pass on."""
        if self.rng.random() < 0.5:
            return [self.rng.choice(self.clocks) for _ in range(self.rng.randint(2, 4 * len(self.clocks)))]
        first, *others = self.clocks
        turns = [first] + [clock for clock in others for _ in range(2)] + [first]
        for _ in range(self.rng.choice([0, 0, 1, 3])):
            at = self.rng.randrange(len(turns) - 1)
            turns[at:at + 2] = turns[at + 1], turns[at]
        return turns

    def run_wildly(self):
        """All rows stand for one instant, and stamps are nothing but imprecision, though each clock counts up.

        So it often takes many clocks together to contradict the order, and witnesses are long.
        """
        turns, reach = self.turns(), self.rng.choice([3, 10, 1000, 10**6, 2**40])
        readings = {id(clock): sorted(self.rng.randint(-reach, reach) for other in turns if other is clock)
                    for clock in turns}
        for clock in turns:
            ticks = readings[id(clock)].pop(0)
            self.rows.append((clock, clock.base + ticks))
            self.true_stamps.append(ticks)
        self.stamps.style, self.stamps.largest, self.stamps.has_phases = "wild", reach, False

    def run(self):
        """All rows: (clock, time)."""
        self.run_wildly() if self.rng.random() < 0.4 else self.run_freely()


class CsvLayout:
    """How a CSV trace is laid out."""

    def __init__(self, rng, has_core):
        self.rng = rng
        self.columns = ["thread", "time"] + (["core"] if has_core else [])
        self.columns += rng.sample(["note", "global_time", "other, one"], rng.choice([0, 0, 1, 2]))
        rng.shuffle(self.columns)
        self.end = rng.choice(["\n", "\n", "\r\n"])
        self.always_quotes = rng.random() < 0.15
        self.has_clock = rng.random() < 0.25
        if self.has_clock:
            self.columns.insert(rng.randrange(len(self.columns) + 1), "clock")
        self.has_signs = rng.random() < 0.1

    def field(self, column, clock, time):
        sign = "+" if self.has_signs and time >= 0 else ""
        core = clock.core if clock.core == "ppe" and clock.name != "ppe" else self.rng.choice([clock.core, ""])
        thread = self.rng.choice(["main", "io", clock.name]) if self.has_clock else clock.name
        return {"thread": thread, "clock": clock.name, "time": f"{sign}{time}", "core": core, "global_time": "",
                "note": self.rng.choice(["", "x", 'a "b", c', "1,2", "ü", "two\nlines"])}.get(column, "0x7")

    def line(self, fields):
        return ",".join(pexfile.quote(f, self.always_quotes) for f in fields) + self.end

    def text(self, rows):
        comments = self.rng.choice(["", f"# timebase_hz=14318000{self.end}",
                                    f"# it's a \"comment{self.end}# timebase_hz=3000{self.end}#{self.end}"])
        lines = [self.line(self.columns)]
        lines += [self.line([self.field(c, clock, time) for c in self.columns]) for clock, time in rows]
        text = comments + "".join(lines)
        return text[:-len(self.end)] if self.rng.random() < 0.1 else text


def generate_csv(rng, folder, name):
    """A CSV trace."""
    world = CsvWorld(rng)
    world.run()
    path = os.path.join(folder, name + ".csv")
    with open(path, "wb") as file:
        file.write(CsvLayout(rng, world.has_core).text(world.rows).encode())
    return Generated(path, "csv", world.stamps.style, world.stamps.imprecision, False, world.true_stamps)


# ---------------------------------------------------------------------------------------------- trace and truth

def true_offsets(clocked, true_stamps):
    """The true offset of every thread of a solver's Clocked; None where its local times are not those of one clock.

    That happens where a clock was written unseen, or slept through a wrap that the trace does not show.
    """
    found = [set() for _ in clocked.threads]
    for owner, time, stamp in zip(clocked.owner, clocked.time, true_stamps):
        found[owner].add(stamp - time)
    return None if any(len(offsets) > 1 for offsets in found) else [offsets.pop() for offsets in found]


def generate(seed, folder, name="trace"):
    """Trace number seed, written into a folder."""
    rng = random.Random(seed)
    return (generate_csv if rng.random() < 0.3 else generate_pex)(rng, folder, name)


def main():
    seed, folder = int(sys.argv[1]), sys.argv[2]
    os.makedirs(folder, exist_ok=True)
    made = generate(seed, folder)
    print(f"seed {seed}: {made.path}: {made.style}, {len(made.true_stamps)} records, imprecision {made.imprecision}")


if __name__ == "__main__":
    main()
