"""Property test: logs of Dursun's profiler through the command line, against the brute force of partial.py on what this
file, which knows cellsync-run(5) alone, reads from the logs.

    test_event80.py CELLSYNC PDTSIM [--seeds=N] [--first=SEED] [--runs=N]

For every seed a random program of ranks: messages, also to and from none, collective operations with and without bytes,
transfers that overlap, slots that are not used; logs in either byte order, with and without pages, stamps of begins or
ends, in the order of either, whole ticks or not, packed or not. Compared are delta, offsets, bounds of all pairs, what
was matched, and each row of the CSV; then bytes are changed or cut off, which may be an error but nothing worse.
Then the same for a few runs of pdtsim. On a failure the seed is printed and its trace kept; exit status 1.
"""

import argparse
import csv
import gzip
import json
import os
import random
import shutil
import struct
import sys
import tempfile
import xml.etree.ElementTree as xml
from dataclasses import replace
from fractions import Fraction
from math import floor

import partial
from compare import read, same
from test_partial import check_inversions, check_read_again, run, same_pairs, same_threads

NAMES = ("PROFILE_START PROFILE_STOP E X MPI_SEND MPI_RECV MPI_ALLREDUCE MPI_REDUCE MPI_BARRIER MPI_BCAST MFC_PUT "
         "MFC_PUT64 MFC_GET64 MFC_PUT32 MFC_GET32").split()
SEND, RECV, ALLREDUCE, REDUCE, BARRIER, BCAST = range(4, 10)
HALF = Fraction(1, 2)


# -------------------------------------------------------------------------------------------------------- reading

def records_of(data, byte_order, pages):
    """What is in the slots of a log that are used: (offset, stamp, duration, type, data, (enx, exx))."""
    starts = range(0, len(data), 80)
    if pages:
        assert len(data) % 5136 == 0
        starts = [page + 16 + 80 * i for page in range(0, len(data), 5136) for i in range(64)]
    for at in starts:
        stamp, duration, kind, *routine, flag, a, b, c, d, e, f, g, h = struct.unpack_from(byte_order + "ddI4xQQh6x8i",
                                                                                        data, at)
        if flag:
            yield at, stamp, duration, kind, (a, b, c, d, e, f, g, h), tuple(routine)


def rows_of(trace):
    """The rows of partial.py that the logs of a .pex are, log after log."""
    root = xml.parse(trace).getroot()
    hz = int(root.find("machine").get("timebase_hz"))
    rows, names = [], []
    kinds, members = {}, {}                             # of an operation of a communicator; their rows
    for log in root.findall("trace_file"):
        data = read(os.path.join(os.path.dirname(trace), log.get("href")))
        data = gzip.decompress(data) if log.get("compression") == "gzip" else data
        found = []
        order = "<" if log.get("byte_order") == "little" else ">"
        for at, stamp, duration, kind, words, routine in records_of(data, order, log.get("pages") == "yes"):
            stamp, duration = Fraction(stamp), Fraction(duration)
            begin, end = (stamp - duration, stamp) if log.get("stamp") == "end" else (stamp, stamp + duration)
            begin, end = floor(begin * hz + HALF), floor(end * hz + HALF)
            found.append((end, at, begin if kind >= SEND or duration else None, kind, words, routine))
        rank, meetings = int(log.get("rank")), {}
        found.sort()
        numbers = {}                                    # of collective operations, by when they began
        for end, at, begin, kind, words, _ in sorted(found, key=lambda f: (f[2] is not None, f[2])):
            if ALLREDUCE <= kind <= BCAST:
                numbers[at] = meetings[words[5]] = meetings.get(words[5], 0) + 1
        for end, at, begin, kind, (peer, size, count, datatype, tag, comm, _, _), routine in found:
            row = partial.Row(thread=f"spe{log.get('ctx')}", time=end, begin=begin)
            rows.append(row)
            names.append((NAMES[kind], f"partner={peer} bytes={size} count={count} datatype={datatype} tag={tag} "
                          f"communicator={comm}" if SEND <= kind <= BCAST else
                          f"local={peer} bytes={count} tag={datatype} high={tag} low={comm}" if kind > BCAST else
                          "enx=0x%08x exx=0x%08x" % routine if NAMES[kind] in "EX" else ""))
            if kind == SEND and peer >= 0:
                row.send = f"{comm}/{rank}>{peer}/{tag}"
            elif kind == RECV and peer >= 0:
                row.recv = f"{comm}/{peer}>{rank}/{tag}"
            elif ALLREDUCE <= kind <= BCAST:
                instance = comm, numbers[at]
                group = f"{comm}#{numbers[at]}"
                kinds.setdefault(instance, set()).add((kind, peer if kind in (REDUCE, BCAST) else None))
                members.setdefault(comm, []).append((instance, row))
                gives = kind in (ALLREDUCE, BARRIER) or (kind == BCAST) == (peer == rank)
                gets = kind in (ALLREDUCE, BARRIER) or (kind == REDUCE) == (peer == rank)
                if size > 0 or kind == BARRIER:
                    row.enter, row.leave = group if gives else "", group if gets else ""
    for rows_of_comm in members.values():               # where kind or root differ all further ones are left out
        first = min((instance for instance, _ in rows_of_comm if len(kinds[instance]) > 1), default=None)
        for instance, row in rows_of_comm:
            if first and instance >= first:
                row.enter = row.leave = ""
    return rows, names


def solve(order):
    """Clocks that do not tick together: delta is 1/2 at least, but offsets do without it where they can."""
    found = partial.solve(order)
    if found.delta >= HALF:
        return found
    bounded = partial.solve(order, "given", HALF)
    return replace(bounded, offsets=found.offsets) if found.delta == 0 else bounded


# -------------------------------------------------------------------------------------------------------- writing

class Program:
    """Ranks that act one after the other in true time; what each does is (begin, end, type, data), in ticks."""

    def __init__(self, rng):
        self.rng = rng
        self.n = rng.randint(2, 5)
        self.done = [[] for _ in range(self.n)]
        self.now = [Fraction(rng.randint(0, 50)) for _ in range(self.n)]
        for _ in range(rng.randint(1, 18)):
            rng.choice([self.message, self.message, self.message, self.meet, self.other, self.other, self.lonely])()
        self.offsets = [rng.randint(0, 10**6) + Fraction(rng.randint(0, 9), 10) for _ in range(self.n)]

    def lasts(self):
        return Fraction(self.rng.randint(0, 90), self.rng.choice([1, 4, 10]))

    def act(self, rank, kind, data, least=0):
        """Takes a while, and ends not before `least`."""
        begin = self.now[rank] + self.lasts()
        end = max(begin, least) + self.lasts()
        self.now[rank] = end + self.lasts()
        self.done[rank].append((begin, end, kind, data))
        return begin

    def message(self):
        a, b = self.rng.sample(range(self.n), 2)
        tag, comm, size = self.rng.randint(0, 1), self.rng.choice([0, 0, 7]), self.rng.randint(0, 99)
        begin = self.act(a, SEND, (b, size, 0, 0, tag, comm, 0, 0))
        if self.rng.random() < 0.9:
            self.act(b, RECV, (a, size, 0, 0, tag, comm, 0, 0), begin)

    def lonely(self):
        rank, kind = self.rng.randrange(self.n), self.rng.choice([SEND, RECV])
        self.act(rank, kind, (-1, 8, 0, 0, 0, 0, 0, 0))

    def meet(self):
        kind, root, comm = self.rng.randint(ALLREDUCE, BCAST), self.rng.randrange(self.n), self.rng.choice([0, 1])
        size = self.rng.choice([0, 8, 8, 8])
        data = (root if kind in (REDUCE, BCAST) else -1, size, 0, 0, 0, comm, 0, 0)
        begins = [self.now[rank] + self.lasts() for rank in range(self.n)]
        for rank in range(self.n):
            gets = kind in (ALLREDUCE, BARRIER) or (kind == REDUCE) == (rank == root)
            needs = begins if kind != BCAST else [begins[root]]
            end = max(needs if gets else [begins[rank]]) + self.lasts()
            end = max(end, begins[rank])
            self.done[rank].append((begins[rank], end, kind, data))
            self.now[rank] = end + self.lasts()

    def other(self):
        """A function is entered or left, or a transfer goes on while others are done."""
        rank, kind = self.rng.randrange(self.n), self.rng.choice([0, 1, 2, 3, *range(10, 15)])
        begin = self.now[rank]
        self.done[rank].append((begin, begin if kind < SEND else begin + 3 * self.lasts(), kind, (0,) * 8))

    def write(self, folder):
        rng = self.rng
        hz = rng.choice([1000, 14318000, 26666666, 79800000])
        whole, wrong = rng.random() < 0.7, rng.choice([0, 0, 0, 2, 40])
        path = os.path.join(folder, "t.pex")
        lines = [f'<pdt_trace version="2"><machine timebase_hz="{hz}"/>']
        contexts = rng.sample(range(100), self.n)
        for rank, done in enumerate(self.done):
            order, ends, pages, packed = rng.choice("<>"), rng.random() < 0.5, rng.random() < 0.5, rng.random() < 0.2
            by_end = rng.random() < 0.5
            stamped, slots = [], []
            for begin, end, kind, data in done:
                begin, end = (max(self.offsets[rank] + t + rng.randint(-wrong, wrong), 0) for t in (begin, end))
                if whole:
                    begin, end = floor(begin), floor(end)
                begin = float(begin) / hz
                stamped.append((begin, max(float(end) / hz, begin), kind, data))
            for begin, end, kind, data in sorted(stamped, key=lambda s: s[1] if by_end else s[0]):
                slots.append(struct.pack(order + "ddI4xQQh6x8i", end if ends else begin, end - begin, kind, 1, 2,
                                         rng.choice([1, -1]), *data))
                if rng.random() < 0.1:
                    slots.append(rng.choice([bytes(80), rng.randbytes(40) + bytes(2) + rng.randbytes(38)]))
            data = b"".join(slots)
            if pages:
                data += bytes(-len(data) % 5120)
                data = b"".join(rng.randbytes(16) + data[i:i + 5120] for i in range(0, len(data), 5120))
            with open(os.path.join(folder, f"{rank}.log"), "wb") as out:
                out.write(gzip.compress(data) if packed else data)
            lines.append(f'<trace_file format="event80" href="{rank}.log" ctx="{contexts[rank]}" rank="{rank}" '
                         f'byte_order="{"little" if order == "<" else "big"}" stamp="{"end" if ends else "begin"}" '
                         f'pages="{"yes" if pages else "no"}" compression="{"gzip" if packed else "none"}"/>')
        with open(path, "w", encoding="utf-8") as out:
            out.write("\n".join([*lines, "</pdt_trace>\n"]))
        return path


# ------------------------------------------------------------------------------------------------------- checking

def check_rows(answer, names, path):
    found = list(csv.DictReader(line for line in read(path).decode().splitlines() if not line.startswith("#")))
    wanted = [(row.thread, row.time, *name, "" if row.begin is None else str(row.begin), time)
              for row, name, time in zip(answer.order.rows, names, answer.global_times)]
    same([(row["thread"], int(row["time"]), row["event"], row["values"], row["begin"], int(row["global_time"])) for row in found],
         wanted, "rows of the CSV")


def check_trace(program, trace, folder):
    report, output = os.path.join(folder, "r.json"), os.path.join(folder, "o.csv")
    rows, names = rows_of(trace)
    done = run(program, "-q", "--pairs=all", "-r", report, "-o", output, trace)
    if not any(row.send for row in rows) and not any(NAMES.index(name) in range(ALLREDUCE, BCAST + 1)
                                                      for name, _ in names):
        same((done.returncode, b"no messages between" in done.stderr), (1, True), "nothing orders")
        return "no order"
    order = partial.Order(rows, 0)
    answer = solve(order)
    same(done.returncode, 0, f"exit status: {done.stderr.decode()}")
    found = json.loads(read(report))
    same(found["delta"]["ticks"], str(answer.delta), "delta")
    for name in ("locations", "messages", "groups", "enters", "leaves"):
        same(found["matched"][name], order.counts[name], name)
    same_threads(answer, found)
    same_pairs(answer, found)
    check_inversions(answer, found)
    check_rows(answer, names, output)
    check_read_again(program, found, output)
    return "imprecise" if answer.delta > HALF else "exact"


def damage(program, rng, folder, trace):
    """Bytes of the logs or the document are changed, or cut off."""
    names = [trace, *(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".log"))]
    path = rng.choice(names)
    good = data = bytearray(read(path))
    if data:
        data = bytearray(data)
        for _ in range(rng.randint(1, 4)):
            data[rng.randrange(len(data))] = rng.choice([0, 1, 0x7f, 0x80, 0xff, rng.randrange(256)])
        del data[rng.choice([len(data), rng.randrange(len(data) + 1)]):]
    with open(path, "wb") as out:
        out.write(data)
    for more in ([], ["--salvage"]):
        done = run(program, "-q", *more, "-o", os.devnull, "--to=csv", trace)
        same(done.returncode in (0, 1, 3), True, f"exit status {done.returncode} of damaged bytes")
        same(done.returncode == 0 or done.stderr.startswith(b"cellsync: "), True, "a message")
    with open(path, "wb") as out:
        out.write(good)


def check_seed(seed, program, folder):
    rng = random.Random(f"event80 {seed}")
    trace = Program(rng).write(folder)
    kind = check_trace(program, trace, folder)
    damage(program, rng, folder, trace)
    return kind


def check_run(seed, program, pdtsim, folder):
    """Small programs of pdtsim."""
    rng = random.Random(f"pdtsim {seed}")
    workload = rng.choice(["sweep3d", "sweep3d:root=cell", "md", "lb", "pingpong"])
    nodes, spes = rng.choice([(2, 1), (1, 3), (2, 2)] if workload in ("md", "lb", "pingpong") else [(2, 1), (1, 2)])
    workload += ("," if ":" in workload else ":") + f"rounds=1,pages={rng.choice(['no', 'yes'])},stamp=" \
        + rng.choice(["begin", "end"])
    trace = os.path.join(folder, "t.pex")
    done = run(pdtsim, f"--workload={workload}", f"--nodes={nodes}", f"--spes={spes}", f"--seed={seed}",
               f"--machine={rng.choice(['qs22', 'ps3'])}", f"--jitter={rng.choice([0, 0, 3])}", "--level=outer", "-o", trace)
    same(done.returncode, 0, f"pdtsim: {done.stderr.decode()}")
    return "pdtsim, " + check_trace(program, trace, folder)


def tried(check, seed, *arguments):
    with tempfile.TemporaryDirectory() as folder:
        try:
            return check(seed, *arguments, folder), None
        except Exception as error:      # whatever goes wrong belongs to this seed
            kept = os.path.join(tempfile.gettempdir(), f"event80-{seed}")
            shutil.rmtree(kept, ignore_errors=True)
            shutil.copytree(folder, kept)
            return None, f"seed {seed} failed: {type(error).__name__}: {error}\n  trace: {kept}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", metavar="CELLSYNC")
    parser.add_argument("pdtsim")
    parser.add_argument("--seeds", type=int, default=60)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--runs", type=int, default=6)
    arguments = parser.parse_args()
    program, pdtsim = os.path.abspath(arguments.program), os.path.abspath(arguments.pdtsim)
    first = arguments.first
    done = [tried(check_seed, seed, program) for seed in range(first, first + arguments.seeds)]
    done += [tried(check_run, seed, program, pdtsim) for seed in range(first, first + arguments.runs)]
    failures = [text for _, text in done if text]
    print("\n".join(failures[:10]), end="\n" if failures else "")
    kinds = [kind for kind, _ in done if kind]
    print({kind: kinds.count(kind) for kind in sorted(set(kinds))})
    print(f"{len(done) - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
