"""Traces to soak cellsync in: random, simulated or samples; whole, cut off or damaged.

    draw(rng, folder, tools)    writes one into a folder and says what is known of it
"""

import csv
import dataclasses
import glob
import os
import re
import shutil
from dataclasses import dataclass, field
from fractions import Fraction

import generate
import pexfile
import started
import test_dropped

SEGMENTED = 0.03        # of simulated traces are long enough that several threads of the system read and write them
WORKLOADS = ["fft16m", "blackscholes", "juliaset", "matrix_mul", "oversubscribed", "synthetic",
             "synthetic:blocks=3,hold=100000", "synthetic:compute=400000000000,spread=90,blocks=2"]


@dataclass
class Trace:
    """A trace on disk, and what is known of it."""
    path: str
    kind: str                                   # "pex" or "csv"
    state: str = "whole"                        # or "cut", "damaged"
    made: generate.Generated = None             # the truth of each record
    truth: dict = None                          # that of pdtsim: thread -> true offset,
    delta: Fraction = Fraction(0)               # where stamps are as good as this
    original: object = None                     # before it was cut: as parse says
    names: list = field(default_factory=list)   # of threads, or what might be some

    @property
    def folder(self):
        return os.path.dirname(self.path)

    @property
    def name(self):
        return os.path.basename(self.path)


# ----------------------------------------------------------------------------------------------------- whole traces

def simulated(rng, folder, tools):
    """A trace of pdtsim."""
    path, truth = os.path.join(folder, "trace.pex"), os.path.join(os.path.dirname(folder), "truth.csv")
    workload = rng.choice(WORKLOADS)
    options = [f"--workload={workload}", f"--seed={rng.randrange(10**6)}",
               f"--spes={rng.randint(1, 6)}",
               f"--machine={rng.choice(['qs20', 'qs21', 'qs22', 'ps3'])}",
               f"--switch-source={rng.choice(['switch_log', 'notifier'])}"]
    events = 180000 if rng.random() < SEGMENTED else rng.choice([20, 60, 100, 100, 200, 300, 2000])
    options += rng.choices([[f"--level={rng.choice(['full', 'stalls', 'outer'])}", f"--events={events}"],
                            ["--level=basic"]], [9, 1])[0]
    options += rng.choice([[], [], [f"--jitter={rng.randint(1, 50)}"]])
    options += rng.choice([[], [], [f"--late-writes={rng.randint(1, 100)}"]])
    options += rng.choice([[], [], ["--compress"]])
    if "compute" not in workload:   # such long work on SPEs that are shared makes millions of switches
        options += rng.choice([[], [f"--contexts={rng.randint(1, 24)}"]])
    started.run([tools.pdtsim, *options, "-o", path, f"--truth={truth}"], check=True, timeout=60)
    with open(truth, encoding="utf-8") as file:
        head, *lines = file.read().splitlines()
    offsets = {row["thread"]: int(row["offset_ticks"]) for row in csv.DictReader(lines)}
    return Trace(path, "pex", truth=offsets | {"ppe": 0}, delta=Fraction(head.split("=")[1]))


def generated(rng, folder, _):
    """A trace of the oracle's generator."""
    made = generate.generate(rng.randrange(2**32), folder)
    return Trace(made.path, made.kind, made=made, delta=made.imprecision)


def outlying(rng, folder, _):
    """A CSV of which a few stamps are far off, for --drop."""
    path = os.path.join(folder, "trace.csv")
    test_dropped.draw(rng, path)
    return Trace(path, "csv")


def sample(rng, folder, tools):
    """A trace of testdata; those that are there to be refused, or want an option first, count as damaged."""
    paths = [p for p in sorted(glob.glob(os.path.join(tools.testdata, "**"), recursive=True)) if re.search(r"\.(pex|csv)$", p)]
    # Packets and topics have times in seconds; the oracle reads ticks.
    path = rng.choice([p for p in paths if not re.search(r"\.(bounds|offsets)\.csv$|/(packets|topics)\.csv$|/(people|recipes)/", p)])
    for name in glob.glob(glob.escape(path.rpartition(".")[0]) + ".*"):
        if os.path.isfile(name):
            shutil.copy(name, folder)
    state = "damaged" if re.search(r"/(bad|strangers)/|/finds/ns", path) else "whole"
    return Trace(os.path.join(folder, os.path.basename(path)), path[-3:], state)


# --------------------------------------------------------------------------------------------------- as the oracle reads

def parse(path):
    """A Pex or a CsvTrace."""
    return pexfile.read_csv(path) if path.endswith(".csv") else pexfile.read_pex(path)


def entries(original):
    """Its rows or records."""
    return original.rows if isinstance(original, pexfile.CsvTrace) else original.trace.records


def head(original, count):
    """Its first records only."""
    if isinstance(original, pexfile.CsvTrace):
        return dataclasses.replace(original, raw_rows=original.raw_rows[:count], rows=original.rows[:count])
    records = dataclasses.replace(original.trace, records=original.trace.records[:count])
    return dataclasses.replace(original, trace=records)


def threads(original):
    """Names of threads that it may have."""
    if isinstance(original, pexfile.CsvTrace):
        return sorted({row["thread"] for row in original.rows})
    return ["ppe"] + sorted({f"spe{r.thread}.1" for r in original.trace.records if r.core == pexfile.SPE})


def within(least, value, most):
    """Whether a value lies within bounds, where None is none."""
    return (least is None or least <= value) and (most is None or value <= most)


# ------------------------------------------------------------------------------------------------------------- damage

def stream_of(path):
    """The file that holds the records or rows, and where in it they may begin."""
    for name in sorted(os.listdir(os.path.dirname(path))):
        if name.endswith((".trace", ".trace.gz")):
            return os.path.join(os.path.dirname(path), name), 0
    with open(path, "rb") as file:
        return path, file.read().find(b"\0") + 1


def flip(rng, data):
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1:]


def drop(rng, data):
    at = rng.randrange(len(data))
    return data[:at] + data[at + rng.choice([1, 8, 32, 1000]):]


def repeat(rng, data):
    at, size = rng.randrange(len(data)), rng.choice([1, 8, 32, 1000])
    return data[:at + size] + data[at:]


def insert(rng, data):
    at = rng.randrange(len(data))
    return data[:at] + rng.choice([b"\x1b[2J", b"\0", b"\r", b"\"", rng.randbytes(9), b"\xff" * 16]) + data[at:]


def stamp(rng, data):
    """Moves a big-endian number somewhere in the data."""
    size = rng.choice([2, 4, 8])
    at = rng.randrange(len(data)) // 8 * 8
    old = int.from_bytes(data[at:at + size], "big")
    new = (old + rng.choice([-1, 1, 100, -10**6, 2**31, 2**32, 2**62])) % 2**(8 * size)
    return data[:at] + new.to_bytes(size, "big") + data[at + size:]


def number(rng, data):
    """Changes a number that is written in digits."""
    found = list(re.finditer(rb"\d+", data[:20000]))
    if not found:
        return flip(rng, data)
    at = rng.choice(found)
    new = rng.choice([0, 1, 7, int(at.group()[:18]) + rng.randint(-9, 9), 10**6, 2**32 - 1, 2**63 - 1, 2**64, 10**30])
    return data[:at.start()] + str(new).encode() + data[at.end():]


def damage(rng, path):
    """Damages a file at up to three places."""
    with open(path, "rb") as file:
        data = file.read()
    for _ in range(rng.choice([1, 1, 2, 3])):
        data = rng.choice([flip, flip, drop, repeat, insert, stamp, stamp, number])(rng, data or b"0")
    with open(path, "wb") as file:
        file.write(data)


def cut(rng, trace):
    """Cuts off the records, or rows, somewhere."""
    trace.original = parse(trace.path)
    path, start = stream_of(trace.path)
    os.truncate(path, rng.randrange(start, os.path.getsize(path)) if os.path.getsize(path) > start else start)
    trace.state = "cut"


def rename(trace):
    """Gives it a name that no terminal should be shown as it is."""
    path = os.path.join(trace.folder, "\x1b[31m\n\"<&>é." + trace.kind)
    os.rename(trace.path, path)
    trace.path = path
    if trace.made:
        trace.made.path = path


def draw(rng, folder, tools):
    """A Trace."""
    trace = rng.choices([generated, simulated, sample, outlying], [45, 28, 17, 10])[0](rng, folder, tools)
    if trace.state == "whole":
        original = parse(trace.path)
        trace.names = threads(original)
        state = rng.choices(["whole", "cut", "damaged"], [55, 15, 30])[0]
        if state == "cut":
            cut(rng, trace)
        elif state == "damaged":
            damage(rng, rng.choice([trace.path, stream_of(trace.path)[0]]))
            trace.state = state
    if rng.random() < 0.1:
        rename(trace)
    return trace
