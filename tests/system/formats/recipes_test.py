#!/usr/bin/env python3
"""The recipes of cellsync-recipes(7): each makes a CSV of its sample, and the true offsets are inside the bounds.

Usage: recipes_test.py CELLSYNC MANUAL RECIPES     RECIPES is testdata/recipes

The commands are taken from the page.  Each CSV is synchronized with default options.  truth.txt, which make.py wrote
together with the samples, has the offset and the rate of each clock; at the first and the last record of each clock the
true difference to the reference must be inside the printed range, and the range must be narrow.  As a control, each clock
in turn loses its constraints, and then must have no range, and messages are reversed, and then must be refused or found
to contradict the clocks.
"""
import csv
import fractions
import io
import json
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile

CELLSYNC, MANUAL, RECIPES = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
US, MS = 10**3, 10**6
# The greatest width of a range, in ns.  A recipe that is not here has no truth, because it has one clock.
WIDEST = {"journal": 2 * MS, "ntp": 5 * MS, "chrony": 40 * MS, "offsets": 120 * MS, "loggers": 30 * MS, "guest": 30 * US,
          "ros": 6 * MS, "projections": 60 * US, "candump": 3 * MS}
LINES = 12
# A column that limits its row, and columns that go with it.
CONSTRAINTS = {"recv": [], "after": [], "same": ["within"], "other_clock": ["other_time", "within"]}


def sessions():
    """The commands of each recipe, by the name of the CSV that they write."""
    page = MANUAL.read_text(encoding="utf-8").split("\n.Sh LOGS OF ONE BUFFER\n")
    assert len(page) == 2, "the page has no section for logs of one buffer, which have no truth"
    for body in re.findall(r"^\.Bd -literal\n(\$ .*?)^\.Ed", page[0], re.MULTILINE | re.DOTALL):
        body = body.replace("\\-", "-").replace("\\e", "\\").replace("\\&", "")
        lines = [line[2:] for line in body.splitlines() if line.startswith(("$ ", "> "))]
        made = re.search(r">(\w+)\.csv$", "\n".join(lines), re.MULTILINE)
        program = [line for line in body.splitlines() if line.startswith("> ") and line != "> END"]
        yield made[1], "\n".join(line for line in lines if not line.startswith("cellsync ")), len(program)


def truths():
    with open(RECIPES / "truth.txt", encoding="ascii") as file:
        found = {}
        for row in csv.DictReader(file):
            recipe, name = row.pop("recipe"), row.pop("clock")
            found.setdefault(recipe, {})[name] = {key: int(value) for key, value in row.items()}
    return found


def difference(clock, reference, local):
    """How far the clock is ahead of the reference when it shows local, in ns."""
    shown = fractions.Fraction(local) - clock["start_ns"] - clock["offset_ns"]
    true = shown / (1 + fractions.Fraction(clock["ppb"], 10**9))
    return true * fractions.Fraction(clock["ppb"] - reference["ppb"], 10**9) + clock["offset_ns"] - reference["offset_ns"]


def solve(text, folder):
    """Exit status and report of a CSV, with default options."""
    (folder / "solved.csv").write_text(text, encoding="utf-8")
    done = subprocess.run([CELLSYNC, "-q", "solved.csv", "--report-format=json", "-r", "-"], cwd=folder, capture_output=True,
                          text=True, timeout=120)
    return done.returncode, json.loads(done.stdout) if done.returncode == 0 else None


def ranges(report):
    """Of each clock: its name, a reading, and the least and greatest difference to the reference, or None."""
    hz = report["timebase_hz"]
    for clock in report["drift"]["clocks"]:
        for end in ("first", "last"):
            at = clock[end]
            if at is None:
                yield clock["name"], None, None, None
            else:
                yield (clock["name"], fractions.Fraction(at["local_ticks"] * 10**9, hz), at["difference_least_ns"],
                       at["difference_greatest_ns"])


def faults(recipe, report, truth):
    """What is wrong with the ranges of a report."""
    names = set()
    for name, local, least, greatest in ranges(report):
        names.add(name)
        if least is None or greatest is None:
            yield f"{recipe}: {name} has no range"
        elif not least <= difference(truth[name], truth[report["reference"]], local) <= greatest:
            yield f"{recipe}: {name} is outside {least} to {greatest}"
        elif greatest - least > WIDEST[recipe]:
            yield f"{recipe}: {name} has a range of {greatest - least} ns"
    if names != set(truth):
        yield f"{recipe}: clocks are {sorted(names)}"
    if report["warnings"]:
        yield f"{recipe}: warnings {report['warnings']}"


def changed(text, change):
    """The CSV with each row changed."""
    head, body = [], []
    for line in text.splitlines():
        (head if line.startswith("#") else body).append(line)
    rows = csv.DictReader(body)
    out = io.StringIO()
    writer = csv.DictWriter(out, rows.fieldnames, lineterminator="\n")
    writer.writeheader()
    for row in rows:
        change(row)
        writer.writerow(row)
    return "\n".join(head) + "\n" + out.getvalue()


def controls(recipe, text, report, truth, folder):
    """What is wrong with results that must be worse."""
    for name in truth:
        def untie(row, name=name):
            for column, others in CONSTRAINTS.items():
                if row.get(column) and name in (row["thread"], row[column]):
                    row.update((each, "") for each in (column, *others) if each in row)
        if name != report["reference"]:
            status, worse = solve(changed(text, untie), folder)
            if status == 0 and not any(None in (least, greatest) for which, _, least, greatest in ranges(worse) if which == name):
                yield f"{recipe}: {name} has a range without its constraints"

    def reverse(row):
        row["send"], row["recv"] = row["recv"], row["send"]
    if "send" in text.split("\n")[1]:
        status, worse = solve(changed(text, reverse), folder)
        if status == 0 and not worse["warnings"]:
            yield f"{recipe}: reversed messages contradict nothing"


def samples():
    """Samples that make.py does not write today.  The bytes of a database depend on the version of SQLite."""
    def content(path):
        if path.suffix != ".db3":
            return path.read_bytes()
        base = sqlite3.connect(path)
        rows = [base.execute(f"select * from {table}").fetchall() for table in ("topics", "messages")]
        base.close()
        return rows

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([sys.executable, RECIPES / "make.py", folder], check=True)
        for path in sorted(folder.iterdir()):
            if content(path) != content(RECIPES / path.name):
                yield f"make.py does not write {path.name} as it is"


def main():
    wrong, seen, truth = list(samples()), set(), truths()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "testdata").mkdir()
        (folder / "testdata/recipes").symlink_to(RECIPES)
        for recipe, script, lines in sessions():
            seen.add(recipe)
            done = subprocess.run(["sh", "-ec", script], cwd=folder, capture_output=True, text=True, timeout=120)
            text = (folder / f"{recipe}.csv").read_text(encoding="utf-8")
            status, report = solve(text, folder)
            if done.returncode or done.stderr or status:
                wrong.append(f"{recipe}: exit status {done.returncode} and {status}: {done.stderr}")
                continue
            wrong += [*faults(recipe, report, truth[recipe]), *controls(recipe, text, report, truth[recipe], folder)]
            wrong += [f"{recipe}: {lines} lines"] if lines > LINES else []
    if not seen == set(WIDEST) == set(truth):
        wrong.append(f"recipes {sorted(seen)}, widths {sorted(WIDEST)}, truth {sorted(truth)}")
    print("\n".join(wrong))
    print(f"{len(seen)} recipes, {len(wrong)} faults")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
