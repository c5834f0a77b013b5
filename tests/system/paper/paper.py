#!/usr/bin/env python3
"""Hold the simulator's traces beside section 5 of the paper, and cellsync beside the truth.

Usage: paper.py PDTSIM CELLSYNC [PAGE]

Simulates, synchronizes, and prints a page in Markdown; with PAGE, fails if that file says something else.
Everything on the page follows from the two programs, so it is the same on every machine.
"""
import csv
import itertools
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

import blocks
import drifts
import methods
import truth

SEEDS = range(1, 6)
FIGURES = ["max_error_ticks", "max_error_spe_ticks", "mean_error_ppe_ticks", "mean_error_spe_ticks"]
TABLE_1 = {
    "blackscholes": ("BlackScholes", [63, 63, 39, 33]),
    "fft16m": ("FFT16M", [24, 18, 20, 12]),
    "juliaset": ("JuliaSet", [34, 19, 27, 12]),
    "matrix_mul": ("Matrix_mul", [33, 11, 31, 8]),
}
LEVELS = {"full": "20 and 11", "stalls": "20 and 12 (Table 1)", "outer": "53", "basic": "17,590"}
OTHER_RUNS = [
    ["--workload=blackscholes", "--jitter=2"],
    ["--workload=matrix_mul", "--late-writes=5"],
    ["--workload=juliaset", "--machine=ps3", "--jitter=1", "--late-writes=20"],
    ["--workload=oversubscribed"],
    ["--workload=oversubscribed", "--switch-source=notifier", "--jitter=1"],
    ["--workload=synthetic", "--machine=qs22", "--level=full"],
    ["--workload=synthetic:compute=400000000000,spread=90,blocks=2", "--machine=ps3", "--events=2000"],
]

METHOD_TRACES = [["blackscholes"], ["fft16m", "--events=60000"], ["juliaset"], ["matrix_mul"],
                 ["oversubscribed", "--events=60000"], ["synthetic", "--events=60000"]]

ESTIMATE_TRACES = [trace for trace in METHOD_TRACES if trace[0] != "fft16m"]


CONTEXT_RUNS = [["fft16m", "--events=60000"], ["oversubscribed", "--events=60000"],
                ["oversubscribed", "--switch-source=notifier", "--events=60000"]]


ADVICE_LEVELS, ADVICE_RECORDS = ["outer", "basic"], [1, 4, 16]


class Simulated:
    """A trace, and its truth; under a name that is its own if it is to outlast the next one."""

    def __init__(self, pdtsim, folder, options, name="t"):
        self.options, self.trace, truth = options, folder / f"{name}.pex", folder / f"{name}.csv"
        subprocess.run([pdtsim, *options, "-o", self.trace, f"--truth={truth}"], check=True)
        lines = truth.read_text().splitlines()
        self.delta = lines[0].split("=")[1]
        self.truth = {row["thread"]: int(row["offset_ticks"]) for row in csv.DictReader(lines[1:])} | {"ppe": 0}


class Run:
    """One simulated trace, synchronized and compared with its truth."""

    def __init__(self, cellsync, simulated, more=()):
        self.options, self.delta, self.truth = simulated.options, simulated.delta, simulated.truth
        trace = simulated.trace
        report = trace.with_name("report.json")
        if len(self.truth) > 64:
            more = [*more, "--pairs=none"]
        given = [] if self.delta == "0" else [f"--delta={self.delta}"]
        subprocess.run([cellsync, "-q", *given, *more, trace, "-r", report], check=True)
        self.read_json(report)
        assert set(self.truth) == {name for name, *_ in self.threads}, "other live intervals"
        self.compare()
        self.deltas = [] if self.delta == "0" else [self.estimate(cellsync, trace, relax) for relax in ("exact", "paper")]

    def estimate(self, cellsync, trace, relax):
        """The delta of a procedure, the greatest error bound under it, and how many clocks that leaves in their bounds."""
        report = trace.with_name("estimate.json")
        subprocess.run([cellsync, "-q", f"--relax={relax}", "--pairs=none", trace, "-r", report], check=True)
        found = json.loads(report.read_text())
        inside = sum((t["earliest_ticks"] is None or t["earliest_ticks"] <= self.truth[t["name"]]) and
                     (t["latest_ticks"] is None or self.truth[t["name"]] <= t["latest_ticks"])
                     for t in found["threads"])
        return found["delta"]["ticks"], found["summary"]["max_error_ticks"], inside

    def delta_line(self):
        """A row of the table of deltas."""
        (exact, exact_error, exact_inside), (paper, paper_error, paper_inside) = self.deltas
        return (f"| `{' '.join(self.options)}` | {self.delta} | {exact} | {paper} | {exact_error:,} | {paper_error:,} "
                f"| {exact_inside:,} of {len(self.threads):,} | {paper_inside:,} of {len(self.threads):,} |")

    def read_json(self, report):
        found = json.loads(report.read_text())
        self.records, self.summary = found["records"], found["summary"]
        self.wraps = found["unwrapping"]["wraps"]
        self.threads = [(t["name"], t["offset_ticks"], t["earliest_ticks"], t["latest_ticks"])
                        for t in found["threads"]]
        self.pairs = [(p["s"], p["t"], p["lower_ticks"], p["upper_ticks"]) for p in found["pairs"]]

    def compare(self):
        self.inside = sum(low <= self.truth[name] <= high for name, _, low, high in self.threads)
        self.inside_pairs = sum(low <= self.truth[s] - self.truth[t] <= high for s, t, low, high in self.pairs)
        spes = [thread for thread in self.threads if thread[0] != "ppe"]
        self.distances = [abs(offset - self.truth[name]) for name, offset, _, _ in spes]
        self.claims = [max(high - offset, offset - low) for _, offset, low, high in spes]

    def pair_distances(self):
        """How far the estimated difference of every two clocks is from the true one."""
        off = [offset - self.truth[name] for name, offset, _, _ in self.threads]
        return [abs(a - b) for a, b in itertools.combinations(off, 2)]

    def proved(self):
        return self.inside == len(self.threads) and self.inside_pairs == len(self.pairs)

    def line(self):
        """A row of the table of runs."""
        pairs = f"{self.inside_pairs:,} of {len(self.pairs):,}" if self.pairs else "-"
        return (f"| `{' '.join(self.options)}` | {self.records:,} | {self.wraps:,} | {self.delta} "
                f"| {self.inside:,} of {len(self.threads):,} | {pairs} "
                f"| {max(self.distances):,} / {max(self.claims):,} "
                f"| {statistics.mean(self.distances):.1f} / {statistics.mean(self.claims):.1f} |")


def figures(runs):
    """The medians over some runs."""
    return [statistics.median(run.summary[figure] for run in runs) for figure in FIGURES]


def spread(runs, figure):
    values = [run.summary[figure] for run in runs]
    return f"{round(min(values)):,} to {round(max(values)):,}"


def ratio(ours, theirs):
    factor = max(ours / theirs, theirs / ours)
    return f"{ours:.0f}" + (f" ({ours / theirs:.2f}x)" if factor > 2 else "")


def table_1(runs):
    yield "| program | max error | max SPE-SPE | mean SPE-PPE | mean SPE-SPE | SPE-SPE to SPE-PPE |"
    yield "|---|---|---|---|---|---|"
    for workload, (name, theirs) in TABLE_1.items():
        ours = figures(runs[workload])
        cells = " | ".join(f"{their}: **{ratio(our, their)}**" for our, their in zip(ours, theirs))
        yield f"| {name} | {cells} | {theirs[3] / theirs[2]:.2f}: **{ours[3] / ours[2]:.2f}** |"


def table_2(runs):
    yield "| level | the paper | max error | max SPE-SPE | mean SPE-PPE | mean SPE-SPE | of seeds: max error | records an SPE |"
    yield "|---|---|---|---|---|---|---|---|"
    for level, theirs in LEVELS.items():
        ours = " | ".join(f"{value:,.0f}" for value in figures(runs[level]))
        yield (f"| {level} | {theirs} | {ours} | {spread(runs[level], FIGURES[0])} "
               f"| {runs[level][0].records // 16:,} |")


def verdicts(table, levels):
    """What was to come out, and whether it did."""
    ours = {workload: figures(runs) for workload, runs in table.items()}
    far = [f"{TABLE_1[w][0]}, {FIGURES[i].replace('_ticks', '').replace('_', ' ')} ({value:.0f}, paper {their})"
           for w in TABLE_1 for i, (value, their) in enumerate(zip(ours[w], TABLE_1[w][1]))
           if not their / 2 <= value <= their * 2]
    rise = [TABLE_1[w][0] for w in TABLE_1 if ours[w][3] >= ours[w][2]]
    drops = {w: ours[w][3] / ours[w][2] for w in TABLE_1}
    yield f"- Within 2x of the paper: {16 - len(far)} of 16 cells." + (f" Not: {'; '.join(far)}." if far else "")
    yield f"- Mean SPE-SPE below mean SPE-PPE: {4 - len(rise)} of 4." + (f" Not: {', '.join(rise)}." if rise else "")
    yield f"- The largest drop: {TABLE_1[min(drops, key=drops.get)][0]} (paper: Matrix_mul)."
    medians = [figures(levels[level])[0] for level in LEVELS]
    ranked = all(a <= b for a, b in zip(medians, medians[1:]))
    yield f"- Levels rank as in the paper (full, stalls, outer, basic): {'yes' if ranked else 'no'}."
    yield f"- Basic to outer: {medians[3] / medians[2]:.0f}x (paper: {17590 / 53:.0f}x)."


def table_3(tools, folder):
    """The other methods beside ours; and whether ours is the only one with neither violation nor damage."""
    pairs = []
    for workload, *options in METHOD_TRACES:
        trace, truth = folder / f"{workload}.pex", folder / f"{workload}.csv"
        subprocess.run([tools[0], f"--workload={workload}", *options, "-o", trace, f"--truth={truth}"], check=True)
        pairs.append((str(trace), str(truth)))
    outcomes = methods.compare(tools[1], pairs)
    clean, good = methods.verdict(outcomes)
    counts = ", ".join(f"{method} {count} of {len(pairs)}" for method, count in clean.items())
    return [*methods.table(outcomes), "", f"Traces with neither a violation nor damage: {counts}."], good


def estimates(cellsync, simulated):
    """The two estimates of a trace of seed 1: how far from the truth they are."""
    runs = [Run(cellsync, simulated, [f"--center={center}"]) for center in ("reference", "local")]
    cells = [" / ".join(f"{figure(run):,.{digits}f}" for run in runs) for figure, digits in [
        (lambda run: statistics.mean(run.distances), 2), (lambda run: max(run.distances), 0),
        (lambda run: statistics.mean(run.pair_distances()), 2), (lambda run: max(run.pair_distances()), 0)]]
    options = " ".join(option for option in simulated.options if option != "--seed=1")
    return f"| `{options}` | {' | '.join(cells)} |"


def table_4(tools, folder, levels):
    """The two estimates on the same traces; levels: its rows of FFT16M."""
    yield "| options of pdtsim | clocks: mean | worst | pairs: mean | worst |"
    yield "|---|---|---|---|---|"
    yield from levels
    for workload, *options in ESTIMATE_TRACES:
        yield estimates(tools[1], Simulated(tools[0], folder, [f"--workload={workload}", *options]))


def by_context(rows):
    """A trace in which each SPE context has one clock from its first record to its last: thread, time."""
    last, time = {}, {}
    for row in rows:
        name, stamp = row["thread"].partition(".")[0], int(row["stamp"])
        if row["core"] == "spe":
            time[name] = time.get(name, 0) + (last.get(name, stamp) - stamp) % 2**32
            last[name] = stamp
        yield name, stamp if row["core"] == "ppe" else time[name]


def farthest(rows, true):
    """How far global times are from the truth at most."""
    return max(abs(int(row["global_time"]) - t) for row, t in zip(rows, true, strict=True))


def rows_of(path):
    """The rows of a synchronized CSV."""
    with open(path, encoding="utf-8", newline="") as file:
        return list(truth.rows_of(line for line in file if not line.startswith("#")))


def delta_of(cellsync, trace, out):
    """Synchronize, and say how many clocks there are and what delta that takes."""
    report = out.with_suffix(".json")
    subprocess.run([cellsync, "-q", "--pairs=none", trace, "-o", out, "-r", report], check=True)
    found = json.loads(report.read_text())
    return len(found["threads"]), found["delta"]["ticks"]


def table_5(tools, folder):
    """Live intervals against one clock a context."""
    yield "| options of pdtsim | clocks | delta | farthest from the truth | one clock a context: clocks | delta | farthest |"
    yield "|---|---|---|---|---|---|---|"
    for workload, *options in CONTEXT_RUNS:
        trace, truth = folder / "t.pex", folder / "t.csv"
        lives, contexts, out = folder / "lives.csv", folder / "contexts.csv", folder / "out.csv"
        subprocess.run([tools[0], f"--workload={workload}", *options, "-o", trace, f"--truth={truth}"], check=True)
        offsets = {row["thread"]: int(row["offset_ticks"])
                   for row in csv.DictReader(truth.read_text().splitlines()[1:])} | {"ppe": 0}
        cells = [*delta_of(tools[1], trace, lives)]
        rows = rows_of(lives)
        true = [offsets[row["thread"]] + int(row["time"]) for row in rows]
        cells.append(farthest(rows, true))
        contexts.write_text("thread,time\n" + "".join(f"{name},{time}\n" for name, time in by_context(rows)))
        cells += delta_of(tools[1], contexts, out)
        cells.append(farthest(rows_of(out), true))
        shown = " | ".join(cell if isinstance(cell, str) else f"{cell:,}" for cell in cells)
        yield f"| `--workload={' '.join([workload, *options])}` | {shown} |"


def lateness(cellsync, trace, threads):
    """By how many ticks the worst of the advised records is later than planned; none may be early."""
    done = subprocess.run([cellsync, "-q", "--to=csv", "-o", "-", trace], check=True, capture_output=True, text=True)
    late, plans = [], {t["name"]: t for t in threads}
    for row in truth.rows_of(line for line in done.stdout.splitlines() if not line.startswith("#")):
        if row["event"] != "CLOCK_PROBE":
            continue
        i, time = int(row["values"]), int(row["time"])
        due = [plans[row["thread"]]["thread_ticks"] + i * plans[row["thread"]]["fine_ticks"]] if row["core"] == "spe" \
            else [t["reference_ticks"] + i * t["coarse_ticks"] for t in threads]
        late.append(time - max(moment for moment in due if moment <= time))
    return len(late), max(late)


def advised_row(tools, folder, simulated, level, records, good):
    """A program as it is, what is advised, and the same program with the records that are."""
    report = folder / "advice.json"
    subprocess.run([tools[1], "-q", "--pairs=none", f"--advise={records}", simulated.trace, "-r", report], check=True)
    found = json.loads(report.read_text())
    advice, before = found["advice"], found["summary"]
    with_it = Simulated(tools[0], folder, [*simulated.options, f"--advice={report}"])
    run = Run(tools[1], with_it)
    widths = [high - low for name, _, low, high in run.threads if name != "ppe"]
    widest = max(t["error_ticks"] for t in advice["threads"])
    count, late = lateness(tools[1], with_it.trace, advice["threads"])
    good.append(run.proved() and max(widths) <= advice["max_ticks"] and
                count == 2 * records * len(widths) and statistics.mean(widths) <= advice["mean_ticks"] and
                run.summary["max_error_spe_ticks"] <= advice["max_spe_ticks"])
    return (f"| {level} | {records} | {widest:,} | {advice['max_ticks']:,} / **{max(widths):,}** "
            f"| {before['mean_error_ppe_ticks']:,.1f} | {advice['mean_ticks']:,.1f} / **{statistics.mean(widths):,.1f}** "
            f"| {before['max_error_spe_ticks']:,} | {advice['max_spe_ticks']:,} / "
            f"**{run.summary['max_error_spe_ticks']:,}** | {late} |")


def table_6(rows):
    """What is promised, and what comes out."""
    yield ("| level | K | max SPE-PPE | then: promised / found | mean SPE-PPE | then: promised / found "
           "| max SPE-SPE | then: promised / found | late |")
    yield "|---|---|---|---|---|---|---|---|---|"
    yield from rows


class Level:
    """FFT16M at a level: the runs of all seeds, and its rows of tables 4 and 6, of one trace of seed 1."""

    def __init__(self, tools, folder, level, good):
        options = ["--workload=fft16m", f"--level={level}"]
        first = Simulated(tools[0], folder, [*options, "--seed=1"], "first")
        self.estimates = estimates(tools[1], first)
        self.advised = [advised_row(tools, folder, first, level, records, good)
                        for records in ADVICE_RECORDS if level in ADVICE_LEVELS]
        self.runs = [Run(tools[1], first if seed == 1 else Simulated(tools[0], folder, [*options, f"--seed={seed}"]))
                     for seed in SEEDS]


def page(tools, folder, before):
    compared, ours_alone = table_3(tools, folder)
    flushed, all_inside = blocks.table(tools, folder)
    advised, drifting = [], []
    levels = {level: Level(tools, folder, level, advised) for level in LEVELS}
    fft = {level: found.runs for level, found in levels.items()}
    table = {workload: fft["stalls"] if workload == "fft16m" else
             [Run(tools[1], Simulated(tools[0], folder, [f"--workload={workload}", f"--seed={seed}"])) for seed in SEEDS]
             for workload in TABLE_1}
    others = [Run(tools[1], Simulated(tools[0], folder, options)) for options in OTHER_RUNS]
    every = [run for workload, runs in table.items() if workload != "fft16m" for run in runs]
    every += [run for runs in fft.values() for run in runs] + others
    parts = {
        "TABLE_3": compared, "TABLE_4": table_4(tools, folder, [found.estimates for found in levels.values()]),
        "TABLE_1": table_1(table), "TABLE_2": table_2(fft), "VERDICTS": verdicts(table, fft),
        "RUNS": (run.line() for run in every),
        "DELTAS": (run.delta_line() for run in every if run.deltas), "TABLE_5": table_5(tools, folder),
        "BLOCKS": flushed, "SLOWDOWNS": blocks.slowdowns(tools, folder),
        "TABLE_6": table_6(row for level in ADVICE_LEVELS for row in levels[level].advised),
        "DRIFTS": list(drifts.table(tools, folder, drifting, before)),
        "PROVED": [f"{sum(run.proved() for run in every)} of {len(every)}"],
    }
    text = (pathlib.Path(__file__).parent / "page.md").read_text()
    for name, lines in parts.items():
        text = text.replace(f"@{name}@", "\n".join(lines))
    return text, ours_alone and all_inside and all(advised) and all(drifting) and all(run.proved() for run in every)


def main(pdtsim, cellsync, expected=None):
    before = pathlib.Path(expected).read_text() if expected else ""
    with tempfile.TemporaryDirectory() as folder:
        text, proved = page((pdtsim, cellsync), pathlib.Path(folder), before)
    sys.stdout.write(text)
    if not proved:
        print("paper.py: the truth is outside of a bound, or a method is not what the page says", file=sys.stderr)
    same = expected is None or before == text
    if not same:
        print(f"paper.py: {expected} says something else: run ./dev paper", file=sys.stderr)
    return 0 if proved and same else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
