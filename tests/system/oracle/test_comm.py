"""cellstat comm, latency and sync, held to the oracle of activity.py at the same offsets, their ranges to what pdtsim
did in true time, and the papers' figures.

    python3 test_comm.py CELLSYNC PDTSIM CELLSTAT
"""

import collections
import csv
import fractions
import itertools
import math
import os
import random
import re
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import activity  # noqa: E402
import meaning  # noqa: E402
import parts  # noqa: E402
import test_activity  # noqa: E402
from test_activity import rows_of, run  # noqa: E402
from trials import run_in_folder  # noqa: E402


def sheets(verb, *options):
    """The tables of a verb, as rows by column."""
    text = run(CELLSTAT, verb, "-q", "t.pex", "--format=csv", *options).decode()
    return [list(csv.DictReader(part.splitlines())) for part in text.split("\n\n")]


def places_of(path):
    """Actor -> (node, cell), as files of contexts say it."""
    with open(path, "rb") as file:
        text = file.read().partition(b"\0")[0].decode()
    return {f"spe{ctx}": (node, cell)
            for ctx, node, cell in re.findall('ctx="([0-9]+)" rank="[0-9]+" node="([0-9]+)" cell="([0-9]+)"', text)}


class Papers(unittest.TestCase):
    """[DBK09]: 256 ranks, figures 6 to 9, and table 2, as cellstat has them."""

    def messages(self, *options):
        """The rows of messages between ranks, and shares by where these are."""
        run(PDTSIM, "-o", "t.pex", *options)
        pairs, classes, unmatched = sheets("comm")
        pairs = {(int(row["sender"][3:]), int(row["receiver"][3:])): (int(row["count"]), int(row["bytes"]))
                 for row in pairs if row["what"] == "message"}
        self.assertEqual({rank for pair in pairs for rank in pair}, set(range(256)))
        self.assertEqual(unmatched[0], {"what": "message", "sends": "0", "receives": "0"})
        return pairs, {row["class"]: int(row["count_share_ppm"]) for row in classes if row["what"] == "message"}

    def test_figure_6(self):
        pairs, _ = self.messages("--workload=sweep3d:rounds=1", "--machine=qs22", "--level=outer")
        self.assertEqual({b - a for a, b in pairs}, {1, -1, 16, -16})
        self.assertEqual(len(pairs), 4 * 16 * 15)
        self.assertEqual(len(set(pairs.values())), 1)
        best = sheets("comm", "--templates")[3][0]
        self.assertEqual((best["template"], best["jaccard_ppm"]), ("grid 16x16", "1000000"))

    def test_figure_7(self):
        pairs, _ = self.messages("--workload=sweep3d:root=cell,rounds=1", "--machine=qs22", "--level=outer")
        self.assertTrue(all(a % 8 == 0 and b % 8 == 0 for a, b in pairs if a // 8 != b // 8))
        cells = {(row["sender"], row["receiver"]) for row in sheets("comm", "--group=cell")[0]
                 if row["what"] == "message"}
        self.assertLess(len(cells), 32 * 5)

    def test_figure_8(self):
        pairs, _ = self.messages("--workload=md:rounds=1", "--machine=qs22", "--level=outer")
        self.assertEqual(len(pairs), 256 * 6)
        heavy = [row for row in sheets("comm", "--heavy")[0] if row["what"] == "message"]
        most = max(size for _, size in pairs.values())
        self.assertEqual(len(heavy), sum(10 * size >= most for _, size in pairs.values()))

    def test_figure_9(self):
        pairs, shares = self.messages("--workload=lb:rounds=10", "--nodes=16", "--spes=16", "--level=outer")
        self.assertEqual(pairs[0, 1], (20, 10 * (132 + 1320)))  # 10 light ones and 10 heavy ones
        self.assertEqual(shares, {"same Cell": 333333, "same node": 166666, "between nodes": 500000})

    def test_figure_10(self):
        """The calls of the first SPE: the edges that are drawn there, and as many messages as truth has."""
        run(PDTSIM, "-o", "t.pex", "--truth-activity=a.csv", "--workload=lb:rounds=10", "--machine=qs22", "--calls",
            "--level=full")
        rows = sheets("calls", "--of=spe0", "--top=0", "--leaves=100")[0]
        edges = {(row["caller"], row["callee"]): int(row["calls"]) for row in rows}
        self.assertEqual({callee: edges["main", callee] for callee in ("collision", "streaming", "communication")},
                         {"collision": 10, "streaming": 10, "communication": 10})
        self.assertEqual(edges["exchange", "MPI_SEND(0,56,132)"], 10)
        sent = collections.Counter(f"MPI_SEND(0,{row['partner'][3:]},{row['bytes']})" for row in rows_of("a.csv")
                                   if row["table"] == "message" and row["actor"] == "spe0")
        self.assertEqual({leaf: n for (_, leaf), n in edges.items() if leaf.startswith("MPI_SEND")}, sent)
        dot = run(CELLSTAT, "calls", "-q", "t.pex", "--of=spe0", "--leaves=100", "--format=dot").decode()
        names = dict(re.findall(r'^ *(\w+) \[(?:\w+=\w+ )*label="([^"\\]*)', dot, re.M))
        drawn = {(names[a], names[b]): int(n) for a, b, n in re.findall(r'(\w+) -> (\w+) \[label="([0-9]+)"', dot)}
        self.assertEqual(drawn, {edge: n for edge, n in edges.items() if edge[0] and edge[0] != "-"})

    def test_table_2(self):
        """Where a message takes no longer than it must, which is how most in pingpong are."""
        microseconds = {"same Cell": 0.272, "same node": 0.825, "between nodes": 11.771}
        megabytes = {"same Cell": 22994.2, "same node": 4281.3, "between nodes": 161.2}
        rows, hz = {}, 14318000
        for size in (0, 1 << 20):
            run(PDTSIM, "-o", "t.pex", f"--workload=pingpong:bytes={size}", "--nodes=2")
            rows.update({(row["class"], size): row for row in sheets("latency")[0] if row["what"] == "message"})
        for where, latency in microseconds.items():
            small, great = rows[where, 0], rows[where, 1 << 20]
            self.assertTrue(int(small["median_lo_ticks"]) <= latency * hz / 1e6 <= int(small["median_hi_ticks"]), small)
            took = (1 << 20) / (megabytes[where] * 1e6) * hz
            low = int(great["median_lo_ticks"]) - int(small["median_hi_ticks"])
            high = int(great["median_hi_ticks"]) - int(small["median_lo_ticks"])
            self.assertTrue(low <= took <= high, (where, low, took, high))
            self.assertLess(abs(int(great["median_ticks"]) - took), took / 10 + latency * hz / 1e6 + 2)


def templates(ranks):
    """Name -> pairs of all templates."""
    out, everyone = {}, range(ranks)

    def grid(sizes, step):
        """The pairs of ranks that differ in one coordinate, from which step leads to the other one."""
        def at(rank):
            place = []
            for size in sizes:
                rank, here = divmod(rank, size)
                place.append(here)
            return place
        places = [at(rank) for rank in everyone]
        return {(a, b) for a in everyone for b in everyone if a != b and
                sum(x != y for x, y in zip(places[a], places[b])) == 1 and
                all(x == y or step(x, y, size) for x, y, size in zip(places[a], places[b], sizes))}

    shapes = {"grid": lambda x, y, n: abs(x - y) == 1, "torus": lambda x, y, n: (x - y) % n in (1, n - 1),
              "wavefront": lambda x, y, n: y == x + 1}
    factors = [f for n in (1, 2, 3) for f in itertools.product(range(2, ranks + 1), repeat=n) if math.prod(f) == ranks]
    for sizes in factors:
        for shape, step in shapes.items():
            if shape == "wavefront" and len(sizes) != 2 or shape == "torus" and max(sizes) <= 2:
                continue
            name = {"grid": "line", "torus": "ring"}[shape] if len(sizes) == 1 else (
                f"{shape} {'x'.join(map(str, sizes))}")
            out[name] = grid(sizes, step)
    if ranks & (ranks - 1) == 0:
        out["hypercube"] = {(a, a ^ 1 << i) for a in everyone for i in range(ranks.bit_length() - 1)}
    out["binomial tree down"] = {(a & a - 1, a) for a in everyone if a}
    out["binomial tree up"] = {(a, a & a - 1) for a in everyone if a}
    if math.isqrt(ranks)**2 == ranks:
        side = math.isqrt(ranks)
        out["transpose"] = {(a, a % side * side + a // side) for a in everyone if a % side != a // side}
    out["all to all"] = {(a, b) for a in everyone for b in everyone if a != b}
    return out


class Templates(unittest.TestCase):
    """The best of all templates, each made as a set of pairs."""

    def test_random(self):
        draw, tried = random.Random(18), 0
        for ranks in (4, 6, 9, 12, 16):
            for name, pairs in list(templates(ranks).items())[::2]:
                kept = sorted(pair for pair in pairs if draw.random() < 0.8)
                kept += [pair for pair in [tuple(draw.sample(range(ranks), 2)) for _ in range(ranks // 4)]
                         if pair not in kept]
                kept = list(dict.fromkeys(kept + [(0, ranks - 1)]))
                kept += [(rank, rank) for rank in range(ranks)]  # to oneself, which no pattern has
                with open("p.csv", "w") as file:
                    print("thread,time,event,partner,bytes", file=file)
                    for rank in range(ranks):
                        print(f"rank{rank},{rank - ranks},,,", file=file)
                    for i, (a, b) in enumerate(kept):
                        print(f"rank{a},{2 * i},MPI_SEND,{b},1\nrank{b},{2 * i + 1},MPI_RECV,{a},", file=file)
                text = run(CELLSTAT, "comm", "-q", "p.csv", "--format=csv", "--templates").decode()
                rows = list(csv.DictReader(text.split("\n\n")[3].splitlines()))
                every = templates(ranks)
                counts = collections.Counter(rank for pair in kept for rank in pair)  # of all, which shifts none
                centre = min(counts, key=lambda rank: (-counts[rank], rank))
                every[f"star around {centre}"] = {(a, b) for a, b in every["all to all"] if centre in (a, b)}
                there = {pair for pair in kept if pair[0] != pair[1]}
                found = {name: (len(every[name] & there), len(every[name] | there)) for name in every}
                for row in rows:
                    both, either = found[row["template"]]
                    self.assertEqual((int(row["pairs"]), int(row["jaccard_ppm"])), (both, both * 10**6 // either))
                best = sorted((fractions.Fraction(*both) for both in found.values()), reverse=True)
                self.assertEqual([int(row["jaccard_ppm"]) for row in rows],
                                 [int(value * 10**6) for value in best[:5]], (ranks, name))
                tried += 1
        self.assertGreater(tried, 20)


class Fixed(parts.Part):
    """A part between two moments, whatever the offsets of other clocks."""

    def __init__(self, begin, end):
        super().__init__(begin, False, end, f"{begin}..{end}")

    def ends(self):
        return self.begin, self.end


class Simulated(parts.Held, unittest.TestCase):
    def simulate(self, options):
        run(PDTSIM, "-o", "t.pex", "--truth=t.csv", "--truth-activity=a.csv", *options.split())
        run(CELLSYNC, "-q", "t.pex", "--to=csv", "-o", "s.csv")
        return meaning.read_csv("s.csv", "t.pex")

    def check_comm(self, trace, truth, options, *more):
        """Counts, bytes and times of all pairs, and the true times, which are inside."""
        found, true = activity.exchanges(trace), collections.Counter()
        want = activity.comm_in(found, -math.inf, math.inf)
        for row in truth:
            if row["table"] in ("message", "word"):
                what = {"message": "message", "word": "mailbox"}[row["table"]]
                true[what, row["actor"], row["partner"]] += int(row["ticks"])
        if found:
            rows = sheets("comm", *more)[0]
            self.hold_rows((options,), None, rows, parts.partners, want, ("count", "bytes", "time"))
            for row in rows:
                if row["what"] != "transfer":
                    low, high, key = int(row["time_lo_ticks"]), int(row["time_hi_ticks"]), parts.partners(row)
                    self.assertTrue(low <= true[key] <= high, (options, key, low, true[key], high))
        return sum(x.what != "transfer" for x in found)

    def class_of(self, said):
        """The class of an exchange, as files of contexts say it."""
        def find(x):
            if x.what == "transfer":
                return "memory"
            (node, cell), (there, its) = said.get(x.sender, (None, None)), said.get(x.receiver, (None, None))
            return "unknown" if node is None else "between nodes" if node != there else (
                "same Cell" if cell == its else "same node")
        return find

    def check_windows(self, options, offsets):
        """What is under way in a part of the time, between two moments or records, or in a section: by the estimate, and what
        was true is in the ranges."""
        trace, said = meaning.read_csv("s.csv", "t.pex"), places_of("t.pex")
        found = activity.exchanges(trace)
        times = sorted(t for x in found if x.what != "transfer" for t in (x.begin, x.end))
        if not times:
            return 0
        begin, end = times[len(times) // 4], times[len(times) * 2 // 3]
        some = [(f"--window={begin}..{end}", [Fixed(begin, end)])] + list(parts.parts_of(trace.records))
        tables = []
        for option, several in some:
            summaries = parts.ask(CELLSTAT, "summary", option, several)
            for verb in ("comm", "latency"):
                tables.append((option, several, parts.ask(CELLSTAT, verb, option, several)))
                self.hold_summary((options, option), summaries, tables[-1][2])
        for unit in (None, 10**9):
            if unit:
                for record in trace.records:
                    record.time *= unit
                    record.begin = None if record.begin is None else record.begin * unit
                trace.place(offsets)
                found = activity.exchanges(trace)
            for option, several, told in tables:
                for part, tables_of_part in zip(several, told):
                    ends = [t * (unit or 1) for t in part.ends()] if isinstance(part, Fixed) else part.ends()
                    shown = (options, option, part.window)
                    if ("comm", 0) in tables_of_part:
                        self.hold_comm(shown, unit, [tables_of_part["comm", i] for i in (0, 1)],
                                           activity.comm_in(found, *ends))
                    else:
                        self.hold_latency(shown, unit, tables_of_part["latency", 0],
                                              activity.latency_in(found, self.class_of(said), *ends))
        return sum(len(rows) for _, _, told in tables for of_part in told for rows in of_part.values())

    def check_latency(self, trace, options, *more):
        """Least, mean, median and late senders of all sizes."""
        found = activity.exchanges(trace)
        if found:
            rows = sheets("latency", *more)[0]
            self.hold_latency((options,), None, rows, activity.latency_in(found, self.class_of(places_of("t.pex")),
                                                                       -math.inf, math.inf))
            for row in (row for row in rows if row["least_ticks"]):
                for name, unit in (("least", "ticks"), ("median", "ticks"), ("mean", "microticks"), ("late_sender", "ticks")):
                    low, at, high = (int(row[f"{name}{end}_{unit}"]) for end in ("_lo", "", "_hi"))
                    self.assertTrue(low <= at <= high, (options, row, name, low, at, high))

    def check_sync(self, trace, actors, options):
        """Waits, locks and barriers; and true spreads of these, where all clocks tick at once."""
        waits, locks, barriers = sheets("sync")
        self.assertEqual({(row["class"], row["object"]): tuple(int(row[c]) for c in (
            "count", "time_ticks", "greatest_ticks", "misses")) for row in waits},
            {(cls, "-" if of is None else str(of)): row for (cls, of), row in activity.waits(actors).items()}, options)
        self.assertEqual({(int(row["object"]), row["holder"].replace("tid", "ppe")): (
            int(row["holds"]), int(row["held_ticks"])) for row in locks if row["holds"] not in ("", "0")},
            activity.held(trace), options)
        got = collections.Counter((int(row["arrivals"]), int(row["spread_ticks"])) for row in barriers)
        both = activity.barriers(trace) + activity.barriers(trace, "collective")
        self.assertEqual(got, collections.Counter((n, last - first) for n, first, last, _ in both), options)
        offsets = {"ppe": 0}
        for row in rows_of("t.csv"):
            offsets.setdefault(row["thread"], int(fractions.Fraction(row["offset_ticks"])))
        trace.place(offsets)
        true = activity.barriers(trace)  # one name: in the order of their instances
        for row, (_, first, last, _) in zip(barriers, true):
            low, high = int(row["spread_lo_ticks"]), int(row["spread_hi_ticks"])
            self.assertTrue(low <= last - first <= high, (options, row, last - first))
        return len(true)

    def test_clocks_that_tick_at_once(self):
        met = spreads = clipped = 0
        for options in test_activity.AT_ONCE:
            for more in ("", " --seed=8"):
                with self.subTest(options + more):
                    trace = self.simulate(options + more)
                    met += self.check_comm(trace, rows_of("a.csv"), options + more)
                    self.check_latency(trace, options + more)
                    offsets = {"ppe": 0}
                    for row in rows_of("t.csv"):
                        offsets.setdefault(row["thread"], int(fractions.Fraction(row["offset_ticks"]) * 10**9))
                    clipped += self.check_windows(options + more, offsets)
                    if options.startswith("--workload=halo"):  # in partial order
                        run(CELLSYNC, "-q", "t.pex", "-o", "again.pex")
                        for verb in ("comm", "latency"):  # as of the original
                            self.assertEqual(*(run(CELLSTAT, verb, "-q", path, "--format=csv")
                                               for path in ("again.pex", "t.pex")), (options, verb))
                        continue
                    actors = activity.actors_of(trace)
                    spreads += self.check_sync(trace, actors, options + more)
        self.assertGreater(met, 250)
        self.assertGreater(clipped, 50)
        self.assertGreater(spreads, 10)

    def test_clocks_apart(self):
        for options in test_activity.APART:
            with self.subTest(options):
                run(PDTSIM, "-o", "t.pex", "--truth-activity=a.csv", *options.split())
                run(CELLSYNC, "-q", "--delta=1", "t.pex", "--to=csv", "-o", "s.csv")
                trace = meaning.read_csv("s.csv", "t.pex")
                self.assertGreater(self.check_comm(trace, rows_of("a.csv"), options, "--delta=1"), 20)
                self.check_latency(trace, options, "--delta=1")


class NotBelowZero(unittest.TestCase):
    """Latencies of messages that give the order, held to every offset and every error of a stamp that fit, tried by force."""

    def draw(self, rng, names, delta):
        """Rows (thread, stamp, true time, message, whether it receives) by true time; each stamp is delta off at most."""
        hidden = {name: rng.randint(-20, 20) for name in names}
        rows, now = [], 10
        for message in range(rng.choice((2, 2, 2, 3))):
            s, r = rng.sample(names, 2)
            now += rng.randint(0, 5)
            rows += [(s, now, message, False), (r, now + rng.choice((0, 0, 1, 2, 5)), message, True)]
        rows.sort(key=lambda row: (row[1], row[3], row[2]))
        return [(who, true + hidden[who] + rng.randint(-delta, delta), true, message, receives)
                for who, true, message, receives in rows]

    def write(self, rows):
        with open("force.csv", "w") as out:
            print("# order=partial\n# timebase_hz=1000000\nthread,time,send,recv", file=out)
            for who, stamp, _, message, receives in rows:
                print(f"{who},{stamp},{'' if receives else message},{message if receives else ''}", file=out)

    def figures(self, took):
        """In millionths of a tick."""
        took = sorted(took)
        return {"least": took[0] * 10**6, "median": took[(len(took) - 1) // 2] * 10**6, "mean": fractions.Fraction(sum(took) * 10**6, len(took))}

    def took(self, rows, times):
        """How long messages took; None where one came before it was sent, or a thread's rows go back."""
        sent, last, out = {}, {}, []
        for (who, _, _, message, receives), at in zip(rows, times):
            if at < last.get(who, at):
                return None
            last[who] = at
            sent.setdefault(message, at)
            if receives:
                out.append(at - sent[message])
        return None if min(out) < 0 else out

    def worlds(self, names, rows, delta):
        """What messages took in each world that the records allow."""
        apart = list(itertools.product(range(-delta, delta + 1), repeat=len(rows)))
        for offsets in itertools.product(range(-52, 53), repeat=len(names) - 1):
            by = dict(zip(names, (0, *offsets)))
            times = [stamp + by[who] for who, stamp, *_ in rows]
            least = min(t - next(u for u, other in zip(times, rows) if other[3] == row[3])
                        for t, row in zip(times, rows) if row[4])
            if -2 * delta <= least < 10:  # further away there is nothing, or nothing that is limited
                for off in apart:
                    took = self.took(rows, [t + x for t, x in zip(times, off)])
                    if took is not None:
                        yield took

    def test_by_force(self):
        rng, tried, attained, clamped = random.Random(19), 0, 0, 0
        while tried < 30:
            names = "ABC"[:rng.choice((2, 2, 3))]
            delta = 3 - len(names)  # three clocks and errors of all stamps would take too long
            rows = self.draw(rng, names, delta)
            if {row[0] for row in rows} != set(names):
                continue
            self.write(rows)
            options = [f"--delta={delta}", f"--ranges={rng.choice(('exact', 'star'))}"]
            text = run(CELLSTAT, "latency", "-q", "force.csv", "--format=csv", *options).decode()
            (row,) = csv.DictReader(text.split("\n\n")[0].splitlines())
            low, high = {}, {}
            for took in self.worlds(names, rows, delta):
                for name, value in self.figures(took).items():
                    low[name], high[name] = min(low.get(name, value), value), max(high.get(name, value), value)
            true = self.figures(self.took(rows, [true for _, _, true, *_ in rows]))
            tried += 1
            for name, unit in (("least", "ticks"), ("median", "ticks"), ("mean", "microticks")):
                at, lo, hi = (float(row[f"{name}{end}_{unit}"]) * (10**6 if unit == "ticks" else 1) for end in ("", "_lo", "_hi"))
                self.assertTrue(min(0, at) <= lo <= low[name] and lo <= true[name] <= hi, (options, rows, name, lo, low, row))
                self.assertTrue(hi >= high[name] or hi == float("inf"), (options, rows, name, hi, high, row))
                attained += abs(lo - low[name]) < 1
                clamped += lo == min(0, at)
        self.assertGreater(attained, tried)
        self.assertGreater(clamped, tried)


if __name__ == "__main__":
    CELLSYNC, PDTSIM, CELLSTAT = map(os.path.abspath, sys.argv[1:4])
    test_activity.CELLSYNC, test_activity.PDTSIM = CELLSYNC, PDTSIM
    run_in_folder()
