#!/usr/bin/env python3
"""Trace events (-o x.json) in a viewer: what Chromium's Performance panel makes of them, beside the .csv of the same trace.

Usage: viewer_test.py CELLSYNC TESTDATA

The panel's own reader is asked for its model: tracks, slices, how they nest.  Without a Chromium, or in one whose
panel is built otherwise, it says so and exits with 77.
"""
import csv
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from fractions import Fraction

import inputs
from compare import same
from devtools import Browser, chromium

TRACES = ["demo.pex", "good/rich.pex", "samples/stragglers.pex", "samples/jitter.pex", "samples/paper.csv", "samples/one-sided.csv"]
PAGE = "devtools://devtools/bundled/devtools_app.html"
# The model, in so far as it is one of any trace: names, slices with their places in the tree of their track.
READER = """(async text => {
  const {TraceModel} = await import('devtools://devtools/bundled/models/trace/trace.js');
  const model = TraceModel.Model.createWithAllHandlers();
  await model.parse(JSON.parse(text).traceEvents, {metadata: {}});
  const {Meta, Renderer} = model.parsedTrace().data, slices = [];
  for (const [pid, process] of Renderer.processes)
    for (const [tid, thread] of process.threads)
      for (const e of thread.entries) {
        let node = Renderer.entryToNode.get(e), top = node;
        while (top.parent) top = top.parent;
        slices.push({pid, tid, name: e.name, cat: e.cat, ts: e.ts, dur: e.dur, record: e.args.record ?? null,
                     depth: node.depth, within: [top.entry.ts, top.entry.dur]});
      }
  return {generic: Meta.traceIsGeneric,
          groups: [...Meta.processNames].map(([pid, e]) => [pid, e.args.name]),
          tracks: [...Meta.threadsInProcess].flatMap(([pid, m]) => [...m].map(([tid, e]) => [pid, tid, e.args.name])),
          slices};
})"""
PROBE = """import('devtools://devtools/bundled/models/trace/trace.js').then(
  m => typeof m.TraceModel.Model.createWithAllHandlers === 'function').catch(() => false)"""


def rows_of(program, path):
    """The .csv: thread, global ticks and the event, or its id, of each record; and ticks a second."""
    done = subprocess.run([program, "-q", path, "-o", "-", "--to=csv"], stdout=subprocess.PIPE, check=True)
    lines = done.stdout.decode().split("\n")
    hz = "=1000000000"
    while lines[0].startswith("#"):
        line = lines.pop(0)
        hz = line if "timebase_hz=" in line else hz
    found = [(row["thread"], int(row["global_time"]), row.get("event") or row.get("id")) for row in csv.DictReader(lines)]
    return found, int(hz.split("=")[1])


def check_slices(seen, rows, hz, crossing):
    """Each record and live interval that is a slice, where the .csv has it; and each of some length within its
    live interval, unless that is not nested itself."""
    def ticks(microseconds):
        return round(Fraction(microseconds) * hz / 10**6)

    last = {thread: time for thread, time, _ in rows}
    live = {found["name"]: [found["ts"], found["dur"]] for found in seen if found["cat"] == "live"}
    for found in seen:
        end = ticks(found["ts"] + found["dur"])
        if found["cat"] == "live":
            same((end, found["within"]), (last[found["name"]], live[found["name"]]), f"end and outermost slice of {found['name']}")
            continue
        thread, time, event = rows[found["record"]]
        same((found["name"], end), (event, time), f"slice of record {found['record']}")
        if thread != "ppe" and thread not in crossing and found["dur"]:
            same(found["within"], live[thread], f"what record {found['record']} lies in")


def check(browser, program, path, target):
    """One trace; returns how many slices the viewer has."""
    inputs.run(program, "-q", path, "-o", target)
    with open(target, encoding="utf-8") as file:
        text = file.read()
    seen = browser.run(f"{READER}({json.dumps(text)})")
    rows, hz = rows_of(program, path)
    written = json.loads(text)["traceEvents"]
    slices = [e for e in written if e["ph"] == "X"]
    crossing = {e["name"] for e in written if e["ph"] == "b" and e["cat"] == "live"}
    same(seen["generic"], True, "kind of trace")
    same([tuple(g) for g in seen["groups"]], [(4, "threads")] if path.endswith(".csv") else
         [(1, "PPE"), (2, "SPE"), (3, "contexts, SPE unknown")], "groups")
    same(sorted(map(tuple, seen["tracks"])),
         sorted((e["pid"], e["tid"], e["args"]["name"]) for e in written if e["name"] == "thread_name"), "tracks")
    same(Counter((s["pid"], s["tid"], s["name"], s["ts"], s["dur"]) for s in seen["slices"]),
         Counter((e["pid"], e["tid"], e["name"], e["ts"], e["dur"]) for e in slices), "slices")
    check_slices(seen["slices"], rows, hz, crossing)
    return len(seen["slices"])


def main(program, testdata):
    found, slices = chromium(), defaultdict(int)
    if not found:
        print("skipped: there is no Chromium here")
        return 77
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, \
            Browser(found, os.path.join(folder, "profile"), PAGE) as browser:
        if not browser.run(PROBE):
            print("skipped: the Performance panel of this Chromium is of another kind")
            return 77
        for trace in TRACES:
            slices[trace] = check(browser, os.path.abspath(program), os.path.join(testdata, trace), os.path.join(folder, "x.json"))
    print(f"{len(slices)} traces, {sum(slices.values())} slices as they should be")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
