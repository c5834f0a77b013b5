"""Property test: limits in recordTypes of a .pex, and the same limits in columns of a CSV, give the same bounds.

    test_pex_limits.py CELLSYNC [--seeds=N] [--first=SEED]

Each trace comes from a hidden truth: threads of the PPE, contexts, messages with shortest and longest latencies, groups with
latencies, moments that several clocks saw, and readings of the PPE's clock. It is written as a .pex and as a CSV. Both have the same
delta and the same bounds, which contain the truth; without the limits bounds are wider in some traces. --check proves the .pex that is
written, and a CSV made from it.
"""

import json
import os
import random
import re
import subprocess
import tempfile
from fractions import Fraction
from math import ceil, floor

from pexfile import INTERVAL, PPE, SPE, Record, TraceFile, pack_trace
from trials import run_seeds

MILLION = 10**6
FIELDS = ["key", "instance", "cost", "most", "within", "other"]
KINDS = {
    "none": (0x0105, ''),
    "send": (0x0205, 'order="send" match="key"'),
    "recv": (0x0305, 'order="recv" match="key" latency="cost"'),
    "recv most": (0x0405, 'order="recv" match="key" latency="cost" latency_max="most"'),
    "recv 600": (0x0505, 'order="recv" match="key" latency="cost" latency_max="600"'),
    "enter": (0x0605, 'order="enter" match="key" instance="instance"'),
    "leave": (0x0705, 'order="leave" match="key" instance="instance" latency="cost"'),
    "same": (0x0805, 'same="key instance" within="within"'),
    "same 40": (0x0905, 'same="key" within="40"'),
    "measured": (0x0a05, 'other_clock="ppe" other_time="other" within="within"'),
}
COLUMNS = ["thread", "clock", "core", "begin", "time", "send", "recv", "latency", "latency_max", "enter", "leave", "same", "within",
           "other_clock", "other_time"]
LIMITS = ["latency_max", "same", "within", "other_clock", "other_time"]
widened = 0


class World:
    def __init__(self, rng):
        self.rng = rng
        self.rate = rng.choice([0, 0, 100])
        names = ["ppe"] + [f"spe{i}.1" for i in range(1, rng.randint(3, 5))]
        self.clocks = {name: (rng.randint(10**6, 2 * 10**6), 1 + Fraction(rng.randint(-self.rate, self.rate), 2 * MILLION))
                       for name in names}
        self.locations = [("ppe", 100), ("ppe", 101)] + [(name, i + 1) for i, name in enumerate(names[1:])]
        self.events = []                # (instant, number, location, kind, values, begin, columns)
        for number in range(rng.randint(4, 25)):
            rng.choice([self.message, self.message, self.group, self.moment, self.measure])(number + 1)
        for location in self.locations:
            self.add(rng.randint(0, 100), location, "none")
        self.events.sort(key=lambda event: event[:2])

    def shows(self, clock, instant):
        start, rate = self.clocks[clock]
        return floor(start + instant * rate)

    def add(self, instant, location, kind, begin=None, columns=None, **values):
        self.events.append((instant, len(self.events), location, kind, values, begin, columns or {}))

    def message(self, number):
        rng = self.rng
        one, other = rng.sample(self.locations, 2)
        begin = rng.randint(100, 20000)
        sent, took = begin + rng.randint(0, 20), rng.randint(3, 500)
        received, least = begin + took, rng.choice([0, rng.randint(0, took - 2)])
        kind = rng.choice(["recv", "recv most", "recv 600"])
        most = 600 if kind == "recv 600" else took + 2 + rng.choice([0, rng.randint(0, 100)])
        self.add(sent, one, "send", begin, {"send": f"m{number}"}, key=number)
        columns = {"recv": f"m{number}", "latency": least} | ({} if kind == "recv" else {"latency_max": most})
        self.add(received, other, kind, None, columns, key=number, cost=least, most=most)

    def group(self, number):
        rng = self.rng
        members = rng.sample(self.locations, rng.randint(2, len(self.locations)))
        begin, least = rng.randint(100, 20000), rng.choice([0, rng.randint(1, 100)])
        for member in members:
            enters = begin + rng.randint(0, 30)
            self.add(enters + rng.randint(0, 5), member, "enter", enters, {"enter": f"g{number}"}, key=number)
        for member in members:
            self.add(begin + 40 + least + rng.randint(0, 300), member, "leave", None, {"leave": f"g{number}", "latency": least},
                     key=number, cost=least)

    def moment(self, number):
        rng = self.rng
        members = rng.sample(self.locations, rng.randint(2, len(self.locations)))
        at, kind = rng.randint(100, 20000), rng.choice(["same", "same 40"])
        for member in members:
            within = 40 if kind == "same 40" else rng.randint(12, 60)
            self.add(at + rng.randint(0, 9), member, kind, None, {"same": f"s{number}", "within": within}, key=number, within=within)

    def measure(self, _):
        rng = self.rng
        location = rng.choice(self.locations[2:])
        begin = rng.randint(100, 20000)
        end, within = begin + rng.randint(0, 200), rng.choice([2, 30])
        other = self.shows("ppe", rng.randint(begin, end))
        self.add(end, location, "measured", begin, {"other_clock": "ppe", "other_time": other, "within": within}, other=other,
                 within=within)

    def write(self, folder):
        """The paths of the .pex, of the CSV, and of the CSV without limits."""
        first, records = {}, []
        rows = []
        for instant, _, (clock, number), kind, values, begin, columns in self.events:
            time = self.shows(clock, instant)
            start = time if begin is None else self.shows(clock, begin)
            fields = tuple(values.get(field, 0) for field in FIELDS)
            flags = 0 if begin is None else INTERVAL
            if clock == "ppe":
                records.append(Record(PPE, KINDS[kind][0], number, time, start, flags, values=fields))
            else:                       # a context counts down, and its time from its first record
                base = first.setdefault(clock, time)
                time, start = time - base, start - base
                records.append(Record(SPE, KINDS[kind][0], number, 3 * 10**9 - time, 3 * 10**9 - start, flags, values=fields))
            row = {"thread": f"t{number}", "clock": clock, "core": "ppe" if clock == "ppe" else "spe", "time": time} | columns
            rows.append(row | ({} if begin is None else {"begin": start}))
        self.first = first
        pex, full, bare = (os.path.join(folder, name) for name in ("t.pex", "t.csv", "bare.csv"))
        with open(os.path.join(folder, "t.trace"), "wb") as out:
            out.write(pack_trace(TraceFile(records)))
        with open(pex, "w", encoding="utf-8") as out:
            out.write('<pdt_trace version="2"><machine timebase_hz="1000000"/><order granularity="thread"/>\n'
                      '<trace_file href="t.trace"/><pdtGroup name="USER" id="0x05">\n')
            for name, (event, order) in KINDS.items():
                fields = "".join(f'<field name="{field}"/>' for field in FIELDS)
                out.write(f'<recordType name="{name}" id="0x{event:04x}" {order}>{fields}</recordType>\n')
            out.write("</pdtGroup></pdt_trace>\n")
        for path, columns in (full, COLUMNS), (bare, [name for name in COLUMNS if name not in LIMITS]):
            with open(path, "w", encoding="utf-8") as out:
                out.write("\n".join(["# order=partial", "# timebase_hz=1000000", ",".join(columns)] +
                                    [",".join(str(row.get(name, "")) for name in columns) for row in rows]) + "\n")
        return pex, full, bare


def run(args):
    return subprocess.run(args, capture_output=True, text=True, timeout=120, check=False)


def bounds_of(report):
    """Delta, and the bounds of clocks by name."""
    bounds = {row["name"]: (row["earliest_ticks"], row["latest_ticks"]) for row in report["threads"]}
    for row in report.get("drift", {}).get("clocks", []):
        bounds[row["name"]] = [row["bounded"]] + [row[end] for end in ("first", "last")]
    return report["delta"]["ticks"], bounds


def check_truth(world, report):
    """At one rate, a clock whose true offset is outside its bounds, or None."""
    base = next(row["offset_ticks"] for row in report["threads"] if row["name"] == "ppe")
    for row in report["threads"]:
        name, low, high = row["name"], row["earliest_ticks"], row["latest_ticks"]
        truth = base if name == "ppe" else base + world.clocks["ppe"][0] + world.first[name] - world.clocks[name][0]
        if (low is not None and truth < low) or (high is not None and truth > high):
            return f"the truth of {name}, {truth}, is outside {low} to {high}"
    return None


def check(program, seed):
    global widened
    rng = random.Random(f"pex limits {seed}")
    world = World(rng)
    options = ["-q", "--reference=ppe"] + (["--drift=101", "--delta=2"] if world.rate else ["--drift=0", "--delta=least"])
    with tempfile.TemporaryDirectory() as folder:
        paths, found = world.write(folder), []
        out = os.path.join(folder, "o.pex" if not world.rate else "o.csv")
        with open(paths[1], encoding="utf-8") as file:
            case = f"{' '.join(options)}\n{file.read()}"
        for path in paths:
            more = ["-o", out] if path == paths[0] else []
            done = run([program, path, "-r", "-", "--report-format=json", *options, *more])
            if done.returncode:
                return f"exit {done.returncode}: {done.stderr}\n{case}"
            found.append(json.loads(done.stdout))
        pex, full, bare = (bounds_of(report) for report in found)
        if pex != full:
            return f"by the .pex {pex}, by the CSV {full}\n{case}"
        widened += full != bare
        if found[0]["matched"]["limits"] != found[1]["matched"]["limits"]:
            return f"limits: {found[0]['matched']}, {found[1]['matched']}\n{case}"
        fault = None if world.rate else check_truth(world, found[0])
        if fault:
            return f"{fault}\n{case}"
        made = os.path.join(folder, "made.csv")
        for path in [out] + ([] if world.rate else [made]):
            if path == made:
                done = run([program, paths[0], *options, "-o", made])
                if done.returncode:
                    return f"{made}: {done.stderr}\n{case}"
            proof = run([program, "--check", path])
            if proof.returncode:
                return f"--check {path}: {proof.stderr}\n{case}"
    return None


if __name__ == "__main__":
    try:
        run_seeds(check, 50)
    finally:
        print(f"limits narrowed the bounds of {widened} traces")
