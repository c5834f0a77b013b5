"""Property test: errors of the time between two drifting clocks, against the brute force of drift.py.

    test_drift_pairs.py CELLSYNC [--seeds=N] [--first=SEED] [--jobs=N]

Each seed is a random trace, in partial order or of one buffer, half of them with late timestamps. For one pair of clocks the
exact range of the time between their readings is computed at every moment that doc/algorithms.md names, by shortest
walks over all readings and points. What JSON and CSV reports print must not be narrower than that at the best, the median,
and the worst moment. How much wider it is on average is limited over all seeds.
On a failure the seed is printed and its trace kept; exit status 1.
"""

import argparse
import csv
import json
import os
import random
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import drift
import partial
from compare import Mismatch, read, same
from drift import UNIT
from partial import Row
from test_drift import Found, exact, true_trace
from test_partial import csv_text, make, run
from trials import trials

MOMENTS = 64
RATIOS = []         # of the worst error as it is printed and the exact one


def knots_of(path):
    knots = {}
    for row in csv.DictReader(line for line in read(path).decode().splitlines() if not line.startswith("#")):
        knots.setdefault(row["thread"], []).append((int(row["local"]), exact(row["global"]), None, None))
    return knots


def moments_of(found, network):
    """(global time, {clock: local time}) of each moment."""
    names = network.order.clocks            # a begin of a record is none of its times
    readings = [sorted(row.time for row in network.order.rows if row.runs_on == name) for name in names]
    ends = [found.global_time(name, end) for name, mine in zip(names, readings) for end in (mine[0], mine[-1])]
    first, last = min(ends), max(ends)
    for k in range(MOMENTS):
        at = first + (last - first) * k // (MOMENTS - 1)
        locals_ = []
        for name, mine in zip(names, readings):
            low, high = mine[0], mine[-1]
            while low < high:
                middle = (low + high + 1) // 2
                low, high = (middle, high) if found.global_time(name, middle) <= at else (low, middle - 1)
            locals_.append(low)
        yield at, locals_


def check_pair(said, row, network, moments, s, t, added, rate):
    if network.component[s] != network.component[t]:
        same([said[key] for key in ("error_ticks", "event_error_ticks", "best_error_ticks", "worst_moment_ticks", "by")],
             [None] * 5, "a pair that is not bounded")
        same([row[key] for key in ("error_ticks", "worst_error_ticks")], ["inf", "inf"], "the same as CSV")
        return
    widths = []
    for _, locals_ in moments:
        least, greatest = network.between(added, s, locals_[s], t, locals_[t])
        widths.append(greatest - least)
    ordered = sorted(widths)
    best, median, worst = (exact(said[f"{name}_error_ticks"]) for name in ("best", "median", "worst"))
    for name, printed, true in (("best", best, ordered[0]), ("median", median, ordered[MOMENTS // 2 - 1]), ("worst", worst, ordered[-1])):
        if printed < true:
            raise Mismatch(f"the {name} error {printed} of {said['s']} and {said['t']} is narrower than {true}")
        same(row[f"{name}_error_ticks"], said[f"{name}_error_ticks"], f"{name} error as CSV")
    at = int(said["worst_moment_ticks"])
    if at not in [moment for moment, _ in moments]:
        raise Mismatch(f"{at} is no moment")
    same(int(said["error_ticks"]), -(-worst // UNIT), "whole ticks")
    rates = sum(clock != network.tau and rate for clock in (s, t))
    event = worst + added * (2 * UNIT + rates)
    same(exact(said["worst_event_error_ticks"]), event, "event error")
    same(int(said["event_error_ticks"]), -(-event // UNIT), "event error in whole ticks")
    if ordered[-1] > 0:
        RATIOS.append(worst / ordered[-1])


def check_report(report, network, names):
    pairs = report["pairs"]
    same([(pair["s"], pair["t"]) for pair in pairs],
         [(s, t) for i, s in enumerate(names) for t in names[i + 1:]], "all pairs")
    bounded = [pair for pair in pairs if pair["by"]]
    worst = report["drift"]["worst_pair"]
    same(report["drift"]["moments"], str(MOMENTS), "moments")
    if not bounded:
        same(worst, None, "the worst pair of none")
        return
    same(exact(worst["worst_error_ticks"]), max(exact(pair["worst_error_ticks"]) for pair in bounded), "the worst pair")
    one = next(pair for pair in pairs if (pair["s"], pair["t"]) == (worst["s"], worst["t"]))
    same(worst["worst_event_error_ticks"], one["worst_event_error_ticks"], "its event error")


def check(seed, program, folder):
    rng = random.Random(f"pairs {seed}")
    line = rng.random() < 0.3
    if rng.random() < 0.5:
        made = make(seed)
        rows, latency, complete = made.rows, made.latency, made.sends_complete
        rate = rng.choice([1, 1000, 10**5, 3 * 10**8, rng.randrange(1, 10**9)])
    else:
        rows, _, rate, _ = true_trace(rng, line)
        latency, complete = 0, False
    if line:
        rows, latency = [Row(thread=row.runs_on, time=row.time) for row in rows], 0
    trace = os.path.join(folder, "t.csv")
    with open(trace, "w", encoding="utf-8") as out:
        out.write("".join(["thread,time\n"] + [f"{row.thread},{row.time}\n" for row in rows]) if line else
                  csv_text(rows, rng, sends_complete=complete))
    try:
        order = drift.Line(rows) if line else partial.Order(rows, latency, sends_complete=complete)
        if not line:
            order.sorted_points()
    except partial.Cycle:
        return "cycle"
    arguments = ["-q", f"--drift={rate // 1000}.{rate % 1000:03}"]
    if latency:
        arguments.append(f"--latency={latency}")
    report, clocks, table = (os.path.join(folder, name) for name in ("r.json", "k.csv", "r.csv"))
    done = run(program, *arguments, "--pairs=all", "-r", report, f"--clocks={clocks}", trace)
    same(done.returncode, 0, f"exit status: {done.stderr.decode()}")
    same(run(program, *arguments, "--pairs=all", "-r", table, trace).returncode, 0, "as CSV")
    said = json.loads(read(report), parse_float=str, parse_int=str)
    tau = order.clocks.index(said["reference"])
    added = 2 * Fraction(said["delta"]["ticks"])
    same(added.denominator, 1, "2 delta")
    added = int(added)
    network = drift.Network(order, rate, tau).at(added)
    names = [clock["name"] for clock in said["drift"]["clocks"]]
    same(sorted(names), sorted(order.clocks), "clocks")
    found = Found(said, None, None, knots_of(clocks),
                  {clock["name"]: {key: int(clock[key]) for key in ("least_ppb", "greatest_ppb")}
                   for clock in said["drift"]["clocks"]})
    check_report(said, network, names)
    if not said["pairs"]:
        return "one clock"
    moments = list(moments_of(found, network))
    rows_of = list(csv.DictReader(read(table).decode().splitlines()))
    same(len(rows_of), len(said["pairs"]), "rows of the CSV report")
    same({(row["drift_ppb"], row["wander_ppb"]) for row in rows_of}, {(str(rate), "")}, "limits of rates as CSV")
    which = rng.randrange(len(rows_of))
    pair, row = said["pairs"][which], rows_of[which]
    same([row["thread_s"], row["thread_t"]], [pair["s"], pair["t"]], "a row of the CSV report")
    check_pair(pair, row, network, moments, order.clocks.index(pair["s"]), order.clocks.index(pair["t"]), added, rate)
    return "imprecise" if added else "exact"


def run_seed(seed, program):
    with tempfile.TemporaryDirectory() as folder:
        try:
            return check(seed, program, folder), None
        except Exception as error:      # whatever goes wrong belongs to this seed
            kept = os.path.join(tempfile.gettempdir(), f"drift-pairs-{seed}.csv")
            path = os.path.join(folder, "t.csv")
            if os.path.exists(path):
                with open(kept, "wb") as out:
                    out.write(read(path))
            return None, (f"seed {seed} failed: {type(error).__name__}: {error}\n"
                          f"  trace: {kept}; again: test_drift_pairs.py {program} --first={seed} --seeds=1")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", metavar="CELLSYNC")
    parser.add_argument("--seeds", type=int, default=trials(120))
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    program = os.path.abspath(arguments.program)
    seeds = range(arguments.first, arguments.first + arguments.seeds)
    with ThreadPoolExecutor(arguments.jobs) as pool:
        done = list(pool.map(lambda seed: run_seed(seed, program), seeds))
    failures = [text for _, text in done if text]
    mean = sum(RATIOS) / len(RATIOS) if RATIOS else 1
    if mean > 1.05:
        failures.append(f"worst errors are {mean:.3f} times as wide as the exact ones on average")
    print("\n".join(failures[:10]), end="\n" if failures else "")
    kinds = [kind for kind, _ in done if kind]
    print({kind: kinds.count(kind) for kind in sorted(set(kinds))}, f"{len(RATIOS)} pairs, {mean:.4f} times the exact error")
    print(f"{len(seeds) - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
