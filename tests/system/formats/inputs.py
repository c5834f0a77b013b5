"""Traces to write in other formats, with what the independent solver of tests/system/oracle says of their times.

Each is a Solved: a path, the records as pexfile reads them, the solution. No code is shared with cellsync.
"""

import glob
import os
import sys
from dataclasses import dataclass
from functools import cached_property, lru_cache
from random import Random

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "oracle"))
import expect  # noqa: E402
import generate  # noqa: E402
import pexfile  # noqa: E402
import solver  # noqa: E402
import started  # noqa: E402
from pexfile import quote  # noqa: E402

WRAP = 2**32

# What no writer may stumble over: quotes, controls, other scripts, names that are missing, equal, reserved or made.
ODD_XML = """<?xml version="1.0" encoding="UTF-8"?>
<pdt_trace version="1">
  <machine name="odd &quot;machine&quot; \\ &#9;" timebase_hz="{hz}"/>
  <trace_file href="odd.trace"/>
  <threads><ppe tid="7" name="m&#10;a\\i&quot;n h&#233;"/><ppe tid="x"/><ppe tid="4294967295"/></threads>
  <recordType name="quo&quot;te \\ back&#10;line &#x1F600; %s %% &#127; ?? */ ;" id="0x0503" type="interval">
    <field name="lock"/><field name="lock"/><field name="_lock"/><field name=""/><field/>
    <field name="value9"/><field name="a b"/><field name="a-b"/><field name="h&#233;"/><field name="7up"/>
    <field name="struct"/><field name="quo&quot;te\\"/>
  </recordType>
  <recordType name="same" id="0x0603"><field name="x"/></recordType>
  <recordType name="same" id="0x0703"><field name="x"/><field name="y"/></recordType>
  <recordType name="field" id="0x0803"><field name="int"/></recordType>
  <recordType id="0x0903"><field name="unknown"/></recordType>
</pdt_trace>
"""


@dataclass
class Solved:
    """A trace and its solution."""
    path: str
    pex: pexfile.Pex                # None: a CSV
    csv: pexfile.CsvTrace           # None: a .pex
    solution: solver.Solution

    @property
    def threads(self):
        return self.solution.clocked.threads

    @cached_property
    def base(self):
        """What times without a sign count from."""
        return min(0, *self.solution.global_times)

    def begin(self, position):
        """The global begin stamp of a record."""
        record = self.pex.trace.records[position]
        return expect.global_begin(record, self.solution.clocked.time[position], self.solution.global_times[position])

    def row_begin(self, position):
        """Where the interval of a CSV's row begins in global time, by its columns alone; None: it is none."""
        row, local = self.csv.rows[position], int(self.csv.rows[position]["time"])
        if row.get("begin", "").strip():
            return self.solution.global_times[position] - (local - int(row["begin"]))
        if row.get("duration", "").strip():
            return self.solution.global_times[position] - int(row["duration"])
        return None

    @cached_property
    def base_of_begins(self):
        """What times without a sign count from where begins are shown: those of a PPE are what a program wrote."""
        if self.csv:
            begins = [self.row_begin(i) for i in range(len(self.csv.rows))]
            return min([self.base] + [begin for begin in begins if begin is not None])
        records = enumerate(self.pex.trace.records)
        return min([self.base] + [self.begin(i) for i, r in records if r.core == pexfile.SPE and r.flags & pexfile.INTERVAL])

    def event_name(self, record):
        """The name of a record's event, "" where it has none."""
        return expect.event_name(self.pex, record) or ""

    def field_names(self, event):
        """What the .pex says of the fields of an event id: a name or None each; None where it names no such event."""
        for element in self.pex.root.iter("recordType"):
            if element.get("id") and pexfile.number(element.get("id")) == event and element.get("name"):
                return [field.get("name") for field in element.findall("field")]
        return None

    def spe_of(self, thread):
        """The physical SPE of a thread, or None."""
        return None if thread.spe == 2**64 - 1 else thread.spe


def solve(path):
    """A Solved, by the defaults of cellsync."""
    return solve_file(path, os.stat(path).st_mtime_ns)


@lru_cache(maxsize=2)
def solve_file(path, _):
    csv = pexfile.read_csv(path) if path.endswith(".csv") else None
    pex = None if csv else pexfile.read_pex(path)
    clocked = solver.clocked_csv(csv) if csv else solver.clocked_pex(pex)
    return Solved(path, pex, csv, solver.solve(clocked, solver.Options()))


def odd_records():
    """Records of every shape: with as many values as the .pex says, fewer, more, 8000; begins of every kind."""
    def values(n):
        return tuple((2**64 - 1) // (i + 1) for i in range(n))

    def ppe(time, event, n, begin=None, tid=7):
        flags = pexfile.INTERVAL if begin is not None else 0
        return pexfile.Record(pexfile.PPE, event, tid, time, begin or 0, flags, time % WRAP, values(n))

    def spe(context, local, event, n, begin=None):
        flags = pexfile.INTERVAL if begin is not None else 0
        decr, begun = (5000 - local) % WRAP, 77 if begin is None else (5000 - begin) % WRAP
        return pexfile.Record(pexfile.SPE, event, context, decr, begun, flags, 4, values(n), b"\xff" * 8)

    def switch(time, event, context, on):
        return pexfile.Record(pexfile.PPE, event, 9, time, 0, 0, 0, (context, on))

    def crowd():
        """Slices beside one another on one track, more than a writer may want to remember, and one around all."""
        small = [ppe(2000 + 10 * i, 0x0603, 1, 1995 + 10 * i, 4) for i in range(1100)]
        return small + [ppe(14000, 0x0603, 1, 1990, 4), ppe(14010, 0x0603, 1, 14001, 4), ppe(14020, 0x0603, 1, 13990, 4)]

    start = [ppe(1000, 0x0503, 12), switch(1001, 0x0100, 0, 0), switch(1001, 0x0100, 3, 2**64 - 1)]
    return start + [
        spe(0, 10, 0x0503, 12, 5), spe(0, 20, 0x0503, 11, 2), spe(0, 30, 0x0503, 13, 15), spe(0, 30, 0x0503, 0, 40),
        spe(0, 40, 0x0503, 0, 40), spe(0, 50, 0x0603, 1, 40), spe(0, 60, 0x0703, 2, 45), spe(0, 61, 0x0803, 1, 59), spe(0, 61, 0x0903, 1),
        spe(0, 62, 0x0100, 2), spe(0, 63, 0x0300, 0), spe(0, 64, 0xffff, 8000), spe(0, 65, 0xffff, 1),
        ppe(1100, 0xffff, 0, 0), ppe(1110, 0x0603, 1, 2**64 - 1), ppe(1111, 0x0603, 1, 2**63, 0),
        ppe(1112, 0x0603, 1, 1105, 2**32 - 1), spe(3, 5, 0x0003, 0), spe(9, 5, 0x0003, 0), spe(9, 6, 0x0004, 1),
        switch(1120, 0x0200, 0, 0), switch(1125, 0x0100, 5, 0), spe(5, 0, 0x0603, 1, 500), spe(5, 9, 0x0603, 1, 1),
        switch(1150, 0x0200, 5, 0)] + crowd()


def write_odd(folder, hz):
    """Writes the odd trace; returns its path."""
    path = os.path.join(folder, f"odd{hz}.pex")
    document = ODD_XML.format(hz=hz).replace("odd.trace", f"odd{hz}.trace").encode()
    pexfile.write_pex(path, document, pexfile.pack_trace(pexfile.TraceFile(odd_records())), f"odd{hz}.trace")
    return path


# Names and values that no writer may stumble over.
ODD_NAMES = ["lock", "quo\"te", "new\nline", "back\\slash", "h\u00e9 \U0001f600", "", "%s;*/", "a, b", "int", "row", "clock"]
ODD_COLUMNS = ["cpu", "a b", "a-b", "struct", "", "value3", "quo\"te", "h\u00e9", "7up", "note", "note ", "\u65e5\u672c"]


def write_intervals(folder, seed):
    """Writes a CSV of threads that read true time on clocks of their own, alone or several on one; their events may be
    intervals, of which the first begin before any record. Returns its path."""
    random = Random(seed)
    kind, shared = random.choice(("begin", "duration")), random.random() < 0.6
    clocks = [(f"host{c}", random.choice((0, -10**12, 10**12, 10**15))) for c in range(random.randint(1, 5))]
    threads = [(f"t{i} {random.choice(ODD_NAMES)}".strip(), random.choice(clocks) if shared else (f"t{i}", clocks[0][1] * i))
               for i in range(random.randint(1, 8))]
    extra = random.sample(ODD_COLUMNS, random.randint(0, 6))
    names = ["thread", "time"] + ["clock"] * shared + [kind, "event"] + extra
    lines, now = [",".join(map(quote, names))], random.choice((0, 50))
    for _ in range(random.randint(1, 60)):
        now += random.randint(0, 9)
        name, (clock, ahead) = random.choice(threads)
        long = random.choice((0, 1, random.randint(0, 40), random.randint(0, 4000)))
        interval = {"begin": now + ahead - long, "duration": long}[kind] if random.random() < 0.6 else ""
        row = [name, now + ahead] + [clock] * shared + [interval, random.choice(ODD_NAMES)]
        lines.append(",".join(quote(str(text)) for text in row + [random.choice(ODD_NAMES) for _ in extra]))
    path = os.path.join(folder, f"intervals{seed}.csv")
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write("# timebase_hz=%d\n" % random.choice((10**9, 10**6, 14318000)) + "\n".join(lines) + "\n")
    return path


def paths(testdata, folder, seeds, with_csv):
    """Samples, good inputs of the CLI tests, the demo, the odd trace at several rates, random traces."""
    found = sorted(glob.glob(os.path.join(testdata, "samples", "*.pex")) +
                   glob.glob(os.path.join(testdata, "good", "*.pex")))
    found += [os.path.join(testdata, "demo.pex")]
    found += [write_odd(folder, hz) for hz in (1, 14318000, 10**9, 10**9 + 1, 2**64 - 2)]
    if with_csv:
        found += [os.path.join(testdata, "samples", name) for name in ("paper.csv", "one-sided.csv")]
        found += [write_intervals(folder, seed) for seed in range(seeds)]
    found += [made.path for made in (generate.generate(seed, folder, f"random{seed}") for seed in range(seeds))
              if with_csv or made.kind == "pex"]
    return found


def run(program, *arguments):
    """Runs cellsync, which must succeed."""
    done = started.run([program, *arguments], capture_output=True, timeout=60, check=False)
    if done.returncode:
        raise AssertionError(f"{' '.join([program, *arguments])}: exit status {done.returncode}: {done.stderr.decode()}")
