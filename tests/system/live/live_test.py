#!/usr/bin/env python3
"""Real threads, recorded by live_demo on a machine that is busy: does cellsync find the clocks that it hides?

    live_test.py CELLSYNC LIVE_DEMO [--repeats=N] [--rounds=N]

Every workload is recorded with both ways of stamping and both clocks, N times (2), and once at length.

Stamped in place: records stand in the order of their true times, the stamps fit together, and every true offset is
within its bounds, for each thread and each pair.
Stamped before: they do not, and the least delta is at most half the greatest true inversion. With --delta, as half of
that or of the lag that the recorder measured, the true offsets are within the bounds.  --check accepts every output.

Gathered by threads (--buffers=thread) in blocks: the order is that of the blocks' flushes, delta is 0, and the true
offsets are within the bounds of each thread and each pair, whatever a block's size.

The commands of cellsync-recipes(7) that show a recording work, too.

What is printed: the greatest and the mean error bound to the PPE, and how far the estimates were from the truth.
On a failure the folder of the run is kept, and named; exit status 1.
"""
import argparse
import csv
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from fractions import Fraction

HZ = 79800000
MAX_IMPRECISION = HZ // 100     # the default of cellsync, 10 ms
COLUMNS = "{:8} {:9} {:7} {:>7} {:>8} {:>8} {:>9} {:>9} {:>9} {:>9} {:>9}"


class Failure(Exception):
    pass


def require(condition, message):
    if not condition:
        raise Failure(message)


def run(command, status=0):
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    require(done.returncode == status,
            f"{' '.join(command)}: exit status {done.returncode}, not {status}\n{done.stdout}{done.stderr}")
    return done.stdout


# ------------------------------------------------------------------------------------------- what was recorded

@dataclass
class Recording:
    pex: str
    records: int
    switches: int
    lag: int            # ticks, the most from a stamp to its place
    truth: dict         # name of a thread: its offset


def record(demo, folder, options):
    """One run of the demo in the folder."""
    name = os.path.join(folder, "live")
    said = run([demo, f"--hz={HZ}", *options, name])
    records, switches, lag = map(int, re.fullmatch(
        r"(\d+) records, (\d+) switches; \w+; at most (\d+) ticks from a stamp to its place\n", said).groups())
    with open(name + ".csv", newline="") as file:
        truth = {row["thread"]: int(row["offset"]) for row in csv.DictReader(file)}
    blocks = "--buffers=thread" in options
    return Recording(name + (".blocks.csv" if blocks else ".pex"), records, switches, lag, truth)


# --------------------------------------------------------------------------------------------- what comes of it

@dataclass
class Synced:
    delta: Fraction
    threads: dict       # name: (offset, earliest, latest)


def slack(recording):
    """Unwrapping has to take a lag for what it is, however long a thread had to wait for its core."""
    return f"--max-imprecision={max(MAX_IMPRECISION, 2 * recording.lag)}"


def synchronize(cellsync, recording, *options):
    """The synchronization of a recording, proved by --check."""
    synced = recording.pex.replace("live.pex", "synced.pex")
    run([cellsync, "-q", slack(recording), *options, recording.pex, "-o", synced])
    run([cellsync, "-q", "--check", synced])
    table = ET.parse(synced).getroot().find("synchronization")
    threads, stays = {}, {}
    for row in table:
        name = "ppe"
        if row.tag == "live_interval":
            context = row.get("ctx")
            stays[context] = stays.get(context, 0) + 1
            name = f"spe{context}.{stays[context]}"
        threads[name] = tuple(int(row.get(key)) for key in ("offset", "earliest", "latest"))
    return Synced(Fraction(table.get("delta")), threads)


def check_threads(synced, truth):
    require(synced.threads.keys() == truth.keys(), "the threads are not those that were recorded")
    for name, (_, earliest, latest) in synced.threads.items():
        require(earliest <= truth[name] <= latest,
                f"{name}: the true offset {truth[name]} is not in [{earliest}, {latest}]")


def check_pairs(cellsync, recording, *options):
    report = run([cellsync, "-q", slack(recording), *options, "--report-format=csv", recording.pex])
    lines = report.splitlines()[1:]
    require(len(lines) == len(recording.truth) * (len(recording.truth) - 1) // 2, "pairs are missing")
    for line in lines:
        s, t, lower, upper = line.split(",")[:4]
        difference = recording.truth[s] - recording.truth[t]
        require(int(lower) <= difference <= int(upper), f"{line}: the true difference is {difference}")


def greatest_inversion(cellsync, recording):
    """How far a true time is below one before it, at most, from the local times and the true offsets."""
    rows = run([cellsync, "-q", slack(recording), "--to=csv", recording.pex, "-o", "-"]).splitlines()
    greatest = inversion = 0
    for row in csv.DictReader(line for line in rows if not line.startswith("#")):
        time = recording.truth[row["thread"]] + int(row["time"])
        greatest = max(greatest, time)
        inversion = max(inversion, greatest - time)
    return inversion


def check_in_place(cellsync, recording, pairs):
    inversion = greatest_inversion(cellsync, recording)
    require(inversion == 0, f"the records do not stand in the order of their stamps, by {inversion} ticks")
    synced = synchronize(cellsync, recording)
    require(synced.delta == 0, f"delta is {synced.delta}")
    check_threads(synced, recording.truth)
    if pairs:
        check_pairs(cellsync, recording)
    return synced, synced


def check_before(cellsync, recording, pairs):
    inversion = greatest_inversion(cellsync, recording)
    require(inversion <= recording.lag, f"an inversion of {inversion} ticks, the lag is {recording.lag}")
    run([cellsync, "-q", "--relax=none", recording.pex, "-o", recording.pex + ".none.pex"], status=3)
    least = synchronize(cellsync, recording)
    require(0 < least.delta <= Fraction(inversion, 2), f"delta is {least.delta}, the inversion {inversion}")
    check_threads(synchronize(cellsync, recording, f"--delta={inversion}/2"), recording.truth)
    given = synchronize(cellsync, recording, f"--delta={recording.lag}/2")
    check_threads(given, recording.truth)
    if pairs:
        check_pairs(cellsync, recording, f"--delta={inversion}/2")
    return least, given


def check_blocks(cellsync, recording, _):
    report, synced = (recording.pex.replace("blocks.csv", name) for name in ("report.json", "synced.csv"))
    run([cellsync, "-q", "--pairs=all", recording.pex, "-r", report, "-o", synced])
    run([cellsync, "-q", "--check", synced])
    with open(report) as file:
        found = json.load(file)
    bound = {None: [-math.inf, math.inf]}
    require(found["delta"]["ticks"] == "0", f"delta is {found['delta']['ticks']}")
    require(found["matched"]["blocks"] == found["matched"]["flushes"] > 0, "each block has a stamp")
    threads = {t["name"]: (t["offset_ticks"], bound.get(t["earliest_ticks"], [t["earliest_ticks"]])[0],
                           bound.get(t["latest_ticks"], [t["latest_ticks"]])[-1]) for t in found["threads"]}
    check_threads(Synced(Fraction(0), threads), recording.truth)
    for p in found["pairs"]:
        difference = recording.truth[p["s"]] - recording.truth[p["t"]]
        require((p["lower_ticks"] is None or p["lower_ticks"] <= difference) and
                (p["upper_ticks"] is None or difference <= p["upper_ticks"]), f"{p}: the true difference is {difference}")
    return Synced(Fraction(0), threads), Synced(Fraction(0), threads)


# ---------------------------------------------------------------------------------------------------- the runs

def row(options, recording, least, given):
    widths = [latest - earliest for name, (_, earliest, latest) in given.threads.items() if name != "ppe"]
    misses = [abs(offset - recording.truth[name]) for name, (offset, _, _) in given.threads.items() if name != "ppe"]
    values = [option.split("=")[1] for option in options[:3]]
    return COLUMNS.format(*values, recording.records, recording.switches, recording.lag, f"{float(least.delta):.2f}",
                          max(widths), f"{sum(widths) / len(widths):.1f}", max(misses),
                          f"{sum(misses) / len(misses):.1f}")


def try_one(arguments, number, options, pairs):
    """Records and checks; returns the number of switches."""
    folder = tempfile.mkdtemp(prefix="live-")
    options = [*options, f"--random={number}", f"--load={2 * os.cpu_count()}"]
    try:
        recording = record(arguments.demo, folder, options)
        check = check_blocks if "--buffers=thread" in options else \
            check_in_place if "--stamp=in-place" in options else check_before
        print(row(options, recording, *check(arguments.cellsync, recording, pairs)), flush=True)
    except Failure as failure:
        raise Failure(f"live_demo {' '.join(options)} (kept in {folder}):\n{failure}") from None
    shutil.rmtree(folder)
    return recording.switches


def check_recipe(arguments):
    """Runs the commands of cellsync-recipes(7), A TRACER OF YOUR OWN; each succeeds and prints as many lines as shown.

    The exit status alone would be that of a pipeline's last command.  The first one builds the demo; where there is no
    compiler, the one that is to be tried stands in.
    """
    top = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
    with open(os.path.join(top, "man", "cellsync-recipes.7")) as file:
        block = re.search(r"^\$ cc .*live_demo (?:.*\n)*?(?=\.Ed$)", file.read(), re.MULTILINE).group(0)
    block = block.replace("\\-", "-").replace("\\e", "\\")
    shown = re.findall(r"^\$ (.*(?:\n> .*)*)\n((?:[^$].*\n)*)", block, re.MULTILINE)
    require(len(shown) == 7, f"recipe: {len(shown)} commands are found")
    compiles = shutil.which("cc") is not None
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.path.abspath(arguments.cellsync), os.path.join(folder, "cellsync"))
        for name in "include", "lib", "recorder", "tests":
            os.symlink(os.path.join(top, name), os.path.join(folder, name))
        if not compiles:
            os.symlink(os.path.abspath(arguments.demo), os.path.join(folder, "live_demo"))
        for command, output in shown[not compiles:]:
            command = command.replace("\n> ", "\n")
            printed = run(["sh", "-ec", f'cd "$0"\nPATH=$0:$PATH\n{command}', folder])
            commas = [[line.count(",") for line in text.splitlines()] for text in (printed, output)]
            require(commas[0] == commas[1], f"recipe: {command}: not like what is shown:\n{printed}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cellsync")
    parser.add_argument("demo")
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=50)
    arguments = parser.parse_args()
    kinds = [[f"--workload={workload}", f"--stamp={stamp}", f"--clock={clock}"]
             for workload in ("mutex", "queue", "barrier") for stamp in ("in-place", "before")
             for clock in ("cpu", "system")]
    runs = [[*kind, f"--rounds={arguments.rounds}"] for kind in kinds * arguments.repeats]
    longer = [[*kind, f"--rounds={8 * arguments.rounds}"] for kind in kinds
              if kind[1:] == ["--stamp=in-place", "--clock=cpu"]]
    blocks = [[f"--workload={workload}", "--buffers=thread", f"--block={k}", f"--rounds={arguments.rounds}"]
              for workload in ("mutex", "queue", "barrier") for k in (1, 4, 64)]
    print(COLUMNS.format("workload", "stamp", "clock", "records", "switches", "lag", "delta", "bound", "mean", "miss",
                         "mean"))
    try:
        check_recipe(arguments)
        switches = [try_one(arguments, i, options, i < len(runs)) for i, options in enumerate(runs + longer + blocks)]
    except Failure as failure:
        sys.exit(f"FAIL: {failure}")
    print(f"{len(switches)} recordings, {sum(switches)} switches: every true offset is within its bounds")


if __name__ == "__main__":
    main()
