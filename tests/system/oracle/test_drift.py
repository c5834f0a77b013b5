"""Property test: random traces of clocks that drift through the command line, against the brute force of drift.py, and
against the truth; and the known answers of the model.

    test_drift.py CELLSYNC [--seeds=N] [--first=SEED] [--jobs=N]

For every seed one trace in partial order with late stamps and latencies, of which drift.py says delta and the ages of
every reading, and --check of what it proves and refuses; and one whose clocks truly drift, in partial order or in one line, of which the truth is inside every
bound, with and without a wander. Global times keep the order and the rates, and are those of the knots.
No truth that the brute force allows has the time between two rows further off than the greatest event error, nor has
that of a third trace, whose timestamps are off by up to delta.
On a failure the seed is printed and its traces kept; exit status 1.
"""

import argparse
import bisect
import csv
import json
import os
import random
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, inf

import drift
import partial
from compare import Mismatch, read, same
from drift import UNIT
from partial import Row
from test_partial import csv_text, make, run
from trials import trials


# --------------------------------------------------------------------------------------------- what comes out

def exact(text):
    """Nine decimals as billionths."""
    if len(text.partition(".")[2]) != 9:
        raise Mismatch(f"{text} has not nine decimals")
    return int(text.replace(".", ""))


@dataclass
class Found:
    """A run: its report, global times by row, and knots by clock."""
    report: dict
    times: list
    begins: list
    knots: dict         # [(local, global, earliest, latest)], in billionths; None where unbounded
    clocks: dict        # of the report

    def age(self, clock, local):
        """global less local time of a reading, in billionths, before it is rounded down to a tick."""
        knots = self.knots[clock]
        ages = [(x, value - x * UNIT) for x, value, _, _ in knots]
        rates = self.clocks[clock]
        outside = (rates["least_ppb"] + rates["greatest_ppb"]) // 2
        i = bisect.bisect_right([x for x, _ in ages], local) - 1
        if i < 0 or i == len(ages) - 1:
            x, age = ages[max(i, 0)]
            return age + outside * (local - x)
        (x, age), (next_x, next_age) = ages[i], ages[i + 1]
        return age + (next_age - age) * (local - x) // (next_x - x)

    def global_time(self, clock, local):
        return local + self.age(clock, local) // UNIT


def check_proof(done, report):
    """--check proves what the report says: inversions, and without a wander the errors of records."""
    same(done.returncode, 0, f"--check: {done.stderr.decode()}")
    rates, order, bounds = done.stdout.decode().splitlines()[1:]
    drift, delta = report["drift"], report["delta"]
    same(rates.partition(";")[0], f"  1  no clock gains or loses more than {drift['rate_ppb'] / 1000:.3f} ppm", "1")
    if not report.get("matched") or report["matched"]["flushes"] == 0:     # whose stamps are no row's
        same(order.partition(";")[0].replace("inversions", "inversion"),
             f"  2  {delta['inversions']} inversion in the order of events, the largest {delta['largest_inversion_ticks']} ticks", "2")
    if drift["wander_ppb"] is not None:
        same(bounds.startswith("  4  bounds not proved with a wander; without a wander, errors are "), True, bounds)
    else:
        errors = [(int(drift[name].replace(".", "")) + UNIT // 2000) // (UNIT // 1000) if drift[name] else 0
                  for name in ("max_error_ticks", "mean_error_ticks")]
        most, mean = (f"{error // 1000}.{error % 1000:03}" for error in errors)
        same(bounds.partition(" over ")[0], "  4  the bounds are those that the rows prove, every knot is at the fraction alpha of its bounds; "
             f"errors are {most} ticks at most, and {mean} on average", "4")
    same(int((bounds.partition("; ")[2].rpartition("; ")[2].split() + ["0"])[0])
         if "bounded on both sides" in bounds else 0, drift["unbounded"], "unbounded clocks")


def look(program, arguments, trace, folder):
    """None: infeasible."""
    report, output, clocks = (os.path.join(folder, name) for name in ("d.json", "d.csv", "k.csv"))
    done = run(program, "-q", *arguments, "-r", report, "-o", output, f"--clocks={clocks}", trace)
    if done.returncode == 3:
        return None
    same(done.returncode, 0, f"exit status: {done.stderr.decode()}")
    found = json.loads(read(report), parse_float=str)
    check_proof(run(program, "--check", output), found)
    facts, *lines = read(output).decode().splitlines()
    table = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    knots = {}
    warnings = [f"# cellsync-warning: {text}" for text in found["warnings"]]
    same([line for line in lines if line.startswith("# cellsync-warning: ")], warnings, "warnings of the CSV")
    said, *lines = read(clocks).decode().splitlines()
    same(lines[:len(warnings)], warnings, "warnings of the clocks")
    timebase, *lines = lines[len(warnings):]
    same(said.split(), [fact for fact in facts.split() if not fact.startswith("original_crc32=")], "what clocks rest on")
    same(timebase, f"# timebase_hz={found['timebase_hz']}", "their ticks")
    delta = Fraction(found["delta"]["ticks"])
    for row in csv.DictReader(lines):
        tick = UNIT + (row["thread"] != found["reference"]) * found["drift"]["rate_ppb"]   # a clock's, in global time
        for way, end in ((-1, "earliest"), (1, "latest")):
            said, clock = row[f"{end}_event"], row[end]
            same(said and exact(said), clock and exact(clock) + way * ceil(delta * tick), f"{end} event")
        knots.setdefault(row["thread"], []).append(
            (int(row["local"]), exact(row["global"]),
             *(exact(row[end]) if row[end] else None for end in ("earliest", "latest"))))
    return Found(found, [int(row["global_time"]) for row in table],
                 [int(row["global_begin"]) if row.get("global_begin") else None for row in table], knots,
                 {clock["name"]: clock for clock in found["drift"]["clocks"]})


# --------------------------------------------------------------------------------------- against the brute force

def base_of(found, order, tau):
    """What is added to local times of the reference."""
    return found.age(order.clocks[tau], next(r.time for r in order.rows if r.runs_on == order.clocks[tau]))


def check_bounds(found, network, ages, alpha, added=0):
    """Ends at first and last records and at knots, mean and greatest errors; where knots are in their bounds."""
    order, tau = network.order, network.tau
    base = base_of(found, order, tau)
    total, records, most = 0, 0, -1
    sides = network.sides(added)
    for t, clock in enumerate(order.clocks):
        said = found.clocks[clock]
        mine = [(i, row.time) for i, row in enumerate(order.rows) if row.runs_on == clock]
        same(said["bounded"], network.component[t] == network.component[tau], f"whether {clock} is bounded")
        if not said["bounded"]:
            same((said["max_error_ticks"], said["first"]["earliest_ticks"]), (None, None), "no errors")
            for x, _, *ends in found.knots[clock]:
                same(ends, [None if age is None else x * UNIT + base + age for age in sides[t, x]], f"ends of {clock} at {x}")
            continue
        for name, (_, x) in (("first", mine[0]), ("last", mine[-1])):
            least, greatest = ages[t, x]
            same([exact(said[name][key]) for key in ("earliest_ticks", "latest_ticks", "error_ticks")],
                 [base + least, base + greatest, greatest - least], f"{clock} at its {name} record, {x}")
            same(exact(said[name]["offset_ticks"]), found.age(clock, x), f"offset of {clock} at its {name} record")
        errors = [ages[t, x][1] - ages[t, x][0] for _, x in mine]
        same(exact(said["mean_error_ticks"]), sum(errors) // len(errors), f"mean error of {clock}")
        same((exact(said["max_error_ticks"]), said["max_record"]), (max(errors), mine[errors.index(max(errors))][0]),
             f"greatest error of {clock}")
        if t != tau:
            total, records, most = total + sum(errors), records + len(errors), max(most, *errors)
        for x, value, earliest, latest in found.knots[clock]:
            if (t, x) not in ages:
                raise Mismatch(f"a knot of {clock} at {x}, which is no reading")
            least, greatest = ages[t, x]
            same((earliest, latest), (x * UNIT + base + least, x * UNIT + base + greatest), f"ends at knot {x}")
            same(value, x * UNIT + base + floor(alpha * greatest + (1 - alpha) * least), f"knot {x} of {clock}")
    drift_said = found.report["drift"]
    same((drift_said["records"], most if most >= 0 else None),
         (records, exact(drift_said["max_error_ticks"]) if records else None), "greatest error of all")
    if records:
        same(exact(drift_said["mean_error_ticks"]), total // records, "mean error of all")
        by = added * (UNIT + (UNIT + drift_said["rate_ppb"]))   # each timestamp is off by up to delta of its clock's ticks
        same(exact(drift_said["mean_event_error_ticks"]), total // records + by, "mean event error")
        same(exact(drift_said["max_event_error_ticks"]), apart(found, network, ages, base) + by, "greatest event error")


def apart(found, network, ages, base):
    """How far the time between any two rows can be off as it is written, timestamps being exact."""
    above = below = 0
    for row, time in zip(network.order.rows, found.times):
        t = network.order.clocks.index(row.runs_on)
        if network.component[t] == network.component[network.tau]:
            least, greatest = (base + age - (time - row.time) * UNIT for age in ages[t, row.time])
            above, below = max(above, greatest), max(below, -least)
    return above + below


def check_apart(found, network, ages, added, rng):
    """No feasible truth has the time between two rows further off than the greatest event error."""
    most, order = found.report["drift"]["max_event_error_ticks"], network.order
    bounded = [i for i, row in enumerate(order.rows) if found.clocks[row.runs_on]["bounded"]]
    edges = network.edges(added)

    def below(i):       # of its time and the least
        x = order.rows[i].time
        return (found.times[i] - x) * UNIT - ages[order.clocks.index(order.rows[i].runs_on), x][0]
    for i in {max(bounded, key=below), rng.choice(bounded)} if most else ():
        later = network.relax(edges, {("p", (i, "end")): 0})
        for k in bounded:
            off = later["p", (k, "end")] / Fraction(2 * UNIT) - (found.times[k] - found.times[i])
            if off > Fraction(exact(most), UNIT):
                raise Mismatch(f"the time from row {i} to row {k} can be {float(off)} longer, max error is {most}")


def check_times(found, network, added):
    """Times are those of knots; they keep the order but for delta, and rates."""
    order, rate = network.order, network.rate
    slack = ceil(Fraction(added * (UNIT + rate), UNIT))
    for i, row in enumerate(order.rows):
        same(found.times[i], found.global_time(row.runs_on, row.time), f"global time of row {i}")
        if row.begin is not None and found.begins[i] is not None:
            same(found.begins[i], found.global_time(row.runs_on, row.begin), f"global begin of row {i}")
    reached = {}
    for p in order.points if isinstance(order, drift.Line) else order.sorted_points()[0]:
        known = max((reached[a] + latency for a, b, latency in order.edges if b == p and a in reached), default=None)
        own = None
        if network.stamps[p]:
            t, lo, hi = network.stamps[p]
            own = found.global_time(order.clocks[t], lo)
            late = found.global_time(order.clocks[t], hi)
            if known is not None and known - late > slack:
                raise Mismatch(f"{p} at {late} is {known - late} before what it comes after, {slack} is allowed")
        if (known, own) != (None, None):
            reached[p] = max(value for value in (known, own) if value is not None)
    for t, clock in enumerate(order.clocks):
        for a, b in zip(network.readings[t], network.readings[t][1:]):
            off = abs(found.global_time(clock, b) - found.global_time(clock, a) - (b - a))
            if off > Fraction(rate * (b - a), UNIT) + 1:
                raise Mismatch(f"{clock} gains {off} from {a} to {b}")


def moment_of(rng, order):
    """A moment as cellstat is told it: its name, clock, local time, and row, if it is the stamp of one."""
    i, row = rng.choice(list(enumerate(order.rows)))
    t = order.clocks.index(row.runs_on)
    if rng.random() < 0.7:
        return f"#{i}", t, row.time, i
    x = row.time + rng.choice([0, 1, -1, 7, -100, rng.randint(-10**6, 10**6)])
    return f"{row.runs_on}@{x}", t, x, None


def check_order(program, trace, arguments, network, added, rng, found=None, truth=None):
    """cellstat order of two moments, against the ages of one to the other; found: the same solution by cellsync; truth:
    global time of a clock's reading."""
    order, cellstat = network.order, os.path.join(os.path.dirname(program), "cellstat")
    (a, s, x, i), (b, t, y, k) = moment_of(rng, order), moment_of(rng, order)
    done = run(cellstat, "order", "-q", "--format=csv", *arguments, trace, a, b)
    placed = None not in (i, k) and isinstance(order, drift.Line)
    same(done.returncode, 0, f"order of {a} and {b}: {done.stderr.decode()}")
    least, greatest = -inf, inf
    if network.component[s] == network.component[t]:
        ages = network.between(added, t, y, s, x)
        slack = added * (UNIT + network.rate)
        least, greatest = ((UNIT * (y - x) + ages[0] - slack) // UNIT, -(-(UNIT * (y - x) + ages[1] + slack) // UNIT))
    if placed:
        least, greatest = (max(least, 0) if i <= k else least), (min(greatest, 0) if i >= k else greatest)
    row, = csv.DictReader(done.stdout.decode().splitlines())
    by = int(row["by_ticks"])  # rounded global times, which the range contains
    same(tuple(float(row[f"by_{end}_ticks"]) if "inf" in row[f"by_{end}_ticks"] else int(row[f"by_{end}_ticks"])
               for end in ("lo", "hi")), (min(least, by), max(greatest, by)), f"from {a} to {b}")
    before = i < k if placed else least >= 0 and greatest > 0
    word = "before" if before else "same" if least == greatest == 0 else "after" if placed or greatest <= 0 else "unknown"
    same(row["order"], word, f"order of {a} and {b}")
    if found:
        same([int(row["a_global_ticks"]), int(row["b_global_ticks"])],
             [found.global_time(order.clocks[s], x), found.global_time(order.clocks[t], y)], f"global times of {a} and {b}")
    if truth and not least <= Fraction(truth(t, y) - truth(s, x), UNIT) <= greatest:
        raise Mismatch(f"true time from {a} to {b} is outside of {least} to {greatest}")


def check_witness(found, network, added):
    """A cycle that asks for what was found, given the rates."""
    witness = found.report["witness"]
    if added == 0:
        same(witness, None, "no witness")
        return
    edges = witness["edges"]
    weight = sum(edge["weight_ticks"] for edge in edges)
    same(witness["weight_ticks"], weight, "weight of the witness")
    ages = 0
    for edge, following in zip(edges, edges[1:] + edges[:1]):
        same(edge["t"], following["s"], "the witness is a cycle")
        t = network.order.clocks.index(edge["t"])
        ages += network.rates[t][1] * abs(following["time_s"] - edge["time_t"])
    same(ceil(Fraction(-weight * UNIT - ages, len(edges) * (UNIT + network.rate))), added, "what the witness asks for")


ORDERS = 2          # pairs of moments of each trace
TAMPERED = []       # exit status of --check, by trace: a time three ticks off may be on the line of its neighbours


def check_tampered(program, folder, found, rows, tau, rng):
    """--check of a global time that is three ticks off, where the reference bounds its clock."""
    moved = [i for i, row in enumerate(rows) if row.runs_on != tau and found.clocks[row.runs_on]["bounded"]]
    if not moved or any(row.block for row in rows):
        return
    which, by = rng.choice(moved), rng.choice([-3, 3])
    path = os.path.join(folder, "d.csv")
    lines = read(path).decode().splitlines()
    first = next(i for i, line in enumerate(lines) if not line.startswith("#"))
    fields, column = lines[first + 1 + which].split(","), lines[first].split(",").index("global_time")
    same(int(fields[column]), found.times[which], "the row to be moved")
    fields[column] = str(found.times[which] + by)
    lines[first + 1 + which] = ",".join(fields)
    with open(path, "w", encoding="utf-8") as out:
        out.write("".join(line + "\n" for line in lines))
    TAMPERED.append(run(program, "--check", path).returncode)


def check_against_network(seed, program, folder, made=None):
    rng = random.Random(f"drift {seed}")
    line = not made and rng.random() < 0.3
    made = made or make(seed)
    rows = [Row(thread=row.runs_on, time=row.time) for row in made.rows] if line else made.rows
    trace = os.path.join(folder, "t.csv")
    with open(trace, "w", encoding="utf-8") as out:
        out.write("".join(["thread,time\n"] + [f"{row.thread},{row.time}\n" for row in rows]) if line else
                  csv_text(rows, rng, sends_complete=made.sends_complete,
                           order="messages" if made.unordered else "partial"))
    try:
        order = drift.Line(rows) if line else partial.Order(rows, made.latency, sends_complete=made.sends_complete,
                                                            unordered=made.unordered)
        if not line:
            order.sorted_points()
    except partial.Cycle:
        return "cycle"
    tau = order.clocks.index("ppe") if "ppe" in order.clocks and not line else \
        partial.choose_reference(order, range(len(order.clocks)))
    alpha = rng.choice([Fraction(1, 2), Fraction(0), Fraction(1), Fraction(2, 7)])
    rate = rng.choice([1, 1000, 10**5, 3 * 10**8, 999999999, rng.randrange(1, 10**9)])
    arguments = [f"--drift={rate // 1000}.{rate % 1000:03}", f"--alpha={alpha}",
                 f"--reference={order.clocks[tau]}"]
    if made.latency and not line:
        arguments.append(f"--latency={made.latency}")
    network = drift.Network(order, rate, tau)
    added = network.least_added()
    if added > 0 and rng.random() < 0.3:
        same(look(program, arguments + ["--relax=none"], trace, folder), None, "infeasible as it is")
        same(look(program, arguments + [f"--delta={Fraction(added - 1, 2)}"], trace, folder), None, "with less delta")
        added += rng.randint(0, 3)
        arguments.append(f"--delta={Fraction(added, 2)}")
        given = True
    else:
        given = False
    network = network.at(added)
    found = look(program, arguments, trace, folder)
    if not found:
        raise Mismatch("it is feasible")
    same(found.report["delta"]["ticks"], str(Fraction(added, 2)), "delta")
    ages = network.bounds(added)
    check_bounds(found, network, ages, alpha, added)
    check_times(found, network, added)
    check_apart(found, network, ages, added, rng)
    if not given:
        check_witness(found, network, added)
    for _ in range(ORDERS):
        check_order(program, trace, [word for word in arguments if "--alpha" not in word], network, added, rng)
    check_tampered(program, folder, found, rows, order.clocks[tau], rng)
    return "imprecise" if added else "exact"


# --------------------------------------------------------------------------------------------- against the truth

def true_clock(rng, rate_ppb, wander_ppb, length, is_reference):
    """Ages at readings, as a function: rates stay within wander of a constant, and that within the rate."""
    if is_reference:
        return lambda x: 0
    constant = rng.randint(-rate_ppb + wander_ppb, rate_ppb - wander_ppb) if rate_ppb > wander_ppb else 0
    turns = sorted(rng.randint(0, length) for _ in range(rng.randint(0, 5)))
    rates = [constant + rng.randint(-wander_ppb, wander_ppb) for _ in range(len(turns) + 1)]

    def age(x):
        value, at = 0, 0
        for turn, rate in zip(turns + [max(x, length)], rates):
            value += rate * (min(turn, x) - at) if x > at else 0
            at = min(turn, x)
        return value + (rates[0] * x if x < 0 else 0)
    return age


def true_trace(rng, line):
    """(rows, truth by clock: offset, age function; rate, wander)"""
    n, length = rng.randint(2, 5), rng.choice([1000, 10**6, 10**9])
    rate = rng.choice([1, 1000, 10**5, 10**8])
    wander = rng.choice([0, rate // 100, rate])
    wander = min(wander, rate)
    clocks = {f"c{i}": (rng.randint(-10**9, 10**9), true_clock(rng, rate, wander, length, i == 0)) for i in range(n)}
    events = []
    for name, (offset, age) in clocks.items():
        for x in sorted(rng.sample(range(length), rng.randint(1, 25))):
            events.append((x * UNIT + age(x), name, x))
    events.sort()
    rows, sent = [], []
    for i, (when, name, x) in enumerate(events):
        row = Row(thread=name, time=x - clocks[name][0])
        rows.append(row)
        if line:
            continue
        ready = [s for s in sent if s[1] != name]
        if ready and rng.random() < 0.6:
            message = rng.choice(ready)
            sent.remove(message)
            row.recv = message[0]
            if rng.random() < 0.3:
                row.latency = floor((when - message[2]) / UNIT)
        if rng.random() < 0.7:
            row.send = f"m{i}"
            sent.append((row.send, name, when))
    return rows, clocks, rate, wander


def check_inside(found, rows, clocks, wandering):
    reference = "c0"
    base = found.age(reference, rows[[row.thread for row in rows].index(reference)].time)
    for name, (offset, age) in clocks.items():
        if name not in found.clocks or not found.clocks[name]["bounded"]:
            continue
        def true_age(local):        # to the reference: global time is its local time and base
            return base + (offset - clocks[reference][0]) * UNIT + age(local + offset)
        said = found.clocks[name]
        for moment in (said["first"], said["last"]):
            truth = true_age(moment["local_ticks"])
            if not exact(moment["earliest_ticks"]) <= truth <= exact(moment["latest_ticks"]):
                raise Mismatch(f"the truth of {name} at {moment['local_ticks']} is outside its bounds")
        for x, _, earliest, latest in found.knots[name]:
            if not earliest <= x * UNIT + true_age(x) <= latest:
                raise Mismatch(f"the truth of {name} at knot {x} is outside its bounds")
        first, last = said["first"]["local_ticks"], said["last"]["local_ticks"]
        if last > first:
            mean = Fraction(true_age(last) - true_age(first), last - first)
            if not said["least_mean_ppb"] <= mean <= said["greatest_mean_ppb"]:
                raise Mismatch(f"the mean rate of {name}, {mean}, is outside its range")
            if wandering and not said["least_ppb"] <= mean <= said["greatest_ppb"]:
                raise Mismatch(f"the mean rate of {name}, {mean}, is no rate of it")


def check_against_truth(seed, program, folder):
    rng = random.Random(f"truth {seed}")
    line = rng.random() < 0.4
    rows, clocks, rate, wander = true_trace(rng, line)
    if "c0" not in {row.thread for row in rows}:
        return "no reference"
    trace = os.path.join(folder, "u.csv")
    with open(trace, "w", encoding="utf-8") as out:
        out.write("".join(["thread,time\n"] + [f"{row.thread},{row.time}\n" for row in rows]) if line else
                  csv_text(rows, rng))
    order = drift.Line(rows) if line else partial.Order(rows, 0)
    tau = order.clocks.index("c0")
    text = f"--drift={rate // 1000}.{rate % 1000:03}"
    network = drift.Network(order, rate, tau)
    found = look(program, [text, "--reference=c0"], trace, folder)
    same(found.report["delta"]["ticks"], "0", "delta of what truly drifts no more")
    ages = network.bounds(0)
    check_bounds(found, network, ages, Fraction(1, 2))
    check_times(found, network, 0)
    check_apart(found, network, ages, 0, rng)
    check_inside(found, rows, clocks, False)
    text += f",{wander // 1000}.{wander % 1000:03}"
    narrower = look(program, [text, "--reference=c0"], trace, folder)
    same(bool(narrower), True, "clocks that wander no more than is said")
    for t, name in enumerate(order.clocks):
        if t != tau:
            network.rates[t] = (narrower.clocks[name]["least_ppb"], narrower.clocks[name]["greatest_ppb"])
            if network.rates[t][0] < -rate or network.rates[t][1] > rate:
                raise Mismatch(f"rates of {name} are beyond what was given")
    ages = network.bounds(0)
    check_bounds(narrower, network, ages, Fraction(1, 2))
    check_times(narrower, network, 0)
    check_apart(narrower, network, ages, 0, rng)
    check_inside(narrower, rows, clocks, True)

    def truth(t, x):
        offset, age = clocks[order.clocks[t]]
        return (x + offset) * UNIT + age(x + offset)
    for _ in range(ORDERS):
        check_order(program, trace, [text, "--reference=c0"], network, 0, rng, narrower, truth)
    return "line" if line else "messages"


def check_rounded(seed, program, folder):
    """Timestamps off by up to delta, of clocks that truly drift: of every two rows the time between them, as it is written,
    is within the greatest event error of the truth, and each clock within its bounds."""
    rng = random.Random(f"rounded {seed}")
    line = rng.random() < 0.4
    rows, clocks, rate, wander = true_trace(rng, line)
    if "c0" not in {row.thread for row in rows}:
        return "no reference"
    true = []
    delta = rng.choice([Fraction(1, 2), 1, rng.randint(2, 100), rng.randint(100, 10**5)])
    step = floor(2 * delta)
    for row in rows:
        offset, age = clocks[row.thread]
        x = row.time + offset
        true.append((x * UNIT + age(x)) / Fraction(UNIT))
        # a reading between two ticks, of a timestamp that was rounded, or is off by anything up to delta
        row.time = step * ((x + floor(delta)) // step) - offset if rng.random() < 0.5 else \
            x - offset + rng.randint(-floor(delta), floor(delta))
    trace = os.path.join(folder, "v.csv")
    with open(trace, "w", encoding="utf-8") as out:
        out.write("".join(["thread,time\n"] + [f"{row.thread},{row.time}\n" for row in rows]) if line else
                  csv_text(rows, rng))
    alpha = rng.choice([Fraction(1, 2), Fraction(0), Fraction(1), Fraction(2, 7)])
    found = look(program, [f"--drift={rate // 1000}.{rate % 1000:03},{wander // 1000}.{wander % 1000:03}", f"--delta={delta}",
                           "--reference=c0", f"--alpha={alpha}"], trace, folder)
    same(bool(found), True, "clocks that drift, and timestamps that are off, no more than is said")
    check_inside(found, rows, clocks, False)
    most = found.report["drift"]["max_event_error_ticks"]
    if not most:
        return "not tied"
    gaps = [time - truth for row, time, truth in zip(rows, found.times, true) if found.clocks[row.thread]["bounded"]]
    if max(gaps) - min(gaps) > Fraction(exact(most), UNIT):
        raise Mismatch(f"the time between two rows is off by {float(max(gaps) - min(gaps))}, max error is {most}")
    report = run(program, "-q", f"--drift={rate // 1000}.{rate % 1000:03},{wander // 1000}.{wander % 1000:03}",
                 f"--delta={delta}", "--reference=c0", f"--alpha={alpha}", trace).stdout.decode()
    for words, ticks in (("max error", most), ("max clock error", found.report["drift"]["max_error_ticks"])):
        text = next((line for line in report.splitlines() if line.startswith(words + " ")), None)
        rounded = (exact(ticks) + UNIT // 2000) // (UNIT // 1000)
        same(text and text[len(words):].split()[0], f"{rounded // 1000}.{rounded % 1000:03}", f"{words} of the text report")
    return "rounded"


def run_seed(seed, program):
    with tempfile.TemporaryDirectory() as folder:
        try:
            return [check(seed, program, folder)
                    for check in (check_against_network, check_against_truth, check_rounded)], None
        except Exception as error:      # whatever goes wrong belongs to this seed
            kept = []
            for name in ("t.csv", "u.csv", "v.csv"):
                if os.path.exists(os.path.join(folder, name)):
                    kept.append(os.path.join(tempfile.gettempdir(), f"drift-{seed}-{name}"))
                    with open(kept[-1], "wb") as out:
                        out.write(read(os.path.join(folder, name)))
            return None, (f"seed {seed} failed: {type(error).__name__}: {error}\n"
                          f"  traces: {' '.join(kept)}; again: test_drift.py {program} --first={seed} --seeds=1")


# ------------------------------------------------------------------------------------------------ known answers

def check_known():
    rows = [Row("R", 0, send="m"), Row("C", 1000, recv="m"), Row("C", 1000, send="n"), Row("R", 500, recv="n"),
            Row("C", 1001000)]
    ages = drift.Network(partial.Order(rows, 0), 100000, 0).bounds(0)
    same(ages[1, 1001000], (-1100 * UNIT, -400 * UNIT), "a message both ways, and a record much later")


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
    refused = TAMPERED.count(1)
    if set(TAMPERED) - {0, 1} or refused < 0.97 * len(TAMPERED):
        failures.append(f"--check of {len(TAMPERED)} tampered traces refused {refused}")
    print("\n".join(failures[:10]), end="\n" if failures else "")
    kinds = [kind for both, _ in done if both for kind in both]
    print({kind: kinds.count(kind) for kind in sorted(set(kinds))})
    print(f"{len(seeds) - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
