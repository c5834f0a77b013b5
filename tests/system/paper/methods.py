"""A table of what each method makes of traces of which the truth is known.

    methods.py CELLSYNC TRACE.pex=TRUTH.csv...

TRUTH.csv has a line for each live interval with the columns `thread` and `offset_ticks` (or `offset`); lines with # are
comments. It is what pdtsim --truth writes. The table, in Markdown, has for each trace and method

    violations  records below the greatest global time before them, and the greatest step down
    damage      distances between consecutive records of a thread that are not those of its own clock: how many, the
                worst difference, and the mean difference over all distances
    error       how far global times are from the true ones, mean and greatest, when the PPE's first record (without a
                PPE, the first record) is taken for right: in ticks, over all records

Exit status 1 if ours breaks an order or damages a distance, but for what imprecise stamps explain, or if another method
does neither in any trace.
"""

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass

METHODS = ["bhh", "lamport", "lamport-clock", "lsq"]
OURS = "bhh"
COLUMNS = ["trace", "method", "violations", "worst step", "damaged", "of", "worst damage", "mean damage", "mean error",
           "max error"]


@dataclass
class Outcome:
    """What a method makes of a trace."""
    report: dict        # cellsync's, as JSON
    mean_error: str
    max_error: int

    @property
    def is_clean(self):
        return self.report["delta"]["inversions"] == 0 and self.report["damage"]["damaged"] == 0

    @property
    def is_imprecise(self):
        return self.report["delta"]["ticks"] not in (None, "0")

    def fields(self):
        """The cells after trace and method."""
        order, damage = self.report["delta"], self.report["damage"]
        return [order["inversions"], order["largest_inversion_ticks"], damage["damaged"], damage["distances"],
                damage["worst_ticks"], damage["mean_ticks"], self.mean_error, self.max_error]


def read_truth(path):
    """The true offset of each live interval; the PPE's clock is the timebase."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    return {"ppe": 0, **{row["thread"]: int(row.get("offset_ticks") or row["offset"]) for row in rows}}


def errors(rows, truth):
    """How far each record's global time is from the true one, less the same of the PPE's first record."""
    anchor, off = None, []
    header = next(rows)
    found, time, thread, core = (header.index(name) for name in ("global_time", "time", "thread", "core"))
    for row in rows:
        off.append(int(row[found]) - int(row[time]) - truth[row[thread]])
        if anchor is None and row[core] == "ppe":
            anchor = off[-1]
    return [abs(x - (off[0] if anchor is None else anchor)) for x in off]


def mean_text(values):
    """The exact mean with six digits, halves up, as in cellsync's reports."""
    millionths = (2 * sum(values) * 10**6 + len(values)) // (2 * len(values))
    return f"{millionths // 10**6}.{millionths % 10**6:06d}"


def run_method(program, method, trace, truth, folder):
    """The Outcome of a method; raises CalledProcessError where cellsync fails."""
    report, synced = os.path.join(folder, "report.json"), os.path.join(folder, "synced.csv")
    subprocess.run([program, "-q", f"--method={method}", "--measure", "-o", synced, "-r", report, trace], check=True)
    with open(synced, newline="", encoding="utf-8") as file:
        off = errors(csv.reader(line for line in file if not line.startswith("#")), truth)
    with open(report, encoding="utf-8") as file:
        return Outcome(json.load(file, parse_float=str), mean_text(off), max(off))


def compare(program, pairs):
    """The Outcomes of every trace, by method."""
    outcomes = {}
    for trace, truth in pairs:
        with tempfile.TemporaryDirectory() as folder:
            outcomes[trace] = {m: run_method(program, m, trace, read_truth(truth), folder) for m in METHODS}
    return outcomes


def table(outcomes):
    """The lines of the table."""
    names = {trace: os.path.basename(trace).removesuffix(".pex") for trace in outcomes}
    rows = [COLUMNS] + [[names[trace], method] + [str(x) for x in outcome.fields()]
                        for trace, by_method in outcomes.items() for method, outcome in by_method.items()]
    widths = [max(len(row[i]) for row in rows) for i in range(len(COLUMNS))]
    rule = ["-" * width if i < 2 else "-" * (width - 1) + ":" for i, width in enumerate(widths)]
    cells = [[x.ljust(w) if i < 2 else x.rjust(w) for i, (x, w) in enumerate(zip(row, widths))] for row in rows]
    return ["| " + " | ".join(row) + " |" for row in [cells[0], rule, *cells[1:]]]


def verdict(outcomes):
    """In how many traces each method is clean, and whether ours is the only one in all of them."""
    clean = {m: sum(by_method[m].is_clean for by_method in outcomes.values()) for m in METHODS}
    ours = all(by_method[OURS].is_clean or by_method[OURS].is_imprecise for by_method in outcomes.values())
    return clean, ours and all(clean[m] < len(outcomes) for m in METHODS if m != OURS)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", metavar="CELLSYNC")
    parser.add_argument("traces", metavar="TRACE.pex=TRUTH.csv", nargs="+")
    arguments = parser.parse_args()
    pairs = [pair.rsplit("=", 1) for pair in arguments.traces]
    if any(len(pair) != 2 for pair in pairs):
        parser.error("each trace wants its truth: TRACE.pex=TRUTH.csv")
    outcomes = compare(os.path.abspath(arguments.program), pairs)
    clean, good = verdict(outcomes)
    print("\n".join(table(outcomes)))
    print("\nTraces with neither a violation nor damage: " +
          ", ".join(f"{method} {count} of {len(outcomes)}" for method, count in clean.items()))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
