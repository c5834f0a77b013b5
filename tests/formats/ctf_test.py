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
from math import inf

import inputs  # the path to the next ones
import expect
import pexfile
from compare import Mismatch, same

SKIPPED = 77
PACKET_BYTES = 32 * 1024
PACKET = struct.Struct(">IIQQQQQQqq")
SIGNED = {inf: 2**63 - 1, -inf: -2**63}
BABELTRACE = ["babeltrace2", "--clock-cycles", "--no-delta", "--fields=all", "--names=all"]
EVENT = re.compile(r"timestamp = (\d+), (?:delta = \S+, )?trace = , , name = (.*?), "
                   r"stream\.packet\.context = \{ spe = (-?\d+), context = (-?\d+) \}, "
                   r"stream\.event\.context = \{ ([^{}]*) \}, event\.fields = \{ ([^{}]*)\}\n", re.DOTALL)
KEYWORDS = set("""align callsite char clock const double enum env event float floating_point int integer long short
                  signed stream string struct trace typealias typedef unsigned variant void""".split())
FIELD = re.compile(r"(\w+) = (\[ .*? \](?=[, ]|$)|\[ \]|\"[^\"]*\"|[^\s,]+)")


# -------------------------------------------------------------------------------------------------- what is wanted

def streams_of(solved):
    """The stream of every thread, as its file is called: no more than 256, the last for all that come then."""
    names, files = [], set()
    for thread in solved.threads:
        spe = solved.spe_of(thread)
        name = "ppe" if thread.kind == "ppe" else f"context{thread.context}" if spe is None else f"spe{spe}"
        if name not in files and name != "ppe" and len(files) >= 254:
            name = "others"
        files.add(name)
        names.append(name)
    return names


def words_of(names):
    """Names of fields as words: one that is missing, made, or the same word as one before gives way to valueN."""
    found = []
    for i, name in enumerate(names):
        made = not name or (name.startswith("value") and name[5:].isdigit()) or name in names[:i]
        word = None if made else "".join(c if re.match("[A-Za-z0-9_]", c) else "_" * len(c.encode()) for c in name)
        found.append(f"value{i}" if word is None or word in found else word)
    return found


def fields_of(solved, record):
    """The payload: as the .pex describes it, or a sequence where that has another number of values."""
    listed = solved.field_names(record.event) or []
    if len(listed) == len(record.values):
        return dict(zip(words_of(listed), record.values))
    return {"count": len(record.values), "values": list(record.values)}


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
    spe = -1 if thread.spe is None else thread.spe
    return {"first_record": thread.positions[0], "records": len(thread.positions),
            "spe": spe - 2**64 if spe >= 2**63 else spe,
            "decr_first": thread.decr_first or 0, "offset": solution.offsets[index],
            "earliest": SIGNED.get(earliest, earliest), "latest": SIGNED.get(latest, latest)}


def wanted_events(solved):
    """(timestamp, name, context, fields) of every event, by stream."""
    files, streams = streams_of(solved), defaultdict(list)
    for position, record in enumerate(solved.pex.trace.records):
        index = solved.solution.clocked.owner[position]
        stream, context = streams[files[index]], context_of(solved, position)
        since = context["global"] - solved.base
        stamp = max(since, stream[-1][0]) if stream else since
        if position == solved.threads[index].positions[0]:
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
    return text[1:-1] if text.startswith('"') else int(text, 0)


def values_of(text):
    return {name: value_of(value) for name, value in FIELD.findall(text)}


def found_events(folder):
    """What babeltrace2 reads, without a warning, by stream."""
    done = subprocess.run(BABELTRACE + [folder], capture_output=True, timeout=120, check=False)
    if done.returncode or done.stderr:
        raise Mismatch(f"babeltrace2: exit status {done.returncode}: {done.stderr.decode()}")
    streams, at, text = defaultdict(list), 0, done.stdout.decode()
    while at < len(text):
        match = EVENT.match(text, at)
        if not match:
            raise Mismatch(f"babeltrace2 prints {text[at:at + 300]}")
        stamp, name, spe, context, common, fields = match.groups()
        at, common = match.end(), values_of(common)
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
    same(len(named) > 40 and sorted(KEYWORDS.intersection(named)), [], "names that are words of TSDL")


def check_environment(solved, folder, raised):
    """The lines of env, and the clock."""
    with open(os.path.join(folder, "metadata"), encoding="utf-8") as file:
        metadata = file.read()
    check_names(metadata)
    machine, solution = solved.pex.root.find("machine").get("name", ""), solved.solution
    quoted = re.sub(r'(["\\])', r"\\\1", machine).replace("\t", r"\011")
    wanted = [f'    trace_name = "{solved.path}";', f'    machine = "{quoted}";', '    method = "bhh";',
              f'    reference = "{solved.threads[solution.tau].name}";', '    alpha = "1/2";', '    center = "reference";',
              '    relax = "exact";',
              f'    delta_ticks = "{solution.delta}";', f"    added_ticks = {solution.added_ticks};",
              f"    conditional = {int(expect.is_conditional(solution))};", f"    assumed = {solution.clocked.assumed};",
              *(f'    {"assumed" if "assumed gap" in text else "order" if " is sorted by " in text else "delta"}_warning = "{text}";'
                for text in expect.warnings(solution)),
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
        magic, _, _, begin, end, content, size, count, _, _ = PACKET.unpack_from(data, at)
        same((magic, content, count, size % 8), (0xc1fc1fc1, size, number, 0), f"packet {number} of {path}")
        same(last <= begin <= end, True, f"times of packet {number} of {path}")
        same(size // 8 <= PACKET_BYTES or begin == end, True, f"size of packet {number} of {path}")
        at, number, last = at + size // 8, number + 1, end
    same((at, last), (len(data), events[-1][0]), f"end of {path}")
    return number


def check(program, path, target):
    """One trace; returns its events, those raised, and its packets."""
    solved = inputs.solve(path)
    inputs.run(program, path, "-o", target)
    wanted, found = wanted_events(solved), found_events(target)
    raised = sum(stamp != context["global"] - solved.base for stream in wanted.values() for stamp, _, context, _ in stream)
    same(sorted(os.listdir(target)), sorted([*wanted, "metadata"]), "files")
    same(dict(found), dict(wanted), "events")
    check_environment(solved, target, raised)
    packets = sum(check_packets(os.path.join(target, name), events) for name, events in wanted.items())
    return sum(map(len, wanted.values())), raised, packets


def write_crowd(folder):
    """A trace of 300 contexts without switches, each with two records."""
    records = [pexfile.Record(pexfile.SPE, 0x0503, i % 300, 1000 - i) for i in range(600)]
    path = os.path.join(folder, "crowd.pex")
    document = b'<pdt_trace version="1"><machine timebase_hz="14318000"/><trace_file/></pdt_trace>'
    pexfile.write_pex(path, document, pexfile.pack_trace(pexfile.TraceFile(records)))
    return path


def fits_nanoseconds(path):
    """Whether babeltrace2 can hold the times, in nanoseconds of 64 bits with a sign."""
    solved = inputs.solve(path)
    return (max(solved.solution.global_times) - solved.base) * 10**9 // solved.solution.clocked.timebase_hz < 2**63 - 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("testdata")
    parser.add_argument("--seeds", type=int, default=30)
    args = parser.parse_args()
    if not shutil.which("babeltrace2"):
        print("skipped: babeltrace2 is not installed")
        return SKIPPED
    done, failed = [], 0
    with tempfile.TemporaryDirectory() as folder:
        paths = [p for p in inputs.paths(args.testdata, folder, args.seeds, False) if fits_nanoseconds(p)]
        for path in [*paths, write_crowd(folder)]:
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
