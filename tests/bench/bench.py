#!/usr/bin/env python3
"""The benchmarks: each line runs cellsync and a peer side by side, five times, and gives the median ratio.

Usage: bench.py BUILD_FOLDER [LINE...].  BUILD_FOLDER holds the programs of this folder too.  Inputs are
made in a temporary folder (BENCH_FOLDER names another, where they stay for the next run); at most
11 GiB are there at a time.  The results go to BUILD_FOLDER/bench.json too, and each is printed beside
that of the run before.  Times are of whole processes, or of processor time inside one where a line says
so; only ratios mean anything.  A peer that is missing is said, and its line left out.
"""
import os
import pathlib
import resource
import shutil
import sys
import tempfile

import analyses
import engine
import otf2
import partial
import pcap
import recorder
import whole_program
from measure import Bench

LINES = {"report": whole_program.report, "write": whole_program.write,
         "memory": whole_program.memory, "document": whole_program.document,
         "gzip": whole_program.gzip, "events": whole_program.events, "decoded": whole_program.decoded,
         "csv": whole_program.csv, "imprecise": whole_program.imprecise,
         "outputs": whole_program.outputs, "million": engine.million,
         "sweep": engine.sweep, "pairs": engine.pairs, "dense": engine.dense,
         "messages": partial.messages, "points": partial.points, "drift": partial.drift, "rows": partial.rows,
         "celltrace": recorder.celltrace, "otf2": otf2.otf2, "cellstat": analyses.cellstat_lines,
         "pcap": pcap.pcap}


def main(build, names):
    unknown = [name for name in names if name not in LINES]
    if unknown:
        print(f"bench: unknown line: {unknown[0]}; there are {' '.join(LINES)}", file=sys.stderr)
        return 2
    os.environ["LC_ALL"] = "C"
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    folder = os.environ.get("BENCH_FOLDER") or tempfile.mkdtemp(prefix="cellsync-bench-")
    bench = Bench(build.resolve(), pathlib.Path(folder).resolve())
    try:
        for name in names or LINES:
            LINES[name](bench)
            bench.save()
    finally:
        if not os.environ.get("BENCH_FOLDER"):
            shutil.rmtree(folder)
    bench.summary()
    return 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), sys.argv[2:]))
