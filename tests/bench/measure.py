"""What every line of the benchmarks needs: inputs, times side by side, and the results."""
import glob
import json
import os
import shutil
import statistics
import subprocess
import sys
import time

RUNS = 5


class Bench:
    """One run: where things are, what has been measured, and what the run before had measured."""

    def __init__(self, build, folder):
        self.cellsync = str(build / "cellsync")
        self.programs, self.folder = build / "tests" / "bench", folder
        self.results = build / "bench.json"
        self.before = json.loads(self.results.read_text()) if self.results.exists() else {}
        self.lines = {}

    def path(self, name):
        return str(self.folder / name)

    def program(self, name):
        """A program of this folder, or None where it could not be built."""
        program = self.programs / name
        return str(program) if program.exists() else None

    def trace(self, name, records, per_interval=0):
        """A trace of 17 threads, one record in 17 the PPE's: its path without suffix.  Made once."""
        path = self.path(name)
        if not os.path.exists(path + ".pex"):
            output(self.program("tracegen"), path, records, 16, per_interval, 17)
            os.sync()
        return path

    def blocks(self, name, mib):
        """A CSV of 16 threads that give their rows to a buffer, 64 at a time: its path.  Made once."""
        path = self.path(name) + ".csv"
        if os.path.exists(path):
            return path
        chunk = "".join(f"thread-{j:02},HHHHHHHHHH{i * 100000 + j * 5000 + r * 70:07},buffer,HHHHHHHHHH{i:02}\n"
                        for i in range(100) for j in range(16) for r in range(64)).encode()
        with open(path, "wb") as file:
            file.write(b"# timebase_hz=1000000000\n# order=partial\nthread,time,buffer,block\n")
            for n in range((mib << 20) // len(chunk) + 1):
                file.write(chunk.replace(b"HHHHHHHHHH", b"%d" % (10**9 + n)))
        return path

    def remove(self, *names):
        """Inputs or outputs that no later line needs: files, traces or folders of these names."""
        for name in names:
            path = self.path(name)
            for path in (path, path + ".pex", path + ".csv", path + ".trace", *glob.glob(path + ".*.trace*")):
                if os.path.isdir(path):
                    shutil.rmtree(path)
                elif os.path.exists(path):
                    os.remove(path)

    def note(self, name, value, unit, reach, at_least, detail):
        """A line's figure, how far it is to come (at most, or at least), and what it is made of."""
        reached = value >= reach if at_least else value <= reach
        was = self.before.get(name, {}).get("value")
        self.lines[name] = {"value": value, "unit": unit, "reach": reach, "at_least": at_least,
                            "reached": reached, "detail": detail}
        print(f"{name:40} {value:8.2f}{unit:2} at {'least' if at_least else 'most '} "
              f"{reach:g}{unit:2} {'reached' if reached else 'MISSED '}  {detail}"
              + (f"; was {was:.2f}" if was is not None else ""), flush=True)

    def leave_out(self, name, peer):
        self.lines[name] = {"left_out": f"{peer} is missing"}
        print(f"{name:40} LEFT OUT: {peer} is missing and could not be installed", flush=True)

    def has(self, name, command):
        """Whether the peer is there; says so where it is not."""
        if shutil.which(command):
            return True
        self.leave_out(name, command)
        return False

    def save(self):
        """Lines that were not run keep what the run before had measured."""
        self.results.write_text(json.dumps({**self.before, **self.lines}, indent=1) + "\n")

    def summary(self):
        missed = [name for name, line in self.lines.items() if line.get("reached") is False]
        left_out = [name for name, line in self.lines.items() if "left_out" in line]
        print(f"{len(self.lines) - len(missed) - len(left_out)} of {len(self.lines)} reached"
              + "".join(f"\n  missed: {name}" for name in missed)
              + "".join(f"\n  left out: {name}" for name in left_out))


def output(*command):
    """What a program prints; the run ends where it fails."""
    run = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, check=False)
    if run.returncode:
        sys.exit(f"bench: failed: {' '.join(str(word) for word in command)}")
    return run.stdout.decode()


def figures(*command):
    """Of a program that prints lines of `name value`."""
    return dict(line.split(" ", 1) for line in output(*command).splitlines())


def shell(command):
    """Run a shell command; what it prints goes where it costs nothing."""
    if subprocess.run(["sh", "-c", command], stdout=subprocess.DEVNULL, check=False).returncode:
        sys.exit(f"bench: failed: {command}")


def timed(command):
    """Seconds of one run of a shell command."""
    start = time.monotonic()
    shell(command)
    return time.monotonic() - start


def race(ours, peer, before=None):
    """Seconds of each run of ours, and of the peer's: in turn, `before` untimed ahead of each."""
    seconds = ([], [])
    for run in range(RUNS + 1):
        for times, command in zip(seconds, (ours, peer)):
            if before:
                shell(before)
            took = timed(command)
            if run > 0:  # the first one warms up
                times.append(took)
    return seconds


def median_ratio(a, b):
    """Of runs side by side."""
    return statistics.median(x / y for x, y in zip(a, b))


def against(ours, peer):
    return f"{statistics.median(ours):.3f} s against {statistics.median(peer):.3f} s"


def compare(bench, name, ours, peer, reach, before=None):
    """A line that takes at most so many times as long as its peer."""
    times = race(ours, peer, before)
    bench.note(name, median_ratio(*times), "x", reach, False, against(*times))
