#!/usr/bin/env python3
"""The benchmarks: each line times cellsync and a peer side by side, five times, and gives the ratio.

Usage: bench.py BUILD_FOLDER [LINE...].  Inputs are made in a temporary folder (BENCH_FOLDER names
another; about 16 GiB are needed).  The medians and ratios go to BUILD_FOLDER/bench.json too, and are
compared with those of the run before.  Times are of whole processes; only ratios mean anything.
A peer that is missing and cannot be installed is said, and its line left out.
"""
import json
import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
RUNS = 5
RECORDS_2G = 67_000_000


class Bench:
    """One run: where things are, and what has been measured."""

    def __init__(self, build, folder):
        self.cellsync = str(build / "cellsync")
        self.build, self.folder, self.lines = build, folder, {}

    def path(self, name):
        return str(self.folder / name)


def install(package, command):
    """True if the command is there, perhaps after installing its package."""
    if not shutil.which(command) and os.geteuid() == 0:
        subprocess.run(["apt-get", "-qq", "install", "-y", "--no-install-recommends", package],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return shutil.which(command) is not None


def timed(command):
    """Seconds of one run of a shell command."""
    start = time.monotonic()
    if subprocess.run(["sh", "-c", command], stdout=subprocess.DEVNULL, check=False).returncode:
        sys.exit(f"bench: failed: {command}")
    return time.monotonic() - start


def compiled(bench, name):
    """A program of this folder, built once."""
    program = bench.path(name)
    if not os.path.exists(program):
        subprocess.run(["cc", "-O2", "-o", program, str(HERE / (name + ".c"))], check=True)
    return program


def peak_kib(bench, *command):
    """The most memory that a command held."""
    run = subprocess.run([compiled(bench, "peak"), *command], capture_output=True, check=True)
    return int(run.stdout)


def compare(bench, name, ours, peer, reach, before=None):
    """Time the two in turn and note the median ratio; `before` is run, untimed, ahead of each."""
    times = {"ours": [], "peer": []}
    for run in range(RUNS + 1):
        for who, command in (("ours", ours), ("peer", peer)):
            if before:
                subprocess.run(["sh", "-c", before], check=True)
            seconds = timed(command)
            if run > 0:  # the first one warms up
                times[who].append(seconds)
    ratio = statistics.median(a / b for a, b in zip(times["ours"], times["peer"]))
    line = {"ours_s": statistics.median(times["ours"]), "peer_s": statistics.median(times["peer"]),
            "ratio": ratio, "reach": reach}
    note(bench, name, line)


def note(bench, name, line):
    old = bench.lines.get("before", {}).get(name)
    bench.lines[name] = line
    reached = "reached" if line["ratio"] <= line["reach"] else "MISSED"
    was = f", was {old['ratio']:.2f}" if old else ""
    print(f"{name:34} {line['ours_s']:8.3f} s against {line['peer_s']:8.3f} s: "
          f"{line['ratio']:5.2f}x of {line['reach']}x {reached}{was}", flush=True)


def make_trace(bench, name, records, per_interval=0):
    """A trace of 17 threads, one record in 17 the PPE's; made once."""
    generator = compiled(bench, "tracegen")
    if not os.path.exists(bench.path(name + ".pex")):
        subprocess.run([generator, bench.path(name), str(records), "16", str(per_interval), "17"],
                       check=True)
    return bench.path(name)


def line_report(bench):
    trace = make_trace(bench, "big", RECORDS_2G)
    ours = f"{bench.cellsync} -q {trace}.pex -r /dev/null"
    compare(bench, "report only, 1 thread", f"{ours} --threads=1", f"cat {trace}.trace", 3.0)
    compare(bench, "report only, 2 threads", f"{ours} --threads=2", f"cat {trace}.trace", 1.6)


def line_write(bench):
    """The peer copies as many bytes as we write, from a file of that size."""
    trace = make_trace(bench, "big", RECORDS_2G)
    out = bench.path("out")
    subprocess.run([bench.cellsync, "-q", f"{trace}.pex", "-o", f"{out}.pex"], check=True)
    os.replace(f"{out}.trace", bench.path("copied"))
    clean = f"rm -f {out}.pex {out}.trace {out}; sync"
    peer = f"dd if={bench.path('copied')} of={out} bs=1M conv=fsync status=none"
    for threads, reach in ((1, 1.5), (2, 1.0)):
        ours = f"{bench.cellsync} -q --threads={threads} {trace}.pex -o {out}.pex"
        compare(bench, f"synchronized to disk, {threads} thread{'s' if threads > 1 else ''}", ours,
                peer, reach, clean)
    subprocess.run(["sh", "-c", clean + f"; rm -f {bench.path('copied')}"], check=True)


def line_gzip(bench):
    if not install("pigz", "pigz"):
        print("gzip: left out, pigz is missing")
        return
    trace = make_trace(bench, "mid", RECORDS_2G // 8)
    packed = bench.path("packed.trace.gz")
    subprocess.run(f"pigz -6 -c {trace}.trace > {packed}; sed 's/mid.trace\"/packed.trace.gz\" "
                   f"compression=\"gzip\"/' {trace}.pex > {bench.path('packed.pex')}",
                   shell=True, check=True)
    compare(bench, "report only, from gzip", f"{bench.cellsync} -q {bench.path('packed.pex')} -r /dev/null",
            f"pigz -dc {packed}", 1.0)
    out = bench.path("out")
    subprocess.run([bench.cellsync, "-q", f"{trace}.pex", "-o", f"{out}.pex"], check=True)
    compare(bench, "gzip output, level 1",
            f"{bench.cellsync} -q --threads=2 --compress=1 {trace}.pex -o {bench.path('z')}.pex",
            f"pigz -1 -p2 -c {out}.trace > {bench.path('z.gz')}; sync {bench.path('z.gz')}", 1.1)


def line_csv(bench):
    trace = make_trace(bench, "csv", 10_000_000)
    rows = bench.path("rows.csv")
    if not os.path.exists(rows):
        subprocess.run(f"{bench.cellsync} -q {trace}.pex -o {rows}.full --to=csv && "
                       f"sed 1d {rows}.full | cut -d, -f1,2,4 > {rows}; rm {rows}.full",
                       shell=True, check=True)
    ours = f"{bench.cellsync} -q {rows} -r /dev/null"
    compare(bench, "CSV, 1 thread", f"{ours} --threads=1", f"wc -l {rows}", 8.0)
    compare(bench, "CSV, 2 threads", f"{ours} --threads=2", f"wc -l {rows}", 4.0)


def line_memory(bench):
    """Peak memory must not grow with the trace: here ours and peer are KiB of a long and a short one."""
    peaks = []
    for name, records in (("small", RECORDS_2G // 10), ("big", RECORDS_2G), ("huge", RECORDS_2G * 4)):
        trace = make_trace(bench, name, records)
        peaks.append(peak_kib(bench, bench.cellsync, "-q", f"{trace}.pex", "-r", "/dev/null"))
        if name == "huge":
            os.remove(f"{trace}.trace")
            os.remove(f"{trace}.pex")
    print(f"memory of 200 MiB, 2 GiB, 8 GiB: {peaks} KiB")
    bench.lines["memory"] = {"ours_s": max(peaks), "peer_s": min(peaks),
                             "ratio": max(peaks) / min(peaks), "reach": 1.05}


LINES = {"report": line_report, "write": line_write, "gzip": line_gzip, "csv": line_csv,
         "memory": line_memory}


def main(build, names):
    os.environ["LC_ALL"] = "C"
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    result = build / "bench.json"
    folder = os.environ.get("BENCH_FOLDER") or tempfile.mkdtemp(prefix="cellsync-bench-")
    bench = Bench(build.resolve(), pathlib.Path(folder))
    if result.exists():
        bench.lines["before"] = json.loads(result.read_text())
    try:
        for name in names or LINES:
            LINES[name](bench)
    finally:
        if not os.environ.get("BENCH_FOLDER"):
            shutil.rmtree(folder)
    before = bench.lines.pop("before", {})
    result.write_text(json.dumps({**before, **bench.lines}, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), sys.argv[2:]))
