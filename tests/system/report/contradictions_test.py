#!/usr/bin/env python3
"""doc/contradictions.md shows what cellsync prints for traces with a known truth, and the truth.

Usage: contradictions_test.py CELLSYNC PAGE.  UPDATE=1 in the environment rewrites the page.
"""
import difflib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import strangers

SEED = 1

HEAD = """# What is printed, and what is true

Bounds hold if timestamps are taken in the order of the buffer, by clocks that run at one rate. The traces on this page violate
that in ways that are common in practice: `tests/system/report/strangers.py KIND 1` makes each, with four threads and
20,000 records, and knows the truth. `tests/system/report/contradictions_test.py` makes this page from the present output of the program.

*Off by* is how far the true offset between two clocks lies outside its printed bound: 0 if the bound holds. The event
error is the reported error of the time between two events of the two threads. If a clock drifts or is set, its
true offset changes; the table then uses the end of the trace at which it lies farther outside.
"""

ABOUT = {
    "exact": "The clock is read while the slot is held: nothing is contradictory, and every bound holds.",
    "early": "The clock is read before the lock is taken. Most timestamps are early by microseconds, a few by milliseconds, "
             "because the thread was preempted while it waited. A few of these determine delta for all records. The resulting bounds are "
             "narrow or wide by chance; the event error covers the truth.",
    "drift": "The clocks run at rates that differ by up to 80 ppm, and timestamps are exact. No single offset is correct for the "
             "whole trace.",
    "step": "The clock of t2 is set forward by 3 ms half-way. Each bound is narrow; the bounds of t2 are correct in neither half.",
    "apart": "One log for each thread, one after another in the file. Nothing is contradictory, and delta is 0. But the order of "
             "the lines implies that one thread ended before the next one began, which is not true, and the bounds on that side are "
             "meaningless.",
    "sorted": "Sorted by timestamp. Clocks that start at different moments then stand apart, as above.",
}


def run(program, *arguments):
    done = subprocess.run([program, "-q", *arguments], check=True, stdout=subprocess.PIPE)
    return done.stdout.decode()


def shown(text):
    """Delta, the diagnosis and the profile of a text report."""
    lines, keep = [], False
    for line in text.splitlines():
        if not line.startswith(" "):
            keep = line.startswith(("delta ", "diagnosis ", "profile "))
        if keep and line:
            lines.append(line)
    return "\n".join(lines)


def time_text(ticks):
    """Nanoseconds for people."""
    for size, unit in ((10**9, "s"), (10**6, "ms"), (10**3, "us")):
        if ticks >= size:
            return f"{ticks / size:.3g} {unit}"
    return f"{ticks} ns"


def truths(kind, made, s, t):
    """g[s] - g[t] at both ends of the trace."""
    rows, offsets, ppm = made
    span = max(x for thread, x in rows if thread == 0) - min(x for thread, x in rows if thread == 0)
    first = offsets[s] - offsets[t]
    last = first - round(span * (ppm[s] - ppm[t]) * 1e-6)
    if kind == "step":
        last += 3000000 * ((t == 2) - (s == 2))
    return first, last


def outside(truth, lower, upper):
    return max(0 if lower is None else lower - truth, 0 if upper is None else truth - upper, 0)


def pair_rows(kind, made, report):
    rows = ["| pair | bound is wide | off by | event error |", "|---|---|---|---|"]
    for pair in report["pairs"]:
        s, t = int(pair["s"][1:]), int(pair["t"][1:])
        off = max(outside(truth, pair["lower_ticks"], pair["upper_ticks"]) for truth in truths(kind, made, s, t))
        wide = [pair[key] for key in ("error_ticks", "event_error_ticks")]
        wide = ["unbounded" if ticks is None else time_text(ticks) for ticks in wide]
        rows.append(f"| {pair['s']}, {pair['t']} | {wide[0]} | {time_text(off) if off else '0'} | {wide[1]} |")
    return "\n".join(rows)


def section(program, folder, kind):
    made = strangers.make(kind, SEED)
    path = pathlib.Path(folder, f"{kind}.csv")
    path.write_text(strangers.csv_text(made[0]))
    report = json.loads(run(program, str(path), "-r", "-", "--report-format=json"))
    if kind == "exact" and report["diagnosis"]["kind"] != "none":
        sys.exit("exact: a diagnosis")
    return f"## {kind}\n\n{ABOUT[kind]}\n\n```\n{shown(run(program, str(path)))}\n```\n\n{pair_rows(kind, made, report)}\n"


def main(program, page):
    with tempfile.TemporaryDirectory() as folder:
        text = "\n".join([HEAD] + [section(program, folder, kind) for kind in strangers.KINDS])
    path = pathlib.Path(page)
    if os.environ.get("UPDATE"):
        path.write_text(text)
    found = path.read_text() if path.exists() else ""
    sys.stdout.writelines(difflib.unified_diff(found.splitlines(True), text.splitlines(True), page, "today"))
    return 0 if found == text else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
