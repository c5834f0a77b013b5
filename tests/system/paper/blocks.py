"""What blocks of records cost and what they leave of precision: pdtsim --flush and --burst, beside the laws of the model."""
import csv
import json
import math
import re
import subprocess

PROGRAMS = [["blackscholes"], ["fft16m", "--events=60000"], ["juliaset"], ["matrix_mul"]]
SIZES = [1, 4, 16, 64, 256]
BURSTS = [0, 4, 8, 16]
KINDS = ["stamped", "next", "double"]
TICKS_PER_S = 14318000
MACHINES = ["ps3", "qs22"]
TRACERS = ["hardware", "pages", "buffer"]


def ran(pdtsim, *options):
    """How long the program took, in s, and what else is said."""
    done = subprocess.run([pdtsim, "-v", *options], check=True, capture_output=True, text=True)
    return float(re.search(r"ran for ([0-9.]+) s", done.stderr)[1]), done.stderr


class Run:
    """A program that flushes blocks, synchronized, and its truth."""

    def __init__(self, tools, folder, program, k, kind, burst):
        trace, truth, report = folder / "b.csv", folder / "b.truth", folder / "b.json"
        self.seconds, said = ran(tools[0], *program, f"--flush={k},{kind}", f"--burst={burst}",
                                 "-o", trace, f"--truth={truth}")
        self.records, self.flushes = map(int, re.search(r"(\d+) records in (\d+) flushes", said).groups())
        self.pauses = int(re.search(r"(\d+) pauses", said)[1])
        subprocess.run([tools[1], "-q", "--pairs=all", trace, "-r", report], check=True)
        found = json.loads(report.read_text())
        rows = csv.DictReader(line for line in truth.read_text().splitlines() if not line.startswith("#"))
        offsets = {row["thread"]: int(row["offset_ticks"]) for row in rows} | {"ppe": 0}
        self.contexts = len(offsets) - 1
        self.inside = found["delta"]["ticks"] == "0" and all(
            (p["lower_ticks"] is None or p["lower_ticks"] <= offsets[p["s"]] - offsets[p["t"]]) and
            (p["upper_ticks"] is None or offsets[p["s"]] - offsets[p["t"]] <= p["upper_ticks"])
            for p in found["pairs"])
        errors = [(p["s"] == "ppe" or p["t"] == "ppe", math.inf if p["error_ticks"] is None else p["error_ticks"])
                  for p in found["pairs"]]
        self.to_ppe, self.between = (max((e for is_ppe, e in errors if is_ppe == ppe), default=0) for ppe in (True, False))

    @property
    def cell(self):
        return f"{shown(self.to_ppe)} / {shown(self.between)}"


def shown(error, digits=None):
    return "-" if error == math.inf else f"{error:,}" if digits is None else f"{error:,.{digits}f}"


def law(kind, k, n, u, burst):
    """The model's error between two clocks that both flush blocks, in ticks; it is for q well below 1."""
    q = k * k / n
    if q >= 1:
        return math.inf
    if kind == "stamped":
        return 2 * u * q / (burst * burst + 1)
    return 2 * u * math.sqrt(2 * q) if kind == "next" else 2 * u * (6 * q) ** (1 / 3)


def table(tools, folder):
    """Lines of the page; and whether the truth was inside every bound."""
    lines, good = [], True
    for name, *more in PROGRAMS:
        program = [f"--workload={name}", *more]
        singly, _ = ran(tools[0], *program, "-o", folder / "b.pex")
        untraced, _ = ran(tools[0], *program, "--tracer=hardware", "-o", folder / "b.pex")
        lines += [f"**{name}**: {untraced * 1000:.3f} ms with one store for each record, {100 * (singly / untraced - 1):.2f} % more "
                  "with a slot for each record. Cells: error SPE-PPE / SPE-SPE, in brackets the law for SPE-SPE:", "",
                  "| k | flushes | time | stamped | " + " | ".join(f"+{b}" for b in BURSTS[1:]) +
                  " | next | double, pauses |", "|" + "---|" * (len(BURSTS) + 5)]
        for k in SIZES:
            runs = {(kind, burst): Run(tools, folder, program, k, kind, burst)
                    for kind in KINDS for burst in (BURSTS if kind == "stamped" else [0])}
            good &= all(run.inside for run in runs.values())
            plain = runs["stamped", 0]
            n = plain.records / plain.contexts
            u = plain.seconds * TICKS_PER_S / n
            cells = [f"{run.cell} ({shown(law(kind, k, n, u, burst), 0)})" for (kind, burst), run in runs.items()]
            cells[-1] += f", {runs['double', 0].pauses:,}"
            flushes = plain.flushes / plain.contexts
            lines.append(f"| {k} | {flushes:,.0f} | {100 * (plain.seconds / untraced - 1):.2f} % | {' | '.join(cells)} |")
        lines.append("")
    return lines[:-1], good


def slowdowns(tools, folder):
    """How much longer programs run under each tracer."""
    yield "| machine | program | untraced, ms | " + " | ".join(TRACERS) + " |"
    yield "|---|---|---|" + "---|" * len(TRACERS)
    for machine in MACHINES:
        for program, *_ in PROGRAMS:
            options = [f"--machine={machine}", f"--workload={program}", "--level=full"]
            untraced, _ = ran(tools[0], *options, "--tracer=none")
            cells = []
            for tracer in TRACERS:
                seconds, _ = ran(tools[0], *options, f"--tracer={tracer}",
                                 "-o", folder / ("b.csv" if tracer == "pages" else "b.pex"))
                cells.append(f"{100 * (seconds / untraced - 1):.2f} %")
            yield f"| {machine} | {program} | {untraced * 1000:.3f} | {' | '.join(cells)} |"
