#!/usr/bin/env python3
"""The HTML pages of cellstat say what its JSON says, are whole, bounded, the same each time and hold no markup of others.

Usage: stat_html_test.py CELLSTAT TESTDATA_FOLDER [--browser]

With --browser, headless Chromium must run the script of the page, which it does only if its hash is right, have nothing
to complain of, and show light paper or dark.  Without a Chromium it says so and exits with 77.
"""
import base64
import hashlib
import html.parser
import json
import math
import pathlib
import random
import re
import subprocess
import sys
import tempfile
from fractions import Fraction

from html_page import is_in_manual
from html_test import HOSTILE, browse, check_looks, chromium

TRACES = ["demo.pex", "samples/jitter.pex", "samples/stragglers.pex", "good/unbounded.pex"]
VERBS = {"summary": ["totals", "activity", "concurrency", "states"], "timeline": ["activity", "concurrency"], "concurrency": ["totals", "concurrency"], "states": ["states"],
         "concurrency --bins=3": ["totals", "concurrency"]}
BYTES_MAX = 4 << 20
VOID = {"meta", "br", "input", "rect", "line", "path"}


class Page(html.parser.HTMLParser):
    """Its elements, closed as they were opened; and its tables as rows of text."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.open, self.tables, self.links, self.styles, self.scripts, self.text = [], [], [], [], [], [], []
        self.feed(text)
        assert self.open == [], self.open
        assert len(self.ids) == len(set(self.ids)), sorted(self.ids)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        assert tag not in ("img", "link", "iframe", "object") and not any(name.startswith("on") for name in attributes), tag
        assert not any(attributes.get(name, "#").startswith(("http", "//")) for name in ("href", "src")), attributes
        self.ids += [attributes["id"]] if "id" in attributes else []
        self.links += [attributes["href"]] if tag == "a" else []
        assert tag != "h2" or "title" not in attributes or is_in_manual(attributes["title"]), attributes
        if tag == "table":
            self.tables.append([])
        if tag == "tr":
            self.tables[-1].append([])
        if tag in ("td", "th"):
            self.tables[-1][-1].append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag, tag

    def handle_data(self, data):
        if self.open and self.open[-1] == "script":
            self.scripts.append(data)
        elif "td" in self.open or "th" in self.open:
            self.tables[-1][-1][-1] += data
        self.text.append(data)


def run(cellstat, *arguments):
    return subprocess.run([cellstat, *map(str, arguments), "-q"], check=True, stdout=subprocess.PIPE).stdout


class Form:
    """How the numbers of a column are written: the greatest one with five digits if it is a time, else with four."""

    def __init__(self, column, values, hz):
        ends = [end for value in values if isinstance(value, dict)
                for end in (value[key] for key in (["estimate"] if value["kind"] in ("clock", "unknown") else ["estimate", "lo", "hi"]))]
        greatest = max((abs(number) for number in ends + [v for v in values if isinstance(v, int)] if number is not None), default=0)
        self.unit, self.per, self.decimals = "", None, 0
        if column.endswith("_ppm"):
            self.per, digits, finest = Fraction(1, 10**6), 4, 99
        elif column.endswith("ticks") and hz:
            second = Fraction(1, hz * (10**6 if column.endswith("_microticks") else 1))
            fits = [(unit, 10**k) for unit, k in (("s", 0), ("ms", 3), ("\u00b5s", 6), ("ns", 9)) if greatest * second * 10**k >= Fraction(1, 2)]
            self.unit, scale = fits[0] if fits else ("ns", 10**9)
            self.per, digits = second * scale, 5
            finest = 99 if column.endswith("_microticks") else len([k for k in range(20) if 10**k * scale < hz])
        else:
            self.unit = "ticks" if column.endswith("ticks") else ""
            return
        whole = math.floor(greatest * self.per + Fraction(1, 2))
        self.decimals = min(finest, max(0, digits - len(str(whole).strip("0") and str(whole))))

    def number(self, number, how=lambda value: math.floor(value + Fraction(1, 2))):
        if self.per is None:
            return str(number)
        units = how(number * self.per * 10**self.decimals)
        text = f"{abs(units) // 10**self.decimals}"
        return "-" * (units < 0) + (f"{text}.{abs(units) % 10**self.decimals:0{self.decimals}}" if self.decimals else text)


def shown(value, form):
    """A value of JSON as a cell has it; ends of ranges are rounded outward."""
    def number(ticks, infinite, *how):
        return infinite if ticks is None else form.number(ticks, *how)
    if value is None:
        return "\u2013"
    if not isinstance(value, dict):
        return value[:64] + "\u2026" * (len(value) > 64) if isinstance(value, str) else number(value, "")
    estimate = number(value["estimate"], "\u221e")
    if value["kind"] == "clock":
        return estimate
    if value["kind"] == "unknown":
        return estimate + " ?"
    ends = number(value["lo"], "\u2212\u221e", math.floor), number(value["hi"], "\u221e", math.ceil)
    return estimate + (" =" if value["lo"] == value["hi"] else f" [{ends[0]}, {ends[1]}]")


def check_tables(page, report):
    """Every table has the figures of a sheet; columns of zeros may be left out."""
    sheets = {name: rows for name, rows in report["sheets"].items() if name not in ("timeline", "activity", "missing")}
    tables = [[[cell.replace("\u202f", "") for cell in row] for row in table] for table in page.tables]
    cells = 0
    hz = 0 if report["timebase_assumed"] else report["timebase_hz"]
    for rows in sheets.values():
        forms = {name: Form(name, [row[name] for row in rows], hz) for name in rows[0]}
        wanted = [{re.sub("_(micro)?ticks$|_ppm$", "", name).replace("_", " ") + f", {forms[name].unit}" * bool(forms[name].unit):
                   shown(value, forms[name]) for name, value in row.items()} for row in rows]
        found = next(table for table in tables if table[0] == [name for name in wanted[0] if name in table[0]]
                     and len(table) == len(wanted) + 1)
        for row, want in zip(found[1:], wanted):
            heads = found[0]
            plain = [i for i, head in enumerate(heads) if re.fullmatch(r"[^\\\x00-\x1f\x7f-\U0010ffff]{0,60}|[0-9. \[\],=?\u2013\u2212\u221e-]*", want[head])]
            assert [row[i] for i in plain] == [want[heads[i]] for i in plain], (row, want)
            assert all(re.fullmatch(r"0(\.0+)?( =)?|\u2013", want[head]) for head in want if head not in heads), want
            cells += len(row)
    return cells


def check_page(cellstat, verb, trace, path):
    run(cellstat, *verb.split(), trace, "-o", path)
    data = path.read_bytes()
    assert len(data) <= BYTES_MAX, len(data)
    assert data == run(cellstat, *verb.split(), trace, "--format=html", "--threads=1"), "another page the second time"
    page = Page(data.decode())
    for part in ["head", "rules", *VERBS[verb]]:
        assert part in page.ids, (part, page.ids)
    assert all(link[0] == "#" and link[1:] in page.ids for link in page.links), page.links
    script, = page.scripts
    digest = "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src '{digest}'" in data.decode(), f"the script's hash is {digest}"
    report = json.loads(run(cellstat, *verb.split(), trace, "--format=json", *(["--bins=3"] if verb in ("timeline", "summary") else [])))
    said = "".join(page.text)
    for condition in report["conditions"] + [row["reason"] for row in report["sheets"].get("missing", [])]:
        assert condition in said, condition
    return check_tables(page, report)


def hostile_csv(path):
    rows = ["thread,time"]
    for i, name in enumerate(HOSTILE):
        quoted = '"' + name.replace('"', '""') + '"'
        rows += [f"ppe,{100 * i}", f"{quoted},{100 * i + 7}", f"{quoted},{100 * i + 57}"]
    path.write_bytes("\n".join([*rows, "ppe,9999", ""]).encode("utf-8", "surrogateescape"))


def check_size(cellstat, folder):
    """Of many wide rows as many are shown as a page has room for, and it says how many are not."""
    rows, threads, draw = ["thread,clock,time,event,state"], 240, random.Random(18)
    for i in range(1500):
        rows += [f"{'&' * 30}{i % threads},one,{50 * i},go,{draw.choice(['user', 'idle', 'blocked'])}"]
    rows += [f"{'&' * 30}{i},one,99999,stop," for i in range(threads)]
    (folder / "wide.csv").write_text("\n".join([*rows, ""]))
    data = run(cellstat, "states", "--joint", folder / "wide.csv", "--format=html")
    report = json.loads(run(cellstat, "states", "--joint", folder / "wide.csv", "--format=json"))
    assert 2 << 20 < len(data) <= BYTES_MAX, len(data)
    page = Page(data.decode())
    table = next(table for table in page.tables if len(table[0]) > threads)
    left, = re.findall("([0-9]+) further rows are in", "".join(page.text))
    assert len(table) - 1 + int(left) == len(report["sheets"]["joint"]), (len(table), left)
    assert 100 < len(table) < 500, len(table)


def check_busy(cellstat, folder):
    """The page of a program that is idle at first begins with the busy part, and only such a page."""
    for idle, parts in [(9000, ["busy", "1"]), (100, ["1"])]:
        rows = ["thread,clock,time,event,state"]
        for thread in "ab":
            rows += [f"{thread},one,0,go,idle", f"{thread},one,{idle},go,user", f"{thread},one,10000,stop,"]
        (folder / "busy.csv").write_text("\n".join([*rows, ""]))
        page = Page(run(cellstat, "timeline", folder / "busy.csv", "--format=html").decode())
        drawings = [name for name in page.ids if name.startswith("activity-") and name.endswith("-1") and name[9] in "b1"]
        assert drawings == [f"activity-{part}-1" for part in parts], page.ids


def check_browser(browser, folder, pages):
    for page in pages:
        done = browse(browser, folder, page, "--dump-dom")
        said = [line for line in done.stderr.decode(errors="replace").splitlines() if "CONSOLE" in line]
        assert not said, said
        assert b'<html lang="en" class="scripted">' in done.stdout, "the script did not run"
        if b"<table" in done.stdout:
            assert b'title="Sort by this column"' in done.stdout, "no table can be sorted"
    faults = list(check_looks(browser, folder, pages[0]))
    assert not faults, faults


def main():
    cellstat, testdata = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    browser = chromium() if "--browser" in sys.argv else None
    if "--browser" in sys.argv and not browser:
        print("skipped: there is no Chromium here")
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder, cells, pages = pathlib.Path(name), 0, []
        hostile_csv(folder / "hostile.csv")
        traces = [testdata / trace for trace in (TRACES[:1] if browser else TRACES)] + [folder / "hostile.csv"]
        for trace in traces:
            for verb in VERBS:
                pages.append(folder / f"page{len(pages)}.html")
                cells += check_page(cellstat, verb, trace, pages[-1])
        if not browser:
            check_size(cellstat, folder)
            check_busy(cellstat, folder)
        if browser:
            check_browser(browser, folder, pages)
        print(f"{len(pages)} pages, {cells} cells")
    return 0


sys.exit(main())
