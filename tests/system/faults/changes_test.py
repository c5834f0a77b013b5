"""A trace changes while it is read: the run says so, or gives what the file gave that was there when it was opened.

    changes_test.py CELLSYNC FAULTY_LIBRARY TRACEGEN

Before each read in turn the run is stopped, and a file of the trace is cut, grows, or has a byte changed in place; or it is
removed, or another one takes its name.  Then the run goes on.  Whatever it does, it does not crash, and leaves no output that
is not that of one of the two files, as a whole.
"""
import os
import pathlib
import shutil
import signal
import subprocess
import sys

import in_memory

RECORDS, SEED = 8000, 17


class Failed(Exception):
    pass


def cut(path):
    os.truncate(path, path.stat().st_size // 2)


def empty(path):
    os.truncate(path, 0)


def cut_evenly(path):
    """Behind a whole record or row, as the last one repeats."""
    data = path.read_bytes()
    os.truncate(path, data.rindex(b"\n", 0, len(data) - 1) + 1 if path.suffix == ".csv" else len(data) - 24)


def grow(path):
    with open(path, "ab") as file:
        file.write(b"thread0,99999999\n" if path.suffix == ".csv" else bytes(24))


def alter(path):
    """The time of a record in the middle."""
    data = bytearray(path.read_bytes())
    at = len(data) // 2
    if path.suffix == ".csv":
        at = data.index(b",", at) + 1
        data[at] = ord("1") + (data[at] == ord("1"))
    else:
        data[at] ^= 1
    with open(path, "r+b") as file:
        file.write(data)


def rewrite(path):
    data = (path.parent / "other").read_bytes()
    with open(path, "r+b") as file:
        file.write(data)
        file.truncate()


def remove(path):
    path.unlink()


def replace(path):
    os.replace(path.parent / "other", path)


CHANGES = [cut, empty, cut_evenly, grow, alter, rewrite, remove, replace]


class Runner:
    def __init__(self, cellsync, library, tracegen, tmp):
        self.cellsync, self.library, self.tmp = cellsync, library, tmp
        subprocess.run([tracegen, "plain", str(RECORDS), "4", "5000", str(SEED)], cwd=tmp, check=True)
        subprocess.run([tracegen, "spare", str(RECORDS), "4", "5000", str(SEED + 1)], cwd=tmp, check=True)
        for name, step in (("plain.csv", 3), ("spare.csv", 4)):
            rows = "".join(f"thread{i % 5},{step * i}\n" for i in range(RECORDS))
            (tmp / name).write_text("thread,time\n" + rows)
        for name in ("plain", "spare"):
            subprocess.run(["gzip", "-nk1", name + ".trace"], cwd=tmp, check=True)
            document = (tmp / f"{name}.pex").read_text()
            assert f'href="{name}.trace"' in document
            packed = document.replace(f'href="{name}.trace"', 'href="in.trace.gz" compression="gzip"')
            (tmp / f"{name}-gz.pex").write_text(packed)
            (tmp / f"{name}.pex").write_text(document.replace(f"{name}.trace", "in.trace"))

    def prepare(self, kind, name="plain", other="spare"):
        """The folder, with in.KIND; the path of the file that will change."""
        folder = self.tmp / "run"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        if kind == "csv":
            shutil.copy(self.tmp / f"{name}.csv", folder / "in.csv")
            shutil.copy(self.tmp / f"{other}.csv", folder / "other")
            path = folder / "in.csv"
        else:
            suffix = ".trace.gz" if kind == "gz" else ".trace"
            shutil.copy(self.tmp / f"{name}{'-gz' if kind == 'gz' else ''}.pex", folder / "in.pex")
            shutil.copy(self.tmp / (name + suffix), folder / ("in" + suffix))
            shutil.copy(self.tmp / (other + suffix), folder / "other")
            path = folder / ("in" + suffix)
        os.utime(path, (1, 1))  # whatever the clock's grain is
        return path

    def run(self, arguments, n, change=None, path=None):
        """Exit status, standard error, output; whether it was stopped."""
        environment = {**os.environ, "LD_PRELOAD": str(self.library), "CELLSYNC_FAULT": f"pause:{n}", "LC_ALL": "C"}
        folder = self.tmp / "run"
        process = subprocess.Popen([self.cellsync, "-q", *arguments], cwd=folder, env=environment, stderr=subprocess.PIPE,
                                   stdout=subprocess.PIPE)
        ends = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WSTOPPED | os.WNOWAIT)
        stopped = ends.si_code == os.CLD_STOPPED
        if stopped:
            change(path)
            process.send_signal(signal.SIGCONT)
        out, error = process.communicate(timeout=60)
        outputs = {p.name: p.read_bytes() for p in folder.rglob("*") if p.is_file() and p.name.startswith((".", "out"))}
        for extra in folder.glob("out.ctf/*"):
            outputs[extra.name] = extra.read_bytes()
        return process.returncode, error, (outputs, out), stopped


def try_change(runner, kind, arguments, change, totals):
    runner.prepare(kind)
    code, error, good, _ = runner.run(arguments, 0)
    if code != 0:
        raise Failed(f"{arguments}: {error}")
    change(runner.prepare(kind))
    code, error, changed, _ = runner.run(arguments, 0)
    accepted = [good] if code else [good, changed]
    for n in range(1, 1000):
        path = runner.prepare(kind)
        code, error, output, stopped = runner.run(arguments, n, change, path)
        if not stopped:
            return
        what = f"{kind}: {arguments}: {change.__name__} before read {n}: exit status {code}: {error.decode()}"
        if code == 0 and output not in accepted:
            raise Failed(f"{what}an output of neither")
        if code != 0 and (code != 1 or not error.startswith(b"cellsync: ") or output[0]):
            raise Failed(f"{what}{sorted(output[0])}")
        totals[code] += 1
    raise Failed(f"{kind}: {arguments}: it reads without end")


def main():
    cellsync, library, tracegen = (pathlib.Path(p).resolve() for p in sys.argv[1:4])
    totals = [0, 0]
    with in_memory.folder() as tmp:
        runner = Runner(cellsync, library, tracegen, pathlib.Path(tmp))
        cases = [("pex", ["in.pex", "-o", "out.pex", "--threads=1"]), ("pex", ["in.pex", "-o", "out.csv", "--threads=2"]),
                 ("pex", ["in.pex", "-o", "out.ctf"]), ("pex", ["in.pex", "-r", "out.html"]),
                 ("pex", ["in.pex", "--salvage", "-o", "out.json"]),
                 ("gz", ["in.pex", "-o", "out.pex", "--embed"]), ("csv", ["in.csv", "-o", "out.csv", "--threads=1"]),
                 ("csv", ["in.csv", "-o", "out.csv", "--threads=2"]), ("csv", ["in.csv", "-r", "out.txt"])]
        failures = 0
        for kind, arguments in cases:
            for change in CHANGES:
                try:
                    try_change(runner, kind, arguments, change, totals)
                except Failed as failure:
                    print("FAILED:", failure)
                    failures += 1
    print(f"{totals[1]} runs refused, {totals[0]} gave what one file gives")
    return failures > 0 or 0 in totals


sys.exit(main())
