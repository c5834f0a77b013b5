"""Trace events (-o x.json) against the solver: every record's time, name and fields, and that slices nest.

    json_test.py CELLSYNC TESTDATA [--seeds=N]
"""

import argparse
import csv
import json
import os
import sys
import tempfile
from collections import defaultdict
from fractions import Fraction
from math import floor, inf

import inputs  # the path to the next ones
import expect
import pexfile
from compare import Mismatch, same
from trials import trials

PPE, SPE, CONTEXT, ROWS = 1, 2, 3, 4
REMEMBERED = 512                        # slices of a track, side by side, that are remembered at least
GROUPS = {PPE: "PPE", SPE: "SPE", CONTEXT: "contexts, SPE unknown"}


class Exact(str):
    """A number with a decimal point, as it is written."""


# -------------------------------------------------------------------------------------------------- what is wanted

def microseconds(ticks, hz):
    """The text of a time: rounded to so many decimals, three or more, that one of the last is at most a tick."""
    decimals = 3
    while 10**(6 + decimals) < hz:
        decimals += 1
    units = floor(Fraction(ticks * 10**(6 + decimals), hz) + Fraction(1, 2))
    sign, digits = "-" * (units < 0), f"{abs(units):0{decimals + 1}d}"
    return for_perfetto(f"{sign}{digits[:-decimals]}.{digits[-decimals:]}", units)


def for_perfetto(text, units):
    """A fourth decimal, where Perfetto would cut off a nanosecond too much."""
    three = text[-4] == "." and 0 < units < 2**53
    return text + "1" if three and nanoseconds(text) < units else text


def units_of(text):
    """A time in units of its last decimal, but for the one that is there for Perfetto."""
    whole, fraction = text.split(".")
    if len(fraction) == 4 and fraction[3] == "1" and nanoseconds(text[:-1]) < int(whole + fraction[:3]):
        fraction = fraction[:3]
    return int(whole + fraction)


def bound(value):
    return None if value in (inf, -inf) else value


def clock(solved, index):
    """What is said of a thread's clock."""
    thread, solution = solved.threads[index], solved.solution
    return {"first_record": thread.positions[0], "records": len(thread.positions),
            "offset_ticks": solution.offsets[index], "earliest_ticks": bound(solution.earliest(index)),
            "latest_ticks": bound(solution.latest(index))}


def payload(solved, record):
    """Names that are missing, made, or there already give way to valueN."""
    listed, found = solved.field_names(record.event) or [], {}
    for i, value in enumerate(record.values):
        name = listed[i] if i < len(listed) else None
        made = not name or (name.startswith("value") and name[5:].isdigit())
        found[f"value{i}" if made or name in listed[:i] else name] = value
    return found


def record_args(solved, position):
    """The args of a record."""
    record, solution = solved.pex.trace.records[position], solved.solution
    clocked = solution.clocked
    args = {"record": position, "thread": clocked.threads[clocked.owner[position]].name,
            "ticks": solution.global_times[position], "local": clocked.time[position], "stamp": record.time}
    if record.flags & pexfile.INTERVAL:
        args["begin_ticks"] = solved.begin(position)
    return args | {"begin_stamp": record.begin, "tid": record.thread, "id": f"0x{record.event:04x}",
                   "pc": f"0x{record.pc:08x}", "payload": payload(solved, record)}


def csv_tracks(solved):
    """Tracks of a CSV, by their first rows: the index of the clock and the name of the thread."""
    owner = solved.solution.clocked.owner
    return list(dict.fromkeys((owner[i], row["thread"]) for i, row in enumerate(solved.csv.rows)))


def is_shared(thread):
    """Whether a clock of a CSV is a group of tracks of its own."""
    return thread.members != [thread.name]


def place_of_csv(solved, number):
    """Group and tid of a track of a CSV."""
    index, _ = csv_tracks(solved)[number]
    return ROWS + 1 + index if is_shared(solved.threads[index]) else ROWS, number + 1


def place_of(solved, index):
    """Group and tid of a live interval."""
    thread = solved.threads[index]
    spe = solved.spe_of(thread)
    return (CONTEXT, thread.context + 1) if spe is None else (SPE, spe + 1)


def place_of_record(solved, position):
    """Group and tid of a record."""
    if solved.pex and solved.pex.trace.records[position].core == pexfile.PPE:
        return PPE, solved.pex.trace.records[position].thread
    if solved.csv:
        track = solved.solution.clocked.owner[position], solved.csv.rows[position]["thread"]
        return place_of_csv(solved, csv_tracks(solved).index(track))
    return place_of(solved, solved.solution.clocked.owner[position])


def track_names(solved):
    """The name of every track."""
    if solved.csv:
        return {place_of_csv(solved, i): name for i, (_, name) in enumerate(csv_tracks(solved))}
    names = {}
    for element in solved.pex.root.findall("threads/ppe"):
        if (element.get("tid") or "x").isdigit():
            tid = int(element.get("tid"))
            names.setdefault((PPE, tid), element.get("name", f"PPE thread {tid}"))
    for i, r in enumerate(solved.pex.trace.records):
        group, tid = place_of_record(solved, i)
        names.setdefault((group, tid), {PPE: f"PPE thread {tid}", SPE: f"SPE {tid - 1}",
                                        CONTEXT: f"context {tid - 1}"}[group])
        if is_switch(r):
            names.setdefault((SPE, r.values[1] + 1), f"SPE {r.values[1]}")
    return names


def is_switch(record):
    """Whether a record is shown on the track of its SPE, too."""
    return record.core == pexfile.PPE and record.event in (pexfile.SWITCH_IN, pexfile.SWITCH_OUT) and \
        record.values[1] != 2**64 - 1


# ------------------------------------------------------------------------------------------------------ the checks

def check_head(solved, document):
    solution, ppe = solved.solution, solved.solution.clocked.ppe
    same(document["displayTimeUnit"], "ns", "displayTimeUnit")
    found = dict(document["otherData"])
    same(found.pop("producer").split()[0], "cellsync", "producer")
    machine = solved.pex.root.find("machine").get("name", "") if solved.pex else ""
    same(found, {"trace": solved.path, "machine": machine, "timebase_hz": solution.clocked.timebase_hz,
                 "records": len(solution.global_times), "base_ticks": solved.base_of_begins, "method": "bhh", "reference": solved.threads[solution.tau].name,
                 "alpha": "1/2", "center": "reference", "relax": "exact", "delta_ticks": str(solution.delta),
                 "added_ticks": solution.added_ticks, "conditional": expect.is_conditional(solution),
                 "assumed": solution.clocked.assumed, "warnings": expect.warnings(solution),
                 "conditions": expect.conditions(solution, solved.path),
                 "ppe": None if ppe is None else clock(solved, ppe)}, "otherData")


def check_names(solved, events):
    """Every group and track is named once, and put in the order of its number."""
    groups = [(e["pid"], e["args"]["name"]) for e in events if e["name"] == "process_name" and e["ph"] == "M"]
    shared = [(ROWS + 1 + i, t.name) for i, t in enumerate(solved.threads) if solved.csv and is_shared(t)]
    same(groups, [(ROWS, "threads"), *shared] if solved.csv else list(GROUPS.items()), "groups")
    found = [((e["pid"], e["tid"]), e["args"]["name"]) for e in events if e["name"] == "thread_name" and e["ph"] == "M"]
    same(len(dict(found)), len(found), "names of tracks")
    same(dict(found), track_names(solved), "tracks")
    order = [(e["pid"], e.get("tid"), e["args"]["sort_index"]) for e in events if e["name"].endswith("_sort_index")]
    same(order, [(e["pid"], e.get("tid"), e.get("tid", e["pid"])) for e in events if e["name"].endswith("_name")], "order of tracks")


def check_record(solved, event):
    """A record, or a row; returns its position."""
    position, args = event["args"]["record"], event["args"]
    same((event["pid"], event["tid"]), place_of_record(solved, position), f"track of {position}")
    if solved.csv:
        row = solved.csv.raw_rows[position].rstrip(b"\r\n").decode()
        ticks, local, begin = solved.solution.global_times[position], solved.solution.clocked.time[position], solved.row_begin(position)
        begins = {} if begin is None else {"begin_ticks": begin, "begin_local": begin - ticks + local}
        same(args, {"record": position, "ticks": ticks, "local": local, **begins, "row": row}, f"row {position}")
        name = solved.csv.rows[position].get("event") or "row"
    else:
        same(args, record_args(solved, position), f"args of {position}")
        record = solved.pex.trace.records[position]
        same(event["cat"], ["ppe", "spe"][record.core], f"category of {position}")
        name = solved.event_name(record) or f"0x{record.event:04x}"
        begin = begin_of(args, solved.base_of_begins) if "begin_ticks" in args else None
    same(event["name"], name, f"name of {position}")
    same(event["ph"] == "i", begin is None, f"phase of {position}")
    check_times(solved, event, args["ticks"] if begin is None else begin, args["ticks"])
    return position


def begin_of(args, base):
    """Where the slice of an interval event begins."""
    return max(min(args["begin_ticks"], args["ticks"]), base)


def check_times(solved, event, begin, end):
    """ts, dur and what they come back to."""
    hz = solved.solution.clocked.timebase_hz
    begin, end = begin - solved.base_of_begins, end - solved.base_of_begins
    same(event["ts"], microseconds(begin, hz), f"ts of {event}")
    same(event["ts"].startswith("-"), False, f"sign of {event}")
    same(floor(Fraction(event["ts"]) * hz / 10**6 + Fraction(1, 2)), begin, f"ticks of {event}")
    if event["ph"] == "X":
        same(units_of(event["ts"]) + units_of(event["dur"]), units_of(microseconds(end, hz)), f"end of {event}")
    elif event["ph"] == "b":
        same(event["end"]["ts"], microseconds(end, hz), f"end of {event}")


def check_csv_lives(solved, lives, within):
    """The slice of each thread of a CSV, on its own track: from the first begin that lies on it to its last row."""
    clocked, times = solved.solution.clocked, solved.solution.global_times
    tracks, found = csv_tracks(solved), {(e["pid"], e["tid"]): e for e in lives}
    same(len(found), len(lives), "slices of one track")
    same(sorted(found), sorted(place_of_csv(solved, i) for i in range(len(tracks))), "tracks with slices")
    for number, (index, name) in enumerate(tracks):
        event, thread = found[place_of_csv(solved, number)], solved.threads[index]
        own = [i for i, row in enumerate(solved.csv.rows) if (clocked.owner[i], row["thread"]) == (index, name)]
        same(event["name"], name, "name of a slice")
        same(event["args"], clock(solved, index) | ({"clock": thread.name} if is_shared(thread) else {}),
             f"args of {name}")
        check_times(solved, event, min(within[i] for i in own), max(times[i] for i in own))


def check_live(solved, events):
    """The slices of threads: from the first begin that lies on the track to the last record."""
    within, wanted, times = {}, {}, solved.solution.global_times
    for event in events:
        if event["cat"] in ("ppe", "spe", "row"):
            args = event["args"]
            ticks = begin_of(args, solved.base_of_begins) if event["ph"] == "X" else args["ticks"]
            within[args["record"]] = ticks
    lives = [e for e in events if e["cat"] == "live"]
    if solved.csv:
        check_csv_lives(solved, lives, within)
        return
    for index, thread in enumerate(solved.threads):
        if index != solved.solution.clocked.ppe:
            wanted[thread.name] = index
    same(sorted(e["name"] for e in lives), sorted(wanted), "live intervals")
    for event in lives:
        index = wanted[event["name"]]
        thread, said = solved.threads[index], clock(solved, index)
        if thread.context is not None:
            said |= {"context": thread.context, "decr_first": thread.decr_first}
            said |= {} if solved.spe_of(thread) is None else {"spe": thread.spe}
        same(event["args"], said, f"args of {thread.name}")
        same((event["pid"], event["tid"]), place_of(solved, index), f"track of {thread.name}")
        check_times(solved, event, min(within[i] for i in thread.positions), max(times[i] for i in thread.positions))


def check_uncertainty(solved, events, hz):
    """The counters of tracks: what a clock may be off the reference at most, from its first record to its last."""
    found = [(e["pid"], e["name"], e["ts"], e["args"]) for e in events]
    solution, times, wanted = solved.solution, solved.solution.global_times, []
    for index, thread in enumerate(solved.threads):
        if (not solved.csv and index == solution.clocked.ppe) or solution.error(solution.tau, index) == inf:
            continue
        if solved.csv:
            group, called = ROWS + 1 + index if is_shared(thread) else ROWS, thread.name
        else:
            group, tid = place_of(solved, index)
            called = track_names(solved)[group, tid]
        name = f"uncertainty of {called}"
        ticks = {"ticks": solution.error(solution.tau, index) + 2 * solution.added_ticks}
        for at in (times[thread.positions[0]], max(times[i] for i in thread.positions)):
            wanted.append((group, name, microseconds(at - solved.base_of_begins, hz), ticks))
    same(sorted(found, key=str), sorted(wanted, key=str), "counters")


def check_fewer_args(program, path, target, events):
    """--json-args leaves arguments out, and nothing else."""
    for word in ("short", "none"):
        inputs.run(program, path, "-o", target, f"--json-args={word}")
        with open(target, "rb") as file:
            fewer = json.loads(file.read().decode("utf-8"), parse_float=Exact)["traceEvents"]
        same([e | {"args": 0} for e in fewer], [e | {"args": 0} for e in events], f"--json-args={word}")
        for few, event in zip(fewer, events):
            kept = event.get("args")
            if event.get("cat") in ("ppe", "spe", "row") and event["ph"] != "e":
                kept = None if word == "none" else {k: kept[k] for k in ("record", "ticks", "payload") if kept.get(k, {}) != {}}
            elif event.get("cat") == "switch" and word == "none":
                kept = None
            same(few.get("args"), kept, f"--json-args={word}")


def check_ranges(program, path, target, events):
    """--ranges=yes adds what a CSV has in its columns, and nothing else."""
    inputs.run(program, path, "-o", target, "--ranges=yes")
    with open(target, "rb") as file:
        ranged = json.loads(file.read().decode("utf-8"), parse_float=Exact)["traceEvents"]
    inputs.run(program, path, "-o", target + ".csv", "--ranges=yes", "--csv-header=none")
    with open(target + ".csv", encoding="utf-8", errors="surrogateescape", newline="") as file:
        separator = next(c for c in file.readline().partition("thread")[2] + "," if c in ",;\t")
        file.seek(0)
        rows = list(csv.DictReader((line.replace("\0", "") for line in file), delimiter=separator))
    found = 0
    for event, plain in zip(ranged, events, strict=True):
        if event.get("cat") in ("ppe", "spe", "row") and event["ph"] != "e":
            row, args = rows[event["args"]["record"]], event["args"]
            for key in "global_earliest", "global_latest", "global_begin_earliest", "global_begin_latest":
                if key in args or not key.startswith("global_begin"):
                    same(str(args.pop(key)).replace("None", ""), row[key], f"{key} of {args['record']}")
                    found += row[key] != ""
                else:
                    same(row.get(key) or "", "", f"{key} of {args['record']}")
        same(event, plain, "without ranges")
    return found


def check_switches(solved, events, hz):
    """Switches on the tracks of SPEs."""
    found = [(e["pid"], e["tid"], e["ts"], e["name"], e["args"]) for e in events if e["cat"] == "switch"]
    records = enumerate(solved.pex.trace.records if solved.pex else [])
    same(found, [(SPE, r.values[1] + 1, microseconds(r.time - solved.base_of_begins, hz), solved.event_name(r),
                  {"record": i, "context": r.values[0]}) for i, r in records if is_switch(r)], "switches")


def check_nesting(events):
    """No two complete slices of a track cross, nor do they in whole nanoseconds, which viewers use."""
    tracks = defaultdict(list)
    for e in events:
        if e["ph"] == "X":
            begin, end = units_of(e["ts"]), units_of(e["ts"]) + units_of(e["dur"])
            nano = 10**(len(e["ts"].partition(".")[2]) - 3)
            tracks[e["pid"], e["tid"]].append((begin, end, nano))
    for place, slices in tracks.items():
        for unit in (1, slices[0][2]):
            ends = []
            for begin, end in sorted(((b // unit, e // unit) for b, e, _ in slices), key=lambda s: (s[0], -s[1])):
                while ends and ends[-1] <= begin:
                    ends.pop()
                if ends and end > ends[-1]:
                    raise Mismatch(f"track {place}: a slice up to {end} crosses one up to {ends[-1]}")
                ends.append(end)


def nanoseconds(text):
    """As Perfetto reads microseconds."""
    return int(float(text) * 1000.0)


def check_dropped(events):
    """Perfetto, which counts in doubles and whole nanoseconds, drops no slice: none crosses one that begins earlier, or then and
    is longer.  Up to where doubles are exact."""
    tracks = defaultdict(list)
    if any(nanoseconds(e["ts"]) >= 2**53 for e in events):
        return
    for e in events:
        if e["ph"] in "Xi":
            begin = nanoseconds(e["ts"])
            tracks[e["pid"], e["tid"]].append((begin, begin + (nanoseconds(e["dur"]) if e["ph"] == "X" else 0)))
    for place, slices in tracks.items():
        ends = []
        for begin, end in sorted(slices, key=lambda s: (s[0], -s[1])):
            while ends and ends[-1] <= begin:
                ends.pop()
            if ends and end > ends[-1]:
                raise Mismatch(f"track {place}: Perfetto drops the slice from {begin} to {end} ns")
            ends.append(end)


def check_pairs(events):
    """A slice in two parts crosses a complete one before it, or comes late; or it had to be remembered for too long."""
    tracks = defaultdict(list)
    for e in events:
        if e["ph"] not in "Xb":
            continue
        before, begin = tracks[e["pid"], e["tid"]], units_of(e["ts"])
        if e["ph"] == "X":
            before.append((begin, begin + units_of(e["dur"])))
        else:
            end = units_of(e["end"]["ts"])
            why = any(b <= begin <= end_before for b, end_before in before) or any(last > end for _, last in before)
            same(why or len(before) > REMEMBERED, True, f"reason of {e}")


def join_pairs(events):
    """Events in pairs become one, with its end."""
    ends, joined = {}, []
    for event in events:
        key = (event.get("cat"), event["pid"], event.get("id"))
        if event["ph"] == "e":
            ends[key]["end"] = event
            same((event["name"], event["tid"]), (ends[key]["name"], ends[key]["tid"]), f"the other of {event}")
            continue
        if event["ph"] == "b":
            same(key in ends, False, f"id of {event}")
            ends[key] = event
        joined.append(event)
    for event in ends.values():
        same("end" in event, True, f"end of {event}")
    return joined


def check(program, path, target):
    """One trace; returns how many of its slices do not nest, and how many limits of ranges were compared."""
    inputs.run(program, path, "-o", target)
    solved = inputs.solve(path)
    with open(target, "rb") as file:
        document = json.loads(file.read().decode("utf-8"), parse_float=Exact)
    check_fewer_args(program, path, target, document["traceEvents"])
    ranges = check_ranges(program, path, target, document["traceEvents"])
    events = join_pairs(document["traceEvents"])
    hz = solved.solution.clocked.timebase_hz
    check_head(solved, document)
    check_names(solved, [e for e in events if e["ph"] == "M"])
    check_uncertainty(solved, [e for e in events if e["ph"] == "C"], hz)
    events = [e for e in events if e["ph"] not in "MC"]
    positions = [check_record(solved, e) for e in events if e["cat"] in ("ppe", "spe", "row")]
    same(positions, list(range(len(solved.solution.global_times))), "records")
    check_live(solved, events)
    check_switches(solved, events, hz)
    check_nesting(events)
    check_dropped(events)
    check_pairs(events)
    return sum(e["ph"] == "b" for e in events), ranges


def main():
    csv.field_size_limit(2**31 - 1)
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("testdata")
    parser.add_argument("--seeds", type=int, default=trials(30))
    args = parser.parse_args()
    crossing, failed = {}, 0
    with tempfile.TemporaryDirectory() as folder:
        for path in inputs.paths(args.testdata, folder, args.seeds, True):
            try:
                crossing[os.path.basename(path)] = check(os.path.abspath(args.program), path, os.path.join(folder, "x.json"))
            except Exception as error:  # whatever it is, the others go on
                failed += 1
                print(f"{path}: FAILED: {type(error).__name__}: {error}")
    pairs, limits = (list(column) for column in zip(*crossing.values()))
    print(f"{len(crossing)} traces as wanted, {sum(map(bool, pairs))} with slices that do not nest, {sum(limits)} limits; {failed} failed")
    return 1 if failed or not sum(limits) else 0


if __name__ == "__main__":
    sys.exit(main())
