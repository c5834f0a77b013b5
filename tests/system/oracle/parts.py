"""Tables of parts of the time, windows between records and sections: cellstat's, held to activity.py.

By the estimate a figure is what the oracle says at the offsets of cellsync; at the true offsets it is in the range. Ends
of a part are records or begins of intervals, so they are known at any offsets.
"""

import csv
import math
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from fractions import Fraction

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import activity  # noqa: E402
import started  # noqa: E402

STATES = ("switch", "ready", "blocked", "idle", "absent")
ACTIVE = ("user", "system", "overhead")
CPU = ("calls", "recursive", "open", "implied", "direct", "cumulative", "least", "greatest")
ELAPSED = ("elapsed_direct", "elapsed_cumulative", "sequential", "concurrent")

# The tables of a summary, by a column that only one of them has, or a few.
TABLES = {("concurrency", 0): {"level", "at_least"}, ("concurrency", 1): {"units", "limit"},
          ("states", 0): {"what", "name", "blocked"},
          ("profile", 0): {"routine", "recursive"}, ("profile", 1): {"routine", "overlap"},
          ("calls", 0): {"caller", "callee"}, ("calls", 1): {"path"}, ("comm", 0): {"sender", "receiver"},
          ("comm", 1): {"class", "count_share"}, ("latency", 0): {"late_sender"}, ("sync", 0): {"class", "misses"},
          ("sync", 1): {"holder"}, ("sync", 2): {"spread"}}


@dataclass
class Part:
    """A part of the time: from a record, or where its interval begins, to a record."""
    begin: object
    from_begin: bool
    end: object
    window: str

    def ends(self):
        return self.begin.begun if self.from_begin else self.begin.at, self.end.at


def stems(header):
    """Names of figures, without units and ends of ranges."""
    return {re.sub("(_lo|_hi)?(_ticks|_microticks|_ppm)?$", "", name) for name in header.split(",")}


def rows_of(table):
    return list(csv.DictReader(table.splitlines()))


def named(verb, text):
    """Tables of a verb, as rows by column, by (verb, which one); those of a summary as of the verbs."""
    tables = [(table.partition("\n")[0], table) for table in text.split("\n\n")]
    tables = [(stems(header), table) for header, table in tables if "window" not in header]
    if verb != "summary":
        return {(verb, i): rows_of(table) for i, (_, table) in enumerate(tables)}
    return {key: rows_of(table) for key, wanted in TABLES.items() for names, table in tables if wanted <= names}


def partners(row):
    """The key of a row of comm."""
    return row["what"], row["sender"].replace("tid", "ppe"), row["receiver"].replace("tid", "ppe")


def ask(program, verb, option, several, *more, trace=("t.pex",)):
    """Tables of each of these parts, as named has them; in which sections are found is checked."""
    text = started.run([program, verb, "-q", *trace, "--format=csv", option, *more], check=True,
                       stdout=subprocess.PIPE).stdout.decode()
    tables = named(verb, text)
    if not option.startswith("--section"):
        return [tables]
    if verb != "concurrency":
        rows = rows_of(text.partition("\n\n")[0])
        assert [row["window"] for row in rows] == [part.window for part in several], (option, rows)
        for row, part in zip(rows, several):
            begin, end = part.ends()
            assert end - begin == int(row["end_ticks"]) - int(row["begin_ticks"]), (option, row)
    return [by_block(tables, block + 1) for block in range(len(several))]


def by_block(tables, block):
    """The rows of a section."""
    return {key: [row for row in rows if row["block"] == str(block)] for key, rows in tables.items()}


def window_of(records, first, last):
    return Part(records[first], False, records[last], f"#{first}..#{last}")


def sections_of(records, name):
    """The intervals of a name, from their begins, but not from before the first record of their stay; or the times from an
    event of that name to the next one of its actor, or its last record."""
    firsts, begun, lasts, found = {}, {}, {}, []
    for i, r in enumerate(records):
        lasts[r.actor] = i
        first = firsts.setdefault((r.actor, r.clock), i)
        if r.name == name and r.begin is not None:
            inside = r.begun > records[first].at
            found.append((i, Part(r, True, r, f"#{i}.begin..#{i}") if inside else window_of(records, first, i)))
        elif r.name == name:
            if r.actor in begun:
                found.append((i, window_of(records, begun[r.actor], i)))
            begun[r.actor] = i
    found += [(lasts[actor], window_of(records, i, lasts[actor])) for actor, i in begun.items()]
    found.sort(key=lambda row: (*row[1].ends(), row[0]))
    return [part for _, part in found]


def parts_of(records):
    """Parts of the time, as an option and what it asks for: between two records, and sections around the longest
    interval."""
    first, last = len(records) // 5, len(records) * 7 // 10
    yield f"--window=#{first}..#{last}", [window_of(records, first, last)]
    intervals = [r for r in records if r.begin is not None]
    if intervals:
        name = max(intervals, key=lambda r: r.at - r.begun).name
        found = sections_of(records, name)
        longest = max(range(len(found)), key=lambda i: found[i].ends()[1] - found[i].ends()[0])
        some = found[longest:longest + 2]
        yield f"--section={name}#{longest + 1}-{longest + len(some)}", some


class Held:
    """Checks of tables at some offsets; a mixin of a test."""

    def figure(self, row, name, unit):
        """Between what a figure has to be: by the estimate, or, with a unit, the parts of a tick of what is so, by its range;
        None if there is no such figure."""
        for kind, scale in (("_ticks", 1), ("_microticks", Fraction(1, 10**6)), ("", None)):
            if name + kind not in row:
                continue
            ends = (row[f"{name}{end}{kind}"] for end in (("_lo", "_hi") if unit else ("", "")))
            if row[f"{name}{kind}"] == "":
                return None
            if unit and row[f"{name}_kind"] == "unknown":
                return -math.inf, math.inf
            low, high = (float(text) if "inf" in text else int(text) for text in ends)
            rounded = kind == "_microticks" and (unit is None or row[f"{name}_kind"] == "clock")
            scale = 1 if scale is None else scale * (unit or 1)
            return low * scale, (high + rounded) * scale
        raise KeyError(name)

    def hold(self, shown, unit, row, **figures):
        """What a row says, and what is so; there may be no figure where there is none by the estimate."""
        for name, true in figures.items():
            said = self.figure(row, name, unit)
            if said or true is not None and unit is None:
                self.assertTrue(said is not None and true is not None and said[0] <= true <= said[1],
                                (shown, unit, row, name, said, true))

    def hold_rows(self, shown, unit, rows, key_of, want, names):
        """A table of rows by key: figures are counts where a row is not told of at these offsets; none is missing."""
        got = {key_of(row): row for row in rows}
        self.assertEqual(len(got), len(rows), shown)
        self.assertLessEqual(set(want), set(got), (shown, unit))
        for key, row in got.items():
            if key in want:
                self.hold(shown + (key,), unit, row, **{n: want[key][n] for n in names})
            else:  # of none with these offsets
                self.hold(shown + (key,), unit, row, **{names[0]: 0})

    def hold_all(self, shown, unit, tables, actors, calls, ends):
        """States, concurrency, waits, profile and calls, of all actors."""
        self.hold_states(shown, unit, tables["states", 0], activity.states_in(actors, *ends))
        self.hold_levels(shown, unit, tables["concurrency", 0], activity.executing_in(activity.units_of(actors), *ends))
        self.hold_waits(shown, unit, tables["sync", 0], activity.waits_in(actors, *ends))
        self.hold_routines(shown, unit, tables, actors, calls, ends)

    def hold_routines(self, shown, unit, tables, actors, calls, ends):
        """Profile and calls."""
        inside = activity.calls_in(calls, *ends)
        self.hold_profile(shown, unit, [tables["profile", i] for i in (0, 1)], activity.profile(inside, actors))
        self.hold_calls(shown, unit, [tables["calls", i] for i in (0, 1)], inside)

    def hold_summary(self, shown, summaries, by_verbs):
        """The parts of a summary are what the verbs have, in some order, but for rows that it leaves out."""
        def rows_of(tables, key):
            rows = [{name: value for name, value in row.items() if name not in ("begin_ticks", "end_ticks")}
                    for row in tables.get(key, ()) if row.get("kind") != "leaf" and row.get("what") not in ("all", "unit")]
            return sorted(tuple(row.items()) for row in rows)

        for summary, tables in zip(summaries, by_verbs):
            for key in tables:
                if key in TABLES:
                    self.assertEqual(rows_of(summary, key), rows_of(tables, key), (shown, key))

    def hold_states(self, shown, unit, rows, want):
        for row in rows:
            if row["what"] != "actor":
                continue
            actor = row["name"].replace("tid", "ppe")
            self.hold(shown, unit, row, **{state: want[actor, state] for state in STATES})
            parts = [self.figure(row, part, unit) for part in ACTIVE]
            low, high = (sum(part[i] for part in parts) for i in (0, 1))
            self.assertTrue(low <= want[actor, "active"] <= high, (shown, unit, row))

    def hold_levels(self, shown, unit, rows, want, column="level"):
        for row in rows:
            self.hold(shown, unit, row, time=want[int(row[column])])
        self.assertLessEqual(max((n for n, time in want.items() if time), default=0), len(rows) - 1, shown)

    def hold_waits(self, shown, unit, rows, want):
        """Waits of a class, for all of its objects; no class is met that has no row."""
        self.assertLessEqual(set(want), {row["class"] for row in rows}, shown)
        for name in {row["class"] for row in rows}:
            some = [row for row in rows if row["class"] == name]
            for column, true, pick in zip(("count", "time", "greatest"), want.get(name, (0, 0, 0)), (sum, sum, max)):
                low, high = (pick(self.figure(row, column, unit)[i] for row in some) for i in (0, 1))
                self.assertTrue(low <= true <= high, (shown, unit, name, column, low, true, high))

    def hold_profile(self, shown, unit, tables, want):
        for table, names in zip(tables, (CPU, ELAPSED)):
            self.hold_rows(shown, unit, table, lambda row: row["routine"], want, names)

    def hold_calls(self, shown, unit, tables, calls):
        rows = [row for row in tables[0] if row["kind"] == "routine"]
        self.hold_rows(shown, unit, rows, lambda row: (row["caller"] or None, row["callee"]),
                       {key: dict(zip(("calls", "time"), row)) for key, row in activity.call_pairs(calls).items()},
                       ("calls", "time"))
        self.hold_rows(shown, unit, tables[1], lambda row: tuple(row["path"].split(";")),
                       {key: dict(zip(("calls", "direct"), row)) for key, row in activity.call_paths(calls).items()},
                       ("calls", "direct"))

    def hold_comm(self, shown, unit, tables, want):
        """Pairs, and what all of a kind come to, wherever partners are."""
        self.hold_rows(shown, unit, tables[0], partners, want, ("count", "bytes", "time"))
        for what in {row["what"] for row in tables[1]}:
            for name in ("count", "bytes"):
                ends = [self.figure(row, name, unit) for row in tables[1] if row["what"] == what]
                true = sum(row[name] for key, row in want.items() if key[0] == what)
                self.assertTrue(sum(e[0] for e in ends) <= true <= sum(e[1] for e in ends), (shown, unit, what, ends, true))

    def hold_latency(self, shown, unit, rows, want):
        self.hold_rows(shown, unit, rows, lambda row: (row["what"], row["class"], int(row["bytes"])), want,
                       ("messages", "least", "mean", "median", "late_sender"))
