"""Every allocation, read, write, fsync, rename, close, open and thread creation of a whole run fails in turn.

    faults_test.py CELLSYNC FAULTY_LIBRARY TESTDATA TRACEGEN [SCENARIO...]

A run of which a call fails must end with exit status 1 and a message, leave the old output as it was and nothing beside it;
or, where it can do without, be as good as any, with the same output.  Either way it leaves no more memory allocated
than a run in which nothing fails.  The loop ends when a run has fewer calls.  From the FULL-th call on only a sample
fails, so that many runs differ from one another: the step grows with the number.  Of the first allocations, with which all
runs begin alike, each scenario takes every third, so that three scenarios take them all.  Last, every read and write is
interrupted a few times, and does half of what it is asked: that changes nothing.
"""
import fnmatch
import os
import pathlib
import shutil
import struct
import subprocess
import sys

import faulty
import in_memory
from faulty import started

FULL = 100
KINDS = ("alloc", "open", "read", "write", "fsync", "name", "close", "thread", "folder")
OLD = b"what stood here before\n"

RECORDS = "out.????????.trace"  # as fnmatch has it
PARTS = "out.?.????????.trace"  # of several record files

# Name, inputs, arguments; outputs are those whose names begin with "out".  PAIR is an old out.pex with its records.
SCENARIOS = [
    ("pex", ["samples/switches.pex", "samples/switches.trace"], ["switches.pex", "-o", "out.pex"], ["out.pex", RECORDS]),
    ("replace", ["PAIR", "samples/switches.pex", "samples/switches.trace"], ["switches.pex", "-o", "out.pex"], ["out.pex", RECORDS]),
    ("replace by one", ["samples/embedded.pex", "PAIR"], ["embedded.pex", "-o", "out.pex", "--embed"], ["out.pex", RECORDS]),
    ("embed", ["samples/embedded.pex"], ["embedded.pex", "-o", "out.pex", "--embed"], ["out.pex"]),
    ("compress", ["samples/plain.pex", "samples/plain.trace"], ["plain.pex", "-o", "out.pex", "--compress", "--threads=2"],
     ["out.pex", RECORDS + ".gz"]),
    ("gzip", ["samples/switches-gz.pex", "samples/switches-gz.trace.gz"], ["switches-gz.pex", "-o", "out.csv"], ["out.csv"]),
    ("csv", ["samples/paper.csv"], ["paper.csv", "-o", "out.csv"], ["out.csv"]),
    ("text", ["samples/jitter.pex", "samples/jitter.trace"], ["jitter.pex", "-r", "out.txt"], ["out.txt"]),
    ("json", ["samples/stragglers.pex", "samples/stragglers.trace"], ["stragglers.pex", "-r", "out.json"], ["out.json"]),
    ("csv report", ["samples/plain.pex", "samples/plain.trace"], ["plain.pex", "-r", "out.csv"], ["out.csv"]),
    ("events", ["samples/plain.pex", "samples/plain.trace"], ["plain.pex", "-o", "out.json"], ["out.json"]),
    ("dense", ["samples/plain.pex", "samples/plain.trace"],
     ["plain.pex", "--engine=dense", "--threads=2", "-r", "out.txt"], ["out.txt"]),
    ("paper", ["samples/jitter.pex", "samples/jitter.trace"], ["jitter.pex", "--relax=paper", "-r", "out.txt"], ["out.txt"]),
    ("lsq", ["samples/plain.pex", "samples/plain.trace"], ["plain.pex", "--method=lsq", "-r", "out.txt"], ["out.txt"]),
    ("strict", ["samples/long-sleeps.pex", "samples/long-sleeps.trace"],
     ["long-sleeps.pex", "--unwrap=strict", "-r", "out.txt"], ["out.txt"]),
    ("check", ["SYNCED"], ["--check", "synced.pex"], []),
    ("several", ["SEVERAL"], ["several.pex", "-o", "out.pex"], ["out.pex", PARTS]),
    ("drift", ["DRIFTED"], ["--check", "drifted.csv"], []),
    ("salvage", ["CUT"], ["cut.pex", "--salvage", "-o", "out.pex"], ["out.pex", RECORDS]),
    ("ctf", ["samples/plain.pex", "samples/plain.trace"], ["plain.pex", "-o", "out.ctf"], ["out.ctf"]),
    ("ctf_rows", ["samples/paper.csv"], ["paper.csv", "-o", "out.ctf"], ["out.ctf"]),
    ("otf2", ["ARCHIVE"], ["otf2/traces.otf2", "-o", "out.archive/"], ["out.archive"]),
    ("otf2 report", ["ARCHIVE"], ["otf2/traces.otf2", "-r", "out.txt"], ["out.txt"]),
    ("logs", ["LOGS"], ["logs.pex", "-r", "out.txt"], ["out.txt"]),
    ("stdin", ["samples/embedded.pex"], ["-", "-r", "out.txt"], ["out.txt"]),
    ("stdout", ["samples/embedded.pex"], ["embedded.pex"], []),
]


# Where threads of the system have work to do; only their creation fails.
THREADED = [
    ("threads", ["LARGE"], ["large.pex", "-o", "out.pex", "--compress=1", "--threads=4"], ["out.pex", RECORDS + ".gz"]),
    ("rows", ["LARGE CSV"], ["large.csv", "-r", "out.txt", "--threads=4"], ["out.txt"]),
    ("dense threads", ["LARGE"], ["large.pex", "--engine=dense", "-r", "out.txt", "--threads=4"], ["out.txt"]),
]
LARGE_RECORDS = 200000


class Failed(Exception):
    pass


class Runner:
    def __init__(self, cellsync, library, data, tracegen, tmp):
        self.cellsync, self.data, self.tmp = cellsync, data, tmp
        self.preloaded = faulty.preload(cellsync, library)
        subprocess.run([tracegen, "large", str(LARGE_RECORDS), "16", "10000", "17"], cwd=tmp, check=True)
        rows = ("".join(f"thread{i % 5},{3 * i}\n" for i in range(LARGE_RECORDS)))
        (tmp / "large.csv").write_text("thread,time\n" + rows)
        self.folder = tmp / "run"

    def prepare(self, inputs, outputs, old):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        for name in inputs:
            if name == "SYNCED":
                started.run([self.cellsync, self.data / "samples/switches.pex", "-o", self.folder / "synced.pex"], check=True)
            elif name == "DRIFTED":
                started.run([self.cellsync, "-q", self.data / "samples/paper.csv", "--drift=100", "-o",
                             self.folder / "drifted.csv"], check=True)
            elif name == "SEVERAL":
                text = (self.data / "order/messages.pex").read_text()
                old = next(line for line in text.splitlines(True) if "<trace_file" in line)
                new = "".join(f'<trace_file href="{part}.trace" buffer="{part}"/>\n' for part in "ab")
                (self.folder / "several.pex").write_text(text.replace(old, new))
                for part in "ab":
                    shutil.copy(self.data / "order/messages.trace", self.folder / f"{part}.trace")
            elif name == "PAIR":
                started.run([self.cellsync, "-q", self.data / "samples/stragglers.pex", "-o", self.folder / "out.pex"], check=True)
            elif name == "LARGE":
                os.symlink(self.tmp / "large.pex", self.folder / "large.pex")
                os.symlink(self.tmp / "large.trace", self.folder / "large.trace")
            elif name == "LARGE CSV":
                os.symlink(self.tmp / "large.csv", self.folder / "large.csv")
            elif name == "ARCHIVE":
                shutil.copytree(self.data / "otf2", self.folder / "otf2")
            elif name == "LOGS":
                self.write_logs()
            elif name == "CUT":
                text = (self.data / "samples/switches.pex").read_text().replace("switches.trace", "cut.trace")
                (self.folder / "cut.pex").write_text(text)
                (self.folder / "cut.trace").write_bytes((self.data / "samples/switches.trace").read_bytes()[:-9])
            else:
                shutil.copy(self.data / name, self.folder)
        for name in outputs if old else []:
            if name.endswith((".ctf", ".archive")):
                (self.folder / name).mkdir()
            elif "?" not in name and "PAIR" not in inputs:
                (self.folder / name).write_bytes(OLD)

    def write_logs(self):
        """Two SPEs and a message each way, as cellsync-run(5) has such logs."""
        files = ""
        for rank, rows in enumerate(([(0, 0), (4, 100), (5, 130), (1, 200)], [(0, 0), (5, 110), (4, 115), (1, 190)])):
            records = [struct.pack(">ddI4xQQh6x8i", at / 1000, 0, kind, 0, 0, 1, 1 - rank, 8, 1, 0, 7, 0, 0, 0)
                       for kind, at in rows]
            (self.folder / f"{rank}.log").write_bytes(b"".join(records))
            files += (f'<trace_file format="event80" href="{rank}.log" ctx="{rank + 1}" rank="{rank}" node="{rank}" '
                      'cell="0" spe="0"/>\n')
        (self.folder / "logs.pex").write_text(f'<pdt_trace version="2">\n<machine name="QS22" timebase_hz="1000"/>\n'
                                              f'{files}</pdt_trace>\n')

    def has_otf2(self):
        done = subprocess.run([self.cellsync, self.data / "otf2/traces.otf2"], capture_output=True, check=False)
        return b"without OTF2" not in done.stderr

    def files(self):
        return {str(p.relative_to(self.folder)): p.read_bytes() if p.is_file() else None
                for p in sorted(self.folder.rglob("*"))}

    def run(self, arguments, fault, standard_input):
        log = self.tmp / "log"
        log.unlink(missing_ok=True)
        (self.tmp / "spool").mkdir(exist_ok=True)
        environment = {**os.environ, **self.preloaded, "CELLSYNC_FAULT": fault, "CELLSYNC_FAULT_LOG": str(log),
                       "TMPDIR": str(self.tmp / "spool"), "LC_ALL": "C"}
        result = started.run([self.cellsync, *arguments], cwd=self.folder, env=environment, timeout=60,
                             input=standard_input, capture_output=True)
        if any((self.tmp / "spool").iterdir()):
            raise Failed("something is left in TMPDIR")
        if not log.exists():
            raise Failed(f"{arguments}, {fault}: it crashed: {result.returncode}: {result.stderr.decode()[-500:]}")
        calls, blocks = map(int, log.read_text().split())
        return result, calls, blocks


def whole(before, good, now, outputs):
    """Each output is the old one or the good one; the rest is as it was.  A report may fail after a good trace."""
    mine = [set(k for k in d if any(fnmatch.fnmatchcase(k.split("/")[0], o) for o in outputs)) for d in (before, good, now)]
    if {k: v for k, v in now.items() if k not in mine[2]} != {k: v for k, v in before.items() if k not in mine[0]}:
        return False
    return {k: now[k] for k in mine[2]} == {k: before[k] for k in mine[0]} or now == good


BEGINNING = 60  # allocations: they have opened the trace by then


def step(kind, n):
    return n + 3 if kind == "alloc" and n < BEGINNING else n + 1 if n < FULL else n + n // 25


def try_kind(runner, scenario, kind, totals):
    name, inputs, arguments, outputs = scenario
    standard = (runner.data / inputs[0]).read_bytes() if arguments[0] == "-" else None
    runner.prepare(inputs, outputs, True)
    before = runner.files()
    good, calls, blocks = runner.run(arguments, f"{kind}:0", standard)
    if good.returncode != 0:
        raise Failed(f"{name}: {good.stderr.decode()}")
    result_files = runner.files()
    last = calls  # of fsync: of the folder, when the output has its name
    n = 1 + SCENARIOS.index(scenario) % 3 if kind == "alloc" else 1
    dirty = True
    while True:
        if dirty:
            runner.prepare(inputs, outputs, True)
        result, calls, left = runner.run(arguments, f"{kind}:{n}", standard)
        now = runner.files()
        what = f"{name}: {kind} {n} of {calls}: exit {result.returncode}: {result.stderr.decode().strip()[-300:]}"
        # libotf2 loses some memory of its own when it gets no more.
        if left > blocks and not ("ARCHIVE" in inputs and kind == "alloc"):
            raise Failed(f"{what}: {left - blocks} blocks leaked")
        if not whole(before, result_files, now, outputs):
            raise Failed(f"{what}: files: {[k for k in now if now[k] != before.get(k)]}, {set(before) - set(now)}")
        if result.returncode == 0:
            if now != result_files or result.stdout != good.stdout:
                raise Failed(f"{what}: other output")
        elif result.returncode != 1 or not result.stderr.startswith(b"cellsync: "):
            raise Failed(what)
        elif kind == "thread":
            raise Failed(what)
        elif now == result_files and outputs and kind != "close" and not (kind == "fsync" and n == last):
            raise Failed(f"{what}: the output was written all the same")
        dirty = now != before
        if calls < n:
            return
        totals[kind][result.returncode] += 1
        n = step(kind, n)


def try_storm(runner, scenario):
    name, inputs, arguments, outputs = scenario
    standard = (runner.data / inputs[0]).read_bytes() if arguments[0] == "-" else None
    results = []
    for fault in ("storm:0", "storm:1", "storm:3"):
        runner.prepare(inputs, outputs, True)
        result, _, _ = runner.run(arguments, fault, standard)
        results.append((result.returncode, result.stdout, runner.files()))
        if results[-1] != results[0] or result.returncode != 0:
            raise Failed(f"{name}: {fault}: exit {result.returncode}: {result.stderr.decode()}")


def main():
    cellsync, library, data, tracegen = (pathlib.Path(p).resolve() for p in sys.argv[1:5])
    only = sys.argv[5:]
    totals = {kind: [0, 0] for kind in KINDS}
    failures = 0
    with in_memory.folder() as tmp:
        runner = Runner(cellsync, library, data, tracegen, pathlib.Path(tmp))
        # What is written has it, too, but its reading is that of the report.
        tries = [(try_kind, s, kind, totals) for s in SCENARIOS for kind in KINDS if s[0] != "otf2" or kind != "alloc"]
        tries += [(try_kind, s, "thread", totals) for s in THREADED] + [(try_storm, s) for s in SCENARIOS + THREADED]
        for function, scenario, *rest in tries:
            if only and scenario[0] not in only or "ARCHIVE" in scenario[1] and not runner.has_otf2():
                continue
            try:
                function(runner, scenario, *rest)
            except Failed as failure:
                print("FAILED:", failure)
                failures += 1
    for kind, (survived, refused) in totals.items():
        print(f"{kind}: {refused} runs refused, {survived} good all the same")
    idle = [kind for kind in KINDS if not only and not totals[kind][kind not in ("close", "thread")]]
    print(*(f"FAILED: no {kind} has failed" for kind in idle), sep="\n")
    return failures > 0 or idle != []


sys.exit(main())
