"""What cellstat holds: memory that does not grow with the records, nor with the rows of tables.

    analyses_test.py CELLSTAT PDTSIM PEAK

A program of calls, waits and messages, and the same one sixteen times as long: each question is answered in the same
memory. Waits of which many begin further back than the look-ahead begins with are as long as they are. The parts of a
summary, which are made side by side, are what each question says by itself. Tables of many sections have a row for each
pair of actors, but memory grows no faster than their number.
"""

import csv
import os
import subprocess
import sys
import tempfile

EVENTS = 60000
VERBS = ("summary", "profile", "calls", "concurrency", "states", "timeline", "comm", "latency", "sync")
LONGER = 16
GROWTH, RUNS = 1.15, 15    # of the peak: 2 bytes a record are 1.2; pages of programs come to 1.09
THREADS, ROUNDS = 400, 3
# Of so many actors, and of twice as many, each in a section at the same time as all others.
SECTIONS = (("concurrency", "--each=S", 450), ("states", "--each=S", 200), ("states", "--joint", 400))
# Of the peak, where tables have four times the values: 2.0 on 64 bits, 2.5 on 32 bits; when all were held, 2.9 to 3.7.
DOUBLING = 2.7


def run(*command):
    """Runs a command; returns what it printed."""
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout


def check(condition, what):
    if not condition:
        sys.exit(f"analyses_test: {what}")


def sheets(cellstat, verb, trace, *options):
    """The tables of a verb as they are written in CSV."""
    return [part.strip() for part in run(cellstat, verb, "-q", trace, "--format=csv", *options).split("\n\n")]


def peaks(cellstat, peak, verb):
    """Of the short and the long one: the least of some runs, since pages of programs count as far as they are there."""
    least = [float("inf")] * 2
    for _ in range(RUNS):
        for i, name in enumerate(("short", "long")):
            least[i] = min(least[i], int(run(peak, cellstat, verb, "-q", f"{name}.pex", "-o", "out.csv")))
        if max(least) <= GROWTH * min(least):
            break
    return least


def check_memory(cellstat, pdtsim, peak):
    for name, events in (("short", EVENTS), ("long", LONGER * EVENTS)):
        run(pdtsim, "-o", f"{name}.pex", "--calls", f"--events={events}")
    for verb in VERBS:
        small, large = peaks(cellstat, peak, verb)
        print(f"{verb}: {small} KiB, of {LONGER} times the trace {large} KiB")
        check(large <= GROWTH * small, f"memory of {verb} grows with the records")


def write_sections(actors):
    """A trace of actors that are each in a section at the same time; returns its name."""
    name = f"sections{actors}.csv"
    with open(name, "w", encoding="ascii") as file:
        file.write("# timebase_hz=1000\nthread,clock,time,event\n")
        file.writelines(f"T{i},K,{i},S_ENTRY\n" for i in range(actors))
        file.writelines(f"T{i},K,{actors + i},S_EXIT\n" for i in range(actors))
    return name


def check_sections(cellstat, peak):
    for verb, option, actors in SECTIONS:
        few, many = (int(run(peak, cellstat, verb, "-q", write_sections(n), option, "-o", "out.csv"))
                     for n in (actors, 2 * actors))
        print(f"{verb} {option}: {actors} actors {few} KiB, {2 * actors} actors {many} KiB")
        check(many <= DOUBLING * few, f"memory of {verb} {option} grows with the rows")


def check_long_waits(cellstat):
    """All threads wait at once, each from a place of its own until all others have come: more than are far back."""
    blocked, now = [0] * THREADS, 0
    with open("waits.csv", "w", encoding="ascii") as file:
        file.write("# timebase_hz=1000\nthread,clock,time,begin,event\n")
        for _ in range(ROUNDS):
            begins = [now + 2 * i for i in range(THREADS)]
            for i in range(THREADS):
                file.write(f"t{i},one,{begins[i]},,WORK\n")
            now += 2 * THREADS
            for i in range(THREADS):
                now += 1
                file.write(f"t{i},one,{now},{begins[i] + 1},WAITED\n")
                blocked[i] += now - begins[i] - 1
            now += 1
    with open("waits.xml", "w", encoding="ascii") as file:
        file.write('<events version="1"><recordType name="WAITED" role="wait" class="all"/></events>\n')
    states = sheets(cellstat, "states", "waits.csv", "--events=waits.xml")[0]
    found = {row["name"]: row for row in csv.DictReader(states.splitlines()) if row["what"] == "actor"}
    check(all(int(found[f"t{i}"]["blocked_ticks"]) == blocked[i] for i in range(THREADS)), "long waits are not as long")
    print(f"{THREADS * ROUNDS} long waits: {sum(blocked)} ticks")


def check_summary(cellstat):
    whole = sheets(cellstat, "summary", "short.pex")
    for verb in ("concurrency", "timeline"):
        for sheet in sheets(cellstat, verb, "short.pex"):
            check(sheet in whole, f"a summary has not what {verb} says")
    states = sheets(cellstat, "states", "short.pex")[0].splitlines()
    alone = [line for line in states if not line.startswith("all,")]
    check(any(set(alone) <= set(sheet.splitlines()) for sheet in whole), "a summary has not what states says")
    print(f"summary: {len(whole)} tables")


def main():
    cellstat, pdtsim, peak = map(os.path.abspath, sys.argv[1:4])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        check_memory(cellstat, pdtsim, peak)
        check_sections(cellstat, peak)
        check_long_waits(cellstat)
        check_summary(cellstat)
        os.chdir("/")


if __name__ == "__main__":
    main()
