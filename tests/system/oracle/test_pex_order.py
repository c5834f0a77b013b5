"""Property test: random partial orders as .pex of version 2 through the command line, against the brute force of
partial.py, which has the same order as rows of a CSV.

    test_pex_order.py CELLSYNC [--seeds=N] [--first=SEED] [--jobs=N]

For every seed: delta, offsets and bounds of all pairs, inversions, and --check of what is written, which gives the
original records back. Locations are threads of the PPE and contexts; files are one of the order of each thread, or
several buffers, of records or of blocks: runs of one thread's, which may be cut, or what BUFFER_FLUSH ends. Some say
nothing of order but by what threads start contexts and wait for them, which is read in another way. On a failure the seed is printed and its trace kept; exit status 1.
"""

import argparse
import json
import os
import random
import shutil
import sys
import tempfile
import zlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction

import partial
from blocks import Blocks
from compare import read, same
from pexfile import INTERVAL, PPE, SPE, Record, TraceFile, pack_records, pack_trace, unpack_record
from test_partial import Program, check_inversions, check_read_again, run, same_pairs, same_threads, shuffle
from trials import trials

# What a row says of the order, as a recordType; fields: key, latency.
KINDS = {
    "none": (0x0105, ''),
    "send": (0x0205, 'order="send" match="key"'),
    "send before": (0x0305, 'order="send" match="key" stamp="before"'),
    "send sync": (0x0405, 'order="send" match="key" sync="yes"'),
    "send sync before": (0x0505, 'order="send" match="key" sync="yes" stamp="before"'),
    "recv": (0x0605, 'order="recv" match="key"'),
    "recv latency": (0x0705, 'order="recv" match="key" latency="cost"'),
    "enter": (0x0805, 'order="enter" match="key" instance="cost"'),
    "enter before": (0x0905, 'order="enter" match="key" instance="cost" stamp="before"'),
    "leave": (0x0a05, 'order="leave" match="key" instance="cost"'),
    "enter leave": (0x0b05, 'order="enter leave" match="key" instance="cost"'),
}


def kind_of(row):
    before = "" if row.begin is not None else " before"
    if row.send:
        return "send" + (" sync" if row.sync else "") + before
    if row.recv:
        return "recv" if row.latency is None else "recv latency"
    if row.enter and row.leave:
        return "enter leave"
    if row.enter:
        return "enter" + before
    return "leave" if row.leave else "none"


START, STOP, FLUSH = 0x0500, 0x0600, 0x0900


def begin_contexts(rng, program):
    """Threads of the PPE that start contexts: by location [start, ...], and who may wait for its end."""
    contexts = [location for location, clocks in program.clocks_of.items() if clocks != ["ppe"]]
    starters = [location for location, clocks in program.clocks_of.items() if clocks == ["ppe"]]
    if not starters:
        starters = ["p9"]
        program.clocks_of["p9"], program.now["p9"] = ["ppe"], 0
    lives = {location: ([], rng.choice(starters)) for location in contexts if rng.random() < 0.7}
    for location, (starts, starter) in lives.items():
        for _ in range(rng.choice([1, 1, 1, 1, 0, 2])):
            starts.append(program.happen(starter, interval=rng.random() < 0.8))
            program.now[location] = max(program.now[location], starts[-1].begin)
    return lives


def end_contexts(rng, program, lives):
    """By location who waits for its end, or None."""
    return {location: program.happen(starter, least_end=program.now[location]) if rng.random() < 0.8 else None
            for location, (_, starter) in lives.items()}


class Made:
    """Rows, and in which file each of them is."""

    def __init__(self, seed):
        rng = random.Random(f"pex order {seed}")
        program = Program(rng)
        for i, location in enumerate(program.clocks_of):        # all threads of the PPE have one clock
            program.clocks_of[location] = ["ppe"] if rng.random() < 0.4 else [f"spe{i}.1"]
        self.silent = rng.random() < 0.5
        lives = begin_contexts(rng, program) if self.silent else {}
        program.offsets = {clocks[0]: rng.randint(-1000, 1000) for clocks in program.clocks_of.values()}
        if self.silent:
            program.run_silently(rng.randint(1, 30))
        else:
            program.run(rng.randint(1, 14))
        stops = end_contexts(rng, program, lives)
        self.granularity = rng.choice(["thread", "thread", "record", "block", "block"])
        self.after, self.records = rng.choice(["flush", "block", "none"]), rng.choice([0, 1, 2, 3, 5])
        self.nfiles = rng.choice([1, 1, 2, 3])
        if self.silent and self.granularity == "record":        # else all of it is one line
            self.nfiles = rng.choice([2, 3])
        self.latency = program.latency
        happenings = program.happenings
        files = {location: rng.randrange(self.nfiles) for location in program.clocks_of}
        imprecision = 0 if self.silent and rng.random() < 0.6 else rng.choice([0, 0, 1, 3, 20])
        flushed = {}                                            # by happening when its block was flushed, roughly
        if self.granularity == "record":
            happenings.sort(key=lambda h: h.end)
        elif self.granularity == "block":
            blocks = Blocks(rng, happenings)
            keys = blocks.keys
            flushed = {id(h): keys[id(h)] - h.end for h in happenings}
            if self.silent and rng.random() < 0.7:
                self.after = blocks.after
            happenings.sort(key=lambda h: (keys[id(h)], h.row.thread, h.end))
        else:
            happenings = shuffle(rng, happenings)
        happenings.sort(key=lambda h: files[h.row.thread])
        for h in happenings:
            off = program.offsets[h.row.clock] - 10**6          # the PPE counts from 0 up
            h.row.time = h.end - off + rng.randint(-imprecision, imprecision)
            if h.row.begin is not None:
                h.row.begin = min(h.begin - off + rng.randint(-imprecision, imprecision), h.row.time)
        self.rows = [replace(h.row, id="", after="", buffer="", block="", flush="") for h in happenings]
        for row in self.rows:
            if not row.recv:
                row.latency = None
            if self.granularity == "record":
                row.buffer = str(files[row.thread])
        self.files = [files[row.thread] for row in self.rows]
        row_of = {id(h): row for h, row in zip(happenings, self.rows)}
        self.says = {}                                          # by row what it says: its event and its values
        self.spawns = self.joins = 0
        self.flushes = []                                       # (last row of a block, the row that is its flush)
        if self.granularity == "block":
            self.cut_blocks()
            if rng.random() < 0.4:
                self.end_blocks(rng, [flushed[id(h)] for h in happenings])
        for location, (starts, _) in lives.items():
            self.note_life(location, [row_of[id(h)] for h in starts], stops[location] and row_of[id(stops[location])])
        self.keys = {}
        first = {}
        for row in self.rows:                                   # a context counts from its first record
            if row.clock != "ppe":
                start = first.setdefault(row.clock, row.time)
                row.time -= start
                row.begin = None if row.begin is None else row.begin - start
                if row.flush:
                    row.flush = "/".join(str(int(stamp) - start) for stamp in row.flush.split("/"))
        self.has_roles = any(kind_of(row) != "none" for row in self.rows)

    def note_life(self, location, starts, stop):
        """What the rows that start a context, and wait for its end, say; several that start it are of no use."""
        number = int(location[1:])
        own = [row for row in self.rows if row.runs_at == location]
        for row in starts:
            self.says[id(row)] = START, (number,)
        if stop:
            self.says[id(stop)] = STOP, (number,)
        if not own or len(starts) > 1:
            return
        if starts and starts[0].begin is not None:
            self.spawns += 1
            starts[0].send = own[0].recv = f"start_of_{location}"
            own[0].latency = 0
        if stop:
            self.joins += 1
            own[-1].id = stop.after = f"end_of_{location}"

    def end_blocks(self, rng, late):
        """A BUFFER_FLUSH after each block: it is the flush, stamped before it and after it, and a record by itself."""
        rows, files, counted = [], [], 0
        for i, (row, file) in enumerate(zip(self.rows, self.files)):
            rows.append(row)
            files.append(file)
            counted += 1
            if i + 1 < len(self.rows) and (self.rows[i + 1].block, self.rows[i + 1].buffer) == (row.block, row.buffer):
                continue
            hi = row.time + late[i]
            lo = hi - rng.randint(0, 4) if rng.random() < 0.5 else hi
            flush = replace(row, time=hi, begin=lo if lo < hi else None, **dict.fromkeys(
                ("send", "recv", "sync", "enter", "leave", "id", "after", "buffer", "block"), ""), latency=None)
            if self.after == "block":   # it may be later than records of the next block, in no order with them
                flush.location = f"flush {i}"
            row.flush = f"{lo}/{hi}"
            self.says[id(flush)] = FLUSH, (counted,)
            self.flushes.append((len(rows) - 1, len(rows)))
            rows.append(flush)
            files.append(file)
            counted = 0
        self.rows, self.files = rows, files

    def cut_blocks(self):
        """Runs of one thread's records in a file, of so many at most."""
        last, length, block = None, 0, 0
        for row, file in zip(self.rows, self.files):
            length += 1
            if (row.thread, file) != last or (self.records and length > self.records):
                block, length, last = block + 1, 1, (row.thread, file)
            row.buffer, row.block = str(file), str(block)

    def key(self, row):
        return self.keys.setdefault(row.send or row.recv or row.enter or row.leave, len(self.keys) + 7)

    def record(self, row):
        number = int(row.thread[1:])
        if self.silent or id(row) in self.says:
            event, values = self.says.get(id(row), (KINDS["none"][0], (0, 0)))
        else:
            event, values = KINDS[kind_of(row)][0], (self.key(row), row.latency or 0)
        begin = row.time if row.begin is None else row.begin
        flags = 0 if row.begin is None else INTERVAL
        if row.clock == "ppe":
            return Record(PPE, event, number, row.time, begin, flags, values=values)
        start = 3 * 10**9 + number
        return Record(SPE, event, number, start - row.time, start - begin, flags, values=values)

    def write(self, folder):
        """The trace, and the bytes of all its records."""
        parts = [[self.record(row) for row, file in zip(self.rows, self.files) if file == i]
                 for i in range(self.nfiles)]
        for i, records in enumerate(parts):
            with open(os.path.join(folder, f"t{i}.trace"), "wb") as out:
                out.write(pack_trace(TraceFile(records)))
        path = os.path.join(folder, "t.pex")
        with open(path, "w", encoding="utf-8") as out:
            out.write('<pdt_trace version="2"><machine timebase_hz="1000000000"/>\n')
            blocks = f' after="{self.after}"' + (f' records="{self.records}"' if self.records else "")
            out.write(f'<order granularity="{self.granularity}"{blocks if self.granularity == "block" else ""}/>\n')
            for i in range(self.nfiles):
                out.write(f'<trace_file href="t{i}.trace"/>\n')
            out.write('<pdtGroup name="USER" id="0x05">\n')
            for name, (event, order) in {"none": KINDS["none"]}.items() if self.silent else KINDS.items():
                out.write(f'<recordType name="{name}" id="0x{event:04x}" {order}>'
                          '<field name="key"/><field name="cost"/></recordType>\n')
            out.write("</pdtGroup></pdt_trace>\n")
        return path, b"".join(pack_records(records) for records in parts)


def records_of(path):
    """The records of all files of a synchronized .pex, in the order of the document."""
    text = read(path).decode()
    found = []
    for part in text.split('href="')[1:]:
        data = read(os.path.join(os.path.dirname(path), part.split('"')[0]))
        at = 32
        while at < len(data):
            record, at = unpack_record(data, at, True)
            found.append(record)
    return found


def check_output(answer, path, original):
    text = read(path).decode()
    same(f'original_crc32="0x{zlib.crc32(original):08x}"' in text, True, "CRC-32 of the originals")
    found = [record.time for record in records_of(path)]
    same(found, answer.global_times, "global times")


def check_wider(program, found, csv, *options):
    """A flush that is a record does not come before others in the rows of a CSV."""
    done = run(program, "-q", *options, f"--delta={found['delta']['ticks']}", f"--reference={found['reference']}", "-r", "-",
               "--report-format=json", csv)
    same(done.returncode, 0, f"read again: exit status: {done.stderr.decode()}")
    again = json.loads(done.stdout)["threads"]
    for thread, other in zip(found["threads"], again):
        same(other["name"], thread["name"], "read again: thread")
        for end, sign in (("earliest_ticks", 1), ("latest_ticks", -1)):
            wider = other[end] is None or (thread[end] is not None and sign * other[end] <= sign * thread[end])
            same(wider, True, f"read again: {end} of {thread['name']}: {other[end]}, of its .pex {thread[end]}")


def check_rows(program, found, trace, output, options, blocks):
    """What is ordered is in the columns of a CSV, too: it is read again, and proved."""
    done = run(program, "-q", *options, "-o", output, trace)
    same(done.returncode, 0, f"a CSV: {done.stderr.decode()}")
    lacks = blocks and Fraction(found["delta"]["ticks"]) > 0 and b" lacks=flushes" in read(output)
    (check_wider if lacks else check_read_again)(program, found, output, *options)
    done = run(program, "--check", output)
    same((done.returncode, b"the bounds cannot be checked" in done.stderr), (int(lacks), lacks), f"--check of a CSV: {done.stderr.decode()}")


def check_seed(seed, program, folder):
    made = Made(seed)
    trace, original = made.write(folder)
    report, output = os.path.join(folder, "r.json"), os.path.join(folder, "o.pex")
    latency = [f"--latency={made.latency}"] if made.latency else []
    order = partial.Order(made.rows, made.latency, made.after)
    for last, flush in made.flushes:
        order.add_other((last, "flush"), (flush, "end"))
    try:
        wanted = partial.solve(order)
        order = wanted.order
    except partial.Cycle:
        done = run(program, "-q", *latency, trace)
        same((done.returncode, b"cycle" in done.stderr), (1, True), f"a cycle: {done.stderr.decode()}")
        return "cycle"
    done = run(program, "-q", *latency, "--pairs=all", "-r", report, "-o", output, trace)
    same(done.returncode, 0, f"exit status: {done.stderr.decode()}")
    found = json.loads(read(report))
    same(found["delta"]["ticks"], str(wanted.delta), "delta")
    for name in ("messages", "synchronous", "groups", "enters", "leaves", "buffers", "blocks"):
        same(found["matched"][name], order.counts[name] - (made.spawns if name == "messages" else 0), name)
    same((found["matched"]["spawns"], found["matched"]["joins"]), (made.spawns, made.joins), "spawns and joins")
    same_threads(wanted, found)
    same_pairs(wanted, found)
    check_inversions(wanted, found)
    check_output(wanted, output, original)
    done = run(program, "--check", output)
    same(done.returncode, 0, f"--check: {done.stderr.decode()}")
    check_rows(program, found, trace, os.path.join(folder, "o.csv"), latency, made.granularity == "block")
    kind = ("imprecise" if wanted.delta > 0 else "exact") + (" lives" if made.spawns + made.joins else "")
    return f"{kind} blocks" if made.granularity == "block" else kind


def run_seed(seed, program):
    with tempfile.TemporaryDirectory() as folder:
        try:
            return check_seed(seed, program, folder), None
        except Exception as error:      # whatever goes wrong belongs to this seed
            kept = os.path.join(tempfile.gettempdir(), f"pex-order-{seed}")
            shutil.rmtree(kept, ignore_errors=True)
            shutil.copytree(folder, kept)
            return None, (f"seed {seed} failed: {type(error).__name__}: {error}\n"
                          f"  trace: {kept}; again: test_pex_order.py {program} --first={seed} --seeds=1")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", metavar="CELLSYNC")
    parser.add_argument("--seeds", type=int, default=trials(100))
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    program = os.path.abspath(arguments.program)
    seeds = range(arguments.first, arguments.first + arguments.seeds)
    with ThreadPoolExecutor(arguments.jobs) as pool:
        done = list(pool.map(lambda seed: run_seed(seed, program), seeds))
    failures = [text for _, text in done if text]
    print("\n".join(failures[:10]), end="\n" if failures else "")
    kinds = [kind for kind, _ in done if kind]
    print({kind: kinds.count(kind) for kind in sorted(set(kinds))})
    print(f"{len(seeds) - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
