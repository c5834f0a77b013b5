#!/usr/bin/env python3
"""What cellstat writes says the same in TeX as in JSON, and LaTeX takes it.

Usage: sheets_test.py CELLSTAT TESTDATA_FOLDER [--latex]

Ends of ranges may be rounded, but only outward.  With --latex, the tables are set by pdflatex, which must have
nothing to complain of.  Without a pdflatex it says so and exits with 77.
"""
import fractions
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TRACES = ["demo.pex", "samples/jitter.pex", "samples/stragglers.pex", "good/unbounded.pex"]
VERBS = ["concurrency", "states", "summary --bins=3"]
HOSTILE = "we#ird %$&_{}~^\\--<<>>,,?`!`'\"|x"
DOCUMENT = """\\documentclass%s{article}
\\usepackage{booktabs}
\\usepackage{graphicx}
\\begin{document}
%s
\\end{document}
"""
INFINITE = fractions.Fraction(2**63)


def run(cellstat, *arguments):
    return subprocess.run([cellstat, *map(str, arguments), "-q"], check=True, stdout=subprocess.PIPE).stdout.decode()


def number(text):
    return INFINITE if text == "\\infty" else -INFINITE if text == "-\\infty" else fractions.Fraction(text)


def check_cell(cell, value, ppm):
    """A cell of TeX against a value of JSON."""
    unit = fractions.Fraction(1, 10**6) if ppm else 1
    if value is None:
        assert cell == "--", (cell, value)
    elif isinstance(value, str):
        assert cell.startswith("\\texttt{"), (cell, value)
    elif isinstance(value, int):
        assert cell == (f"${value // 10**6}.{value % 10**6:06}$" if ppm else f"${value}$"), (cell, value)
    else:
        found = re.fullmatch(r"\$(.*?)(\\,\?|\^\{\+(.*)\}_\{-(.*)\})?\$", cell)
        shown, mark, above, below = found.groups()
        if value["estimate"] is None:
            return
        assert abs(number(shown) - value["estimate"] * unit) <= (fractions.Fraction(1, 20000) if ppm else 0), (cell, value)
        if value["kind"] == "clock":
            assert not mark, (cell, value)
        elif value["kind"] == "unknown":
            assert mark == "\\,?", (cell, value)
        else:
            lo, hi = (INFINITE if value[end] is None else value[end] * unit for end in ("lo", "hi"))
            assert (above == "\\infty") == (value["hi"] is None) and (below == "\\infty") == (value["lo"] is None), cell
            slack = fractions.Fraction(1, 10000) if ppm else 0
            if value["hi"] is not None:
                assert hi <= number(shown) + number(above) <= hi + slack, (cell, value)
            if value["lo"] is not None:
                assert lo - slack <= number(shown) - number(below) <= lo, (cell, value)


def check_tex(tex, report):
    assert tex.isascii()
    bodies = re.findall(r"\\midrule\n(.*?)\\bottomrule", tex, re.S)
    assert len(bodies) == len(report["sheets"])
    cells = 0
    for body, rows in zip(bodies, report["sheets"].values()):
        lines = body.splitlines()
        assert len(lines) == len(rows)
        for line, row in zip(lines, rows):
            fields = re.split(r" (?<!\\)& ", re.fullmatch(r"(.*) \\\\", line)[1])
            assert len(fields) == len(row), (fields, row)
            for field, (name, value) in zip(fields, row.items()):
                check_cell(field, value, name.endswith(("_ppm", "_microticks")))
                cells += 1
    plain = re.sub(r"\\([#%&_])", r"\1", re.sub(r"\\texttt\{\\char(\d+)\}", lambda found: chr(int(found[1])), tex)).replace("{}", "")
    for condition in report["conditions"]:
        assert condition in plain, (condition, tex)
    return cells


def check_timeline(sheets):
    """Parts of the time sum to what the other sheets say of all of it; what is certain and what is possible is on either side."""
    total, = sheets["total"]
    active, parts = total["active_ticks"]["estimate"], {"estimate": 0, "lo": 0, "hi": 0}
    for row in sheets["timeline"]:
        for end in parts:
            if row["concurrency_ppm"][end] is not None:
                parts[end] += fractions.Fraction(row["concurrency_ppm"][end] * (row["end_ticks"] - row["begin_ticks"]), 10**6)
    rounded = 1 + fractions.Fraction(total["span_ticks"]["estimate"], 10**6)
    assert abs(parts["estimate"] - active) <= rounded, (parts, active)
    assert parts["lo"] <= active + rounded, (parts, active)
    assert parts["hi"] >= active - rounded or row["concurrency_ppm"]["kind"] == "unknown", (parts, active)
    did = {}
    for row in sheets["activity"]:
        for what in "active", "ready", "waiting":
            did[row["name"], what] = did.get((row["name"], what), 0) + row[f"{what}_ticks"]["estimate"]
    states = {"active": ["user", "system", "overhead"], "ready": ["ready", "switch"], "waiting": ["blocked", "idle"]}
    for row in sheets["states"]:
        for what, names in states.items():
            if row["what"] == "actor":
                want = sum(row[f"{name}_ticks"]["estimate"] for name in names)
                assert did.get((row["name"], what), 0) == want, (row, what, did)


def set_by(latex, folder, options, tables):
    source = DOCUMENT % (options, "\n".join(f"\\input{{{table}}}" for table in tables))
    (folder / "d.tex").write_text(source)
    done = subprocess.run([latex, "-interaction=nonstopmode", "-halt-on-error", "d.tex"], cwd=folder,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    log = (folder / "d.log").read_text("latin-1")
    assert done.returncode == 0 and not re.search("^!|Overfull|Missing character|Undefined", log, re.M), log


def main():
    cellstat, testdata = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    latex = shutil.which("pdflatex")
    if "--latex" in sys.argv and not latex:
        print("skipped: there is no pdflatex here")
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder, tables, cells = pathlib.Path(name), [], 0
        hostile = folder / f"{HOSTILE}.csv"
        hostile.write_text('thread,time\n"a_%$&{}~^\\--<<",1\n"b#\x1b",5\n"a_%$&{}~^\\--<<",9\n')
        for trace in [*(testdata / trace for trace in TRACES), hostile]:
            for verb in VERBS:
                tables.append(f"t{len(tables)}.tex")
                run(cellstat, *verb.split(), trace, "-o", folder / tables[-1])
                report = json.loads(run(cellstat, *verb.split(), trace, "--format=json"))
                cells += check_tex((folder / tables[-1]).read_text(), report)
                if "activity" in report["sheets"]:
                    check_timeline(report["sheets"])
        if "--latex" in sys.argv:
            set_by(latex, folder, "", tables)
            set_by(latex, folder, "[twocolumn]", tables)
        print(f"{len(tables)} tables, {cells} cells")
    return 0


sys.exit(main())
