"""Property test: random partial orders with a known truth as CSV through the command line, against the brute force of
partial.py; and the known answers of the model.

    test_partial.py CELLSYNC [--seeds=N] [--first=SEED] [--jobs=N]

For every seed: delta, offsets, bounds of all pairs, what was matched and what was left out, global times in the CSV
that is written, those of the methods to compare with, too; the witness is a cycle of true constraints that forces delta; --explain shows true constraints that
set a bound; --check proves the output, and refuses it tampered with; the truth is inside the bounds where
stamps are good. On a failure the seed is printed and its trace kept; exit status 1.
"""

import argparse
import csv
import io
import json
import os
import random
import re
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil, inf

import partial
import started
from blocks import Blocks, long_csv
from compare import Mismatch, read, same
from partial import Row
from trials import trials


BOTH_ENDS = "the send and the receive of every message of a channel were recorded"
SENDS = "every send of a channel was recorded"
SENDS_AND_WAITS = "every send and every wait of a channel were recorded"


# ------------------------------------------------------------------------------------------------ random programs

@dataclass
class Happening:
    """A row with the instants at which it truly began and ended."""
    row: Row
    begin: int
    end: int
    step: int = 0


@dataclass
class Program:
    rng: random.Random
    offsets: dict = field(default_factory=dict)         # the truth: global time = offset + local time
    clocks_of: dict = field(default_factory=dict)       # by location
    now: dict = field(default_factory=dict)             # by location the end of its last happening
    happenings: list = field(default_factory=list)
    latency: int = 0
    messages: list = field(default_factory=list)        # as they truly were: (send, receive)
    posted: dict = field(default_factory=dict)          # by channel and locations the last begins
    names: int = 0

    def __post_init__(self):
        rng = self.rng
        far = rng.choice([0, 100, 10**6, 2**40])
        clocks = [f"c{i}" for i in range(rng.randint(1, 5))] + ["ppe"] * rng.choice([0, 0, 1])
        self.offsets = {clock: rng.randint(-far, far) for clock in clocks}
        self.pace = rng.choice([1, 3, 10, 100])
        self.latency = rng.choice([0, 0, 1, 5])
        for i in range(rng.randint(1, 6)):
            many = rng.random() < 0.15
            self.clocks_of[f"p{i}"] = rng.sample(clocks, rng.randint(1, len(clocks))) if many else [rng.choice(clocks)]
            self.now[f"p{i}"] = rng.randint(0, 5 * self.pace)

    def happen(self, location, begin=None, least_end=0, interval=None, least_begin=None, **says):
        """A row of the location, after all others of it; begin: it began then, if it is an interval."""
        rng = self.rng
        interval = rng.random() < 0.4 if interval is None else interval
        end = max(self.now[location] + rng.randint(0, self.pace), least_end)
        if begin is None:
            begin = end - (rng.randint(0, 3 * self.pace) if rng.random() < 0.3 else
                           rng.randint(0, end - self.now[location])) if interval else end
            begin = begin if least_begin is None else max(begin, least_begin)
        self.now[location] = end
        clock = rng.choice(self.clocks_of[location])
        row = Row(thread=location, clock=clock, time=end, begin=begin if interval else None, **says)
        happening = Happening(row, begin, end)
        self.happenings.append(happening)
        return happening

    def message(self, channel, source, target, intervals):
        """A send and its receive; those of a channel in the order of posting, on both sides."""
        rng = self.rng
        posted = self.posted.setdefault((channel, source, target), [None, None])
        send = self.happen(source, least_begin=posted[0], send=channel, sync="")
        latency = rng.choice([None, rng.randint(0, 6)]) if rng.random() < 0.5 else None
        least = send.begin + (self.latency if latency is None else latency)
        receive = self.happen(target, least_end=least, interval=intervals, least_begin=posted[1], recv=channel,
                              latency=latency)
        posted[:] = send.begin, receive.begin
        if receive.row.begin is not None and send.row.begin is not None and source != target and rng.random() < 0.5:
            send.row.sync = "yes"
            if send.end < receive.begin:            # it waits: nothing of its location came since
                if self.now[source] == send.end:
                    send.end = send.row.time = self.now[source] = receive.begin
                else:
                    send.row.sync = ""
        self.messages.append((send, receive))

    def barrier(self, members):
        rng = self.rng
        self.names += 1
        name = f"b{self.names}"
        if rng.random() < 0.5:                      # one row each
            begins = {m: self.now[m] + rng.randint(0, self.pace) for m in members}
            last = max(begins.values())
            for m in members:
                self.happen(m, begin=begins[m], least_end=last, interval=True, enter=name, leave=name)
            return
        entered = [self.happen(m, enter=name) for m in members if rng.random() < 0.9]
        last = max((h.begin for h in entered), default=0)
        for m in members:
            if rng.random() < 0.9:
                self.happen(m, least_end=last, leave=name)

    def name_earlier(self, location):
        rng = self.rng
        if not self.happenings:
            return
        named = rng.sample(self.happenings, min(len(self.happenings), rng.randint(1, 2)))
        for one in named:
            self.names += 1
            one.row.id = f"{one.row.id} i{self.names}".strip()
        latency = rng.randint(0, 3) if rng.random() < 0.3 else None
        self.happen(location, least_end=max(h.end for h in named) + (latency or 0), latency=latency,
                    after=" ".join(h.row.id.split()[-1] for h in named))

    def run(self, steps):
        rng = self.rng
        locations = list(self.now)
        channels = {}
        self.happen(locations[0])
        for _ in range(steps):
            what, here = rng.random(), rng.choice(locations)
            if what < 0.5:
                there = rng.choice(locations)
                channel = f"{here}{there}" if rng.random() < 0.8 else rng.choice(["x", "y"])
                intervals = channels.setdefault(channel, rng.choice([True, False, None]))
                self.message(channel, here, there, intervals)
            elif what < 0.65:
                self.barrier(rng.sample(locations, rng.randint(1, len(locations))))
            elif what < 0.75:
                self.name_earlier(here)
            elif what < 0.8:
                self.happen(here, **rng.choice([{"send": "lost"}, {"recv": "lost2"}, {"enter": "e"}, {"leave": "l"},
                                                {"enter": "o", "leave": "o", "interval": False}]))
            else:
                self.happen(here)


    def run_silently(self, steps):
        """Nothing is said of the order; most locations have one clock."""
        rng = self.rng
        for location, clocks in self.clocks_of.items():
            if rng.random() < 0.9:
                self.clocks_of[location] = clocks[:1]
        for _ in range(steps):
            self.happen(rng.choice(list(self.now)))


@dataclass
class Made:
    rows: list
    latency: int
    offsets: dict
    imprecision: int
    true: bool              # that what is matched was so
    block_after: str = "flush"
    sends_complete: bool = False
    unordered: bool = False     # rows of a thread are in no order

    @property
    def order(self):
        return partial.Order(self.rows, self.latency, self.block_after, self.sends_complete, unordered=self.unordered)


def use_buffers(rng, happenings):
    """Rows in the order of their ends, so that buffers can be true."""
    happenings.sort(key=lambda h: h.end)            # stable: those of a location stay in order
    for h in happenings:
        if rng.random() < 0.7:
            h.row.buffer = rng.choice(["s", "t"])


def shuffle(rng, happenings):
    """Rows in any order that keeps that of each location."""
    queues = {}
    for h in happenings:
        queues.setdefault(h.row.runs_at, []).append(h)
    out, queues = [], list(queues.values())
    while queues:
        queue = rng.choice(queues)
        out.append(queue.pop(0))
        queues = [q for q in queues if q]
    return out


def lose_ends(seed, happenings):
    """Some ends of messages are not recorded.  Whether no send is missing, as the trace states; and whether some are."""
    rng = random.Random(f"lost {seed}")
    complete, lost = rng.random() < 0.4, False
    if rng.random() < 0.5:
        return complete, lost
    for h in happenings:
        if rng.random() < 0.2 and h.row.recv:
            h.row.recv, h.row.latency = "", None
        elif rng.random() < 0.2 and h.row.send and not complete:
            h.row.send, h.row.sync, lost = "", "", True
    return complete, lost


def make(seed):
    rng = random.Random(f"partial {seed}")
    program = Program(rng)
    only_blocks = rng.random() < 0.2
    if only_blocks:
        program.run_silently(rng.randint(1, 40))
    else:
        program.run(rng.randint(1, 14))
    happenings = program.happenings
    blocks = None
    how = rng.uniform(0.15, 0.5) if only_blocks else rng.random()
    if how < 0.2:
        use_buffers(rng, happenings)
    elif how < 0.5:
        happenings.sort(key=lambda h: h.end)
        blocks = Blocks(rng, happenings)
        happenings.sort(key=lambda h: blocks.keys[id(h)])
    else:
        happenings = shuffle(rng, happenings)
    imprecision = rng.choice([0, 0, 0, 1, 3, 20])
    for h in happenings:
        off = program.offsets[h.row.clock]

        def stamp(instant, off=off):
            return instant - off + rng.randint(-imprecision, imprecision)

        h.row.time = stamp(h.end)
        if h.row.begin is not None:
            h.row.begin = min(stamp(h.begin), h.row.time)
        if blocks:
            h.row.flush = blocks.stamp(h, stamp)
    lies = rng.random() < 0.1
    for h in happenings:
        if lies and rng.random() < 0.1:
            h.row.time += rng.randint(0, 50)
    complete, lost = lose_ends(seed, happenings)
    index = {id(h): i for i, h in enumerate(happenings)}
    rows = [h.row for h in happenings]
    if rng.random() < 0.3:                          # clocks that are called as the threads on them
        rows = [replace(r, thread=r.clock, location=r.thread, clock="") for r in rows]
    order = partial.Order(rows, program.latency, blocks.after if blocks else "flush", complete)
    exact = {(index[id(s)], index[id(r)]) for s, r in program.messages}
    wrong = set(order.messages) - exact
    return Made(rows, program.latency, program.offsets, imprecision,
                not lies and (not wrong or (imprecision == 0 and not lost and all(is_shared(order, s) for s, _ in wrong))),
                order.block_after, complete)


def is_shared(order, send):
    """Whether several locations share the channel: then what is matched need not have been so."""
    channel = order.rows[send].send
    return any(len({row.runs_at for row in order.rows if getattr(row, column) == channel}) > 1
               for column in ("send", "recv"))


def csv_text(rows, rng=None, block_after="flush", sends_complete=False, order="partial"):
    """The CSV, without columns that are empty in all rows."""
    columns = [c for c in partial.COLUMNS if c in ("thread", "time")
               or any(getattr(r, c) not in (None, "") for r in rows)]
    if rng:
        rng.shuffle(columns)
    out = io.StringIO()
    out.write(f"# order={order}\n")
    if block_after != "flush":
        out.write(f"# block_after={block_after}\n")
    if sends_complete:
        out.write("# sends=complete\n")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    for r in rows:
        writer.writerow(["" if getattr(r, c) is None else getattr(r, c) for c in columns])
    return out.getvalue()


# ------------------------------------------------------------------------------------------------------- checks

def run(program, *arguments):
    done = started.run([program, *arguments], capture_output=True, timeout=60, check=False)
    if b"Sanitizer" in done.stderr or b"runtime error" in done.stderr or done.returncode < 0:
        raise Mismatch(f"status {done.returncode}: {done.stderr.decode()}")
    return done


def number(value):
    return None if value in (inf, -inf) else value


def same_threads(answer, found):
    delta = ceil(Fraction(found["delta"]["ticks"] or 0))
    for t, thread in enumerate(found["threads"]):
        same(thread["name"], "ppe" if answer.order.clocks[t] == "ppe" else answer.order.clocks[t], "name of a clock")
        same(thread["earliest_ticks"], number(answer.earliest(t)), f"earliest of {thread['name']}")
        same(thread["latest_ticks"], number(answer.latest(t)), f"latest of {thread['name']}")
        same(thread["earliest_event_ticks"], number(answer.earliest(t) - delta), f"earliest event of {thread['name']}")
        same(thread["latest_event_ticks"], number(answer.latest(t) + delta), f"latest event of {thread['name']}")
        same(thread["offset_ticks"], answer.offsets[t], f"offset of {thread['name']}")


def same_pairs(answer, found):
    clocks = answer.order.clocks
    n = len(clocks)
    same(len(found["pairs"]), n * (n - 1) // 2, "pairs")
    for pair in found["pairs"]:
        s, t = clocks.index(pair["s"]), clocks.index(pair["t"])
        same(pair["lower_ticks"], number(-answer.bar[t][s]), f"lower bound of {pair['s']}, {pair['t']}")
        same(pair["upper_ticks"], number(answer.bar[s][t]), f"upper bound of {pair['s']}, {pair['t']}")


def same_met(program, answer, found, arguments, trace, folder):
    """Pairs of clocks with a constraint that no group lies on the way of: --pairs=met lists them, and what they come to."""
    if any(row.buffer or row.block for row in answer.order.rows) or answer.added > 0:
        return      # with more than one hop known, which pairs there are is the engine's matter
    if answer.order.unordered and any(row.enter for row in answer.order.rows):
        return      # groups of such a trace are constraints of their two clocks
    order, met = answer.order, set()
    grouped = {(p, q) for p, q, _ in order.edges if "hub" in (p[0], q[0])}
    for s, t, _, p, q in order.constraints():
        direct = [edge for edge in order.edges if edge[:2] == (p, q) and edge[:2] not in grouped]
        if direct and s != t:
            met.add((min(s, t), max(s, t)))
    path = os.path.join(folder, "met.json")
    done = run(program, "-q", *arguments, "--pairs=met", "-r", path, trace)
    same(done.returncode, 0, f"--pairs=met: {done.stderr.decode()}")
    listed, clocks = json.loads(read(path)), order.clocks
    pairs = [(clocks.index(pair["s"]), clocks.index(pair["t"])) for pair in listed["pairs"]]
    same(pairs, sorted(met), "pairs that met")
    everything = {(pair["s"], pair["t"]): pair for pair in found["pairs"]}
    for pair in listed["pairs"]:
        same(pair, everything[pair["s"], pair["t"]], "a pair that met")
    errors = [pair["error_ticks"] for pair in listed["pairs"] if pair["error_ticks"] is not None]
    group = listed["summary"]["met"]
    same((group["pairs"], group["bounded"], group["max_error_ticks"]), (len(pairs), len(errors), max(errors, default=None)),
         "figures of pairs that met")


def same_matched(order, found):
    matched = dict(found["matched"])
    left_out = matched.pop("left_out")
    same(matched.pop("limits"), 0, "limits")
    same(matched, order.counts, "matched")
    listed = {(one["end"], one["why"]): (one["count"], [end["record"] for end in one["listed"]]) for one in left_out}
    same(listed, {key: (len(rows), sorted(rows)[:10]) for key, rows in order.left_out.items()}, "left out")


def same_counts(order, found):
    """Channels that are left out as their counts differ are named, and what the others rest on is said."""
    told = [text for text in found["warnings"] if text.startswith("channel")]
    same(len(told), int(bool(order.uneven)), "warnings of channels")
    for key, (sends, receives) in order.uneven.items() if len(order.uneven) <= 4 else ():
        sent, received = (f"{n} {what}{'s' * (n != 1)}" for n, what in ((sends, "send"), (receives, "receive")))
        same(f"'{key}' ({sent}, {received})" in told[0], True, f"channel {key} in {told[0]}")
    lacks = order.sends_complete and any((end, "the other end is missing") in order.left_out for end in ("send", "post"))
    wanted = SENDS_AND_WAITS if lacks and order.counts["rooms"] else SENDS if lacks else BOTH_ENDS
    same([text for text in found["conditions"] if "recorded" in text],
         [wanted] if order.several > 0 and len(order.clocks) > 1 else [], "which messages were recorded")


def check_steps(order, edge):
    """By what a record comes before another: keys that rows have, and latencies that add up."""
    rows = order.rows
    keys = {"message": "send", "sync": "recv", "group": "enter", "buffer": "buffer"}
    for step in edge["by"]:
        known = step["key"] is None if step["order"] == "named" else \
            any(step["key"] in getattr(row, keys[step["order"]]).split() for row in rows)
        same(known, True, f"a step by {step}")
    same(sum(step["latency_ticks"] for step in edge["by"]), edge["latency_ticks"], "latencies of steps")
    if rows[edge["record_s"]].runs_at != rows[edge["record_t"]].runs_at:
        same(bool(edge["by"]), True, "steps between locations")


def check_witness(answer, found):
    """A cycle of true constraints that asks for the delta that was found, or for more than the one that was given."""
    order, witness = answer.order, found["witness"]
    if partial.asks(order) < 2 * answer.delta:      # a smaller delta has other constraints
        same(witness, None, "a witness")
        return
    least = {}
    for s, t, weight, p, q in order.constraints():
        key = p[0], q[0]
        least.setdefault(key, set()).add(weight)
    total = 0
    for i, edge in enumerate(witness["edges"]):
        follows = witness["edges"][(i + 1) % len(witness["edges"])]
        same(follows["s"], edge["t"], "the witness is a cycle")
        if edge["weight_ticks"] not in least.get((edge["record_s"], edge["record_t"]), ()):
            raise Mismatch(f"no constraint of records {edge['record_s']} and {edge['record_t']} has weight "
                           f"{edge['weight_ticks']}")
        check_steps(order, edge)
        total += edge["weight_ticks"]
    same(witness["weight_ticks"], total, "weight of the witness")
    same(witness["length"], len(witness["edges"]), "length of the witness")
    same(Fraction(-total, len(witness["edges"])), 2 * answer.delta, "what the witness asks for")
    apart = sum(abs(after["time_s"] - edge["time_t"]) for edge, after in
                zip(witness["edges"], witness["edges"][1:] + witness["edges"][:1]) if edge["t"] != found["reference"])
    drift = ceil(Fraction(-total * 10**9, apart)) if apart else 10**9
    same(witness["least_drift_ppb"], drift if drift < 10**9 else None, "the drift that the witness asks for")


def check_chains(program, answer, arguments, trace, rng):
    """--explain shows true constraints that add up to each end of a bound."""
    order, n = answer.order, len(answer.order.clocks)
    if n < 2:
        return
    s, t = rng.sample(range(n), 2)
    weights = {}
    for _, _, weight, p, q in order.constraints():
        weights.setdefault((p[0], q[0]), set()).add(weight)
    done = run(program, "-q", *arguments, f"--explain={order.clocks[s]},{order.clocks[t]}", trace)
    same(done.returncode, 0, f"--explain: {done.stderr.decode()}")
    ends = re.split(r"(?m)^(?=g\[)", done.stdout.decode())[1:]
    for text, bound in zip(ends, (answer.bar[s][t], answer.bar[t][s])):
        found = [tuple(map(int, numbers)) for numbers in
                 re.findall(r"record (\d+) [^\n]*\n    before record (\d+) .*: weight (-?\d+),", text)]
        same(bool(found), bound < inf, "a chain where there is a bound")
        for record_s, record_t, weight in found:
            if weight not in weights.get((record_s, record_t), ()):
                raise Mismatch(f"no constraint of records {record_s} and {record_t} has weight {weight}")
        if found:
            same(sum(weight for _, _, weight in found) + len(found) * answer.added, bound, "sum of a chain")


def check_read_again(program, found, csv, *options):
    """The rows that were written say the same of order: bounds are those of the report that was found."""
    done = run(program, "-q", *options, "--pairs=all", "-r", "-", "--report-format=json", csv)
    same(done.returncode, 0, f"read again: exit status: {done.stderr.decode()}")
    again = json.loads(done.stdout)
    members = "name", "offset_ticks", "earliest_ticks", "latest_ticks"
    for what in (found, again):
        what["bounds"] = [[thread[member] for member in members] for thread in what["threads"]]
    for member in ("reference", "delta", "bounds", "pairs", "correction"):
        same(again[member], found[member], f"read again: {member}")


def check_inversions(answer, found):
    largest = found["delta"]["largest_inversion_ticks"]
    if largest > answer.added:
        raise Mismatch(f"an inversion of {largest} ticks, with {answer.added} added")
    same((found["delta"]["inversions"], largest), answer.inversions(), "inversions")


def check_truth(made, answer):
    """Where stamps are as good as was said, the truth is inside every bound."""
    clocks = answer.order.clocks
    for s, one in enumerate(clocks):
        for t, other in enumerate(clocks):
            if made.offsets[one] - made.offsets[other] > answer.bar[s][t]:
                raise Mismatch(f"the truth of {one} and {other} is outside their bound")


def check_rows(answer, rows, path):
    lines = [line for line in read(path).decode().splitlines() if not line.startswith("#")]
    table = list(csv.DictReader(lines))
    same([int(row["global_time"]) for row in table], answer.global_times, "global times")
    for row, out in zip(rows, table):
        if row.begin is not None:
            offset = int(out["global_time"]) - row.time
            same(int(out["global_begin"]), row.begin + offset, "global begin")


def check_proof(program, answer, path, rng, folder):
    """--check proves the output, and refuses it with any other clock than the reference moved."""
    done = run(program, "--check", path)
    same(done.returncode, 0, f"--check: {done.stderr.decode()}")
    count, largest = answer.inversions()
    found = re.search(r"(\d+) inversions? in the order of events, the largest (\d+) ticks?; at most (\d+) ticks? are allowed", done.stdout.decode())
    same(tuple(map(int, found.groups())), (count, largest, answer.added), "inversions that are checked")
    n, tau = len(answer.order.clocks), answer.tau
    bounded = [t for t in range(n) if t != tau and answer.bar[t][tau] < inf and answer.bar[tau][t] < inf]
    same(f"{n - 1 - len(bounded)} clock" in done.stdout.decode(), len(bounded) < n - 1, "clocks that are not bounded")
    same("only keep" in done.stdout.decode(), False, "all places are proved")
    if n < 2:
        return
    other, by = rng.choice([t for t in range(n) if t != tau]), rng.choice([-1, 1])
    lot = next(members for members in partial.components_of(n, answer.bar) if other in members)
    moved = {answer.order.clocks[t] for t in (lot if tau not in lot and rng.random() < 0.5 else [other])}
    lines = read(path).decode().splitlines(keepends=True)
    head = next(i for i, line in enumerate(lines) if not line.startswith("#"))
    names = lines[head].rstrip("\n").split(",")
    for i, row in enumerate(answer.order.rows):
        fields = lines[head + 1 + i].rstrip("\n").split(",")
        for at, name in enumerate(names):
            if row.runs_on in moved and name in ("global_time", "global_begin") and fields[at]:
                fields[at] = str(int(fields[at]) + by)
        lines[head + 1 + i] = ",".join(fields) + "\n"
    tampered = os.path.join(folder, "tampered.csv")
    with open(tampered, "w", encoding="utf-8") as out:
        out.writelines(lines)
    same(run(program, "--check", tampered).returncode, 1, f"--check with {moved} moved by {by}")


def options_of(made, rng, least):
    """How to solve, and the same as arguments."""
    how = {"mode": "exact"}
    arguments = []
    choice = rng.random()
    if choice < 0.2:
        how = {"mode": "none"}
        arguments = ["--relax=none"]
    elif choice < 0.5:
        delta = rng.choice([Fraction(made.imprecision), least / 2, max(Fraction(0), least / 2 - Fraction(1, 6))])
        how = {"mode": "given", "delta": delta}
        arguments = [f"--delta={delta}"]
    if rng.random() < 0.3:
        alpha = Fraction(rng.randint(0, 4), 4)
        how["alpha"] = alpha
        arguments.append(f"--alpha={alpha}")
    if rng.random() < 0.2:
        how["reference"] = rng.choice([r.runs_on for r in made.rows])
        arguments.append(f"--reference={how['reference']}")
    if rng.random() < 0.2:
        arguments.append("--engine=dense")
    return how, arguments


def check_solution(program, made, how, arguments, trace, folder):
    report, output = os.path.join(folder, "r.json"), os.path.join(folder, "o.csv")
    wanted = partial.solve(made.order, **how)
    order = wanted.order
    done = run(program, "-q", *arguments, "--pairs=all", "-r", report, "-o", output, trace)
    same(done.returncode, 0, f"exit status: {done.stderr.decode()}")
    found = json.loads(read(report))
    same(found["delta"]["ticks"], str(wanted.delta), "delta")
    same_matched(order, found)
    same_counts(order, found)
    same_threads(wanted, found)
    same_pairs(wanted, found)
    same_met(program, wanted, found, arguments, trace, folder)
    check_inversions(wanted, found)
    if not any(row.has_role for row in made.rows) and not made.unordered:
        check_both_ways(program, made, arguments, trace, folder)
    check_rows(wanted, made.rows, output)
    check_chains(program, wanted, arguments, trace, random.Random(len(made.rows)))
    check_proof(program, wanted, output, random.Random(len(made.rows)), folder)
    if how["mode"] == "exact" and wanted.delta > 0:
        check_witness(wanted, found)
    if made.true and wanted.added >= 2 * made.imprecision:
        check_truth(made, wanted)


def check_both_ways(program, made, arguments, trace, folder):
    """Where all that is known is blocks, it is as if they were known among other things."""
    rows = [replace(made.rows[0], id="unused"), *made.rows[1:]]
    other = os.path.join(folder, "other.csv")
    with open(other, "w", encoding="utf-8") as out:
        out.write(csv_text(rows, None, made.block_after, made.sends_complete))
    found = []
    for path in trace, other:
        report = os.path.join(folder, "both.json")
        done = run(program, "-q", *arguments, "--pairs=all", "-r", report, path)
        same(done.returncode, 0, f"exit status: {done.stderr.decode()}")
        found.append(json.loads(read(report)))
        for key in "trace", "witness", "diagnosis", "explanations", "explanations_untried", "original_crc32":
            found[-1].pop(key, None)
        del found[-1]["summary"]["met"]     # which constraints follow from others is not the same
    same(found[0], found[1], "blocks alone, and as part of more")


def check_long(seed, program, folder, *options):
    """Many rows in blocks, by the way that holds few of them, and as points."""
    found = []
    for named in (False, True):
        path, report = os.path.join(folder, "long.csv"), os.path.join(folder, "long.json")
        with open(path, "w", encoding="utf-8", newline="") as out:
            out.write(long_csv(random.Random(f"long {seed}"), named))
        done = run(program, "-q", "--pairs=all", *options, "-r", report, path)
        same(done.returncode, 0, f"exit status: {done.stderr.decode()}")
        found.append(json.loads(read(report)))
        for key in "trace", "witness", "diagnosis", "explanations", "explanations_untried":
            found[-1].pop(key, None)
        (found[-1]["summary"] or {}).pop("met", None)
    same(found[0], found[1], f"long: blocks alone, and as part of more {options}")


def check_damage(order, times, found, method):
    wanted = partial.damage(order, times)
    same({key: found["damage"][key] for key in wanted}, wanted, f"{method}: damage")


def check_fitted(program, made, method, latency, trace, folder):
    """A method that gives each clock an offset, and no bounds."""
    order = made.order
    wanted = {"lsq": partial.least_squares, "ntp": partial.midpoints, "ends": partial.ends}[method](order)
    report, output = os.path.join(folder, "l.json"), os.path.join(folder, "l.csv")
    done = run(program, f"--method={method}", *latency, "-r", report, "-o", output, trace)
    same(done.returncode, 0, f"{method}: {done.stderr.decode()}")
    found = json.loads(read(report))
    same((found["method"], found["reference"], found["summary"]), (method, None, None), method)
    same_matched(order, found)
    same_threads(wanted, found)
    same((found["delta"]["inversions"], found["delta"]["largest_inversion_ticks"]), wanted.inversions(),
         f"{method}: inversions")
    check_damage(order, wanted.global_times, found, method)
    check_rows(wanted, made.rows, output)
    apart = re.search(r"no (?:messages|messages both ways|operations) connect (\d+) ", done.stderr.decode())
    same(int(apart[1]) if apart else 0, wanted.island.count(False), f"{method}: clocks that no messages connect")
    same(run(program, "--check", output).returncode, 1, f"{method}: --check refuses")


def check_lamport(program, made, method, latency, trace, folder):
    """A method that places records one by one."""
    order = made.order
    wanted = {"lamport": partial.lamport, "lamport-clock": partial.lamport_clock}[method](order)
    report, output = os.path.join(folder, "m.json"), os.path.join(folder, "m.csv")
    done = run(program, "-q", f"--method={method}", *latency, "-r", report, "-o", output, trace)
    same(done.returncode, 0, f"{method}: {done.stderr.decode()}")
    found = json.loads(read(report))
    same_matched(order, found)
    same([thread["offset_ticks"] for thread in found["threads"]], [None] * len(order.clocks), f"{method}: offsets")
    same(found["delta"]["inversions"], 0, f"{method}: inversions")
    check_damage(order, wanted, found, method)
    lines = [line for line in read(output).decode().splitlines() if not line.startswith("#")]
    same([int(row["global_time"]) for row in csv.DictReader(lines)], wanted, f"{method}: global times")
    same(run(program, "--check", output).returncode, 1, f"{method}: --check refuses")


def check_made(made, seed, program, folder):
    """What kind of trace it was."""
    rng = random.Random(f"options {seed}")
    trace = os.path.join(folder, "t.csv")
    with open(trace, "w", encoding="utf-8") as out:
        out.write(csv_text(made.rows, rng, made.block_after, made.sends_complete,
                           "messages" if made.unordered else "partial"))
    latency = [f"--latency={made.latency}"] if made.latency else []
    def check_cycle(*options):
        done = run(program, "-q", *latency, *options, trace)
        same((done.returncode, b"cycle" in done.stderr), (1, True), f"a cycle: {done.stderr.decode()}")
        return "cycle"

    try:
        least = 2 * partial.solve(made.order).delta
    except partial.Cycle:
        return check_cycle()
    if partial.asks(made.order) == inf:             # it is a cycle unless timestamps are wrong
        check_cycle("--relax=none")
        check_cycle("--method=lsq")
    else:
        for method in ("lsq", "ntp", "ends"):
            check_fitted(program, made, method, latency, trace, folder)
        for method in ("lamport", "lamport-clock"):
            if made.unordered:
                same(run(program, f"--method={method}", trace).returncode, 2, f"{method}: no order of each thread")
            else:
                check_lamport(program, made, method, latency, trace, folder)
    how, arguments = options_of(made, rng, least)
    arguments += latency
    try:
        check_solution(program, made, how, arguments, trace, folder)
    except partial.Cycle:
        return check_cycle(*arguments)
    except partial.Infeasible:
        done = run(program, "-q", *arguments, trace)
        same(done.returncode, 3, f"exit status where it is infeasible: {done.stderr.decode()}")
        return "infeasible"
    except Exception as error:
        raise Mismatch(f"{' '.join(arguments)}: {error}") from error
    return "imprecise" if least > 0 else "exact"


def run_seed(seed, program):
    with tempfile.TemporaryDirectory() as folder:
        try:
            check_long(seed, program, folder)
            check_long(seed, program, folder, "--drift=101")
            return check_made(make(seed), seed, program, folder), None
        except Exception as error:      # whatever goes wrong belongs to this seed
            kept = os.path.join(tempfile.gettempdir(), f"partial-{seed}.csv")
            with open(kept, "wb") as out:
                out.write(read(os.path.join(folder, "t.csv")))
            return None, (f"seed {seed} failed: {type(error).__name__}: {error}\n"
                          f"  trace: {kept}; again: test_partial.py {program} --first={seed} --seeds=1")


# ------------------------------------------------------------------------------------------------ known answers

def bounds_of(rows, latency=0, **how):
    answer = partial.solve(partial.Order(rows, latency), **how)
    return (number(-answer.bar[1][0]), number(answer.bar[0][1]))


def check_known():
    """The brute force gives the known answers."""
    there_and_back = [Row("A", 0, send="m"), Row("B", 105, recv="m"), Row("B", 110, send="n"), Row("A", 20, recv="n")]
    same(bounds_of(there_and_back), (90, 105), "a message both ways")
    same(bounds_of(there_and_back, latency=5), (95, 100), "a message both ways with a latency")
    barrier = [Row("A", 10, begin=0, enter="b", leave="b"), Row("B", 104, begin=100, enter="b", leave="b")]
    same(bounds_of(barrier), (90, 104), "a barrier")
    chain = [Row("A", 0, send="ab"), Row("B", 0, recv="ab"), Row("B", 0, send="bc"), Row("C", 0, recv="bc"),
             Row("C", 10, send="ca"), Row("A", 7, recv="ca")]
    same(partial.solve(partial.Order(chain, 0)).delta, Fraction(3, 4), "delta is for ordered pairs, not hops")
    blocks = [Row("A", 0, buffer="s", block="1"), Row("A", 5, buffer="s", block="1", flush="6"),
              Row("B", 3, buffer="s", block="1"), Row("B", 9, buffer="s", block="1", flush="10"),
              Row("A", 20, buffer="s", block="2"), Row("A", 25, buffer="s", block="2", flush="26")]
    same(bounds_of(blocks), (-16, 4), "blocks with stamps of their flushes")
    same(bounds_of([replace(row, flush="") for row in blocks]), (None, None), "blocks without")
    same(partial.least_squares(partial.Order(there_and_back, 0)).offsets, [0, -97], "-97.5, halves up")
    same(partial.midpoints(partial.Order(there_and_back, 0)).offsets, [0, -97], "the same by midpoints")
    same(partial.lamport(partial.Order(chain, 0)), [0, 1, 2, 3, 4, 5], "counters")
    same(partial.lamport_clock(partial.Order(chain, 0)), [0, 1, 2, 3, 13, 14], "Lamport's clock")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", metavar="CELLSYNC")
    parser.add_argument("--seeds", type=int, default=trials(120))
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    program = os.path.abspath(arguments.program)
    check_known()
    seeds = range(arguments.first, arguments.first + arguments.seeds)
    with ThreadPoolExecutor(arguments.jobs) as pool:
        done = list(pool.map(lambda seed: run_seed(seed, program), seeds))
    failures = [text for _, text in done if text]
    print("\n".join(failures[:10]), end="\n" if failures else "")
    kinds = [kind for kind, _ in done if kind]
    print({kind: kinds.count(kind) for kind in sorted(set(kinds))})
    print(f"{len(seeds) - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
