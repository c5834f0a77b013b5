"""CTF folders (-o x.ctf) read by babeltrace2, against the solver: every event's time, name, context and fields.

    ctf_test.py CELLSYNC TESTDATA [--seeds=N]

Where babeltrace2 is not installed, the exit status is 77.
"""

import argparse
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from collections import defaultdict
from itertools import chain
from math import inf

import inputs  # the path to the next ones
import expect
import pexfile
from compare import Mismatch, same
from trials import trials

SKIPPED = 77
CROWD = 258
PACKET_BYTES = 32 * 1024
HEADER = struct.Struct(">IIQQQQQQ")      # of a packet; then the SPE, but of a CSV's, and the context or the clock
NAMES_MAX, NAME_BYTES_MAX = 4096, 256
SIGNED = {inf: 2**63 - 1, -inf: -2**63}
BABELTRACE = ["babeltrace2", "--clock-cycles", "--no-delta", "--fields=all", "--names=all"]
EVENT = re.compile(r"timestamp = (\d+), (?:delta = \S+, )?trace = , , name = (.*?), "
                   r"stream\.packet\.context = \{ (?:spe = (-?\d+), context|clock_number) = (-?\d+) \}, "
                   r"stream\.event\.context = \{ (VALUES) \}, event\.fields = \{ (VALUES)\}\n"
                   .replace("VALUES", r'(?:[^{}"]|"(?:[^"\\]|\\.)*")*'), re.DOTALL)
KEYWORDS = set("""align callsite char clock const double enum env event float floating_point int integer long short
                  signed stream string struct trace typealias typedef unsigned variant void""".split())
FIELD = re.compile(r"(\w+) = (\[ .*? \](?=[, ]|$)|\[ \]|\"(?:[^\"\\]|\\.)*\"|[^\s,]+)", re.DOTALL)
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}


# -------------------------------------------------------------------------------------------------- what is wanted

def streams_of(solved):
    """The stream of every thread, as its file is called: no more than 256, the last for all that come then."""
    names, files = [], set()
    for index, thread in enumerate(solved.threads):
        spe = None if solved.csv else solved.spe_of(thread)
        name = f"clock{index}" if solved.csv else "ppe" if thread.kind == "ppe" else f"context{thread.context}" if spe is None else f"spe{spe}"
        if name not in files and name != "ppe" and len(files) >= 254:
            name = "others"
        files.add(name)
        names.append(name)
    return names


def words_of(names):
    """Names of fields as words: one that is missing, made, or the same word as one before gives way to valueN.

    Underscores in front tell no words apart, since babeltrace2 takes several of them away; so they are left out here.
    """
    found, bare = [], set()
    for i, name in enumerate(names):
        word = "".join(c if re.match("[A-Za-z0-9_]", c) else "_" * len(c.encode()) for c in name or "")
        rest = word.lstrip("_")
        made = not rest or (rest.startswith("value") and rest[5:].isdigit()) or rest in bare or name in names[:i]
        bare.add(rest)
        found.append(f"value{i}" if made else rest)
    return found


def fields_of(solved, record):
    """The payload: as the .pex describes it, or a sequence where that has another number of values."""
    listed = solved.field_names(record.event) or []
    if len(listed) == len(record.values):
        return dict(zip(words_of(listed), record.values))
    return {"count": len(record.values), "values": list(record.values)}


def columns_of(solved):
    """The words of a CSV's columns that are fields, with their indexes."""
    names = [name.strip(" \t") for name in solved.csv.names]
    names = [name if re.search("[A-Za-z0-9]", name) else "" for name in names]
    told = ("thread", "clock", "global_time", "global_time_s")
    return [(i, word) for i, word in enumerate(words_of(names)) if names[i] not in told]


def row_context_of(solved, position):
    row, solution = solved.csv.rows[position], solved.solution
    time, local, begin = solution.global_times[position], solution.clocked.time[position], solved.row_begin(position)
    end = time if begin is None else begin
    return {"record": position, "thread": row["thread"], "clock_name": solved.threads[solution.clocked.owner[position]].name,
            "global": time, "local": local, "interval": int(begin is not None), "begin": end, "begin_local": end - time + local}


def row_names_of(solved):
    """The names of the events of a CSV, and how many have none since there are too many, or it is too long."""
    known, names, unnamed = set(), [], 0
    for row in solved.csv.rows:
        name = row.get("event", "").replace("\0", "\ufffd")
        if name and name not in known and len(known) < NAMES_MAX and len(name.encode("utf-8", "surrogateescape")) <= NAME_BYTES_MAX:
            known.add(name)
        unnamed += name != "" and name not in known
        names.append(name if name in known else "row")
    return names, unnamed


def wanted_rows(solved, part):
    """As wanted_events, of a CSV."""
    files, streams, columns = streams_of(solved), defaultdict(list), columns_of(solved)
    for position, (raw, name) in enumerate(zip(solved.csv.raw_rows, row_names_of(solved)[0])):
        index = solved.solution.clocked.owner[position]
        if position not in part:
            continue
        stream, context = streams[files[index]], row_context_of(solved, position)
        since = context["global"] - solved.base
        stamp = max(since, stream[-1][0]) if stream else since
        if position == first_in(part, solved.threads[index]):
            stream.append((stamp, "clock", context, thread_fields(solved, index)))
        texts = pexfile.fields_of(raw)
        stream.append((stamp, name, context, {word: texts[i].replace("\0", "\ufffd") or " " for i, word in columns}))
    return streams


def context_of(solved, position):
    record, solution = solved.pex.trace.records[position], solved.solution
    time, interval = solution.global_times[position], bool(record.flags & pexfile.INTERVAL)
    return {"record": position, "thread": solved.threads[solution.clocked.owner[position]].name,
            "tid": record.thread, "event_id": record.event, "pc": record.pc, "global": time,
            "local": solution.clocked.time[position], "stamp": record.time, "interval": int(interval),
            "begin": solved.begin(position) if interval else time, "begin_stamp": record.begin}


def thread_fields(solved, index):
    """What the event that tells of a thread says."""
    thread, solution = solved.threads[index], solved.solution
    earliest, latest = solution.earliest(index), solution.latest(index)
    spe = -1 if solved.csv or thread.spe is None else thread.spe
    of_spe = {} if solved.csv else {"spe": spe - 2**64 if spe >= 2**63 else spe, "decr_first": thread.decr_first or 0}
    return {"first_record": thread.positions[0], "records": len(thread.positions), **of_spe, "offset": solution.offsets[index],
            "earliest": SIGNED.get(earliest, earliest), "latest": SIGNED.get(latest, latest)}


def first_in(part, thread):
    """The first position of the thread that is in the range."""
    return next(position for position in thread.positions if position in part)


def wanted_events(solved, part):
    """(timestamp, name, context, fields) of every event in a range of positions, by stream."""
    if solved.csv:
        return wanted_rows(solved, part)
    files, streams = streams_of(solved), defaultdict(list)
    for position, record in enumerate(solved.pex.trace.records):
        index = solved.solution.clocked.owner[position]
        if position not in part:
            continue
        stream, context = streams[files[index]], context_of(solved, position)
        since = context["global"] - solved.base
        stamp = max(since, stream[-1][0]) if stream else since
        if position == first_in(part, solved.threads[index]):
            name = "ppe_thread" if record.core == pexfile.PPE else "live_interval"
            stream.append((stamp, name, context, thread_fields(solved, index)))
        name = solved.event_name(record) or f"0x{record.event:04x}"
        stream.append((stamp, name, context, fields_of(solved, record)))
    return streams


# -------------------------------------------------------------------------------------------------- what is found

def value_of(text):
    """A value as babeltrace2 prints it."""
    if text.startswith("["):
        return [int(value) for value in re.findall(r"\[\d+\] = (\d+)", text)]
    if text.startswith('"'):
        return re.sub(r"\\(.)", lambda m: ESCAPES.get(m[1], m[1]), text[1:-1], flags=re.DOTALL)
    return int(text, 0)


def values_of(text):
    return {name.lstrip("_"): value_of(value) for name, value in FIELD.findall(text)}


def found_events(folder):
    """What babeltrace2 reads, without a warning, by stream."""
    done = subprocess.run(BABELTRACE + [folder], capture_output=True, timeout=120, check=False)
    if done.returncode or done.stderr:
        raise Mismatch(f"babeltrace2: exit status {done.returncode}: {done.stderr.decode()}")
    streams, at, text = defaultdict(list), 0, done.stdout.decode(errors="surrogateescape")
    while at < len(text):
        match = EVENT.match(text, at)
        if not match:
            raise Mismatch(f"babeltrace2 prints {text[at:at + 300]}")
        stamp, name, spe, context, common, fields = match.groups()
        at, common = match.end(), values_of(common)
        if spe is None:
            streams[f"clock{context}" if int(context) >= 0 else "others"].append((int(stamp), name, common, values_of(fields)))
            continue
        is_ppe = common["thread"] == "ppe"
        file = "ppe" if is_ppe else f"spe{spe}" if int(spe) >= 0 else \
            f"context{context}" if int(context) >= 0 else "others"
        streams[file].append((int(stamp), name, common, values_of(fields)))
    return streams


# ------------------------------------------------------------------------------------------------------ the checks

def check_names(metadata):
    """Nothing that is named is called as a word of TSDL: babeltrace2 suffers it, Trace Compass refuses the trace."""
    outside = "\n".join(line for line in metadata.split("\n") if not line.startswith("typealias "))
    unquoted = re.sub(r'"(?:[^"\\]|\\.)*"', '""', outside)
    named = re.findall(r"(\w+) *(?=[;=]|\[\w*\];)", unquoted)
    same(len(named) > 30 and sorted(KEYWORDS.intersection(named)), [], "names that are words of TSDL")


def check_environment(solved, folder, raised, part):
    """The lines of env, and the clock; part: lines for that."""
    with open(os.path.join(folder, "metadata"), encoding="utf-8") as file:
        metadata = file.read()
    check_names(metadata)
    machine, solution = solved.pex.root.find("machine").get("name", "") if solved.pex else "", solved.solution

    def quoted(text):
        escaped = re.sub(r'(["\\])', r"\\\1", text).replace("\t", r"\011").replace("\n", r"\012")
        return '"' + escaped.replace("\r", r"\015") + '"'

    header = [f"    header = {quoted(solved.csv.header.decode().rstrip(chr(13) + chr(10)))};",
              f"    unnamed = {row_names_of(solved)[1]};"] if solved.csv else []
    wanted = [f'    trace_name = "{solved.path}";', f'    machine = {quoted(machine)};', '    method = "bhh";',
              f'    reference = {quoted(solved.threads[solution.tau].name)};', '    alpha = "1/2";', '    center = "reference";',
              '    relax = "exact";',
              f'    delta_ticks = "{solution.delta}";', f"    added_ticks = {solution.added_ticks};",
              f"    conditional = {int(expect.is_conditional(solution))};", f"    assumed = {solution.clocked.assumed};",
              *(f"    {expect.warning_key(text)}_warning = {quoted(text)};" for text in expect.warnings(solution)),
              *(f'    condition = "{text}";' for text in expect.conditions(solution, solved.path)), *part, *header,
              f"    records = {len(solution.global_times)};", f"    base_ticks = {solved.base};", f"    raised = {raised};"]
    env = metadata.partition("\nenv {\n")[2].partition("\n};")[0].split("\n")
    same(env[0], '    tracer_name = "cellsync";', "tracer")
    same(env[2:], wanted, "env")
    same(f"\n    freq = {solution.clocked.timebase_hz};\n" in metadata, True, "freq")


def check_packets(path, events):
    """Packets follow one another without gaps, are bounded, and their times are those of their events."""
    with open(path, "rb") as file:
        data = file.read()
    at, number, last = 0, 0, 0
    while at < len(data):
        magic, _, _, begin, end, content, size, count = HEADER.unpack_from(data, at)
        same((magic, content, count, size % 8), (0xc1fc1fc1, size, number, 0), f"packet {number} of {path}")
        same(last <= begin <= end, True, f"times of packet {number} of {path}")
        same(size // 8 <= PACKET_BYTES or begin == end, True, f"size of packet {number} of {path}")
        at, number, last = at + size // 8, number + 1, end
    same((at, last), (len(data), events[-1][0]), f"end of {path}")
    return number


def raised_in(solved, streams):
    return sum(stamp != context["global"] - solved.base for stream in streams.values() for stamp, _, context, _ in stream)


def check_part(program, solved, path, target):
    """A window of the trace, by positions."""
    n = len(solved.solution.global_times)
    part = range(n // 3, 2 * n // 3 + 1)
    inputs.run(program, path, "-o", target, f"--window=#{part.start}..#{part.stop - 1}")
    wanted = wanted_events(solved, part)
    same(sorted(os.listdir(target)), sorted([*wanted, "metadata"]), "files of a part")
    same(dict(found_events(target)), dict(wanted), "events of a part")
    check_environment(solved, target, raised_in(solved, wanted), ['    part = "yes";'])


def check(program, path, target):
    """One trace; returns its events, those raised, and its packets."""
    solved = inputs.solve(path)
    if len(solved.threads) < 254:  # of more, which share a stream depends on which are written
        check_part(program, solved, path, target)
    inputs.run(program, path, "-o", target)
    wanted, found = wanted_events(solved, range(len(solved.solution.global_times))), found_events(target)
    raised = raised_in(solved, wanted)
    same(sorted(os.listdir(target)), sorted([*wanted, "metadata"]), "files")
    same(dict(found), dict(wanted), "events")
    check_environment(solved, target, raised, [])
    packets = sum(check_packets(os.path.join(target, name), events) for name, events in wanted.items())
    return sum(map(len, wanted.values())), raised, packets


def write_crowd(folder):
    """A trace of more contexts without switches than there are streams, each with two records."""
    records = [pexfile.Record(pexfile.SPE, 0x0503, i % CROWD, 1000 - i) for i in range(2 * CROWD)]
    path = os.path.join(folder, "crowd.pex")
    document = b'<pdt_trace version="1"><machine timebase_hz="14318000"/><trace_file/></pdt_trace>'
    pexfile.write_pex(path, document, pexfile.pack_trace(pexfile.TraceFile(records)))
    return path


def write_csv_crowd(folder):
    """A CSV of as many threads, each with two rows, and more names of events than have a class, some too long."""
    path = os.path.join(folder, "crowd.csv")
    with open(path, "w", encoding="utf-8") as file:
        file.write("thread,time,event,\n")
        for i in range(600):
            file.write(f"t{i % CROWD},{i},{'x' * (i % 300)},\n")
        for i in range(4200):
            file.write(f"t0,{600 + i},e{i},{'long' * (i % 500 // 499 * 20000)}\n")
        file.write("t1,4800,e4,\nt1,4801,e4199,\n")
    return path


def write_underscores(folder):
    """A CSV whose columns differ by what stands in front alone, or would be called as those without a name are."""
    path = os.path.join(folder, "underscores.csv")
    with open(path, "w", encoding="utf-8") as file:
        file.write("thread,time,_a,a,--c,-c,__value0,b\nx,1,1,2,3,4,5,6\ny,2,7,8,9,10,11,12\n")
    return path


def fits_nanoseconds(path):
    """Whether babeltrace2 can hold the times, in nanoseconds of 64 bits with a sign."""
    solved = inputs.solve(path)
    return (max(solved.solution.global_times) - solved.base) * 10**9 // solved.solution.clocked.timebase_hz < 2**63 - 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("testdata")
    parser.add_argument("--seeds", type=int, default=trials(30))
    args = parser.parse_args()
    if not shutil.which("babeltrace2"):
        print("skipped: babeltrace2 is not installed")
        return SKIPPED
    done, failed = [], 0
    with tempfile.TemporaryDirectory() as folder:
        paths = (p for p in inputs.paths(args.testdata, folder, args.seeds, True) if fits_nanoseconds(p))
        for path in chain(paths, [write_crowd(folder), write_csv_crowd(folder), write_underscores(folder)]):
            try:
                done.append(check(os.path.abspath(args.program), path, os.path.join(folder, "x.ctf")))
            except Exception as error:  # whatever it is, the others go on
                failed += 1
                print(f"{path}: FAILED: {type(error).__name__}: {error}")
    events, raised, packets = (sum(column) for column in zip(*done))
    print(f"{len(done)} traces as wanted: {events} events in {packets} packets, {raised} raised; {failed} failed")
    return 1 if failed or raised == 0 or packets <= len(done) else 0


if __name__ == "__main__":
    sys.exit(main())
