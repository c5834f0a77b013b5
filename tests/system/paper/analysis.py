#!/usr/bin/env python3
"""Runs of pdtsim with what the program did in true time, held beside the ranges of cellstat: writes doc/analysis.md.

Usage: analysis.py PDTSIM CELLSTAT [PAGE]

With PAGE, compares with what stands there instead.  Exits with 1 where a truth is outside its range.
"""
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

WORKLOADS = ["blackscholes", "juliaset", "matrix_mul"]
LONG = ["--workload=fft16m --events=75000", "--workload=oversubscribed --events=75000"]
RUNS = ([f"--workload={name}" for name in WORKLOADS] + LONG +
        [f"--workload={name} --seed=2" for name in WORKLOADS] +
        [f"--workload={name} --machine={machine}" for name in WORKLOADS for machine in ("ps3", "qs22")] +
        [f"--workload={name} --jitter=2" for name in WORKLOADS] +
        [f"--workload={name} --late-writes=5" for name in WORKLOADS])
# CU of the greatest level in per cent of the span, as the prototype of the design had it: the range.
PROTOTYPE = {"--workload=juliaset": (85.683, 85.877), "--workload=matrix_mul": (52.58, 55.40), LONG[0]: (93.36, 94.14),
             "--workload=blackscholes": (20.515, 20.597), LONG[1]: (84.671, 84.837),
             "--workload=blackscholes --jitter=2": (19.10, 21.72)}
PAGE = """# Ranges, and the truth

If a figure depends on more than one clock, `cellstat` prints it with a range. The figure is in this range with all offsets
that the order of the records allows: `cellsync-analysis(7)`. `pdtsim` knows the true figures of its programs. This page
compares the two.

This page is written by

    ./dev paper

and every test run makes it again and compares. These commands make a row:

    pdtsim OPTIONS -o t.pex --truth=t.csv --truth-activity=a.csv
    cellstat concurrency t.pex            with --delta=DELTA where delta is not 0
    cellstat comm t.pex                   the same

Delta is the greatest error of a timestamp, which the simulator knows. The test fails if a true figure is outside its range.

## How long how many SPEs were active

A level is the number of SPEs that are active at once. For the greatest level reached, the table gives its time as a part of
the time from the first record to the last, and the width of its range in ticks of 14.318 MHz. *Widest* is the width for the
level with the widest range, and *inside* counts the levels with a true time in their range.

| options | delta | level | true | estimate | range | width | widest | inside |
|---|---|---|---|---|---|---|---|---|
{levels}

## Average concurrency and efficiency

CAVG is the active time of all units divided by the time with at least one active unit. CEFF is CAVG divided by the number of
units. True times are whole ticks here, too.

| options | CAVG, true | CAVG | range | CEFF, true | CEFF | range |
|---|---|---|---|---|---|---|
{totals}

## How long words took through mailboxes

The time of a word is from the begin of its send to the moment when it was read, so it depends on the clocks of both
ends. `cellstat comm` adds up the words of each sender and receiver. Here, true times, estimates, and the ends of ranges are
sums over all senders and receivers. *Inside* counts the pairs of sender and receiver with a true time in their range.

| options | words | true | estimate | range | inside |
|---|---|---|---|---|---|
{words}

## Beside the prototype

A prototype of the design was tried on such runs of an earlier simulator, which had slightly different programs. The table
compares its range for the greatest level, in per cent of the span, with ours.

| options | prototype | ours | width, ours over the prototype's |
|---|---|---|---|
{prototype}

{inside} of {all} true times are inside.
"""


def percent(part, whole, digits=3):
    return f"{100 * part / whole:.{digits}f} %"


def between(value, digits):
    return f"[{value['lo'] / 10**6:.{digits}f}, {value['hi'] / 10**6:.{digits}f}]"


def ends_of(sender, receiver):
    """As cellstat names them."""
    return sender.replace("ppe", "tid"), receiver.replace("ppe", "tid")


class Run:
    def __init__(self, pdtsim, cellstat, folder, options):
        trace, truth, activity = folder / "t.pex", folder / "t.csv", folder / "a.csv"
        subprocess.run([pdtsim, *options.split(), "-o", trace, f"--truth={truth}", f"--truth-activity={activity}"], check=True)
        self.options, self.delta = options, truth.read_text().splitlines()[0].split("=")[1]
        rows = csv.DictReader(line for line in activity.read_text().splitlines() if not line.startswith("#"))
        self.truth, self.words = {}, {}
        for row in rows:
            if row["table"] == "level":
                self.truth[int(row["name"])] = int(row["ticks"])
            if row["table"] == "word":
                count, ticks = self.words.get(ends_of(row["actor"], row["partner"]), (0, 0))
                self.words[ends_of(row["actor"], row["partner"])] = count + 1, ticks + int(row["ticks"])
        given = [] if self.delta == "0" else [f"--delta={self.delta}"]
        done = subprocess.run([cellstat, "concurrency", "-q", "--format=json", *given, trace], check=True, stdout=subprocess.PIPE)
        sheets = json.loads(done.stdout)["sheets"]
        done = subprocess.run([cellstat, "comm", "-q", "--format=json", *given, trace], check=True, stdout=subprocess.PIPE)
        rows = json.loads(done.stdout)["sheets"]["comm"]
        self.boxes = {(row["sender"], row["receiver"]): row for row in rows if row["what"] == "mailbox"}
        self.levels = {row["level"]: row["time_ticks"] for row in sheets["concurrency"]}
        self.total, = sheets["total"]
        self.span = self.total["span_ticks"]["estimate"]
        self.inside = sum(self.is_inside(level, ticks) for level, ticks in self.truth.items())
        self.elapsed = sum(ticks for level, ticks in self.truth.items() if level)
        self.average = sum(level * ticks for level, ticks in self.truth.items()) * 10**6 / self.elapsed
        units = self.total["units"]
        self.totals = [(self.average, self.total["average_ppm"]), (self.average / units, self.total["efficiency_ppm"])]

    def is_inside(self, level, ticks):
        none = {"lo": 0, "hi": 0}
        found = self.levels.get(level, none)
        return found["lo"] <= ticks <= found["hi"]

    def top(self):
        level = max(level for level, ticks in self.truth.items() if ticks)
        return level, self.levels[level]

    def row(self):
        level, found = self.top()
        widest = max(value["hi"] - value["lo"] for value in self.levels.values())
        ends = f"[{percent(found['lo'], self.span)}, {percent(found['hi'], self.span)}]"
        return (f"| `{self.options}` | {self.delta} | {level} | {percent(self.truth[level], self.span)} | "
                f"{percent(found['estimate'], self.span)} | {ends} | {found['hi'] - found['lo']:,} | {widest:,} | "
                f"{self.inside} of {len(self.truth)} |")

    def totals_row(self):
        cells = [f"{true / 10**6:.4f} | {value['estimate'] / 10**6:.4f} | {between(value, 4)}" for true, value in self.totals]
        return f"| `{self.options}` | {' | '.join(cells)} |"

    def totals_inside(self):
        """A whole tick for each level is rounded away, which CAVG is off by at most."""
        slack = 10**6 * len(self.truth)**2 / self.elapsed
        return [value["lo"] - slack <= true <= value["hi"] + slack for true, value in self.totals]

    def words_inside(self):
        """By sender and receiver, also whether all words are there."""
        found = [(self.boxes.get(ends, {"count": 0}), *true) for ends, true in self.words.items()]
        return [row["count"] == count and row["time_ticks"]["lo"] <= ticks <= row["time_ticks"]["hi"]
                for row, count, ticks in found]

    def words_row(self):
        inside, times = self.words_inside(), [row["time_ticks"] for row in self.boxes.values()]
        low, estimate, high = (sum(time[part] for time in times) for part in ("lo", "estimate", "hi"))
        return (f"| `{self.options}` | {sum(count for count, _ in self.words.values())} | "
                f"{sum(ticks for _, ticks in self.words.values()):,} | {estimate:,} | [{low:,}, {high:,}] | "
                f"{sum(inside)} of {len(inside)} |")

    def prototype_row(self):
        low, high = PROTOTYPE[self.options]
        _, found = self.top()
        ours = [100 * found[end] / self.span for end in ("lo", "hi")]
        return (f"| `{self.options}` | [{low:.3f}, {high:.3f}] | [{ours[0]:.3f}, {ours[1]:.3f}] | "
                f"{(ours[1] - ours[0]) / (high - low):.2f} |")


def main(pdtsim, cellstat, page=None):
    with tempfile.TemporaryDirectory() as name:
        runs = [Run(pdtsim, cellstat, pathlib.Path(name), options) for options in RUNS]
    text = PAGE.format(levels="\n".join(run.row() for run in runs), totals="\n".join(run.totals_row() for run in runs),
                       prototype="\n".join(run.prototype_row() for run in runs if run.options in PROTOTYPE),
                       words="\n".join(run.words_row() for run in runs if run.words),
                       inside=sum(run.inside + sum(run.words_inside()) for run in runs),
                       all=sum(len(run.truth) + len(run.words) for run in runs))
    outside = [run.options for run in runs if run.inside < len(run.truth) or not all(run.words_inside()) or not all(run.totals_inside())]
    if outside:
        print("outside:", *outside, sep="\n", file=sys.stderr)
    if not page:
        print(text, end="")
    elif pathlib.Path(page).read_text() != text:
        print(f"{page} is not what ./dev paper writes today")
        return 1
    return 1 if outside else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
