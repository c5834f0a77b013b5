"""A page of the HTML report against the JSON report and the synchronized records of the same trace.

Whatever the page says is computed again here, from the definitions and by brute force.
"""
import collections
import csv
import fractions
import functools
import io
import json
import math
import re
import subprocess

import people
from html_page import Page

NAME_MAX, THREADS_MAX, DRAWN_MAX, GROUPS_MAX, BINS = 24, 200, 500, 64, 200
MEMBERS_MAX, MEMBER_LINES_MAX = 6, 96
BYTES_MAX = 2000000
UNSEEN = [(0, 0x20), (0x5c, 0x5d), (0x7f, 0xa0), (0xad, 0xae), (0x61c, 0x61d), (0x200b, 0x2010), (0x2028, 0x202f),
          (0x2060, 0x2070), (0xfeff, 0xff00), (0xfdd0, 0xfdf0), (0xe0000, 0xe1000)]


def run(cellsync, *arguments):
    return subprocess.run([cellsync, "-q", *map(str, arguments)], check=True, stdout=subprocess.PIPE).stdout


def shown(name):
    """A name as the page shows it; bytes that are not UTF-8 stand in it as surrogates."""
    out = []
    for character in name:
        point = ord(character)
        if 0xdc80 <= point < 0xdd00:
            out.append(f"\\x{point - 0xdc00:02x}")
        elif any(low <= point < high for low, high in UNSEEN) or point & 0xfffe == 0xfffe:
            out.append(f"\\x{point:02x}" if point < 0x80 else f"\\u{{{point:x}}}")
        else:
            out.append(character)
    room, cut = NAME_MAX, ""
    for text in out:
        if len(text) > room:
            return cut + "…"
        room, cut = room - len(text), cut + text
    return cut


def decimals(num, den):
    units = (2 * num * 10**6 + den) // (2 * den)
    return f"{units // 10**6}.{units % 10**6:06d}"


class Facts:
    """What the other formats say of a trace."""

    def __init__(self, cellsync, trace, *options):
        self.json = json.loads(run(cellsync, *options, "-r", "-", "--report-format=json", trace))
        text = run(cellsync, *options, "-o", "-", "--to=csv", trace).decode("utf-8", "surrogateescape")
        while text.startswith("#"):
            text = text.split("\n", 1)[1]
        rows = csv.DictReader(io.StringIO(text, newline=""))
        self.names, self.events, self.tracks, index = [], [], {}, {}
        for row in rows:
            clock = row.get("clock") or row["thread"]
            t = index.setdefault(clock, len(index))
            if t == len(self.names):
                self.names.append(clock)
            self.events.append((t, int(row["global_time"])))
            self.tracks.setdefault((t, row["thread"]), []).append(int(row["global_time"]))
        self.shown = [shown(name) for name in self.names]
        self.hz = self.json["timebase_hz"]
        self.n = len(self.names)
        twice = 2 * fractions.Fraction(self.json["delta"]["ticks"])
        self.events_ticks = 2 * -(-twice.numerator // twice.denominator)
        self.bound = [None if u is None or l is None else u - l + self.events_ticks for l, u in
                      ((t["earliest_ticks"], t["latest_ticks"]) for t in self.json["threads"])]
        by_json_name = {t["name"]: i for i, t in enumerate(self.json["threads"])}
        self.reference = by_json_name[self.json["reference"]]
        stands = collections.defaultdict(list)
        for t, g in self.events:
            stands[t].append(g)
        last = {t: i for i, (t, _) in enumerate(self.events)}
        first = {t: i for i, (t, _) in reversed(list(enumerate(self.events)))}
        self.first, self.last = ([of[t] for t in range(self.n)] for of in (first, last))
        self.records = [len(stands[t]) for t in range(self.n)]
        self.begin = [min(stands[t][0], stands[t][-1]) for t in range(self.n)]
        self.end = [max(stands[t][0], stands[t][-1]) for t in range(self.n)]

    @functools.cached_property
    def members(self):
        """The threads on each clock, by their first rows."""
        names = [[] for _ in range(self.n)]
        for clock, name in self.tracks:
            names[clock].append(name)
        return names

    @functools.cached_property
    def shared(self):
        """Clocks of a CSV that are not those of one thread of their name."""
        return [t for t, names in enumerate(self.members) if self.json["threads"][t].get("members") and names != [self.names[t]]]

    def pair_errors(self):
        """(s, t) -> error or None, s < t: the order of the JSON report."""
        pairs = ((s, t) for s in range(self.n) for t in range(s + 1, self.n))
        return {pair: p["event_error_ticks"] for pair, p in zip(pairs, self.json["pairs"], strict=True)}

    def duration(self, ticks):
        return people.time_text(ticks, self.hz).replace(" us", " µs")

    def ticks(self, ticks):
        if ticks is None:
            return "unbounded"
        time = people.time_text(ticks, self.hz, math.ceil).replace(" us", " µs")
        whole = self.hz in (10**i for i in range(20))
        return time if whole else f"{time} ({ticks} tick{'' if ticks == 1 else 's'})"

    def both(self, ticks):
        return ["∞", "∞"] if ticks is None else [str(ticks), decimals(ticks * 10**6, self.hz)]


class Checker:
    def __init__(self, name, source, facts):
        self.name, self.facts, self.page, self.checks, self.faults = name, facts, Page(source), 0, []
        self.equal("markup", self.page.faults, [])

    def equal(self, what, got, want):
        self.checks += 1
        if got != want:
            self.faults.append(f"{self.name}: {what}: {got!r}, want {want!r}")

    def said(self, where, text):
        self.checks += 1
        if text not in self.page.texts.get(where, ""):
            self.faults.append(f"{self.name}: {where}: {self.page.texts.get(where)!r}, want in it {text!r}")

    def check(self):
        self.check_summary()
        self.equal("contents", len(self.page.links) >= 6, True)
        self.check_threads()
        self.check_witness()
        self.check_timeline()
        self.check_members()
        self.check_course()
        self.check_map()
        self.check_widest()
        self.check_chains()
        self.check_distribution()
        self.check_loosest()
        return self.faults

    def check_summary(self):
        facts, summary = self.facts, self.facts.json["summary"]
        exact = facts.pair_errors()
        bounded = {pair: e for pair, e in exact.items() if e is not None}
        kind = [t["kind"] for t in facts.json["threads"]]
        spe = [e for (s, t), e in bounded.items() if kind[s] == kind[t] != "ppe"]
        ppe = [e for (s, t), e in bounded.items() if kind[s] != kind[t]]
        cell = [("max-error-spe", spe, True), ("mean-error-ppe", ppe, False), ("mean-error-spe", spe, False)]
        plain = "mean-error" in self.page.rows  # of clocks that are no PPE and SPEs
        self.equal("the PPE in a page without", plain and "ppe" in kind, False)
        for key, of, most in [("max-error", list(bounded.values()), True)] + ([("mean-error", spe, False)] if plain else cell):
            num, den = (max(of), 1) if of and most else (sum(of), len(of))
            text = "–" if not of else str(num) if most else decimals(num, den)
            micro = decimals(num * 10**6, den * facts.hz) if of else "–"
            self.equal(key, self.page.rows[key][1:], [text, micro, str(len(of))])
            key = key + "-spe" if key == "mean-error" else key
            in_json = summary[key.replace("-", "_").replace("error", "event_error") + "_ticks"]
            self.equal(key + " in JSON", in_json, None if not of else num if most else float(text))
        for key in ("live", "successive"):
            group = summary[key]
            self.equal(key, self.page.rows["mean-" + key][1::2],
                       ["–" if group["mean_event_error_ticks"] is None else f"{group['mean_event_error_ticks']:.6f}",
                        str(group["bounded"])])
        self.equal("records", self.page.terms["Records"], str(facts.json["records"]))
        verdict = self.page.texts["verdict"]
        if bounded:
            self.equal("verdict", facts.ticks(max(bounded.values())) in verdict, True)
        delta = f"±{facts.duration(facts.json['delta']['ticks'])} (delta"
        self.equal("delta in the verdict", "delta 0" in verdict or delta in verdict, True)
        unbounded = [t for t in range(facts.n) if facts.bound[t] is None]
        self.equal("unbounded in the verdict", f"{len(unbounded)} thread" in verdict, bool(unbounded))
        for t in unbounded[:4]:
            self.equal("unbounded named", facts.shown[t] in verdict, True)

    def check_threads(self):
        def cell(ticks, off, none):
            return none if ticks is None else str(ticks + off)

        facts = self.facts
        delta = fractions.Fraction(facts.json["delta"]["ticks"])
        off = -(-delta.numerator // delta.denominator)  # of an event, by which its timestamp can be wrong
        want = [[facts.shown[i], str(t["records"]), str(t["offset_ticks"]), cell(t["earliest_ticks"], -off, "−∞"),
                 cell(t["latest_ticks"], off, "∞"), *facts.both(facts.bound[i])]
                for i, t in enumerate(facts.json["threads"])]
        for row, members in zip(want, facts.members):
            names = ", ".join(map(shown, members[:MEMBERS_MAX]))
            more = f", and {len(members) - MEMBERS_MAX} more" if len(members) > MEMBERS_MAX else ""
            row += [names + more] if facts.shared else []
        self.equal("threads", self.page.tables["threads"], want[:THREADS_MAX])

    def check_members(self):
        """A bar for each thread of a CSV whose clock is not its own alone, clock by clock, up to so many lines."""
        facts, want, members = self.facts, [], self.facts.members
        fitting = [most for most in range(1, MEMBER_LINES_MAX)
                   if sum(1 + min(most, len(members[t])) for t in facts.shared) < MEMBER_LINES_MAX]
        for t in facts.shared:
            for name in members[t][:max(fitting, default=1)]:
                times = facts.tracks[t, name]
                want.append(f"{shown(name)} on {facts.shown[t]}: {min(times)} to {max(times)}, {len(times)} "
                            f"record{'s' * (len(times) != 1)}")
        want = want if fitting else want[:MEMBER_LINES_MAX // 2]
        self.equal("members", self.page.titles.get("members", []), want)
        total = sum(len(members[t]) for t in facts.shared)
        if total:
            self.said("members-claim", f"{len(want)} of {total} threads, at most" if len(want) < total else f"{total} thread")

    def check_witness(self):
        witness, facts = self.facts.json["witness"], self.facts
        names = {t["name"]: facts.shown[i] for i, t in enumerate(facts.json["threads"])}
        want = [[names[e["s"]], str(e["record_s"]), str(e["time_s"]), names[e["t"]], str(e["record_t"]),
                 str(e["time_t"]), str(e["weight_ticks"])] for e in (witness or {"edges": []})["edges"]]
        self.equal("witness", self.page.tables.get("witness", []), want)

    def check_timeline(self):
        facts = self.facts
        if facts.n > DRAWN_MAX:
            wide = {name for row in self.page.tables.get("widest", []) for name in row[:2]}
            marks = {title.rsplit(", ", 1)[0] for title in self.page.titles.get("timeline", [])}
            self.equal("timeline aggregated, the widest marked", marks, wide)
            return
        want = [f"{facts.shown[t]}: {facts.begin[t]} to {facts.end[t]}, {facts.records[t]} "
                f"record{'s' * (facts.records[t] != 1)}, {facts.ticks(facts.bound[t])}" for t in range(facts.n)]
        self.equal("timeline", self.page.titles["timeline"], want)

    def check_course(self):
        facts = self.facts
        low, length = min(facts.begin), max(facts.end) - min(facts.begin) + 1
        n = min(BINS, length)
        bins = [[] for _ in range(n)]
        for t in range(facts.n):
            if t != facts.reference:
                last = (facts.end[t] - low) * n // length
                for i in range((facts.begin[t] - low) * n // length, last + 1):
                    bins[i].append(float("inf") if facts.bound[t] is None else facts.bound[t])
        want = []
        for live in filter(None, map(sorted, bins)):
            of = [facts.ticks(None if b == float("inf") else b)
                  for b in (live[0], live[(len(live) - 1) // 2], live[-1])]
            want.append(f"{len(live)} live: least {of[0]}, median {of[1]}, greatest {of[2]}")
        pairs = self.pairs_of_bins(low, length, n)
        want = [text + self.said_of_pairs(pair) for text, pair in zip(want, (p for p, live in zip(pairs, bins) if live))]
        self.equal("course", self.page.titles.get("course", []), want)
        self.check_course_note(bins, low, length)
        self.check_worst_pair(pairs, length)

    def pairs_of_bins(self, low, length, n):
        """The bounds of those live together: where both are, by the order of the records, and in time."""
        facts, errors, bins = self.facts, self.facts.pair_errors(), [[] for _ in range(n)]
        for s in range(facts.n):
            for t in range(s + 1, facts.n):
                if facts.last[s] < facts.first[t]:
                    continue
                first = (max(facts.begin[s], facts.begin[t]) - low) * n // length
                last = max(first, (min(facts.end[s], facts.end[t]) - low) * n // length)
                for i in range(first, last + 1):
                    bins[i].append(errors[s, t])
        return bins

    def said_of_pairs(self, errors):
        bounded, text = [e for e in errors if e is not None], []
        if bounded:
            text = [f"mean {decimals(sum(bounded), len(bounded))}", f"greatest {self.facts.ticks(max(bounded))}"]
        if len(bounded) < len(errors):
            text.append(f"{len(errors) - len(bounded)} unbounded")
        return f"; {len(errors)} pair{'s' * (len(errors) != 1)} live together: {', '.join(text)}" if errors else ""

    def check_worst_pair(self, bins, length):
        worst = [max((e for e in errors if e is not None), default=-1) for errors in bins]
        if max(worst) >= 0:
            i, n = worst.index(max(worst)), len(bins)
            end = -(-length * (i + 1) // n) if i + 1 < n else length - 1
            self.said("course-note", f"Two threads live together are worst known, to {self.facts.ticks(max(worst))}, "
                      f"{self.stretch(-(-length * i // n), end)}.")
        self.said("course-note", "The thin lines are of the pairs of threads that are live together there")

    def stretch(self, begin, end):
        begin, end = self.facts.duration(begin), self.facts.duration(end)
        return f"at {begin}" if begin == end else f"from {begin} to {end}"

    def check_course_note(self, bins, low, length):
        facts, n = self.facts, len(bins)
        medians = [sorted(live)[(len(live) - 1) // 2] if live else 0 for live in bins]
        worst = medians.index(max(medians))
        high = low + length - 1
        there = [t for t, g in facts.events if (min(max(g, low), high) - low) * n // length == worst]
        median = None if medians[worst] == float("inf") else medians[worst]
        if bins[worst]:
            end = -(-length * (worst + 1) // n) if worst + 1 < n else length - 1
            self.said("course-note", f"The median is worst, {facts.ticks(median)}, "
                      f"{self.stretch(-(-length * worst // n), end)}, with {len(there)} record{'s' * (len(there) != 1)}, "
                      f"{there.count(facts.reference)} of {facts.shown[facts.reference]}.")
        if facts.n > 1:
            t = self.loosest()[0]
            self.said("course-note", f"The widest is that of {facts.shown[t]}, {facts.ticks(facts.bound[t])}, live "
                      f"{self.stretch(facts.begin[t] - low, facts.end[t] - low)}.")

    def check_map(self):
        facts, errors = self.facts, self.facts.pair_errors()
        a_group = -(-facts.n // GROUPS_MAX)
        groups = [range(i, min(i + a_group, facts.n)) for i in range(0, facts.n, a_group)]
        cells = collections.defaultdict(lambda: -1)
        for i, group in enumerate(groups):
            s = (group[0] + group[-1]) // 2
            for t in range(facts.n):
                if s != t:
                    error = errors[min(s, t), max(s, t)]
                    pair = max(i, t // a_group), min(i, t // a_group)
                    cells[pair] = max(cells[pair], float("inf") if error is None else error)
        more = " …" if a_group > 1 else ""
        want = [f"{facts.shown[groups[j][0]]}{more} – {facts.shown[groups[i][0]]}{more}: "
                f"{facts.ticks(None if cells[i, j] == float('inf') else cells[i, j])}" for i, j in sorted(cells)]
        self.equal("map", self.page.titles.get("map", []), want)

    def check_widest(self):
        facts, errors = self.facts, self.facts.pair_errors()
        bounded = [t for t in range(facts.n) if facts.bound[t] is not None]
        want = sorted((errors[s, t] for s in bounded for t in bounded if s < t), reverse=True)[:10]
        rows = self.page.tables.get("widest", [])
        if "others may be wider" not in self.page.texts.get("widest-claim", ""):
            self.equal("widest", [int(row[2]) for row in rows], want)
        by_names = collections.defaultdict(set)
        for (s, t), error in errors.items():
            by_names[facts.shown[s], facts.shown[t]].add((error, facts.bound[s], facts.bound[t]))
        for row in rows:
            self.equal("a wide pair", (int(row[2]), int(row[4]), int(row[5])) in by_names[row[0], row[1]], True)
            self.equal("a wide pair's time", row[3], decimals(int(row[2]) * 10**6, facts.hz))

    def loosest(self):
        bound = [float("inf") if b is None else b for b in self.facts.bound]
        return sorted((t for t in range(self.facts.n) if t != self.facts.reference), key=lambda t: (bound[t], t),
                      reverse=True)

    def check_chains(self):
        """A chain a pair, of the first three; all its slack together is the bound."""
        facts, wide = self.facts, self.page.tables.get("widest", [])
        for i, row in enumerate(wide[:3]):
            chain = self.page.tables.get(f"chain-{i + 1}-records", [])
            if any(edge[0].startswith("and ") for edge in chain):
                continue
            exact = facts.json["delta"]["ticks"] == "0"
            self.equal("a chain's slack", sum(int(edge[6]) for edge in chain), int(row[2]) - facts.events_ticks)
            for edge in chain:
                self.equal("a chain's order", int(edge[1]) < int(edge[4]), True)
                self.equal("a chain's step", not exact or int(edge[5]) - int(edge[2]) == int(edge[6]), True)

    def check_distribution(self):
        facts = self.facts
        bars = self.page.titles.get("distribution")
        self.equal("distribution", bars is not None, facts.n > GROUPS_MAX)
        if bars:
            bounded = sorted(b for t, b in enumerate(facts.bound) if b is not None and t != facts.reference)
            low = -1
            for bar in bars:
                count, begin, end = re.fullmatch(r"(\d+) threads?: (?:(\d+) to )?(\d+) tick.*", bar).groups()
                begin = int(begin or end)
                self.equal("a bar", (sum(begin <= b <= int(end) for b in bounded), begin > low), (int(count), True))
                low = int(end)
            self.equal("all bars", sum(int(bar.split()[0]) for bar in bars), len(bounded))

    def check_loosest(self):
        facts = self.facts
        rank = self.loosest()
        rows = self.page.tables.get("loosest", [])
        self.equal("how many are loose", len(rows) >= min(len(rank), 9), True)
        for row, t in zip(rows, rank):
            behind = ahead = None
            of_reference = of_thread = None
            amid = amid_so_far = 0
            for u, g in facts.events:
                if u == facts.reference:
                    if of_thread is not None:
                        amid_so_far += 1
                        ahead = g - of_thread if ahead is None else min(ahead, g - of_thread)
                    of_reference = g if of_reference is None else max(g, of_reference)
                elif u == t:
                    if of_reference is not None:
                        behind = g - of_reference if behind is None else min(behind, g - of_reference)
                    of_thread = g if of_thread is None else max(g, of_thread)
                    amid = amid_so_far
            records = facts.json["threads"][t]["records"]
            want = [facts.shown[t], *facts.both(facts.bound[t]), str(records),
                    *("∞" if d is None else str(d) for d in (behind, ahead))]
            self.equal("loose", row[:6], want)
            if facts.bound[t] is not None and records > 1:
                self.equal("between", f" {amid} record{'s' * (amid != 1)} in between" in row[6], True)
