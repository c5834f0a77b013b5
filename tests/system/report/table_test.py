#!/usr/bin/env python3
"""Tables of several traces say what the reports of each say, in every format, and LaTeX takes them.

Usage: table_test.py CELLSYNC TESTDATA_FOLDER [--latex]

With --latex, the table is set by pdflatex, which must have nothing to complain of, and read back from the PDF
where pdftotext is installed.  Without a pdflatex it says so and exits with 77.
"""
import copy
import csv
import fractions
import io
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import people

SAMPLES = ["demo.pex", "samples/jitter.pex", "samples/stragglers.pex", "samples/one-sided.csv", "samples/paper.csv",
           "good/unbounded.pex", "good/split.pex"]
HOSTILE = "we#ird %$&_{}~^\\--<<>>,,?`!`'\"|x\n\x1b\u00e9"
DOCUMENT = """\\documentclass{article}
\\usepackage[margin=5mm,landscape]{geometry}
\\usepackage{booktabs}
\\begin{document}
\\noindent\\input{t.tex}
\\end{document}
"""
COLUMNS = """\\documentclass[twocolumn]{article}
\\usepackage{booktabs}
\\begin{document}
\\begin{table}\\input{t.tex}\\end{table}
\\begin{table}\\input{us.tex}\\end{table}
\\end{document}
"""


def run(cellsync, *arguments):
    return subprocess.run([cellsync, "-q", *map(str, arguments)], check=True, stdout=subprocess.PIPE).stdout.decode()


def mean(errors, digits):
    """Rounded half up; None without any."""
    if not errors:
        return None
    units = (fractions.Fraction(sum(errors)) / len(errors) * 10**digits + fractions.Fraction(1, 2)).__floor__()
    return f"{units // 10**digits}.{units % 10**digits:0{digits}}"


class Facts:
    """The figures of one trace, computed from its pairs."""

    def __init__(self, cellsync, path):
        self.path = path
        self.report = json.loads(run(cellsync, path, "--report-format=json", "--pairs=all"))
        kinds = {thread["name"]: thread["kind"] for thread in self.report["threads"]}
        known = [("ppe" not in (kinds[p["s"]], kinds[p["t"]]), p["event_error_ticks"]) for p in self.report["pairs"]
                 if p["event_error_ticks"] is not None]
        self.partial = len(known) < len(self.report["pairs"])
        self.all, self.spes = [e for _, e in known], [e for spes, e in known if spes]
        self.mixed = [e for spes, e in known if not spes]
        self.threads, self.records = len(kinds), self.report["records"]
        self.delta = self.report["delta"]["ticks"]
        self.marks = "*" * self.partial + "+" * self.report["conditional"] + "?" * (self.report["unwrapping"]["assumed"] > 0) \
            + "-" * (len(self.report["dropped"]) > 0) + "!" * self.report["order"]["doubted"]
        text = run(cellsync, path)
        self.marks += "/" * ("run at the same rate" in text) + "=" * ("tick at the same instants" in text) + "@" * ("the receive of every message" in text)
        self.delta_text = people.time_text(self.delta, self.report["timebase_hz"])

    def wider(self, ticks):
        """The same with each error this much greater."""
        other = copy.copy(self)
        other.all, other.spes, other.mixed = ([e + ticks for e in errors] for errors in (self.all, self.spes, self.mixed))
        return other

    def figures(self, digits, none):
        maxima = [str(max(errors)) if errors else none for errors in (self.all, self.spes)]
        return maxima + [mean(errors, digits) or none for errors in (self.mixed, self.spes)]


def shown(text):
    """As messages show bytes."""
    return "".join(chr(b) if 0x20 <= b < 0x7f and b != 0x5c else f"\\x{b:02x}" for b in text.encode())


def untex(text):
    """What a name was before it was escaped."""
    text = re.sub(r"\\char(\d+)\{\}", lambda match: f"\0{match[1]}\0", text).replace("{}", "")
    text = re.sub(r"\\([#%&_])", r"\1", text)
    assert not re.search(r"[\\{}]", text), text
    return re.sub("\0(\\d+)\0", lambda match: chr(int(match[1])), text)


def check_tex(tex, facts):
    lines = tex.split("\n")
    rows = lines[lines.index("\\midrule") + 1:lines.index("\\bottomrule")]
    assert len(rows) == 2 * len(facts), rows
    for comment, row, fact in zip(rows[::2], rows[1::2], facts):
        fields = re.fullmatch(r"(.*) \\\\", row)[1]
        name, *numbers = re.split(r" (?<!\\)& ", fields)
        found = re.fullmatch(r"\\texttt\{(.*?)\}((?:\\textsuperscript\{[*+?!/=-]\})*)", name)
        assert untex(found[1]) == shown(fact.path.stem), (row, fact.path)
        assert "".join(re.findall(r"\{(.)\}", found[2])) == fact.marks, row
        assert not re.search(r"--|<<|>>|,,|\?`|!`", found[1]), row
        want = [str(fact.threads), str(fact.records), fact.delta_text, *fact.figures(1, "--")]
        assert numbers == want, (row, want)
        assert comment == f"% {shown(str(fact.path))}, {fact.report['timebase_hz']} Hz", row
    assert all(line.isascii() and line.isprintable() for line in lines)


def check_csv(text, facts):
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [row["trace"] for row in rows] == ["".join(c if c >= " " else f"\\x{ord(c):02x}" for c in str(fact.path)) for fact in facts]
    for row, fact in zip(rows, facts):
        report, summary = fact.report, fact.report["summary"]
        want = {"timebase_hz": report["timebase_hz"], "records": fact.records, "threads": fact.threads,
                "relax": report["delta"]["mode"], "delta_ticks": fact.delta, "pairs": len(report["pairs"]),
                "bounded": len(fact.all), "inversions": report["delta"]["inversions"],
                "largest_inversion_ticks": report["delta"]["largest_inversion_ticks"]}
        assert {key: row[key] for key in want} == {key: str(value) for key, value in want.items()}, row
        keys = ["max_error_ticks", "max_error_spe_ticks", "mean_error_ppe_ticks", "mean_error_spe_ticks"]
        twice = fractions.Fraction(fact.delta) * 2
        added = -(-twice.numerator // twice.denominator)
        assert [row[key] for key in keys] == fact.wider(-2 * added).figures(6, ""), row
        assert row["added_ticks"] == str(added), row
        for group in "live", "successive":
            for what in "error", "event_error":
                found, told = row[f"mean_{what}_{group}_ticks"], summary[group][f"mean_{what}_ticks"]
                assert (float(found) if found else None) == told, row
        events = [key.replace("error", "event_error") for key in keys]
        assert [row[key] for key in events] == fact.figures(6, ""), row
        assert row["conditional"] == str(fact.delta != "0" and row["relax"] != "given").lower(), row
        assert row["assumed"] == str(report["unwrapping"]["assumed"]), row
        assert row["dropped"] == str(len(report["dropped"])), row
        assert row["order_doubted"] == str(report["order"]["doubted"]).lower(), row
        for key, words in ("one_rate", "run at the same rate"), ("one_step", "tick at the same instants"), ("both_ends", "the receive of every message"):
            assert row[key] == str(any(words in said for said in report["conditions"])).lower(), row


def check_text(text, facts):
    head, *rows = text.rstrip("\n").split("\n")
    # Some of the traces have no PPE.
    assert head.split() == "trace threads records delta max error max no PPE mean PPE mean no PPE".split()
    for row, fact in zip(rows, facts):
        name, *numbers = re.fullmatch(r"(.*?) +(\d+) +(\d+) +([\d.]+ \w+)" + 4 * r" +(\S+)", row).groups()
        assert name == f"{shown(str(fact.path))} {fact.marks}".strip(), row
        assert numbers == [str(fact.threads), str(fact.records), fact.delta_text, *fact.figures(6, "-")], row
    assert rows[len(facts)].startswith("event errors in ticks" if any(fact.delta != "0" for fact in facts) else "error bounds"), rows


def check_microseconds(text, facts):
    """The text table in microseconds: three decimals, or six for means."""
    _, *rows = text.split("\n")
    for row, fact in zip(rows, facts):
        hz = fact.report["timebase_hz"]
        found = row.split()[-4:]
        maxima = [mean([max(errors) * fractions.Fraction(10**6, hz)], 3) if errors else "-"
                  for errors in (fact.all, fact.spes)]
        means = [mean([e * fractions.Fraction(10**6, hz) for e in errors], 6) if errors else "-"
                 for errors in (fact.mixed, fact.spes)]
        assert found == maxima + means, (row, maxima, means)
    assert rows[len(facts)].endswith(" in microseconds"), rows


def set_by(latex, folder, document):
    (folder / "d.tex").write_text(document)
    done = subprocess.run([latex, "-interaction=nonstopmode", "-halt-on-error", "d.tex"], cwd=folder,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    log = (folder / "d.log").read_text("latin-1")
    assert done.returncode == 0 and not re.search("^!|Overfull|Missing character|Undefined", log, re.M), log


def check_latex(latex, folder, facts):
    set_by(latex, folder, DOCUMENT)
    if not shutil.which("pdftotext"):
        return print("no pdftotext: the PDF is not read back")
    text = subprocess.run(["pdftotext", "-layout", "d.pdf", "-"], cwd=folder, check=True,
                          stdout=subprocess.PIPE).stdout.decode()
    for fact in facts:
        if fact.path.stem != HOSTILE:
            figures = [re.escape(figure) for figure in fact.figures(1, "\u2013")]
            want = r"\s+".join([re.escape(fact.path.stem) + r"[*+?!-]*", str(fact.threads), str(fact.records), re.escape(fact.delta_text), *figures])
            assert re.search(want, text), (want, text)


DRIFT_COLUMNS = {"max_record_error_ticks": "max_error_ticks", "mean_record_error_ticks": "mean_error_ticks",
                 "mean_record_event_error_ticks": "mean_event_error_ticks"}


def check_drift(cellsync, paths):
    """Tables of clocks that drift against their JSON reports: the error of any two events rounded up, no other over pairs."""
    option = "--drift=101"
    reports = [json.loads(run(cellsync, "-q", option, "-r", "-", "--report-format=json", path), parse_float=str) for path in paths]
    rows = list(csv.DictReader(io.StringIO(run(cellsync, "-q", option, *paths, "--report-format=csv"), newline="")))
    lines = run(cellsync, "-q", option, *paths).split("\n")[1:]
    for row, line, report in zip(rows, lines, reports):
        drift = report["drift"]
        bounded = drift["max_error_ticks"] is not None
        filled = {key for key in row if "error" in key and row[key]}
        assert filled == ({*DRIFT_COLUMNS, "max_event_error_ticks"} if bounded else set()), row
        assert {key: row[key] for key in DRIFT_COLUMNS} == {key: drift[name] or "" for key, name in DRIFT_COLUMNS.items()}, row
        assert (row["drift_ppb"], row["wander_ppb"]) == ("101000", ""), row
        clocks = len(drift["clocks"])
        assert row["pairs"] == str(clocks * (clocks - 1) // 2), row
        if drift["unbounded"] == 0:
            assert row["bounded"] == row["pairs"], row
        most = math.ceil(fractions.Fraction(drift["max_event_error_ticks"])) if bounded else None
        assert row["max_event_error_ticks"] == (str(most) if bounded else ""), row
        found = re.search(r"[\d.]+ [a-z]+ +(\S+) .*?(\S+)$", line)
        shown_mean = mean([fractions.Fraction(drift["mean_event_error_ticks"])], 6) if bounded else "-"
        assert "~" in line and (found[1], found[2]) == (str(most) if bounded else "-", shown_mean), (line, most, shown_mean)


def main():
    cellsync, testdata = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    latex = shutil.which("pdflatex")
    if "--latex" in sys.argv and not latex:
        print("skipped: there is no pdflatex here")
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        hostile = folder / f"{HOSTILE}.csv"
        shutil.copy(testdata / "samples/paper.csv", hostile)
        facts = [Facts(cellsync, path) for path in [*(testdata / sample for sample in SAMPLES), hostile]]
        paths = [fact.path for fact in facts]
        run(cellsync, *paths, "-r", folder / "t.tex")
        tex = (folder / "t.tex").read_text()
        check_tex(tex, facts)
        if "--latex" in sys.argv:
            check_latex(latex, folder, facts)
            run(cellsync, *paths[:-1], "-r", folder / "t.tex")
            run(cellsync, *paths[:-1], "--unit=us", "-r", folder / "us.tex")
            set_by(latex, folder, COLUMNS)
            return print("LaTeX takes the table")
        check_csv(run(cellsync, *paths, "--report-format=csv"), facts)
        check_text(run(cellsync, *paths), facts)
        check_microseconds(run(cellsync, "--unit=us", *paths), facts)
        check_csv(run(cellsync, "--table", "--report-format=csv", paths[1]), facts[1:2])
        check_tex(run(cellsync, "--report-format=tex", paths[1]), facts[1:2])
        check_drift(cellsync, [fact.path for fact in facts if fact.path.suffix == ".csv"] + [testdata / "sockets.csv"])
        print(f"{len(facts)} traces: the tables are right")
    return 0


sys.exit(main())
