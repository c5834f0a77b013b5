#!/usr/bin/env python3
"""Every format of cellsync and cellstat contains every warning and every condition.

Usage: caveats_test.py CELLSYNC CELLSTAT TESTDATA_FOLDER [--added]

With --added, the programs were built with one more warning and one more condition in the list of lib/output/encode/caveats.c.
No other file knows of them, and all formats must have them.
"""
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ADDED = ['a test adds 100 % of <this> & "that"', "a test is right"]
OWN_MARK = {"delta", "assumed", "dropped", "order", "unbounded"}        # keys that tables show as a mark
OTHER_WORDS = {"assumed"}                                     # standard error has them in other words
CSVS = {"unread.csv": "thread,time_us,send,recv\nA,10,m,\nB,5000,,m\nB,5100,n,\nA,300,,n\n",
        "channels.csv": "# order=partial\nthread,time,send,recv\nA,10,c,\nA,20,c,\nB,15,,c\nA,30,m,\nB,35,,m\nB,36,n,\n"
                        "A,42,,n\nA,50,k,\nB,52,,k\nA,54,k,\nB,57,,k\n",
        "stated.csv": "# order=partial\n# timebase_hz=1000000000\nthread,time,send,recv,latency_max\nA,0,m,,\nB,1000,,m,\nB,1100,n,,\nA,500,,n,900\n",
        "sorted.csv": "thread,time\n" + "".join(f"{'AB'[i // 20]},{100 * i + i * i}\n" for i in range(40))}
CASES = {"stated.csv --latency=1": "", "stated.csv --latency=1 --drift=100": "",
         "jitter.pex --drop=2": "delta dropped", "jitter.pex": "delta", "one-sided.csv": "unbounded",
         "warnings.pex": "delta assumed unbounded", "unread.csv": "coarse unread", "unread.csv --drift=100": "coarse unread",
         "channels.csv": "channels", "channels.csv --drift=100": "channels", "sorted.csv": "order unbounded"}


def plain_tex(text):
    """A text that was set by LaTeX, or not, without what LaTeX needs."""
    text = re.sub(r"\\texttt\{\\char(\d+)\}", lambda match: chr(int(match[1])), text)
    return re.sub(r"[\\{}~\s]", "", text)


def plain_markdown(text):
    """A text without the backslashes that keep characters from having a meaning in Markdown."""
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", text)


def run(program, *arguments):
    done = subprocess.run([program, *arguments], capture_output=True, check=True)
    return done.stdout.decode("utf-8", "replace"), done.stderr.decode()


def read(name):
    """A file, or all files of a folder."""
    path = pathlib.Path(name)
    files = [path] if path.is_file() else sorted(path.iterdir())
    return "\n".join(file.read_bytes().decode("utf-8", "replace") for file in files)


def lacking(found, texts):
    """Complaints; found: what each format has."""
    wanted = list(texts)
    return [f"{name} lacks: {text}" for name, have in found.items() for text in wanted if text not in have]


def check_cellsync(cellsync, arguments, wanted):
    """Complaints, and the JSON report."""
    drift = any(option.startswith("--drift") for option in arguments)

    def printed(*more):
        return run(cellsync, "-q", *arguments, *more)[0]

    report = json.loads(printed("--report-format=json"))
    warnings, conditions = report["warnings"], report["conditions"]
    for option in "--output=t.json", "--output=t.pftrace", "--output=t.csv", "--clocks=c.csv", "--figures=figures", "--output=ctf --to=ctf":
        printed(*option.split())
    events, ctf = json.loads(read("t.json"))["otherData"], read("ctf/metadata").replace("\\", "")
    keys = re.findall(r"(\w+)_warning = ", ctf)
    complaints = [] if keys == wanted else [f"keys {keys}, wanted {wanted}"]
    if events["warnings"] != warnings or events["conditions"] != conditions:
        complaints.append(f"trace events: {events}")
    found = {"text": printed(), "HTML": html.unescape(printed("--report-format=html")), "Perfetto": read("t.pftrace"), "CTF": ctf,
             "figures": html.unescape(read("figures"))}
    if not drift and report["order"]:
        found["graph"] = printed("--graph=-").replace("\\", "")
    complaints += lacking(found, warnings + conditions)
    complaints += lacking({name: read(name) for name in ("t.csv", "c.csv")}, [f"# cellsync-warning: {text}\n" for text in warnings])
    warned = run(cellsync, *arguments)[1]
    complaints += lacking({"standard error": warned}, [text for key, text in zip(keys, warnings) if key not in OTHER_WORDS])
    if drift:
        return complaints, report
    notes = [text for key, text in zip(keys, warnings) if key not in OWN_MARK] + [text for text in conditions if text in ADDED]
    complaints += lacking({"table": printed("--table")}, notes)
    complaints += lacking({"TeX": plain_tex(printed("--report-format=tex"))}, map(plain_tex, notes))
    complaints += lacking({"Markdown": plain_markdown(printed("--report-format=md"))}, notes)
    for option in "--pairs=all", "--table":
        row = printed("--report-format=csv", option).splitlines()[1].split(",")
        if row[-2].split() != keys or len(row[-1].split()) != len(conditions) or "added" in keys and "added" not in row[-1].split():
            complaints.append(f"CSV {option}: {row[-2:]}")
    return complaints, report


def check_cellstat(cellstat, arguments, report):
    """Complaints."""
    def printed(*more):
        return run(cellstat, "-q", "timeline", *arguments, *more)[0]

    found = json.loads(printed("--format=json"))
    texts = found["conditions"]
    complaints = lacking({"cellstat": texts}, report["warnings"] + report["conditions"] * (found["ranges"] not in ("clock", "unknown")))
    complaints += lacking({"cellstat, text": printed(), **{f"cellstat, {name}": html.unescape(printed(f"--format={name}")) for name in ("html", "svg")}}, texts)
    complaints += lacking({"cellstat, Markdown": plain_markdown(printed("--format=md"))}, texts)
    return complaints + lacking({"cellstat, TeX": plain_tex(printed("--format=tex"))}, map(plain_tex, texts))


def main(cellsync, cellstat, added=None):
    failed = 0
    for arguments, keys in CASES.items():
        report_keys = keys.split() + ["added"] * bool(added)
        complaints, report = check_cellsync(cellsync, arguments.split(), report_keys)
        if added:
            complaints += lacking({"the list": report["warnings"] + report["conditions"]}, ADDED)
        complaints += check_cellstat(cellstat, arguments.split(), report)
        for complaint in complaints:
            print(f"{arguments}: {complaint}")
        failed += bool(complaints)
    print(f"{len(CASES) - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    programs = [str(pathlib.Path(program).absolute()) for program in sys.argv[1:3]]
    testdata = pathlib.Path(sys.argv[3]).absolute()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name in "samples/jitter.pex", "samples/jitter.trace", "samples/one-sided.csv", "good/warnings.pex", "good/warnings.trace":
            shutil.copy(testdata / name, folder)
        for name, text in CSVS.items():
            pathlib.Path(name).write_text(text, "ascii")
        status = main(*programs, *sys.argv[4:])
        os.chdir("/")
    sys.exit(status)
