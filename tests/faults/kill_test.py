"""A run is killed at a random moment, 200 times: the old output stands then, or the new one, whole.

    kill_test.py CELLSYNC FAULTY_LIBRARY TESTDATA [SEED]

Calls that write are slowed down, so that most moments are within them.  Of the two files of a .pex, whichever
stand belong together; in between, SIGKILL may leave no .pex, but the old one under another name.  Nothing that was left is there after a next run.
"""
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

KILLS = 200
SLOW_US = 3000
SIGNALS = [signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT]
SCENARIOS = [
    (["-o", "out.pex"], ["out.pex", "out.trace"]),
    (["-o", "out.pex", "--compress"], ["out.pex", "out.trace.gz"]),
    (["-o", "out.pex", "--embed"], ["out.pex"]),
    (["-o", "out.csv"], ["out.csv"]),
    (["-o", "out.ctf"], ["out.ctf"]),
    (["-r", "out.json"], ["out.json"]),
]


def contents(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def of_output(found, outputs):
    return {k: v for k, v in found.items() if any(k == o or k.startswith(o + "/") for o in outputs)}


class Kills:
    def __init__(self, cellsync, library, data, tmp):
        self.cellsync, self.tmp, self.known = cellsync, tmp, {}
        self.environment = {**os.environ, "LD_PRELOAD": str(library), "LC_ALL": "C"}
        for name in ("switches", "stragglers"):
            for suffix in (".pex", ".trace"):
                shutil.copy(data / "samples" / (name + suffix), tmp)

    def run(self, folder, trace, arguments, slow_us):
        return subprocess.Popen([self.cellsync, "-q", self.tmp / trace, *arguments], cwd=folder, stderr=subprocess.DEVNULL,
                                env={**self.environment, "CELLSYNC_FAULT": f"slow:{slow_us}"})

    def good(self, folder, trace, arguments):
        if self.run(folder, trace, arguments, 0).wait() != 0:
            raise SystemExit(f"FAILED: a run of {arguments} that nobody kills")
        return contents(folder)

    def folder(self, name):
        shutil.rmtree(self.tmp / name, ignore_errors=True)
        (self.tmp / name).mkdir()
        return self.tmp / name

    def learn(self, arguments):
        """The two outputs, and how long a slow run lasts."""
        old = self.good(self.folder("old"), "switches.pex", arguments)
        new = self.good(self.folder("new"), "stragglers.pex", arguments)
        start = time.monotonic()
        if self.run(self.folder("timed"), "stragglers.pex", arguments, SLOW_US).wait() != 0:
            raise SystemExit("FAILED: a slow run")
        self.known[str(arguments)] = old, new, time.monotonic() - start
        return self.known[str(arguments)]

    def kill(self, draw, arguments, outputs):
        """What stood afterwards: old, new, or none (of a .pex, whose records are whole)."""
        old, new, lasts = self.known.setdefault(str(arguments), None) or self.learn(arguments)
        work = self.folder("work")
        for name, content in old.items():
            (work / name).parent.mkdir(exist_ok=True)
            (work / name).write_bytes(content)
        process = self.run(work, "stragglers.pex", arguments, SLOW_US)
        time.sleep(draw.uniform(0, 1.1 * lasts))
        sent = draw.choice(SIGNALS)
        process.send_signal(sent)
        code = process.wait()
        if code not in (0, -sent):
            raise SystemExit(f"FAILED: exit status {code} after signal {sent}")
        found = contents(work)
        mine = of_output(found, outputs)
        litter = len(found) - len(mine)
        records = {k: v for k, v in mine.items() if k != "out.pex"}
        state = "old" if mine == old else "new" if mine == new else "none"
        if state == "none" and ("out.pex" in mine or len(outputs) == 1 or
                                records not in ({k: v for k, v in d.items() if k != "out.pex"} for d in (old, new))):
            raise SystemExit(f"FAILED: {arguments}, signal {sent}: neither old nor new: {sorted(mine)}")
        if state == "none" and (litter == 0 or sent != signal.SIGKILL):
            raise SystemExit("FAILED: the old .pex is lost, or not where it was")
        if self.good(work, "stragglers.pex", arguments) != new:
            raise SystemExit(f"FAILED: left behind: {sorted(set(contents(work)) - set(new))}")
        return state, litter > 0


def main():
    cellsync, library, data = (pathlib.Path(p).resolve() for p in sys.argv[1:4])
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 20080826
    print("seed", seed)
    draw = random.Random(seed)
    counts = {"old": 0, "new": 0, "none": 0}
    littered = 0
    with tempfile.TemporaryDirectory() as tmp:
        kills = Kills(cellsync, library, data, pathlib.Path(tmp))
        for i in range(KILLS):
            state, litter = kills.kill(draw, *SCENARIOS[i % len(SCENARIOS)])
            counts[state] += 1
            littered += litter
    print(f"{KILLS} kills: the old output stood {counts['old']} times, the new one {counts['new']}, "
          f"records without a .pex {counts['none']}; {littered} left something, which the next run removed")
    return counts["old"] == 0 or counts["new"] == 0


sys.exit(main())
