"""Clocks that drift: the errors of records for a minute of messages, beside the design's figures and an exact affine fit."""
import csv
from collections import Counter

import affine
import truth

PROGRAM = ["--workload=halo:compute=64000000,spread=20,barrier=0,latency=1", "--nodes=6", "--contexts=6", "--drift=20",
           "--machine=qs22", "--events=74000"]
TICKS_PER_S = 26666666
DRIFTS = ["50", "50,0.02", "50,0"]
# Which swaps have messages, and the design's figures: mean and maximum, of each drift and of the affine fit, in ns.
KEPT = {
    "every 20 ms": (lambda k, n: True, [(5650, 10755), (609, 795), (494, 590), (459, 563)]),
    "every 2 s": (lambda k, n: k % 100 == 0, [(102264, 289010), (1859, 3123), (1376, 2315), (1191, 1674)]),
    "at start and end only": (lambda k, n: k < 10 or k >= n - 10,
                              [(1404074, 2802299), (2470, 4864), (1243, 2436), (889, 1264)]),
}
READINGS = 9        # of a clock the affine fit is made for


def keep(head, rows, kept, path):
    """The trace, of whose messages only some are left."""
    swaps, seen, left = max(Counter(row["send"] for row in rows if row["send"]).values()), Counter(), []
    for row in rows:
        for end in ("send", "recv"):
            seen[end, row[end]] += 1
            if row[end] and not kept(seen[end, row[end]] - 1, swaps):
                row = {**row, end: "", "latency": ""}
        left.append(row)
    with path.open("w", newline="") as file:
        file.write(head)
        out = csv.writer(file, lineterminator="\n")
        out.writerow(rows[0])
        out.writerows(row.values() for row in left)
    return left


def errors(found):
    """Mean and maximum over the records of all clocks but the reference."""
    records = {t["name"]: t["records"] for t in found["threads"]}
    clocks = [clock for clock in found["drift"]["clocks"] if clock["name"] != found["reference"]]
    total = sum(records[clock["name"]] * clock["mean_error_ticks"] for clock in clocks)
    return total / sum(records[clock["name"]] for clock in clocks), max(clock["max_error_ticks"] for clock in clocks)


def fit(rows, found, added):
    """The same of constant rates: from the messages that are left, of so many readings of each clock."""
    names = [found["reference"]] + [t["name"] for t in found["threads"] if t["name"] != found["reference"]]
    rough = {t["name"]: t["offset_ticks"] for t in found["threads"]}
    rough = {name: int(offset or 0) for name, offset in rough.items()}
    start = min(int(row["time"]) + rough[row["clock"]] for row in rows)
    span = max(int(row["time"]) + rough[row["clock"]] for row in rows) - start
    program = affine.Affine(len(names), 50e-6, span)
    sends, ids = {}, {}

    def reading(row, column):
        return int(row[column] or row["time"]) + rough[row["clock"]] - start

    for row in rows:
        if row["send"]:
            sends.setdefault(row["send"], []).append(row)
        if row["id"]:
            ids[row["id"]] = row
    for row in rows:
        before = [(sends[row["recv"]].pop(0), "begin", int(row["latency"]))] if row["recv"] else []
        before += [(ids[name], "time", 0) for name in row["after"].split()]
        for source, column, latency in before:
            p, q = reading(source, column), reading(row, "time")
            program.add(names.index(source["clock"]), p, names.index(row["clock"]), q, q - p - latency + added)
    program.begin()
    found = []
    for name in names[1:]:
        own = [reading(row, "time") for row in rows if row["clock"] == name]
        found += [program.error(names.index(name), own[i * (len(own) - 1) // (READINGS - 1)]) for i in range(READINGS)]
    return sum(found) / len(found), max(found)


def cell(ticks, design):
    ours = " / ".join(f"{round(value * 1e9 / TICKS_PER_S):,}" for value in ticks)
    return " / ".join(f"{value:,}" for value in design) + f": **{ours}**"


def fit_of(page, name):
    """What the page says of the fit, which takes longer than the rest and does not know cellsync."""
    line = next((line for line in page.splitlines() if line.startswith(f"| {name} |")), None)
    return line and line.split(" | ")[-1].removesuffix(" |")


def table(tools, folder, good, page=""):
    """A row for each choice of messages; page: one that has been made before, of which the fit is taken."""
    _, true = truth.simulate(tools[0], folder, PROGRAM, "csv")
    text = (folder / "t.csv").read_text()
    head = "".join(line + "\n" for line in text.splitlines() if line.startswith("#"))
    rows = list(truth.rows_of(text[len(head):].splitlines()))
    yield "| messages | " + " | ".join(f"`--drift={drift}`" for drift in DRIFTS) + " | exact affine fit |"
    yield "|---|---|---|---|---|"
    for name, (kept, design) in KEPT.items():
        trace = folder / "kept.csv"
        left, ours = keep(head, rows, kept, trace), []
        for drift in DRIFTS:
            found = truth.solve(tools[1], trace, ["--delta=1/2", "--reference=node0", f"--drift={drift}"])
            good.append(found is not None and not list(truth.outside(found, true)))
            ours.append(errors(found))
        fitted = fit_of(page, name) or cell(fit(left, found, 1 + 50e-6), design[-1])
        yield f"| {name} | " + " | ".join([*map(cell, ours, design), fitted]) + " |"
