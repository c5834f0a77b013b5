"""cellstat, held to the oracle of activity.py at the same offsets, and its ranges to what pdtsim did in true time.

    python3 test_cellstat.py CELLSYNC PDTSIM CELLSTAT
"""

import collections
import csv
import itertools
import os
import random
import re
import sys
import unittest
from fractions import Fraction

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import activity  # noqa: E402
import meaning  # noqa: E402
import parts  # noqa: E402
import pexfile  # noqa: E402
import test_activity  # noqa: E402
from test_activity import rows_of, run  # noqa: E402
from trials import run_in_folder, trials  # noqa: E402

from parts import ACTIVE, CPU, ELAPSED, STATES  # noqa: E402
FULL = {"profile": ("--top=0",), "calls": ("--top=0", "--leaves=0")}


def sheets(verb, *options, trace=("t.pex",)):
    """The tables of a verb, as rows by column."""
    text = run(CELLSTAT, verb, "-q", *trace, "--format=csv", *options).decode()
    return [list(csv.DictReader(part.splitlines())) for part in text.split("\n\n")]


class Simulated(parts.Held, unittest.TestCase):
    def simulate(self, options):
        run(PDTSIM, "-o", "t.pex", "--truth=t.csv", "--truth-activity=a.csv", *options.split())
        return self.synchronize()

    def synchronize(self):
        run(CELLSYNC, "-q", "t.pex", "--to=csv", "-o", "s.csv")
        return meaning.read_csv("s.csv", "t.pex")

    def leave_calls(self):
        """Nothing of the trace waits any more, and some entries and exits are missing."""
        rng = random.Random(0)
        trace = pexfile.read_pex("t.pex").trace
        trace.records = [r for r in trace.records if not r.flags & pexfile.INTERVAL and
                         (r.event in (pexfile.SWITCH_IN, pexfile.SWITCH_OUT) or rng.random() < 0.98)]
        with open("t.trace", "wb") as file:
            file.write(pexfile.pack_trace(trace))
        return self.synchronize()

    def check_states(self, actors, options):
        times, _ = activity.states(actors)
        for row in sheets("states")[0]:
            if row["what"] == "actor":
                got = {state: int(row[f"{state}_ticks"]) for state in STATES}
                got["active"] = sum(int(row[f"{part}_ticks"]) for part in ACTIVE)
                actor = row["name"].replace("tid", "ppe")
                want = {state: times.get((actor, state), 0) for state in got}
                self.assertEqual(got, want, (options, row["name"]))

    def ask(self, option, several, *verbs, more=()):
        """The tables of verbs, by part."""
        tables = [{} for _ in several]
        for verb in verbs:
            for one, rows in zip(tables, parts.ask(CELLSTAT, verb, option, several, *FULL.get(verb, ()), *more)):
                one.update(rows)
        return tables

    def check_window(self, options):
        """A part of the time, between two records or in sections, of all actors and of some: by the estimate, and what was
        true is in the ranges."""
        trace, told = meaning.read_csv("s.csv", "t.pex"), []
        for option, several in parts.parts_of(trace.records):
            tables = self.ask(option, several, "states", "sync", "concurrency")
            chosen = [row["name"] for row in tables[0]["states", 0] if row["what"] == "actor"][::2]
            some_of = "--actors=" + ",".join(chosen)
            some = self.ask(option, several, "states", "sync", more=(some_of,))
            for one, rows in zip(some, self.ask(option, several, "concurrency", more=(some_of, "--units=actors"))):
                one.update(rows)
            for one, of_some in zip(tables, some):
                self.assertEqual([row for row in of_some["states", 0] if row["what"] == "actor"],
                                 [row for row in one["states", 0] if row["name"] in chosen], (options, option))
            told.append((option, several, chosen, tables, some))
            self.hold_summary((options, option), parts.ask(CELLSTAT, "summary", option, several), tables)
        for unit, offsets in ((None, None), (10**9, self.true_offsets())):
            if offsets:
                self.place_by_truth(trace, offsets)
            actors = activity.actors_of(trace)
            for option, several, chosen, tables, some in told:
                for part, one, of_some in zip(several, tables, some):
                    shown, ends = (options, option, part.window), part.ends()
                    self.hold_states(shown, unit, one["states", 0], activity.states_in(actors, *ends))
                    self.hold_waits(shown, unit, one["sync", 0], activity.waits_in(actors, *ends))
                    these = [actor for actor in actors if actor.name.replace("ppe", "tid") in chosen]
                    want = activity.executing_in(these, *ends)
                    self.hold_levels(shown, unit, of_some["states", 1], want, "executing")
                    self.hold_levels(shown, unit, of_some["concurrency", 0], want)
                    self.hold_waits(shown, unit, of_some["sync", 0], activity.waits_in(these, *ends))

    def true_offsets(self):
        """By clock, in 10^-9 ticks."""
        offsets = {"ppe": 0}
        for row in rows_of("t.csv"):
            offsets.setdefault(row["thread"], int(Fraction(row["offset_ticks"]) * 10**9))
        return offsets

    def check_levels(self, actors, rows, options):
        levels, (total,) = sheets("concurrency", "--units=spe")
        got = {int(row["level"]): int(row["time_ticks"]) for row in levels}
        want = activity.levels(actors)
        self.assertEqual({i: t for i, t in got.items() if t}, {i: t for i, t in want.items() if t}, options)
        ranges = {int(row["level"]): (int(row["time_lo_ticks"]), int(row["time_hi_ticks"])) for row in levels}
        for row in rows:
            if row["table"] == "level":
                low, high = ranges.get(int(row["name"]), (0, 0))
                self.assertTrue(low <= int(row["ticks"]) <= high, (options, row, low, high))

    def check_profile(self, trace, actors, options):
        """The figures of the oracle at the offsets of cellsync, and those at the true ones in the ranges."""
        calls, created = activity.calls_of(trace, actors), activity.creations(trace)
        offsets, found = self.true_offsets(), []
        for per, by_actor, follow in (("all", False, ()), ("actor", True, ()), ("all", False, ("--follow=create",)),
                                      ("actor", True, ("--follow=create",))):
            want = activity.profile(calls, actors, by_actor, created if follow else None)
            tables = [{((row["actor"].replace("tid", "ppe"), row["routine"]) if by_actor else row["routine"]): row
                       for row in sheet} for sheet in sheets("profile", "--top=0", f"--per={per}", *follow)[:2]]
            for table, names in zip(tables, (CPU, ELAPSED)):
                self.assertEqual(set(table), set(want), options)
                for key, row in table.items():
                    for name in names:
                        got = row.get(f"{name}_ticks", row.get(name))
                        self.assertEqual(int(got), want[key][name], (options, key, name))
            found.append((tables[1], by_actor, follow))
        self.check_samples(trace, calls, options)
        told = [(option, several, self.ask(option, several, "profile", "calls"))
                for option, several in parts.parts_of(trace.records)]
        self.hold_parts(options, None, told, actors, calls)
        self.place_by_truth(trace, offsets)
        actors = activity.actors_of(trace)
        calls = activity.calls_of(trace, actors)
        self.hold_parts(options, 10**9, told, actors, calls)
        created = activity.creations(trace)
        for table, by_actor, follow in found:
            true = activity.profile(calls, actors, by_actor, created if follow else None)
            for key, row in table.items():
                for name in ELAPSED:
                    low, high = (int(row[f"{name}_{end}_ticks"]) * 10**9 for end in ("lo", "hi"))
                    self.assertTrue(low <= true[key][name] <= high, (options, key, name, low, true[key][name], high))

    def hold_parts(self, options, unit, told, actors, calls):
        """Profile and calls of parts of the time."""
        for option, several, tables in told:
            if unit is None:
                self.hold_summary((options, option), parts.ask(CELLSTAT, "summary", option, several), tables)
            for part, one in zip(several, tables):
                self.hold_routines((options, option, part.window), unit, one, actors, calls, part.ends())

    def check_samples(self, trace, calls, options):
        """What a sampling profiler would say, at the offsets of cellsync."""
        for ticks in (7, 1000):
            own = activity.sampled(calls, trace.records[0].at, ticks)
            all_times = activity.propagated(calls, own)
            for row in sheets("profile", "--top=0", f"--sample={ticks}")[0]:
                self.assertEqual(int(row["sampled_ticks"]), own[row["routine"]], (options, ticks, row))
                self.assertTrue(abs(int(row["sampled_cumulative_ticks"]) - all_times[row["routine"]]) <= 1, (options, row))

    def check_calls(self, trace, actors, options):
        """Pairs of caller and callee, and paths, at the offsets of cellsync."""
        calls = activity.calls_of(trace, actors)
        pairs, paths = sheets("calls", "--top=0", "--leaves=0")[:2]
        got = {(row["caller"] or None, row["callee"]): (int(row["calls"]), int(row["time_ticks"])) for row in pairs}
        self.assertEqual(got, activity.call_pairs(calls), options)
        got = {tuple(row["path"].split(";")): (int(row["calls"]), int(row["direct_ticks"])) for row in paths}
        self.assertEqual(got, activity.call_paths(calls), options)

    def check_nodes(self, trace, actors, calls, options):
        """The same by nodes of one SPE: where a context is is that of the SPE that it was switched in to, or its number."""
        turns = collections.defaultdict(list)
        for r in trace.records:
            if r.meaning.role == "in":
                turns[f"spe{r.what['task']}"].append((r.at, r.what["spe"]))

        def node_of(actor, time):
            if not actor.startswith("spe"):
                return "unknown"
            seen = turns.get(actor, [(0, int(actor[3:]))])
            return f"node {max([t for t in seen if t[0] <= time], key=lambda t: t[0], default=seen[0])[1]}"

        first, last = activity.span_of(actors)
        want = {}
        for node in {node_of(actor.name, piece[0]) for actor in actors if actor.spe for piece in actor.pieces}:
            steps = activity.steps_of([(a, b) for actor in actors if actor.spe for a, b, state, _ in actor.pieces
                                       if state == "active" and node_of(actor.name, a) == node])
            for a, b, n in steps:
                want[node, n] = want.get((node, n), 0) + b - a
            want[node, 0] = last - first - sum(t for (name, n), t in want.items() if name == node and n > 0)
        levels, totals = sheets("concurrency", "--per=node", "--topology=1,1", "--units=spe")
        got = {(row["node"], int(row["level"])): int(row["time_ticks"]) for row in levels}
        self.assertEqual({k: t for k, t in got.items() if t}, {k: t for k, t in want.items() if t}, options)
        self.assertEqual({row["node"] for row in totals}, {node for node, _ in want}, options)
        if turns: # else each is a context of its own
            self.assertEqual({row["units"] for row in totals}, {"1"}, options)
        if not calls:
            return
        found, direct = collections.Counter(), collections.Counter()
        for call in activity.calls_of(trace, actors).calls:
            found[call.routine, node_of(call.actor, call.begin)] += 1
            for a, b in call.direct:
                direct[call.routine, node_of(call.actor, a)] += b - a
        rows = sheets("profile", "--top=0", "--per=node", "--topology=1,1")[0]
        self.assertEqual({(r["routine"], r["node"]): int(r["calls"]) for r in rows if r["calls"] != "0"}, found, options)
        self.assertEqual({(r["routine"], r["node"]): int(r["direct_ticks"]) for r in rows if r["direct_ticks"] != "0"},
                         {key: t for key, t in direct.items() if t}, options)

    def test_partial_order(self):
        """Ranks, of which no switches are traced, and contexts that flush blocks; threads that start them wait for their ends
        before they record anything. What was true is in the ranges, to the tick where all clocks tick at once, else as far as
        the stamps are off where pieces begin and end."""
        for options, apart in (("--workload=halo --nodes=1 --contexts=6 --events=300", False),
                               ("--workload=halo --nodes=2 --spes=4 --events=1500 --calls --level=full", True),
                               ("--workload=blackscholes --flush=16 --spes=6 --events=2000", False),
                               ("--workload=juliaset --flush=3,next --spes=4 --events=1000", False)):
            run(PDTSIM, "-o", "t.pex", "--truth-activity=a.csv", *options.split())
            true, waits = {}, collections.Counter()
            for row in rows_of("a.csv"):
                if row["table"] == "state":
                    true[row["actor"], row["name"]] = int(row["ticks"])
                if row["table"] == "wait":
                    waits[row["actor"]] += int(row["count"])
            rows = [row for row in sheets("states", *["--delta=1"] * apart)[0] if row["what"] == "actor"]
            self.assertEqual({row["name"].replace("tid", "ppe") for row in rows}, {actor for actor, _ in true})
            for row in rows:
                actor = row["name"].replace("tid", "ppe")
                self.assertEqual(true[actor, "ready"] > 0, actor.startswith("spe"), (options, actor))
                for state in STATES + ("active",):
                    low, high = (sum(int(row[f"{part}_{end}_ticks"]) for part in (ACTIVE if state == "active" else (state,)))
                                 for end in ("lo", "hi"))
                    off = apart * (2 + 2 * waits[actor] * (state in ("active", "blocked")))
                    self.assertTrue(low - off <= true[actor, state] <= high + off,
                                    (options, actor, state, low, true[actor, state], high))

    def place_by_truth(self, trace, offsets):
        """Times in 10^-9 ticks, by the true offsets."""
        for record in trace.records:
            record.time *= 10**9
            record.begin = None if record.begin is None else record.begin * 10**9
        trace.place(offsets)

    def test_clocks_that_tick_at_once(self):
        for options in test_activity.AT_ONCE:
            if options.startswith("--workload=halo"):
                continue  # in partial order
            for more in ("", " --seed=8", " --seed=9 --calls"):
                with self.subTest(options + more):
                    trace = self.simulate(options + more)
                    actors = activity.actors_of(trace)
                    self.check_states(actors, options)
                    if not more:
                        self.check_window(options)
                    self.check_levels(actors, rows_of("a.csv"), options)
                    self.check_nodes(trace, actors, "--calls" in more, options)
                    if "--calls" in more:
                        self.check_calls(trace, actors, options)
                        self.check_profile(trace, actors, options)
                        trace = self.leave_calls()
                        actors = activity.actors_of(trace)
                        self.check_calls(trace, actors, options)
                        self.check_profile(trace, actors, options)


EVENTS = """<events version="1">
  <recordType name="SEND" role="call" routine="send" stall="yes" class="message"/>
  <recordType name="POLL" role="call" routine="poll" stall="yes" state="idle"/>
  <recordType name="WORK" role="call" routine="work"/>
  <recordType name="SLEEP" role="wait" class="event"/>
</events>
"""
CALLS = ("SEND", "POLL", "WORK")
MESSAGES = ("MPI_SEND", "MPI_RECV")
DRAWN = trials(50)


class Drawn(parts.Held, unittest.TestCase):
    """Random threads in one buffer, with calls that are intervals, some of which wait, as regions of MPI do, and with sends
    and receives, whose others are met by their number."""

    def act(self, rng, events, begin, depth, out):
        """What a thread does from then on, as (end, begin, event, routine); when it is done."""
        at = begin
        for _ in range(rng.randint(1, 4)):
            at += rng.randint(1 if "ENTER" in events else 0, 5)  # else what is in what is not told
            event, start, routine = rng.choice(events), at, rng.choice("fg")
            if event == "ENTER":
                out.append((at, "", event, routine))
            if depth > 0 and event != "MARK" and rng.random() < 0.6:
                at = self.act(rng, events, at, depth - 1, out)
            at += rng.randint(0, 6)
            if event == "ENTER":
                out.append((at, "", "EXIT", routine))
            else:  # some calls cross those before
                crosses = "ENTER" not in events and event in CALLS and rng.random() < 0.2
                out.append((at, "" if event == "MARK" else start - 7 * crosses, event, ""))
        return at

    def meet(self, rng, rows, offsets):
        """The rows as they are written, with partners and bytes: each receive has a send that began before it ended, in the
        order in which both begin; what finds no other end only sleeps."""
        others, sent = {}, collections.defaultdict(list)

        def begin_of(row):
            return row[4] + offsets[row[2]]

        for row in sorted((row for row in rows if row[5] in MESSAGES), key=lambda row: (begin_of(row), row[5] == "MPI_RECV")):
            if row[5] == "MPI_SEND":
                others[row[:3]] = rng.choice([name for name in offsets if name != row[2]])
                sent[row[2], others[row[:3]]].append(row)
        for row in sorted((row for row in rows if row[5] == "MPI_RECV"), key=begin_of):
            able = [name for name in offsets if sent[name, row[2]] and begin_of(sent[name, row[2]][0]) <= row[0]]
            if able:
                others[row[:3]] = rng.choice(able)
                sent[others[row[:3]], row[2]].pop(0)
        for row in sum(sent.values(), []):
            del others[row[:3]]
        for row in rows:
            event = "SLEEP" if row[5] in MESSAGES and row[:3] not in others else row[5]
            size = rng.choice((8, 64)) if event in MESSAGES + ("MFC_GET",) else ""
            yield (*row[2:5], event, row[6], others.get(row[:3], ""), size)

    def draw(self, rng):
        """Rows of all threads by their ends, by the clocks of the threads; and how far these are off."""
        offsets, rows = {"ppe": 0}, []
        for name in ("ppe", "a", "b", "c")[:rng.randint(2, 4)]:
            offset = offsets.setdefault(name, rng.randint(-99, 99))
            begin, own = rng.randint(0, 9) if name != "ppe" else 0, []
            if name == "ppe" or rng.random() < 0.5:
                own.append((begin, "", "MARK", ""))
            self.act(rng, CALLS + rng.choice((("MARK", "SLEEP"), ("MARK", "ENTER", "SLEEP"), MESSAGES + ("MFC_GET",))),
                     begin, 2, own)
            rows += [(end, i, name, end - offset, start - offset if start != "" else "", event, routine)
                     for i, (end, start, event, routine) in enumerate(own)]
        rows.sort(key=lambda row: row[:3])
        with open("t.csv", "w", encoding="ascii") as file:
            file.write("# timebase_hz=1000\nthread,time,begin,event,routine,partner,bytes\n")
            file.writelines(",".join(map(str, row)) + "\n" for row in self.meet(rng, rows, offsets))
        return offsets

    def parts_of(self, rng, records):
        """Parts of the time, as an option and what it asks for: two records that are apart, and some sections of a name."""
        first, last = sorted(rng.sample(range(len(records)), 2))
        if records[first].at < records[last].at:
            yield f"--window=#{first}..#{last}", [parts.window_of(records, first, last)]
        name = rng.choice(records).name
        found = parts.sections_of(records, name)
        n = rng.randint(0, len(found))
        if n < len(found):
            yield f"--section={name}#{n + 1}-{n + 3}", found[n:n + 3]

    def compare_parts(self, seed, trace, offsets, given):
        """All tables of parts of the time, by the verbs or as a summary."""
        rng, told = random.Random(seed), []
        for option, several in self.parts_of(rng, trace.records):
            verbs = ("states", "concurrency", "sync", "profile", "calls", "comm", "latency")
            has = {"profile": ("call", "enter", "exit"), "calls": ("call", "enter", "exit"),
                   "comm": ("send", "recv", "transfer"), "latency": ("send", "recv", "transfer")}
            roles = {r.meaning.role for r in trace.records}
            verbs = [verb for verb in verbs if verb not in has or roles & set(has[verb])]
            tables = [{} for _ in several]
            for verb in verbs if rng.random() < 0.25 else ("summary",):
                for one, more in zip(tables, parts.ask(CELLSTAT, verb, option, several, *FULL.get(verb, ()), trace=given)):
                    one.update(more)
            told.append((option, several, tables))
        for placed in (None, offsets):  # by the estimate, and what was, in the ranges
            if placed:
                trace.place(placed)
            actors, found = activity.actors_of(trace), activity.exchanges(trace)
            calls = activity.calls_of(trace, actors)
            late = [actor.stays[0].first == actor.stays[0].records[0].at for actor in actors]
            if not placed:
                by_estimate = late
            elif late != by_estimate:  # who is there before its first record is said by the estimate alone
                break
            for option, several, tables in told:
                for part, one in zip(several, tables):
                    shown, ends, one = (seed, option, part.window), part.ends(), collections.defaultdict(list, one)
                    self.hold_all(shown, placed and 1, one, actors, calls, ends)
                    self.hold_comm(shown, placed and 1, [one["comm", i] for i in (0, 1)], activity.comm_in(found, *ends))
                    self.hold_latency(shown, placed and 1, one["latency", 0],
                                      activity.latency_in(found, lambda x: "memory" if x.what == "transfer" else "unknown",
                                                          *ends))
        return len(told)

    def compare(self, seed):
        offsets, given = self.draw(random.Random(seed)), ("t.csv", "--events=e.xml")
        run(CELLSYNC, "-q", "t.csv", "-o", "s.csv")
        trace = meaning.read_csv("s.csv", "e.xml")
        actors = activity.actors_of(trace)
        times, _ = activity.states(actors)
        for row in sheets("states", trace=given)[0]:
            if row["what"] == "actor":
                got = {state: int(row[f"{state}_ticks"]) for state in STATES}
                got["active"] = sum(int(row[f"{part}_ticks"]) for part in ACTIVE)
                self.assertEqual(got, {state: times.get((row["name"], state), 0) for state in got}, (seed, row["name"]))
        levels = sheets("concurrency", trace=given)[0]
        got = {int(row["level"]): int(row["time_ticks"]) for row in levels if row["time_ticks"] != "0"}
        self.assertEqual(got, {i: t for i, t in activity.levels(actors).items() if t}, seed)
        want = {cls: row for (cls, _), row in activity.waits(actors).items()}
        got = {row["class"]: tuple(int(row[name]) for name in ("count", "time_ticks", "greatest_ticks", "misses"))
               for row in sheets("sync", trace=given)[0] if row.get("class")}
        self.assertEqual(got, want, seed)
        calls = activity.calls_of(trace, actors)
        if not calls.calls:
            return
        want, tables = activity.profile(calls, actors), sheets("profile", "--top=0", trace=given)
        for table, names in zip(tables, (CPU, ELAPSED)):
            for row in table:
                got = {name: int(row.get(f"{name}_ticks", row.get(name))) for name in names}
                self.assertEqual(got, {name: want[row["routine"]][name] for name in names}, (seed, row["routine"]))
        pairs = sheets("calls", "--top=0", "--leaves=0", trace=given)[0]
        got = {(row["caller"] or None, row["callee"]): (int(row["calls"]), int(row["time_ticks"])) for row in pairs}
        self.assertEqual(got, activity.call_pairs(calls), seed)
        if seed % 2 == 0:
            self.compare_parts(seed, trace, offsets, given)
        trace.place(offsets)
        actors = activity.actors_of(trace)  # what was, in the ranges
        true = activity.profile(activity.calls_of(trace, actors), actors)
        for row in tables[1]:
            for name in ELAPSED:
                self.within(row, name, true[row["routine"]][name], seed)
        true = activity.levels(actors)
        for row in levels:
            self.within(row, "time", true.get(int(row["level"]), 0), seed)

    def within(self, row, name, value, seed):
        low, high = (row[f"{name}_{end}_ticks"] for end in ("lo", "hi"))
        if low and high:
            self.assertTrue(float(low) <= value <= float(high), (seed, row, name, low, value, high))

    def test_calls_that_wait(self):
        with open("e.xml", "w", encoding="ascii") as file:
            file.write(EVENTS)
        for seed in range(DRAWN):
            with self.subTest(seed):
                self.compare(seed)


class Places(unittest.TestCase):
    """~ of sorted rows: their ranges overlap with others'."""

    def check(self, verb, column, *options):
        rows = next(rows for rows in sheets(verb, f"--sort={column}", *options) if f"{column}_lo_ticks" in rows[0])
        ends = [(int(row[f"{column}_lo_ticks"]), int(row[f"{column}_hi_ticks"])) for row in rows]
        want = [any(other[0] < mine[1] for other in ends[:i]) or any(other[1] > mine[0] for other in ends[i + 1:])
                for i, mine in enumerate(ends)]
        lines = run(CELLSTAT, verb, "-q", "t.pex", f"--sort={column}", "--top=0", *options).decode().splitlines()
        begin = next(i for i, line in enumerate(lines) if column in line.split() and not line.startswith("t.pex:")) + 1
        self.assertEqual(["~" in line for line in lines[begin:begin + len(rows)]], want, (verb, column))
        return sum(want), len(want)

    def test_sorted(self):
        run(PDTSIM, "-o", "t.pex", "--workload=lb", "--nodes=2", "--events=3000")
        found = [self.check("comm", "time"), self.check("comm", "cost"), self.check("states", "user", "--window=25%..75%")]
        run(PDTSIM, "-o", "t.pex", "--workload=juliaset", "--calls", "--spes=6", "--events=300")
        found += [self.check("profile", "elapsed_direct"), self.check("profile", "direct"),
                  self.check("states", "user", "--window=30%..40%")]
        self.assertTrue(any(some for some, _ in found) and any(some < all_ for some, all_ in found), found)


class Times(unittest.TestCase):
    """--time: what tables say in ticks, as parts of a second: ends outward, the estimate to the nearest nanosecond."""

    DECIMALS = {"s": 9, "ms": 6, "us": 3, "ns": 0}

    def text_of(self, ns, unit):
        decimals = self.DECIMALS[unit]
        whole, rest = divmod(abs(ns), 10 ** decimals)
        return ("-" if ns < 0 else "") + (f"{whole}.{rest:0{decimals}d}" if decimals else str(whole))

    def want(self, row, name, kind, unit, hz):
        """What a row in ticks has in a unit, by the names of its columns there."""
        values = {end: row.get(f"{name}{end}_{kind}") for end in ("", "_lo", "_hi")}
        exact = {end: Fraction(int(value) * 10 ** 9, hz * (10 ** 6 if kind == "microticks" else 1))
                 for end, value in values.items() if value and "inf" not in value}
        one = values["_lo"] == values["_hi"]
        out = {}
        for end, value in values.items():
            if end in exact:
                ns = exact["" if one else end]
                rounded = {"_lo": ns.__floor__, "_hi": ns.__ceil__}.get("" if one else end, (ns + Fraction(1, 2)).__floor__)()
                value = self.text_of(rounded, unit)
            if value is not None:
                out[f"{name}{end}_{unit}"] = value
        return out

    def compare(self, given, said, unit, hz, verb):
        tried = 0
        self.assertEqual(len(given), len(said))
        for ticks, times in zip(given, said):
            want = {name: value for name, value in ticks.items() if not name.endswith("ticks")}
            for name in ticks:
                stem, _, kind = name.rpartition("_")
                if kind in ("ticks", "microticks") and not stem.endswith(("_lo", "_hi")):
                    want.update(self.want(ticks, stem, kind, unit, hz))
                    tried += 1
            self.assertEqual(want, dict(times), (verb, unit))
        return tried

    def check(self, options, verbs):
        run(PDTSIM, "-o", "t.pex", *options.split())
        with open("t.pex", encoding="utf-8") as file:
            hz = int(re.search(r'timebase_hz="(\d+)"', file.read()).group(1))
        tried = 0
        for verb, unit in zip(verbs, itertools.cycle(self.DECIMALS)):
            given, said = sheets(verb), sheets(verb, f"--time={unit}")
            self.assertEqual(len(given), len(said))
            tried += sum(self.compare(a, b, unit, hz, verb) for a, b in zip(given, said))
        return tried

    def test_units(self):
        tried = self.check("--workload=juliaset --calls --spes=3 --events=300",
                           ("summary", "states", "concurrency", "profile", "calls", "sync"))
        tried += self.check("--workload=pingpong --events=300", ("comm", "latency"))
        self.assertGreater(tried, 500)


if __name__ == "__main__":
    CELLSYNC, PDTSIM, CELLSTAT = map(os.path.abspath, sys.argv[1:4])
    test_activity.CELLSYNC, test_activity.PDTSIM = CELLSYNC, PDTSIM
    run_in_folder()
