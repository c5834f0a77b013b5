"""The oracle of activity.py, held to what pdtsim knows, and to cases that are worked out by hand.

    python3 test_activity.py CELLSYNC PDTSIM

Runs of pdtsim are synchronized, but then placed by the true offsets: where all clocks tick at once, every figure has to
be that of --truth-activity, to the tick. Where they do not, a stamp is up to a tick early, and so may sums be for each
of what they are of.
"""

import collections
import csv
import os
import subprocess
import sys
import unittest
from fractions import Fraction

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import activity  # noqa: E402
import meaning  # noqa: E402
import started  # noqa: E402
from trials import run_in_folder  # noqa: E402

AT_ONCE = (
    "--workload=juliaset --spes=3 --events=600 --level=full",
    "--workload=fft16m --spes=2 --events=300 --machine=ps3",
    "--workload=matrix_mul --spes=4 --events=900 --seed=5",
    "--workload=blackscholes --spes=5 --machine=qs22 --level=basic",
    "--workload=oversubscribed --spes=2 --events=1200",
    "--workload=oversubscribed --spes=2 --events=600 --switch-source=notifier --level=full",
    "--workload=synthetic:blocks=5 --spes=8 --events=900 --level=full",
    "--workload=halo:swaps=2 --contexts=6 --nodes=1 --events=300",
)
FLUSHED = (
    "--workload=juliaset --flush=7 --spes=3 --events=600 --level=full",
    "--workload=blackscholes --flush=16 --burst=5 --spes=2 --events=600",
)
APART = (
    "--workload=halo:swaps=2,sync=1 --contexts=6 --nodes=3 --events=300",
    "--workload=sweep3d:rounds=1 --nodes=2 --spes=3",
    "--workload=lb:rounds=2 --nodes=2 --spes=4 --machine=qs22",
)


def rows_of(path):
    """The rows of a CSV with lines that begin with #."""
    with open(path, newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def run(*words):
    """Run a program; its output."""
    return started.run(words, check=True, stdout=subprocess.PIPE).stdout


def simulated(options):
    """A run with its calls: the trace, with times in 10^-9 ticks, placed by the truth, and what the program did."""
    run(PDTSIM, "--calls", "-o", "t.pex", "--truth=t.csv", "--truth-activity=a.csv", *options.split())
    delta = ["--delta=1"] if options in APART else []
    run(CELLSYNC, "-q", *delta, "t.pex", "--to=csv", "-o", "s.csv")
    trace = meaning.read_csv("s.csv", "t.pex")
    offsets = {"ppe": 0}
    for row in rows_of("t.csv"):
        offsets.setdefault(row["thread"], int(Fraction(row["offset_ticks"]) * 10**9))
    for record in trace.records:
        record.time *= 10**9
        record.begin = None if record.begin is None else record.begin * 10**9
    trace.place(offsets)
    if options in APART:  # node by node
        trace.records.sort(key=lambda r: r.at)
    return trace, rows_of("a.csv")


def figures(trace):
    """What the oracle says of a trace, by the keys of the rows of the truth."""
    actors = activity.actors_of(trace)
    first, last = activity.span_of(actors)
    out = {("span", "", ""): (first, last - first)}
    out.update({("level", "", str(i)): time for i, time in activity.levels(actors).items()})
    times, classes = activity.states(actors)
    out.update({("state", *key): time for key, time in times.items()})
    out.update({("wait", *key): row for key, row in classes.items()})
    for key, row in activity.profile(activity.calls_of(trace, actors), actors, by_actor=True).items():
        out["call", *key] = tuple(row[c] for c in ("calls", "recursive", "cumulative", "direct"))
    found, unmatched = activity.messages(trace)
    assert unmatched == 0
    turns = collections.Counter()
    for sender, receiver, tag, size, begin, end, _ in found:
        turns[sender, receiver, tag] += 1
        out["message", sender, str(tag), receiver, turns[sender, receiver, tag]] = (size, begin, end - begin)
    for sender, receiver, begin, end, _ in activity.words(trace):
        turns[sender, receiver] += 1
        out["word", sender, "", receiver, turns[sender, receiver]] = (4, begin, end - begin)
    return out


def true_figures(rows):
    """The same of the truth: numbers as they are, times in 10^-9 ticks."""
    out, turns = {}, collections.Counter()
    for row in rows:
        key, nano = (row["table"], row["actor"], row["name"]), 10**9
        values = {name: int(row[name]) for name in ("count", "recursive", "bytes") if row[name]}
        times = {name: int(row[name]) * nano for name in ("begin_ticks", "ticks", "direct_ticks") if row[name]}
        if row["table"] in ("message", "word"):
            turns[key, row["partner"]] += 1
            key += (row["partner"], turns[key, row["partner"]])
        value = (*values.values(), *times.values())
        out[key] = value if len(value) > 1 else value[0]
    return out


class Simulated(unittest.TestCase):
    """The oracle and the simulator."""

    def test_clocks_that_tick_at_once(self):
        for options in AT_ONCE + FLUSHED:
            with self.subTest(options):
                trace, rows = simulated(options)
                want, got = true_figures(rows), figures(trace)
                self.assertEqual(got, want)

    def test_clocks_apart(self):
        for options in APART:
            with self.subTest(options):
                trace, rows = simulated(options)
                want, got = true_figures(rows), figures(trace)
                counts = collections.Counter(r.actor for r in trace.records)
                for key, value in want.items():
                    mine, value = got[key], value if isinstance(value, tuple) else (value,)
                    mine = mine if isinstance(mine, tuple) else (mine,)
                    self.assertEqual(len(mine), len(value), key)
                    # A message has two ends, an actor's time at most as many as it has records.
                    ends = 2 if key[0] == "message" else 2 + counts.get(key[1], len(trace.records))
                    for a, b in zip(mine, value):
                        self.assertLessEqual(abs(a - b), ends * 10**9, key)
                    if key[0] in ("wait", "call"):
                        self.assertEqual(mine[0], value[0], key)

    def test_pex_is_read_as_csv(self):
        run(PDTSIM, "--calls", "--workload=oversubscribed", "--spes=1", "--events=90", "--level=full", "-o", "t.pex")
        run(CELLSYNC, "-q", "t.pex", "-o", "s.pex")
        run(CELLSYNC, "-q", "t.pex", "--to=csv", "-o", "s.csv")
        tables = activity.tables(meaning.read_pex("s.pex"))
        self.assertEqual(tables, activity.tables(meaning.read_csv("s.csv", "t.pex")))
        self.assertTrue(all(tables[name] for name in ("states", "profile", "calls", "paths", "sync", "held")))


class Papers(unittest.TestCase):
    """The communication of 256 ranks on 8 nodes, and the calls of the first one: [DBK09], figures 6 to 8 and 10."""

    def messages(self, workload, level="outer"):
        """How many messages each pair of ranks has."""
        run(PDTSIM, f"--workload={workload}", "--machine=qs22", f"--level={level}", "-o", "t.pex",
            "--truth-activity=a.csv")
        pairs = collections.Counter((int(r["actor"][3:]), int(r["partner"][3:]))
                                    for r in rows_of("a.csv") if r["table"] == "message")
        self.assertEqual({r for pair in pairs for r in pair}, set(range(256)))
        return pairs

    def test_sweep3d(self):
        pairs = self.messages("sweep3d:rounds=1")
        self.assertEqual({b - a for a, b in pairs}, {1, -1, 16, -16})
        self.assertEqual(len(pairs), 4 * 16 * 15)
        self.assertEqual(len(set(pairs.values())), 1)

    def test_sweep3d_by_root(self):
        pairs = self.messages("sweep3d:root=cell,rounds=1")
        between = {(a, b) for a, b in pairs if a // 8 != b // 8}
        self.assertTrue(all(a % 8 == 0 and b % 8 == 0 for a, b in between))

    def test_md(self):
        pairs = self.messages("md:rounds=1")
        box = [(r % 8, r // 8 % 8, r // 64) for r in range(256)]
        for a, b in pairs:
            moved = [(y - x) % size for x, y, size in zip(box[a], box[b], (8, 8, 4)) if x != y]
            self.assertEqual(len(moved), 1)
        self.assertEqual(len(pairs), 256 * 6)


    def test_lb(self):
        pairs = self.messages("lb", "full")
        rows = [r for r in rows_of("a.csv") if r["actor"] == "spe0"]
        light = [r for r in rows if r["table"] == "message" and (r["partner"], r["bytes"]) == ("spe56", "132")]
        self.assertEqual((len(light), pairs[0, 56]), (10, 20))
        self.assertEqual({r["name"]: r["count"] for r in rows if r["table"] == "call"},
                         {"main": "1", "collision": "10", "streaming": "10", "communication": "10"})


def traced(text):
    """A trace from rows: clock, actor, time, event, routine, and where it has one a begin; clocks have offset 0."""
    lines = [line.split() for line in text.strip().splitlines()]
    meanings = meaning.meanings_of(None)
    meanings["CALL"] = meaning.Meaning("call")
    meanings["WAIT"] = meaning.Meaning("wait", "event")
    records = []
    for clock, actor, time, event, *more in lines:
        what = {"routine": more[0]} if more and more[0] != "-" else {}
        if event.startswith("SPE_"):
            what = {"task": int(more[0])}
        begin = int(more[1]) if len(more) > 1 else None
        records.append(meaning.Record(clock, actor, actor.startswith("spe"), event, int(time), begin, what,
                                       meanings.get(event, meaning.Meaning())))
    trace = meaning.Trace(records, [], {})
    trace.place(collections.Counter())
    actors = activity.actors_of(trace)
    return trace, actors, activity.calls_of(trace, actors)


class ByHand(unittest.TestCase):
    """Accounting rules."""

    def figures(self, actors, calls, *names):
        return {key: tuple(row[n] for n in names) for key, row in activity.profile(calls, actors).items()}

    def test_a_routine_concurrent_with_itself(self):
        _, actors, calls = traced("""
            a a 0 ENTER f
            b b 4 ENTER f
            a a 10 EXIT f
            b b 15 EXIT f""")
        self.assertEqual(self.figures(actors, calls, "calls", "cumulative", "elapsed_cumulative", "sequential"),
                         {"f": (2, 21, 15, 9)})
        self.assertEqual(activity.levels(actors), {0: 0, 1: 9, 2: 6})
        self.assertEqual(activity.concurrency(actors)[1],
                         {"T": 15, "CAVG": Fraction(21, 15), "CEFF": Fraction(7, 10), "limit": Fraction(15, 9)})

    def test_called_concurrently(self):
        _, actors, calls = traced("""
            a a 0 ENTER A
            b b 1 ENTER A
            a a 2 ENTER B
            b b 3 ENTER B
            a a 6 EXIT B
            a a 7 EXIT A
            b b 9 EXIT B
            b b 12 EXIT A""")
        self.assertEqual(self.figures(actors, calls, "direct", "cumulative", "elapsed_direct", "elapsed_cumulative"),
                         {"A": (8, 18, 7, 12), "B": (10, 10, 7, 7)})
        self.assertEqual(activity.call_pairs(calls), {(None, "A"): (2, 18), ("A", "B"): (2, 10)})

    def test_recursion(self):
        _, actors, calls = traced("""
            a a 0 ENTER f
            a a 2 ENTER f
            a a 3 ENTER g
            a a 5 ENTER f
            a a 6 EXIT f
            a a 7 EXIT g
            a a 9 EXIT f
            a a 10 EXIT f""")
        self.assertEqual(self.figures(actors, calls, "calls", "recursive", "direct", "cumulative"),
                         {"f": (3, 2, 7, 10), "g": (1, 0, 3, 4)})
        self.assertEqual(activity.call_paths(calls), {("f",): (1, 3), ("f", "f"): (1, 3), ("f", "f", "g"): (1, 3),
                                                      ("f", "f", "g", "f"): (1, 1)})
        self.assertEqual(activity.call_pairs(calls)["g", "f"], (1, 1))

    def test_what_does_not_fit(self):
        _, actors, calls = traced("""
            a a 0 MARK -
            a a 2 ENTER g
            a a 4 EXIT g
            a a 5 EXIT f
            a a 6 ENTER h
            a a 7 ENTER i
            a a 8 ENTER j
            a a 9 EXIT h
            a a 10 ENTER h
            a a 11 EXIT k
            a a 12 MARK -""")
        self.assertEqual(self.figures(actors, calls, "calls", "open", "implied", "direct", "cumulative"),
                         {"f": (1, 1, 0, 3, 5), "g": (1, 0, 0, 2, 2), "h": (2, 1, 0, 3, 5), "i": (1, 0, 1, 1, 2),
                          "j": (1, 0, 1, 1, 1)})
        self.assertEqual((calls.ignored, activity.call_pairs(calls)["f", "g"]), (1, (1, 2)))

    def test_off_its_spe(self):
        _, actors, calls = traced("""
            ppe ppe1 0 SPE_THREAD_START 1
            ppe ppe1 2 SPE_SWITCH_IN 1
            spe1.1 spe1 5 ENTER f
            spe1.1 spe1 9 MARK -
            ppe ppe1 11 SPE_SWITCH_OUT 1
            ppe ppe1 20 SPE_SWITCH_IN 1
            spe1.2 spe1 24 WAIT - 8
            spe1.2 spe1 27 WAIT - 25
            spe1.2 spe1 28 EXIT f
            ppe ppe1 30 SPE_SWITCH_OUT 1
            ppe ppe1 33 SPE_THREAD_STOP 1""")
        self.assertEqual(self.figures(actors, calls, "direct", "cumulative"), {"f": (8, 23)})
        times, classes = activity.states(actors)
        self.assertEqual({s: times["spe1", s] for s in activity.STATES},
                         {"active": 6, "switch": 11, "ready": 14, "blocked": 2, "idle": 0, "absent": 0})
        self.assertEqual(classes["spe1", "event"], (2, 2))
        self.assertEqual(activity.levels(actors), {0: 27, 1: 6})

    def test_intervals_that_cross(self):
        _, actors, calls = traced("""
            a a 0 MARK -
            a a 10 CALL f 2
            a a 14 CALL g 6
            a a 20 CALL h 12
            a a 30 CALL i 1""")
        self.assertEqual(self.figures(actors, calls, "direct", "cumulative"),
                         {"f": (8, 8), "g": (4, 4), "h": (6, 6), "i": (11, 29)})
        self.assertEqual(calls.clipped, 2)

    def test_nested_waits(self):
        _, actors, _ = traced("""
            a a 0 MARK -
            a a 5 WAIT - 3
            a a 8 MARK -
            a a 9 WAIT - 2
            a a 12 MARK -""")
        times, classes = activity.states(actors)
        self.assertEqual((times["a", "active"], times["a", "blocked"], classes["a", "event"]), (5, 7, (2, 9)))

    def test_barriers_and_locks(self):
        trace, actors, _ = traced("""
            a spe1 4 BARRIER - 1
            b spe2 5 BARRIER - 3
            a spe1 7 MUTEX_LOCK - 6
            a spe1 9 MUTEX_UNLOCK -
            b spe2 20 BARRIER - 18
            a spe1 21 BARRIER - 17""")
        self.assertEqual(activity.barriers(trace), [(2, 1, 3, "spe2"), (2, 17, 18, "spe2")])
        self.assertEqual(activity.held(trace), {(None, "spe1"): (1, 2)})
        self.assertEqual(activity.waits(actors)["barrier", None], (4, 11, 4, 0))


if __name__ == "__main__":
    CELLSYNC, PDTSIM = map(os.path.abspath, sys.argv[1:3])
    run_in_folder()
