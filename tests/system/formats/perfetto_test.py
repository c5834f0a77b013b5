"""Perfetto traces (-o x.pftrace), decoded by protoc, against the trace events of the same solution (-o x.json),
which json_test.py holds against the solver: the same slices, instants and counters, and slices that nest as a viewer
pairs them, by the order of begins and ends alone.

    perfetto_test.py CELLSYNC TESTDATA [--seeds=N]
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from decimal import ROUND_HALF_UP, Decimal

import inputs
import started
from compare import same
from ctf_test import fits_nanoseconds
from trials import trials

SKIPPED = 77
PROTO = os.path.join(os.path.dirname(__file__), "perfetto.proto")
TOKEN = re.compile(r'\s*(?:([A-Za-z_0-9]+)\s*(\{)|([A-Za-z_0-9]+):\s*("(?:[^"\\]|\\.)*"|[^\s}]+)|(\}))')
ESCAPE = re.compile(rb"\\([0-7]{3}|x[0-9a-fA-F]{2}|.)")
LETTERS = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b'"': b'"', b"'": b"'", b"\\": b"\\"}


# ----------------------------------------------------------------------------------------------------- protoc's text

def unescape(text):
    def one(match):
        found = match.group(1)
        return LETTERS.get(found) or (bytes([int(found, 8)]) if len(found) == 3 and found.isdigit()
                                      else bytes.fromhex(found[1:].decode()))
    return ESCAPE.sub(one, text[1:-1].encode()).decode()


def parse(text):
    """A message as lists by field."""
    stack = [defaultdict(list)]
    for name, opens, field, value, closes in TOKEN.findall(text):
        if opens:
            stack.append(defaultdict(list))
            stack[-2][name].append(stack[-1])
        elif closes:
            stack.pop()
        else:
            stack[-1][field].append(unescape(value) if value[0] == '"' else value)
    assert len(stack) == 1
    return stack[0]


def one(message, field, convert=lambda value: value, default=None):
    return convert(message[field][-1]) if message[field] else default


# ------------------------------------------------------------------------------------------------------- as a viewer

class Viewer:
    """Names, tracks and events of a trace, as Perfetto takes them."""

    def __init__(self, packets):
        self.names = defaultdict(dict)      # by kind, then number
        self.tracks, self.events = {}, []
        for number, packet in enumerate(packets):
            assert one(packet, "trusted_packet_sequence_id") == "1"
            assert one(packet, "sequence_flags") == ("1" if number == 0 else "2")
            for kind, texts in one(packet, "interned_data", default={}).items():
                for text in texts:
                    iid = one(text, "iid", int)
                    assert iid not in self.names[kind], "a number is given once"
                    self.names[kind][iid] = one(text, "name") if text["name"] else one(text, "str")
            for track in packet["track_descriptor"]:
                uuid = one(track, "uuid", int)
                assert uuid and uuid not in self.tracks
                self.tracks[uuid] = track
            for event in packet["track_event"]:
                self.events.append((one(packet, "timestamp", int), self.event(event)))
        self.events.sort(key=lambda event: event[0])        # stably

    def event(self, event):
        """Type, track, category, name, args and value."""
        iids = event["category_iids"]
        name = one(event, "name")
        if event["name_iid"]:
            name = self.names["event_names"][one(event, "name_iid", int)]
        return (one(event, "type"), one(event, "track_uuid", int),
                self.names["event_categories"][int(iids[0])] if iids else None, name,
                dict(self.annotation(a) for a in event["debug_annotations"]),
                one(event, "counter_value", int))

    def annotation(self, a):
        name = one(a, "name") or self.names["debug_annotation_names"][one(a, "name_iid", int)]
        if a["string_value_iid"]:
            return name, self.names["debug_annotation_string_values"][one(a, "string_value_iid", int)]
        if a["string_value"]:
            return name, one(a, "string_value")
        for field in "uint_value", "int_value":
            if a[field]:
                return name, int(a[field][-1])
        if a["pointer_value"]:
            return name, int(a["pointer_value"][-1], 0)
        return name, dict(self.annotation(entry) for entry in a["dict_entries"])

    def group_of(self, uuid):
        """The process that a track is in."""
        while self.tracks[uuid]["parent_uuid"]:
            uuid = one(self.tracks[uuid], "parent_uuid", int)
        process = one(self.tracks[uuid], "process")
        return one(process, "process_name") if process else None

    def drawn(self):
        """Slices, instants and counters; an end closes the last slice that was begun on its track."""
        open_slices, slices, instants, counters, facts = defaultdict(list), [], [], [], None
        for ns, (kind, uuid, category, name, args, value) in self.events:
            assert uuid in self.tracks
            if kind == "TYPE_SLICE_BEGIN":
                open_slices[uuid].append((ns, category, name, args))
            elif kind == "TYPE_SLICE_END":
                begin, *rest = open_slices[uuid].pop()
                slices.append((self.group_of(uuid), begin, ns, *rest))
            elif kind == "TYPE_COUNTER":
                counters.append((self.group_of(uuid), one(self.tracks[uuid], "name"), ns, value))
            elif category is None:
                assert facts is None
                assert ns == min(event[0] for event in self.events), "facts do not stretch the trace"
                facts = args
            else:
                instants.append((self.group_of(uuid), ns, category, name, args))
        assert not any(open_slices.values()), "every slice ends"
        return slices, instants, counters, facts


# ------------------------------------------------------------------------------------------------- the trace events

def nanoseconds(text):
    return int(Decimal(text).scaleb(3).quantize(Decimal(1), ROUND_HALF_UP))


def flat(args):
    """Limits that are infinite and dictionaries without entries are not said; ids are numbers."""
    args = {k: int(v, 16) if k in ("id", "pc") and isinstance(v, str) else v for k, v in args.items() if v is not None}
    return repr(sorted((k, repr(v)) for k, v in args.items() if v != {}))


def wanted(document):
    """The same of trace events."""
    groups, slices, instants, counters = {}, [], [], []
    pairs = {}
    for event in document["traceEvents"]:
        if event["ph"] == "M":
            if event["name"] == "process_name":
                groups[event["pid"]] = event["args"]["name"]
            continue
        group, ns = groups[event["pid"]], nanoseconds(event["ts"])
        if event["ph"] == "X":
            end = Decimal(event["ts"]) + Decimal(event["dur"])
            slices.append((group, ns, nanoseconds(end), event["cat"], event["name"], event.get("args", {})))
        elif event["ph"] == "b":
            pairs[event["id"]] = (group, ns, event["cat"], event["name"], event.get("args", {}))
        elif event["ph"] == "e":
            begun, begin, *rest = pairs.pop(event["id"])
            slices.append((begun, begin, ns, *rest))
        elif event["ph"] == "C":
            counters.append((group, event["name"], ns, event["args"]["ticks"]))
        else:
            instants.append((group, ns, event["cat"], event["name"], event.get("args", {})))
    return slices, instants, counters


def check(program, path, folder, options):
    """Write both, and compare; how many events, and how many bytes of each."""
    out, events = os.path.join(folder, "x.pftrace"), os.path.join(folder, "x.json")
    for target in out, events:
        started.run([program, "-q", path, "-o", target, *options], check=True)
    with open(out, "rb") as file:
        text = subprocess.run(["protoc", "--decode=perfetto.protos.Trace", f"-I{os.path.dirname(PROTO)}", PROTO],
                              stdin=file, capture_output=True, check=True).stdout.decode()
    assert not re.search(r"^\s*\d+[:{ ]", text, re.M), "every field is in perfetto.proto"
    slices, instants, counters, facts = Viewer(parse(text)["packet"]).drawn()
    with open(events, encoding="utf-8") as file:
        document = json.load(file, parse_float=str)
    wanted_slices, wanted_instants, wanted_counters = wanted(document)
    lives = [sorted((e[0], *e[2:-1], flat(e[-1]), e[1]) for e in events if e[3] == "live")
             for events in (slices, wanted_slices)]
    same([e[:-1] for e in lives[0]], [e[:-1] for e in lives[1]], "live intervals")
    assert all(got[-1] <= want[-1] for got, want in zip(*lives)), "which reach back to what does not nest, too"
    slices, wanted_slices = ([e for e in events if e[3] != "live"] for events in (slices, wanted_slices))
    for got, want in (slices, wanted_slices), (instants, wanted_instants):
        got, want = (Counter((*event[:-1], flat(event[-1])) for event in events) for events in (got, want))
        same(sorted(got - want, key=repr), sorted(want - got, key=repr), "events")
    same(sorted(counters, key=repr), sorted(wanted_counters, key=repr), "counters")
    for key in "trace", "machine", "timebase_hz", "records", "base_ticks", "method":
        same(facts.get(key), document["otherData"][key], key)
    return len(slices) + len(lives[0]) + len(instants), os.path.getsize(out), os.path.getsize(events)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("testdata")
    parser.add_argument("--seeds", type=int, default=trials(20))
    args = parser.parse_args()
    if not shutil.which("protoc"):
        print("skipped: protoc is not installed")
        return SKIPPED
    done, failed = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for path in filter(fits_nanoseconds, inputs.paths(args.testdata, folder, args.seeds, True)):
            for options in [], ["--json-args=none"], ["--ranges=yes"]:
                try:
                    done.append(check(os.path.abspath(args.program), path, folder, options))
                except Exception as error:  # whatever it is, the others go on
                    failed += 1
                    print(f"{path}: FAILED: {type(error).__name__}: {error}")
    events, ours, theirs = (sum(column) for column in zip(*done))
    print(f"{len(done)} traces as wanted: {events} events in {ours} bytes, {theirs} of trace events; {failed} failed")
    return 1 if failed or events == 0 or ours > 0.6 * theirs else 0


if __name__ == "__main__":
    sys.exit(main())
