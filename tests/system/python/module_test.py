#!/usr/bin/env python3
"""The Python module, as installed: it says what the library says.  python_test.py runs it, with numpy and without.

Usage: module_test.py SOURCE_FOLDER CELLSTAT WITH_NUMPY   WITH_NUMPY: yes or no
"""
import collections
import csv
import ctypes
import gc
import html
import json
import os
import pathlib
import re
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import unittest
from ctypes import byref
from fractions import Fraction

TOP, CELLSTAT, NUMPY = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3] == "yes"
if not NUMPY:
    sys.modules["numpy"] = sys.modules["pandas"] = None  # as where they are not installed
import cellsync  # noqa: E402
from cellsync import arrow  # noqa: E402

SAMPLES = TOP / "testdata/samples"
DEMO = TOP / "testdata/demo.pex"


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def demo(self):
        trace = self.enterContext(cellsync.open(DEMO))
        return self.enterContext(trace.synchronize())

    if not hasattr(unittest.TestCase, "enterContext"):  # before 3.11
        def enterContext(self, manager):
            self.addCleanup(manager.__exit__, None, None, None)
            return manager.__enter__()


class Joined(Folder):
    def test_files(self):
        """Several files are one trace, with the offsets that one file of all rows has."""
        rows = {"a": ["a,100,m,", "a,400,,n"], "b": ["b,1200,,m", "b,1300,n,"]}
        head = "# order=partial\nthread,time,send,recv\n"
        for name, own in rows.items():
            (self.folder / f"{name}.csv").write_text(head + "\n".join(own) + "\n")
        (self.folder / "whole.csv").write_text(head + "\n".join(rows["a"] + rows["b"]) + "\n")
        paths = [self.folder / "a.csv", self.folder / "b.csv"]
        with cellsync.open(paths) as trace, cellsync.open(self.folder / "whole.csv") as whole:
            self.assertEqual((trace.files, whole.files), (tuple(map(str, paths)), ()))
            with trace.synchronize(drift=0, delta="least") as one, whole.synchronize(drift=0, delta="least") as other:
                found, wanted = ([(t.name, t.earliest_ticks, t.latest_ticks) for t in s.threads] for s in (one, other))
                self.assertEqual(found, wanted)
                self.assertEqual(found[1][2] - found[1][1], 200)
        for path in paths:
            path.write_text(path.read_text().split("\n", 1)[1])
        with self.assertRaisesRegex(cellsync.UsageError, "traces of their own"):
            cellsync.open(paths)
        with cellsync.open(paths, join=True) as trace:
            self.assertEqual(len(trace.files), 2)
        with self.assertRaises(cellsync.FileError):
            cellsync.open([paths[0], self.folder / "none.csv"])
        with self.assertRaises(ValueError):
            cellsync.open([])


class Answers(Folder):
    def test_samples(self):
        """Offsets and bounds are those that were found by other means."""
        for name in ("plain", "switches", "stragglers"):
            with cellsync.open(SAMPLES / f"{name}.pex") as trace, trace.synchronize() as solution:
                for row, thread in zip(rows_of(SAMPLES / f"{name}.offsets.csv"), solution.threads, strict=True):
                    self.assertEqual((row["thread"], int(row["records"]), int(row["offset_ticks"])),
                                     (thread.name, thread.records, thread.offset_ticks))
                    self.assertEqual((row["earliest_ticks"], row["latest_ticks"]), tuple(
                        "" if t is None else str(t) for t in (thread.earliest_ticks, thread.latest_ticks)))
                expected = rows_of(SAMPLES / f"{name}.bounds.csv")
                for row, found in zip(expected, solution.bounds().rows(), strict=True):
                    self.assertEqual(list(row.values()), ["" if v is None else str(v) for v in found[:5]])
                    bound = solution.bound(row["thread_s"], row["thread_t"])
                    self.assertEqual(bound, found[2:])
                errors = solution.errors()
                self.assertEqual(len(errors), len(solution.threads))
                names = [thread.name for thread in solution.threads]
                for row in expected:
                    s, t = names.index(row["thread_s"]), names.index(row["thread_t"])
                    self.assertEqual(errors[s][t], int(row["error_ticks"] or -1))
                    self.assertEqual(errors[t][s], errors[s][t])

    def test_events(self):
        """Events are those of the CSV that the library writes, in batches of any size."""
        solution = self.demo()
        solution.write(self.folder / "demo.csv")
        expected = rows_of(self.folder / "demo.csv")
        columns = ["record", "thread", "local_ticks", "global_ticks", "name", "id", "interval", "local_begin_ticks"]
        events = solution.events(columns=columns, fields=["lock", "spe"])
        self.assertEqual(events.nrows, len(expected))
        for number, (row, event) in enumerate(zip(expected, events.rows())):
            self.assertEqual(event[:5], (number, row["thread"], int(row["time"]), int(row["global_time"]), row["event"]))
            if not event[6]:
                self.assertEqual(event[7], event[2])
        self.assertTrue({0x0503, 0x0703, 0x0100} <= set(events["id"]))
        self.assertTrue(all((lock is not None) == name.startswith("MUTEX") for lock, name in zip(events["lock"], events["name"])))
        for size in (1, 7, 500, 10**6):
            parts = list(solution.batches(size, columns=columns, fields=["lock"], start=11, stop=820))
            self.assertTrue(all(part.nrows == size for part in parts[:-1]))
            self.assertEqual([row for part in parts for row in part.rows()], [row[:9] for row in events.rows()][11:820])
        self.assertEqual(solution.events(start=5, stop=5).nrows, 0)
        self.assertEqual(list(solution.events(start=-2).rows()), list(solution.events().rows())[-2:])
        with self.assertRaisesRegex(ValueError, "column 'tick'"):
            solution.events(columns=["tick"])

    def test_columns_of_csv(self):
        """What a CSV says in columns of its own, and threads that share clocks."""
        path = self.folder / "t.csv"
        path.write_text("thread,clock,time_us,event,note\na,C,1,x,one\nb,C,2,y,\nc,c,7,x,\u00e9\na,C,9,,two\n")
        with cellsync.open(path) as trace, trace.synchronize(reference="C", alpha=Fraction(1, 3)) as solution:
            self.assertEqual(trace.timebase_hz, 10**9)
            self.assertEqual(solution.reference.members, ("a", "b"))
            self.assertEqual(solution.tracks, (("a", 0), ("b", 0), ("c", 1)))
            self.assertEqual(solution.thread("b").name, "C")
            events = solution.events(columns=["track", "thread", "name"], fields=["note", "none"])
            self.assertEqual(list(events.rows()), [("a", "C", "x", "one", None), ("b", "C", "y", "", None),
                                                   ("c", "c", "x", "\u00e9", None), ("a", "C", "", "two", None)])

    def compare(self, sheets, trace, verb, *options, operands=()):
        """Sheets are those that cellstat writes, figure by figure, and so are the kind of ranges and what they rest on."""
        said = [subprocess.run([CELLSTAT, verb, *options, "-q", f"--format={format}", trace, *operands], capture_output=True, text=True,
                               check=True).stdout for format in ("csv", "json")]
        parts = [list(csv.reader(part.splitlines())) for part in said[0].strip("\n").split("\n\n")]
        for part, sheet in zip(parts, sheets.values(), strict=True):
            self.assertEqual(part[0], list(sheet))
            for row, found in zip(part[1:], sheet.rows(), strict=True):
                self.assertEqual(row, ["" if v is None else str(v) for v in found])
        head = json.loads(said[1])
        for part, rows in zip(parts, head["sheets"].values(), strict=True):  # how good each range is, as JSON says it
            for row, figures in zip(part[1:], rows, strict=True):
                said_here = {f"{re.sub('_(ticks|microticks|ppm)$', '', name)}_kind": figure["kind"]
                             for name, figure in figures.items() if isinstance(figure, dict)}
                self.assertEqual({name: kind for name, kind in zip(part[0], row) if name.endswith("_kind") and kind}, said_here)
        self.assertEqual((list(sheets), sheets.kind, list(sheets.conditions)),
                         (list(head["sheets"]), head["ranges"], head["conditions"]))

    def test_tables(self):
        solution = self.demo()
        self.compare(solution.states(), DEMO, "states")
        self.compare(solution.states(pairs=True, joint=True, ranges="star"), DEMO, "states", "--pairs", "--joint",
                     "--ranges=star")
        self.compare(solution.states(window="#100..75%"), DEMO, "states", "--window=#100..75%")
        self.compare(solution.states(actors="spe1,tid*"), DEMO, "states", "--actors=spe1,tid*")
        self.compare(solution.states(units="spe", joint=True), DEMO, "states", "--units=spe", "--joint")
        sections = solution.sections("MUTEX_LOCK", first=3, last=5)
        self.assertEqual([s.window.split("#")[-1] for s in sections], [s.window.split("#")[1].split(".")[0] for s in sections])
        self.assertEqual(sections, solution.sections("MUTEX_LOCK")[2:5])
        self.assertTrue(all(s.begin_ticks <= s.end_ticks for s in sections))
        self.compare(solution.states(window=sections[1].window), DEMO, "states", f"--window={sections[1].window}")
        with self.assertRaisesRegex(cellsync.UsageError, "no such section"):
            solution.sections("NOTHING")
        self.compare(solution.timeline(bins=20, actors="spe1,tid*"), DEMO, "timeline", "--bins=20", "--actors=spe1,tid*")
        self.compare(solution.waits(actors="spe1"), DEMO, "sync", "--actors=spe1")
        self.compare(solution.overview(bins=20, actors="spe1"), DEMO, "summary", "--bins=20", "--actors=spe1")
        self.compare(solution.concurrency(), DEMO, "concurrency")
        self.compare(solution.concurrency(attained=True), DEMO, "concurrency", "--attained")
        self.compare(solution.concurrency(units="actors", window="25%..75%", speedup=8, serial="1ms", sample=Fraction(50)),
                     DEMO, "concurrency", "--units=actors", "--window=25%..75%", "--speedup=8", "--serial=1ms", "--sample=50")
        self.compare(solution.timeline(bins=20), DEMO, "timeline", "--bins=20")
        self.compare(solution.timeline(bins=20, window="25%..75%"), DEMO, "timeline", "--bins=20", "--window=25%..75%")
        self.compare(solution.overview(bins=20), DEMO, "summary", "--bins=20")
        self.compare(solution.waits(ranges="none"), DEMO, "sync", "--ranges=none")
        self.compare(solution.concurrency(per="node", topology=(1, 2)), DEMO, "concurrency", "--per=node", "--topology=1,2")
        with self.assertRaisesRegex(ValueError, "units='cpus': expected one of auto, spe"):
            solution.concurrency(units="cpus")
        with self.assertRaisesRegex(cellsync.UsageError, "no events that show when a thread has a core"):
            solution.concurrency(units="cpu")
        with self.assertRaisesRegex(cellsync.UsageError, "no such section"):
            solution.concurrency(section="nowhere")
        with self.assertRaises(cellsync.InputError):  # no event of it enters a routine
            solution.profile()

    def test_cluster(self):
        """Routines and messages, of a simulated cluster."""
        path = self.folder / "lb.pex"
        subprocess.run([pathlib.Path(CELLSTAT).with_name("pdtsim"), "--workload=lb", "--nodes=2", "--calls", "--events=3000",
                        "-o", path], check=True, stdout=subprocess.DEVNULL)
        with cellsync.open(path) as trace, trace.synchronize() as solution:
            self.compare(solution.profile(), path, "profile", "--top=0")
            self.compare(solution.profile(window="25%..75%"), path, "profile", "--top=0", "--window=25%..75%")
            self.compare(solution.profile(follow="create"), path, "profile", "--top=0", "--follow=create")
            self.compare(solution.profile(per="actor", actors="spe[01]", sort="calls", top=3), path, "profile", "--per=actor",
                         "--actors=spe[01]", "--sort=calls", "--top=3")
            self.compare(solution.calls(weight="bytes", leaves=2, at="25%"), path, "calls", "--weight=bytes", "--leaves=2",
                         "--at=25%", "--top=0")
            self.compare(solution.calls(window="25%..75%"), path, "calls", "--window=25%..75%", "--top=0")
            self.compare(solution.overview(bins=64, window="25%..75%"), path, "summary", "--bins=64", "--window=25%..75%")
            self.assertNotEqual(list(solution.calls(at="25%")["active"].rows()), [])
            self.compare(solution.calls(at="#2000"), path, "calls", "--at=#2000", "--top=0")
            self.compare(solution.comm(by="size", templates=True, heavy="1/10"), path, "comm", "--by=size", "--templates",
                         "--heavy=1/10")
            self.compare(solution.comm(group="node", topology=(8, 1)), path, "comm", "--group=node", "--topology=8,1")
            self.compare(solution.comm(window="25%..75%"), path, "comm", "--window=25%..75%")
            self.compare(solution.latency(ranges="star"), path, "latency", "--ranges=star")
            self.compare(solution.each_latency(), path, "latency", "--each-message")
            self.compare(solution.each_latency(window="25%..75%"), path, "latency", "--each-message", "--window=25%..75%")
            self.compare(solution.waits(), path, "sync")
            self.compare(solution.latency(window="25%..75%"), path, "latency", "--window=25%..75%")
            self.compare(solution.latency(actors="spe1,*2"), path, "latency", "--actors=spe1,*2")
            self.compare(solution.comm(actors="spe1"), path, "comm", "--actors=spe1")
            self.compare(solution.waits(window="25%..75%"), path, "sync", "--window=25%..75%")
            with self.assertRaisesRegex(cellsync.UsageError, "colour"):
                solution.profile(sort="colour")

    def test_before(self):
        """As cellstat(1) shows it."""
        solution = self.demo()
        self.assertEqual(solution.before(411, 424)[0], "yes")
        self.assertEqual(solution.before(411, 424)[2:], (-372, -353, "exact"))
        self.assertEqual(solution.before(424, 411)[0], "no")
        self.assertEqual(solution.before(("ppe", 61000001300), ("spe4.1", 921)), ("unknown", -4, -13, 4, "exact"))
        self.compare(solution.order_table(411, 424), DEMO, "order", operands=["#411", "#424"])
        self.compare(solution.order_table(424, 411), DEMO, "order", operands=["#424", "#411"])
        self.compare(solution.order_table(("ppe", 61000001300), ("spe4.1", 921)), DEMO, "order",
                     operands=["ppe@61000001300", "spe4.1@921"])
        found = [solution.order_table(a, b)["order"]["order"][0] for a, b in
                 ((411, 424), (424, 411), (411, 411), (("ppe", 61000001300), ("spe4.1", 921)))]
        self.assertEqual(found, ["before", "after", "same", "unknown"])
        for asked in (solution.before, solution.order_table):
            with self.assertRaises(IndexError):
                asked(0, 828)
        for wrong in ("#411", 411.0, None, ("ppe", 1, 2)):
            with self.assertRaisesRegex(TypeError, "expected the position of a record, such as 100, or"):
                solution.before(wrong, 424)

    def test_drift(self):
        with cellsync.open(TOP / "testdata/sockets.csv") as trace:
            with trace.synchronize() as solution:
                self.assertEqual(solution.drift.rate_ppb, 101000)
                self.assertEqual((solution.delta, solution.delta_floor), (Fraction(1, 2), Fraction(1, 2)))
                self.assertEqual(solution.explanations, [])
                pair, = solution.drift_pairs(walks=True).rows()
                self.assertEqual(pair[:4], ("client", "server", True, True))
                self.assertTrue(0 < pair[4] <= pair[5] <= pair[6] < pair[7])
                solution.report(self.folder / "pairs.json", pairs="all")
                said, = json.loads((self.folder / "pairs.json").read_text())["pairs"]
                self.assertAlmostEqual(float(pair[6]), said["worst_error_ticks"], 3)
                self.assertEqual(solution.premise, "the clocks run within 101 ppm of each other and were not set during the trace, and timestamps are "
                                                   "rounded to 1 ns; if not, pass --drift or --delta")
            with trace.synchronize(drift=0, delta="least") as solution:
                self.assertIsNone(solution.premise)
                self.assertEqual(solution.delta, Fraction(100885, 2))
                first, second = solution.explanations[:2]
                self.assertEqual((first.drift_ppb, first.delta >= Fraction(100885, 2), first.plausible), (0, True, False))
                self.assertEqual((second.drift_ppb, second.plausible), (101000, True))
                self.assertTrue(second.options.startswith("--drift=101"))
                self.assertEqual((first.example_clock, first.example_ppb), (None, None))
                self.assertEqual([edge.steps for edge in solution.witness], ["message 'q'", "message 'p'"])
                self.assertTrue(any("bounds hold only if" in text for text in solution.warnings))
                self.assertEqual(solution.conditions, ["the send and the receive of every message of a channel were recorded"])
                self.assertIsNone(solution.drift)
            for options in ({"drift": 0}, {"drift": "0", "wander": 3, "delta": "least"}):
                with trace.synchronize(**options) as solution:
                    self.assertIsNone(solution.drift)
            with self.assertRaisesRegex(ValueError, "exclude each other"):
                trace.synchronize(delta="least", relax="none")
            with trace.synchronize(drift=50, wander="0", delta="least") as solution:
                self.assertEqual(solution.drift.rate_ppb, 50000)
                self.assertEqual(str(float(solution.drift.max_error_ticks))[:9], "71646.466")
                clock = list(solution.drift.clocks.rows())[1]
                self.assertEqual(clock[:4], ("server", True, -35031, -22416))
                solution.write_clocks(self.folder / "clocks.csv")
                self.assertEqual(rows_of(self.folder / "clocks.csv")[0]["thread"], "client")

    def test_conditions(self):
        one_rate, exact, good = "all clocks run at the same rate and", "every timestamp is exact to the tick", "every timestamp is correct to within 0.5 ns"
        rates = "no clock was set, no clock runs more than 100 ppm faster or slower than the reference"
        said = {(None, None): [f"{one_rate} tick at the same instants, and {exact}; if not, pass --drift, --delta=1/2 or more, or both"],
                ("1/2", None): [f"{one_rate} {good}; if not, pass --drift, a larger --delta, or both"],
                (None, 100): [f"{rates}, all clocks tick at the same instants, and {exact}; "
                              "if not, pass a larger --drift, --delta=1/2 or more, or both"],
                ("1/2", 100): [f"{rates}, and {good}; if not, pass a larger --drift, "
                               "a larger --delta, or both"]}
        with cellsync.open(SAMPLES / "paper.csv") as trace:
            for (delta, drift), expected in said.items():
                with trace.synchronize(delta=delta, drift=drift) as solution:
                    self.assertEqual(solution.conditions, expected)
        self.assertEqual(self.demo().conditions, ["every timestamp is exact to the tick; if not, pass --delta"])

    def test_made(self):
        """A trace of events that the program hands over."""
        with cellsync.new("ball", 10**6) as trace:
            left, right = trace.add_thread("left"), trace.add_thread("right")
            trace.add([(left, 0, "throw"), (right, 5010, "catch", 5005), (left, 20), (right, 5030)])
            with self.assertRaisesRegex(cellsync.UsageError, "thread"):
                trace.add([(left, 40), (7, 50)])
            with self.assertRaisesRegex(cellsync.InputError, "begin"):
                trace.add([(left, 40, None, 41)])
            for event in ((left,), (left, 1 << 63), (-1, 0)):
                with self.assertRaises(ValueError):
                    trace.add([event])
            with trace.synchronize(reference="left") as solution:
                self.assertEqual(solution.records, 4)
                self.assertEqual(solution.bound("left", "right"), (4990, 5010, 20, 20))  # throw, catch, and back
                self.assertEqual(solution.thread("right").offset_ticks, -5000)
                self.assertEqual([row[4] for row in solution.events().rows()], ["throw", "catch", "", ""])

    def test_offsets(self):
        trace, offsets, synced = (self.folder / name for name in ("t.csv", "ntp.csv", "synced.csv"))
        trace.write_text("# order=partial\nthread,time_us,event\nA,100,x\nA,1900,y\nB,51600,x\n")
        offsets.write_text("clock,begin,time_us,other_clock,other_time\nA,1080,1100,B,51590\n")
        with cellsync.open(trace, offsets=offsets) as opened, opened.synchronize(drift=0, delta="least") as solution:
            self.assertEqual(solution.threads[1].latest_ticks, -50590000)   # the trace begins 100 us after 0
            self.assertEqual(solution.conditions[-1], f"the offset in {offsets} is correct to within the stated error")
            solution.write(synced)
        self.assertEqual(cellsync.check(synced, offsets=offsets).records, 3)
        with self.assertRaisesRegex(cellsync.UsageError, "pass the same file with --offsets"):
            cellsync.check(synced)

    def test_outputs(self):
        solution = self.demo()
        solution.write(self.folder / "s.pex")
        proof = cellsync.check(self.folder / "s.pex")
        self.assertEqual((proof.format, proof.records, proof.threads), ("pex", 828, 13))
        events = solution.events(columns=["global_ticks"])["global_ticks"]
        for time, expected in (("ticks", {"global_time"}), ("seconds", {"global_time_s"}), ("both", {"global_time", "global_time_s"})):
            solution.write(self.folder / "s.csv", csv_header="bare", csv_time=time)
            self.assertNotIn("#", (self.folder / "s.csv").read_text()[0])
            self.assertEqual({name for name in rows_of(self.folder / "s.csv")[0] if name.startswith("global_time")}, expected)
        self.assertEqual([int(row["global_time"]) for row in rows_of(self.folder / "s.csv")], [int(time) for time in events])
        solution.write(self.folder / "s.csv", csv_header="bare", ranges=True)
        for row in rows_of(self.folder / "s.csv"):
            self.assertTrue(int(row["global_earliest"]) <= int(row["global_time"]) <= int(row["global_latest"]), row)
        solution.write(self.folder / "s.csv")
        self.assertEqual((self.folder / "s.csv").read_text()[0], "#")
        for args in ("all", "short", "none"):
            solution.write(self.folder / f"{args}.json", json_args=args)
        sizes = [(self.folder / f"{args}.json").stat().st_size for args in ("all", "short", "none")]
        self.assertTrue(sizes[0] > sizes[1] > sizes[2], sizes)
        with self.assertRaisesRegex(ValueError, "csv_time='ns': expected one of ticks, seconds, both"):
            solution.write(self.folder / "no.csv", csv_time="ns")
        with self.assertRaisesRegex(cellsync.UsageError, "--link requires --to=otf2"):
            solution.write(self.folder / "no.csv", link=True)
        self.assertFalse((self.folder / "no.csv").exists())
        solution.report(self.folder / "r.json", pairs="none")
        solution.report(self.folder / "r", format="html")
        self.assertIn("<html", (self.folder / "r").read_text())
        with cellsync.open(self.folder / "s.pex") as trace:
            self.assertTrue(trace.synchronized)
            with trace.read_solution() as again:
                self.assertEqual(again.threads[1].latest_ticks, solution.threads[1].latest_ticks)
                self.assertEqual(list(again.events(columns=["global_ticks"]).rows()),
                                 list(solution.events(columns=["global_ticks"]).rows()))
        solution.write(self.folder / "w.csv", window="#0..#9", only="ppe")
        self.assertLess(len(rows_of(self.folder / "w.csv")), 11)
        with self.assertRaisesRegex(cellsync.InputError, "is also an input file"):
            solution.write(DEMO)


class Refusals(Folder):
    def test_errors(self):
        """Each kind is an exception with the library's text."""
        path = self.folder / "t.csv"
        path.write_text("thread,time\na,1\nb,x\n")
        with self.assertRaisesRegex(cellsync.InputError, r"t\.csv: line 3: "):
            with cellsync.open(path) as trace:
                trace.synchronize()
        with self.assertRaisesRegex(OSError, "no-such: No such file") as caught:
            cellsync.open(self.folder / "no-such")
        self.assertIsInstance(caught.exception, cellsync.FileError)
        with cellsync.open(DEMO) as trace:
            with self.assertRaisesRegex(cellsync.UsageError, "did you mean ppe"):
                trace.synchronize(reference="pep")
            with self.assertRaisesRegex(ValueError, "relax='most': expected one of exact, paper"):
                trace.synchronize(relax="most")
            for wrong in ({"delta": "1 parsec"}, {"drift": "0.00001"}, {"wander": 1}, {"drop": -1}, {"alpha": 2},
                          {"max_adjust": Fraction(1, 2)}, {"delta": 1 << 64}, {"reference": "a\0b"}):
                with self.assertRaises(ValueError, msg=str(wrong)):
                    trace.synchronize(**wrong)
            for wrong, said in (({"delta": "5x"}, "delta='5x': expected ticks, or a time such as '1.5us', of 64 bits"),
                                ({"delta": float("nan")}, "delta=nan: not a number"), ({"alpha": "1/0"}, "alpha='1/0': not a number"),
                                ({"drift": "much"}, "drift='much': not a number")):
                with self.assertRaisesRegex(ValueError, f"^{re.escape(said)}$"):
                    trace.synchronize(**wrong)
            with self.assertRaisesRegex(TypeError, "latency=b'1us': expected a number, or a text"):
                trace.synchronize(latency=b"1us")
            with trace.synchronize(delta="1us") as solution:
                self.assertEqual(solution.delta, Fraction(7159, 500))
                with self.assertRaises(IndexError):
                    solution.bound(0, 13)
        with cellsync.open(SAMPLES / "jitter.pex") as trace:
            with self.assertRaisesRegex(cellsync.InfeasibleError, "infeasible") as caught:
                trace.synchronize(relax="none")
            self.assertGreater(len(caught.exception.witness), 0)
            self.assertLess(sum(edge.weight_ticks for edge in caught.exception.witness), 0)
        with self.assertRaises(cellsync.CheckError):
            with cellsync.open(SAMPLES / "paper.csv") as trace, trace.synchronize() as solution:
                solution.write(self.folder / "p.csv")
            text = (self.folder / "p.csv").read_text()
            (self.folder / "p.csv").write_text(text[:-2] + "9\n")
            cellsync.check(self.folder / "p.csv")

    def test_memory(self):
        try:
            cellsync.set_max_memory(1 << 16)
            with self.assertRaises(MemoryError), cellsync.open(DEMO) as trace:
                trace.synchronize()
        finally:
            cellsync.set_max_memory(None)

    def test_closed(self):
        """What is closed says so, in whatever order things are closed; nothing is freed twice or used after."""
        trace = cellsync.open(DEMO)
        solution = trace.synchronize()
        batches = solution.batches(100)
        next(batches)
        trace.close()
        for use in (lambda: solution.threads, lambda: solution.bound(0, 1), lambda: trace.name, lambda: next(batches),
                    trace.synchronize, solution.events):
            with self.assertRaisesRegex(ValueError, "is closed"):
                use()
        self.assertTrue(trace.closed and solution.closed)
        solution.close()
        solution.close()
        self.assertIn("closed", repr(solution) + repr(trace))
        threads = cellsync.open(DEMO).synchronize().threads  # the trace lives as long as its solution
        self.assertEqual(threads[0].name, "ppe")


class Care(Folder):
    def resident(self):
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")

    def files(self):
        return len(os.listdir("/proc/self/fd"))

    @unittest.skipUnless(os.path.exists("/proc/self/statm"), "there is no /proc")
    def test_leaks(self):
        """Neither closed objects, nor dropped ones, nor failures keep memory or files."""
        def once(close):
            trace = cellsync.open(SAMPLES / "plain.pex", workers=1)
            solution = trace.synchronize()
            solution.bounds()
            next(solution.batches(10))
            knot = [trace, solution]
            knot.append(knot)  # for the collector
            try:
                trace.synchronize(reference="none")
            except cellsync.UsageError:
                pass
            if close:
                trace.close()

        lib, freed = cellsync.trace._c.lib, collections.Counter()

        def counting(kind, free):
            def count(pointer):
                freed[kind] += 1
                free(pointer)
            return count
        for kind in ("trace", "sync", "events"):
            free = getattr(lib, f"csy_{kind}_free")
            setattr(lib, f"csy_{kind}_free", counting(kind, free))
            self.addCleanup(setattr, lib, f"csy_{kind}_free", free)
        for n in range(10):
            once(n % 2)
        gc.collect()
        memory, files = self.resident(), self.files()
        for n in range(150):
            once(n % 2)
            if n % 30 == 29:
                gc.collect()
        gc.collect()
        self.assertEqual(self.files(), files)
        self.assertEqual(freed, {"trace": 160, "sync": 160, "events": 160})
        self.assertLess(self.resident() - memory, 32 << 20)  # 150 cursors alone would have 150 MiB

    def test_threads(self):
        """Threads of Python share a trace, and drop what they have, without harm."""
        trace = cellsync.open(DEMO)
        solution = trace.synchronize()
        expected = (list(solution.events().rows()), list(solution.bounds().rows()))
        faults = []

        def work():
            try:
                for _ in range(3):
                    with trace.synchronize() as own:
                        if (list(solution.events().rows()), list(own.bounds().rows())) != expected:
                            faults.append("another answer")
                    next(trace.synchronize().batches(3))  # dropped
            except Exception as fault:  # noqa: BLE001
                faults.append(repr(fault))
        workers = [threading.Thread(target=work) for _ in range(4)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        self.assertEqual(faults, [])
        trace.close()

    def test_fork(self):
        """A child of fork() uses what no other thread was using, and is told of the rest: it does not wait for ever."""
        busy, read = cellsync.open(DEMO), cellsync.open(DEMO)
        solution = cellsync.open(DEMO).synchronize()
        batches = read.synchronize().batches(3)
        next(batches)
        entered, leave = threading.Event(), threading.Event()

        def call():
            with busy._turns:  # as each call does
                entered.set()
                leave.wait()

        def outcome(use):
            try:
                return use()
            except cellsync.Error as error:
                return str(error)
        worker = threading.Thread(target=call)
        worker.start()
        entered.wait()
        source, sink = os.pipe()
        child = os.fork()
        if child == 0:
            signal.alarm(30)
            try:
                found = [outcome(use) for use in (
                    lambda: solution.bound(0, 1).error_ticks, lambda: cellsync.open(DEMO).synchronize().bound(0, 1).error_ticks,
                    lambda: busy.synchronize(), lambda: next(batches))]
                busy.close()
                read.close()
                del batches
                gc.collect()
                os.write(sink, json.dumps(found).encode())
            finally:
                os._exit(0)
        os.close(sink)
        status = os.waitpid(child, 0)[1]
        leave.set()
        worker.join()
        with os.fdopen(source) as answers:
            found = json.loads(answers.read() or "[]")
        error = solution.bound(0, 1).error_ticks
        self.assertEqual((status, found[:2]), (0, [error, error]))
        self.assertEqual(len(found), 4)
        for text in found[2:]:
            self.assertIn("when this process was forked", text)
        self.assertEqual(busy.synchronize().bound(0, 1).error_ticks, error)
        self.assertEqual(len(next(batches)["record"]), 3)


class Arrow(Folder):
    """Tables by the Arrow C data interface, read as its specification says, and by libraries that are here."""

    def read(self, table):
        """The rows of a table, from its stream; all that it gave is released."""
        capsule = table.__arrow_c_stream__()
        stream, schema, batch, end = (kind() for kind in (arrow.ArrowArrayStream, arrow.ArrowSchema, arrow.ArrowArray, arrow.ArrowArray))
        move(stream, capsule, b"arrow_array_stream")
        self.assertEqual(stream.get_schema(byref(stream), byref(schema)), 0)
        self.assertEqual(stream.get_next(byref(stream), byref(batch)), 0)
        self.assertEqual(stream.get_next(byref(stream), byref(end)), 0)
        self.assertFalse(end.release)
        arrow.release(stream)
        self.assertFalse(stream.release)
        del capsule, table
        gc.collect()
        return self.rows(schema, batch)

    def rows(self, schema, batch):
        self.assertEqual((schema.format, batch.offset, batch.null_count), (b"+s", 0, 0))
        columns = [self.values(part(schema.children, i, arrow.ArrowSchema), part(batch.children, i, arrow.ArrowArray))
                   for i in range(schema.n_children)]
        names = [part(schema.children, i, arrow.ArrowSchema).name.decode() for i in range(schema.n_children)]
        rows = list(zip(*columns)) if columns else []
        self.assertEqual(len(rows), batch.length)
        for part_of in schema, batch:
            arrow.release(part_of)
            self.assertFalse(part_of.release)
        return names, rows

    def values(self, schema, array):
        """A column as Python has it."""
        def buffer(index, size):
            address = ctypes.c_void_p.from_address(array.buffers + 8 * index).value
            return ctypes.string_at(address, size) if address else None

        def bit(bits, row):
            return bits[row // 8] >> row % 8 & 1
        form, n = schema.format.decode(), array.length
        valid = buffer(0, (n + 7) // 8)
        if schema.dictionary:
            labels = self.values(arrow.ArrowSchema.from_address(schema.dictionary), arrow.ArrowArray.from_address(array.dictionary))
            values = [labels[code] for code in struct.unpack(f"={n}i", buffer(1, 4 * n))]
        elif form == "u":
            ends = struct.unpack(f"={n + 1}i", buffer(1, 4 * n + 4))
            text = buffer(2, ends[-1])
            values = [text[a:b].decode() for a, b in zip(ends, ends[1:])]
        elif form == "b":
            values = [bool(bit(buffer(1, (n + 7) // 8), row)) for row in range(n)]
        elif form == "d:38,9":
            values = [Fraction(int.from_bytes(buffer(1, 16 * n)[16 * i:16 * i + 16], sys.byteorder, signed=True), 10**9) for i in range(n)]
        else:
            values = list(struct.unpack(f"={n}{dict(l='q', L='Q', g='d')[form]}", buffer(1, 8 * n)))
        self.assertEqual(array.null_count, n - sum(bit(valid, row) for row in range(n)) if valid else 0)
        self.assertEqual(schema.flags, 2 if valid else 0)
        return [None if valid and not bit(valid, row) else value for row, value in enumerate(values)]

    def tables(self):
        """Tables of each kind of column."""
        solution = self.demo()
        yield solution.bounds()
        yield solution.events(fields=["lock", "spe"])
        yield from solution.states().values()
        yield solution.events(start=3, stop=3)
        trace = self.enterContext(cellsync.open(SAMPLES / "one-sided.csv"))
        yield self.enterContext(trace.synchronize()).bounds()  # no limits
        yield self.enterContext(trace.synchronize(drift=100)).drift.clocks  # fractions
        yield cellsync.Table({"n": [1, None, 2**64 - 1], "b": [True, None, False], "x": [0.5, None, 3.0], "f": [Fraction(1, 3), None, Fraction(1, 7)],
                              "t": ["\u00e9\udcff", "", None]})
        yield cellsync.Table({"v": list(range(1000))})
        yield cellsync.Table({})

    def test_struct(self):
        for table in self.tables():
            want = [tuple(text(v) for v in row) for row in table.rows()]
            names, rows = self.read(table)
            self.assertEqual(names, list(table))
            self.assertEqual([tuple(text(v) for v in row) for row in rows], want)
            schema, batch = arrow.ArrowSchema(), arrow.ArrowArray()
            pair = table.__arrow_c_array__()
            move(schema, pair[0], b"arrow_schema")
            move(batch, pair[1], b"arrow_array")
            self.assertEqual(self.rows(schema, batch), (names, rows))

    def test_lifetimes(self):
        """What nobody takes is released; exceptions on their way, and threads, do no harm."""
        table = cellsync.Table({"v": list(range(100000))})
        for _ in range(3):
            with self.assertRaises(ZeroDivisionError):
                print(table.__arrow_c_stream__(), table.__arrow_c_array__(), 1 // 0)
        kept = [table.__arrow_c_stream__() for _ in range(5)]
        self.assertEqual(len(arrow._structs), 5)
        kept = kept[:2]
        workers = [threading.Thread(target=self.read, args=[table]) for _ in range(4)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        before = Care.resident(self)
        for _ in range(50):
            table.__arrow_c_stream__()
        self.assertLess(Care.resident(self) - before, 20 * 800000)
        self.assertLess(len(arrow._structs), 5)
        stream = arrow.ArrowArrayStream()
        move(stream, kept[0], b"arrow_array_stream")
        arrow.release(stream)

    def test_libraries(self):
        """Those that are installed read the same."""
        for name, read in {"pyarrow": lambda module, table: module.table(table).to_pylist(),
                           "polars": lambda module, table: module.DataFrame(table).to_dicts()}.items():
            try:
                module = __import__(name)
            except ImportError:
                continue
            for table in self.tables():
                want = [dict(zip(table, row)) for row in table.rows()]
                self.assertEqual([{k: text(v) for k, v in row.items()} for row in read(module, table)],
                                 [{k: text(v) for k, v in row.items()} for row in want])

    def test_html(self):
        """What a trace says is text, not HTML; long tables are cut."""
        path = self.folder / "<i>.csv"
        path.write_text("thread,time\n" + "".join(f"<b>{i % 30},{10 * i}\n" for i in range(60)))
        with cellsync.open(path) as trace, trace.synchronize() as solution:
            shown, rows = solution._repr_html_(), solution.events(columns=["thread", "local_ticks"])._repr_html_()
            self.assertIn("<td>&lt;b&gt;0</td>", rows)
            self.assertIn("40 more rows", rows)
            self.assertIn("<td>&lt;b&gt;0</td>", shown)
            self.assertIn("10 more rows", shown)
            self.assertIn("&lt;i&gt;.csv", shown)
            for note in solution.warnings + solution.conditions:
                self.assertIn(html.escape(note), shown)
            for page in rows, shown:
                self.assertNotIn("<b>", page)
                self.assertEqual(page.count("<tr>"), 21)
        self.assertIn("closed", solution._repr_html_())
        self.assertIn("<td></td>", cellsync.Table({"n": [None]})._repr_html_())


def move(to, capsule, name):
    """Take a struct out of its capsule, as the specification wants it."""
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    there = type(to).from_address(get(capsule, name))
    assert there.release
    ctypes.memmove(byref(to), byref(there), ctypes.sizeof(to))
    there.release = arrow.RELEASE()


def part(children, index, kind):
    return kind.from_address(ctypes.c_void_p.from_address(children + 8 * index).value)


def text(value):
    """A value, as the text that a column without a type of Arrow's has; Arrow has no bytes that are no UTF-8."""
    if isinstance(value, Fraction) and 10**9 % value.denominator:
        return str(value)
    return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace") if isinstance(value, str) else value


class Frames(Folder):
    def test_arrays(self):
        solution = self.demo()
        events, bounds = solution.events(), solution.bounds("reference")
        if not NUMPY:
            self.assertIs(type(events["record"]), list)
            return
        import numpy
        self.assertEqual(events["global_ticks"].dtype, numpy.int64)
        self.assertEqual(bounds["error_ticks"].shape, (12,))
        self.assertEqual(solution.errors().shape, (13, 13))
        self.assertTrue((numpy.diff(events["global_ticks"]) >= 0).all())

    def test_pandas(self):
        if not NUMPY:
            return
        try:
            import pandas
        except ImportError:
            self.skipTest("there is no pandas")
        solution = self.demo()
        frame = solution.events(fields=["lock"]).to_pandas()
        self.assertEqual(len(frame), 828)
        self.assertEqual(int((frame.thread == "spe2.1").sum()), 62)
        self.assertTrue(pandas.isna(frame.lock[0]))
        with cellsync.open(SAMPLES / "one-sided.csv") as trace, trace.synchronize() as one_sided:
            bounds = one_sided.bounds().to_pandas()
            self.assertEqual(sum(b is None for row in one_sided.bounds().rows() for b in row), int(bounds.isna().sum().sum()))
            self.assertGreater(int(bounds.isna().sum().sum()), 0)
        total = solution.concurrency()["total"].to_pandas()
        self.assertEqual(int(total.units[0]), 4)
        levels = solution.concurrency()["concurrency"].to_pandas()
        self.assertEqual((str(levels.time_ticks.dtype), str(levels.share_ppm.dtype)), ("int64", "Int64"))
        self.assertTrue((levels.time_lo_ticks <= levels.time_ticks).all() and (levels.time_ticks <= levels.time_hi_ticks).all())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
