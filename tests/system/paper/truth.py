"""What pdtsim says is true, and whether a report contradicts it."""
import bisect
import csv
import fractions
import json
import subprocess


def rows_of(lines):
    """As csv.DictReader, in a third of the time: all rows are as long as the first."""
    reader = csv.reader(lines)
    names = next(reader)
    return (dict(zip(names, row, strict=True)) for row in reader)


class Course:
    """A clock's true time, from its rows of the truth."""

    def __init__(self, rows):
        self.knots = [(int(row["local_ticks"]), fractions.Fraction(row["offset_ticks"]), int(row["rate_ppb"]))
                      for row in rows]
        self.starts = [knot[0] for knot in self.knots]

    def at(self, local):
        """When it begins to show that."""
        start, offset, rate = self.knots[max(bisect.bisect_right(self.starts, local) - 1, 0)]
        return local + offset + fractions.Fraction((local - start) * rate, 10**9)

    def joined(self):
        """Whether each knot is where the one before leads."""
        return all(Course.at(self, b[0]) == b[0] + a[1] + fractions.Fraction((b[0] - a[0]) * a[2], 10**9)
                   for a, b in zip(self.knots, self.knots[1:]))


class Truth:
    """What pdtsim says: facts of its head, and the courses of clocks."""

    def __init__(self, path):
        lines = path.read_text().splitlines()
        self.facts = dict(line[2:].split("=") for line in lines if line.startswith("# "))
        rows = {}
        for row in csv.DictReader(line for line in lines if not line.startswith("#")):
            rows.setdefault(row["thread"], []).append({"local_ticks": "0", "rate_ppb": "0"} | row)
        self.clocks = {name: Course(found) for name, found in rows.items()}
        self.clocks.setdefault("ppe", Course([{"local_ticks": "0", "offset_ticks": "0", "rate_ppb": "0"}]))

    def offset(self, name):
        """Of a clock that does not drift, by the clock that keeps true time."""
        return self.clocks[name].knots[0][1]


def simulate(pdtsim, folder, options, suffix):
    trace, truth = folder / f"t.{suffix}", folder / "t.truth"
    subprocess.run([pdtsim, *options, "-o", trace, f"--truth={truth}"], check=True, timeout=60)
    return trace, Truth(truth)


def solve(cellsync, trace, options):
    """The report, with the knots of clocks if they drift; None where the trace is infeasible."""
    report, knots = trace.with_name("report.json"), trace.with_name("knots.csv")
    drifts = any(option.startswith("--drift") for option in options)
    more = [f"--clocks={knots}"] if drifts else ["--pairs=all"]
    done = subprocess.run([cellsync, "-q", *options, *more, trace, "-r", report], capture_output=True, text=True)
    if done.returncode not in (0, 3):
        raise AssertionError(f"exit status {done.returncode}: {done.stderr}")
    if done.returncode:
        return None
    found = json.loads(report.read_text())
    if drifts:
        found["knots"] = list(csv.DictReader(line for line in knots.read_text().splitlines() if not line.startswith("#")))
    return found


def within(least, value, greatest):
    return (least is None or least <= value) and (greatest is None or value <= greatest)


def end(text):
    return fractions.Fraction(text) if text else None


def outside(found, truth):
    """What of the report the truth contradicts."""
    reference = next(t for t in found["threads"] if t["name"] == found["reference"])
    zero = reference["earliest_ticks"] - truth.offset(found["reference"])
    for knot in found.get("knots", []):
        if not within(end(knot["earliest"]), truth.clocks[knot["thread"]].at(int(knot["local"])) + zero,
                      end(knot["latest"])):
            yield f"{knot['thread']} at {knot['local']}"
    for clock in (found.get("drift") or {}).get("clocks", []):
        course = truth.clocks[clock["name"]]
        if not all(clock["least_ppb"] <= rate <= clock["greatest_ppb"] for _, _, rate in course.knots):
            yield f"rate of {clock['name']}"
    if "knots" in found:
        return
    for t in found["threads"]:
        if not within(t["earliest_ticks"], truth.offset(t["name"]) + zero, t["latest_ticks"]):
            yield t["name"]
    for p in found["pairs"]:
        if not within(p["lower_ticks"], truth.offset(p["s"]) - truth.offset(p["t"]), p["upper_ticks"]):
            yield f"{p['s']},{p['t']}"
