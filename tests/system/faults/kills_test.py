"""A run is killed at 200 random moments, and before each call that changes something on disk: the old output stands then,
or the new one, whole.

    kills_test.py CELLSYNC FAULTY_LIBRARY TESTDATA PDTSIM [SEED]

Of a .pex and its record file that means: the old .pex with the old records, or the new one with the new.  The next run into
the folder leaves that so, and nothing beside it, whatever it writes.  SIGKILL may leave something meanwhile, other signals
do not.
"""
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import time

import faulty
import in_memory
from faulty import started

KILLS = 70
SLOW_US = 3000
SIGNALS = [signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGXCPU]
SCENARIOS = [
    ["-o", "out.pex"],
    ["-o", "out.pex", "--compress"],
    ["-o", "out.pex", "--embed"],
    ["-o", "out.csv"],
    ["-o", "out.ctf"],
    ["-r", "out.json"],
]
ARCHIVE = ["-o", "out.archive", "--to=otf2"]
FIGURES = ["--figures=out.figures"]


RECORDS = r"out\.[0-9a-f]{8}\.trace"


class Failed(Exception):
    pass


def contents(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def frozen(found):
    return frozenset(found.items())


def output(found):
    """What stands under the names of an output; of a .pex, itself and the records it names."""
    pex = found.get("out.pex")
    if pex is None:
        return {k: v for k, v in found.items() if k.startswith("out.") and not re.match(RECORDS, k)}
    href = re.search(rb' href="([^"]*)"', pex)
    if not href:
        return {"out.pex": pex}
    return {"out.pex": pex.replace(href[0], b""), "records": found.get(href[1].decode())}


class Kills:
    def __init__(self, cellsync, library, data, tmp):
        self.cellsync, self.tmp, self.known, self.judged = cellsync, tmp, {}, {}
        self.preloaded = {"LD_PRELOAD": str(library)}
        self.environment = {**os.environ, **faulty.preload(cellsync, library), "LC_ALL": "C"}
        for name in ("switches", "stragglers"):
            for suffix in (".pex", ".trace"):
                shutil.copy(data / "samples" / (name + suffix), tmp)
        shutil.copytree(data / "otf2", tmp / "otf2")

    def has_otf2(self):
        done = subprocess.run([self.cellsync, self.tmp / "otf2/traces.otf2"], capture_output=True)
        return b"without OTF2" not in done.stderr

    def words(self, trace, arguments):
        of = [self.tmp / trace]
        if arguments == ARCHIVE:  # two runs differ by their options
            of = [self.tmp / "otf2/traces.otf2"] + ["--alpha=1/3"] * (trace == "switches.pex")
        return [self.cellsync, "-q", *of, *arguments]

    def begin(self, folder, trace, arguments, fault):
        """A process of its own, which can be killed."""
        return subprocess.Popen(self.words(trace, arguments), cwd=folder, stderr=subprocess.PIPE,
                                env={**self.environment, **self.preloaded, "CELLSYNC_FAULT": fault})

    def run(self, folder, trace, arguments, fault):
        return started.run(self.words(trace, arguments), cwd=folder, stderr=subprocess.PIPE,
                           env={**self.environment, "CELLSYNC_FAULT": fault})

    def good(self, folder, trace, arguments):
        done = self.run(folder, trace, arguments, "none:0")
        if done.returncode != 0:
            raise Failed(f"a run of {arguments} that is not killed: {done.stderr}")
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
        if self.begin(self.folder("timed"), "stragglers.pex", arguments, f"slow:{SLOW_US}").wait() != 0:
            raise Failed("a slow run")
        return old, new, time.monotonic() - start

    def look_up(self, arguments):
        if str(arguments) not in self.known:
            self.known[str(arguments)] = self.learn(arguments)
        return self.known[str(arguments)]

    def work(self, old):
        work = self.folder("work")
        for name, content in old.items():
            (work / name).parent.mkdir(parents=True, exist_ok=True)
            (work / name).write_bytes(content)
        return work

    def judge(self, work, arguments, sent, old, new):
        """What stands in the folder, old or new, and whether something was left beside it.  The same folder is judged once."""
        found = contents(work)
        case = str(arguments), sent == signal.SIGKILL, *map(frozen, (found, old, new))
        if case not in self.judged:
            self.judged[case] = self.judge_anew(work, found, arguments, sent, old, new)
        return self.judged[case]

    def judge_anew(self, work, found, arguments, sent, old, new):
        stands = output(found)
        if stands not in (output(old), output(new)):
            raise Failed(f"neither old nor new: {sorted(found)}")
        left = sorted(set(found) - set(old) - set(new))
        if left and sent != signal.SIGKILL:
            raise Failed(f"left behind after signal {sent}: {left}")
        after = self.good(work, "stragglers.pex", ["-o", "other.csv"])
        if {k: v for k, v in after.items() if k != "other.csv"} not in (old, new):
            raise Failed(f"the next run, which wrote something else, left {sorted(after)}")
        if output(after) != stands:
            raise Failed(f"a run that writes something else has changed {sorted(found)} into {sorted(contents(work))}")
        other = {"other.csv": (work / "other.csv").read_bytes()}
        if self.good(work, "stragglers.pex", arguments) != {**new, **other}:
            raise Failed(f"left behind: {sorted(set(contents(work)) - set(new))}")
        return "new" if stands == output(new) else "old", bool(left)

    def kill(self, draw, arguments):
        """At a random moment."""
        old, new, lasts = self.look_up(arguments)
        work = self.work(old)
        process = self.begin(work, "stragglers.pex", arguments, f"slow:{SLOW_US}")
        time.sleep(draw.uniform(0, 1.1 * lasts))
        sent = draw.choice(SIGNALS)
        process.send_signal(sent)
        error = process.communicate()[1]
        if process.returncode not in (0, -sent) or error:
            raise Failed(f"{arguments}: exit status {process.returncode} after signal {sent}: {error}")
        return self.judge(work, arguments, sent, old, new)

    def kill_in_turn(self, fault, sent, arguments, replace):
        """Before each call that changes something; what stood then, in that order.  A run may be through before it notices
        a signal other than SIGKILL."""
        _, new, _ = self.look_up(arguments)
        old = self.look_up(arguments)[0] if replace else {}
        log = self.tmp / "log"
        self.environment["CELLSYNC_FAULT_LOG"] = str(log)
        self.run(self.work(old), "stragglers.pex", arguments, f"{fault}:0")
        calls = int(log.read_text().split()[0])
        states = []
        for n in range(1, calls + 1):
            work = self.work(old)
            done = self.run(work, "stragglers.pex", arguments, f"{fault}:{n}")
            if done.returncode not in ((0, -sent) if fault == "stop" else (-sent,)) or done.stderr:
                raise Failed(f"{arguments}: {fault}:{n}: exit status {done.returncode}: {done.stderr}")
            try:
                states.append(self.judge(work, arguments, sent, old, new)[0])
            except Failed as failure:
                raise Failed(f"{arguments}: {fault}:{n}: {failure}") from None
        if len(set(states)) != 2 or (fault == "die" and states != sorted(states, reverse=True)):
            raise Failed(f"{arguments}: {fault}: {states}")
        return states


def kill_pdtsim(pdtsim, library, folder):
    """The next run of pdtsim removes what SIGKILL has left, and nothing else."""
    def run(fault):
        return subprocess.run([pdtsim, "--events=200", "--truth=t.csv", "-o", "p.pex"], cwd=folder, capture_output=True,
                              env={**os.environ, "LD_PRELOAD": str(library), "CELLSYNC_FAULT": fault}).returncode
    run("none:0")
    old = contents(folder)
    codes, litter = [], 0
    while not codes or codes[-1] == -signal.SIGKILL:
        codes.append(run(f"die:{len(codes) + 1}"))
        left = sorted(set(contents(folder)) - set(old))
        litter = max(litter, len(left))
        if any(not re.fullmatch(r"\.pdtsim\.[0-9a-f]{8}\.[0-9]+\.[0-9]", name) for name in left):
            raise Failed(f"pdtsim: die:{len(codes)}: {left}")
    if codes[-1] != 0 or litter < 3:
        raise Failed(f"pdtsim: {codes}, at most {litter} files left")
    run("die:4")
    (name,) = [name for name in contents(folder) if name.endswith(".0")]
    host, pid = name.split(".")[2:4]
    kept = [".p.pex.1", f".pdtsim.{int(host, 16) ^ 1:08x}.{pid}.0", f".pdtsim.{host}.{os.getpid()}.0", f"{name}.x", f"x{name}"]
    for other in kept:
        (folder / other).write_bytes(b"")
    if run("none:0") != 0 or contents(folder) != {**old, **dict.fromkeys(kept, b"")}:
        raise Failed(f"pdtsim: after a run that goes well: {sorted(contents(folder))}")
    return len(codes) - 1


def main():
    cellsync, library, data, pdtsim = (pathlib.Path(p).resolve() for p in sys.argv[1:5])
    seed = int(sys.argv[5]) if len(sys.argv) > 5 else 20080826
    print("seed", seed)
    draw = random.Random(seed)
    counts = {"old": 0, "new": 0}
    littered = turns = 0
    with in_memory.folder() as tmp:
        kills = Kills(cellsync, library, data, pathlib.Path(tmp))
        scenarios = SCENARIOS + [ARCHIVE] * kills.has_otf2()
        try:
            for arguments in scenarios:
                for replace in (True, False):
                    turns += len(kills.kill_in_turn("die", signal.SIGKILL, arguments, replace))
                    turns += len(kills.kill_in_turn("stop", signal.SIGTERM, arguments, replace))
            turns += len(kills.kill_in_turn("die", signal.SIGKILL, FIGURES, False))
            turns += kill_pdtsim(pdtsim, library, kills.folder("simulated"))
            print(f"{turns} calls, and each time the old output or the new one")
            for i in range(KILLS):
                state, left = kills.kill(draw, scenarios[i % len(scenarios)])
                counts[state] += 1
                littered += left
        except Failed as failure:
            print("FAILED:", failure)
            return 1
    print(f"{KILLS} kills: the old output stood {counts['old']} times, the new one {counts['new']}; "
          f"{littered} left something, which the next run removed")
    return counts["old"] == 0 or counts["new"] == 0


sys.exit(main())
