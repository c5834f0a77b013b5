"""Programs that started.py runs by a server are as subprocess runs them: what they say and write, how they end, and what
they find when they begin.

    test_started.py CELLSYNC CELLSTAT PDTSIM TESTDATA ONE_RATE_CELLSYNC

Where servers cannot be, programs are run by subprocess, and the exit status is 77.
"""

import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import started

BOTH = subprocess.run, started.run
OWN_LIMIT = "Max data size"         # cellsync's, by what it finds in use
SILENT = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}

# Words of which the first is the program; demo.pex and others stand for paths of testdata.
COMMANDS = """
    cellsync --version
    cellsync --help
    cellsync
    cellsync --no-such-option
    cellsync nothing.pex
    cellsync demo.pex
    cellsync demo.pex -v -r -
    cellsync demo.pex -q -r report.json
    cellsync demo.pex -q -r report.csv --pairs=all -o out.pex
    cellsync demo.pex -q -o out.csv -r report.html --graph=graph.dot
    cellsync demo.pex -q -o out.json
    cellsync demo.pex -q -o out.csv.gz -j1
    cellsync demo.pex -q -o out.ctf
    cellsync demo.pex -q -o out.pftrace --figures=figures
    cellsync demo.pex -q -o - --to=csv
    cellsync demo.pex --explain=ppe,spe1
    cellsync demo.pex -o no/such/folder.pex
    cellsync demo.pex -r out -o out
    cellsync demo.pex --method=lamport -o out.pex
    cellsync demo.pex --delta=0 --no-sandbox
    cellsync demo.pex samples/paper.csv --table -r table.csv
    cellsync two.csv -o out.csv
    cellsync sockets.csv -o out.csv --drift=10
    cellsync forks.csv -r -
    cellsync bad/csv-no-time.csv
    cellsync bad/gzip-crc.pex
    cellsync bad/header-cut.pex -o out.pex
    cellsync --check demo.pex
    cellsync -q demo.pex -r /dev/full
    cellsync -q demo.pex -o /dev/full --to=csv
    cellsync -q samples/one-sided.csv -r - -j3
    cellstat demo.pex
    cellstat states demo.pex --format=csv
    cellstat timeline demo.pex -o timeline.svg
    cellstat order demo.pex #4 #11.begin
    cellstat order demo.pex #4
    cellstat nothing demo.pex
    one_rate demo.pex
    one_rate demo.pex -r - --drift=10
    one_rate demo.pex -r - --delta=7
    one_rate demo.pex -r - --relax=paper --no-such-option
    one_rate --check demo.pex
    one_rate demo.pex --method=lamport -o out.pex
    one_rate two.csv --drift=0 --delta=least -r out.json
    one_rate --help
    pdtsim --workload=lb --nodes=2 --seed=3 -o t.pex --truth=t.csv
    pdtsim --workload=nothing -o t.pex
    pdtsim
"""


def contents(folder):
    return {str(path.relative_to(folder)): path.is_file() and path.read_bytes() for path in folder.rglob("*")}


class Test(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = pathlib.Path(self.temporary.name)
        self.runs = started.SERVERS.runs

    def by_servers(self, n):
        self.assertEqual(started.SERVERS.runs - self.runs, n, "runs by servers")

    def same(self, words, **how):
        """What both ways come to."""
        both = []
        for n, run in enumerate(BOTH):
            folder = self.folder / f"{n}"
            folder.mkdir()
            done = run(words, cwd=folder, **how)
            both.append([done.args, done.returncode, done.stdout, done.stderr, contents(folder)])
            subprocess.run(["rm", "-r", folder], check=True)
        self.assertEqual(*both, words)
        return both[0]

    def test_commands(self):
        statuses, wrote = set(), 0
        commands = COMMANDS.strip().splitlines()
        for command in commands:
            program, *words = command.split()
            words = [str(TESTDATA / word) if (TESTDATA / word).is_file() else word for word in words]
            _, status, _, _, files = self.same([PROGRAMS[program], *words], capture_output=True)
            statuses.add(status)
            wrote += len(files)
        self.assertEqual(statuses, {0, 1, 2})
        self.assertGreater(wrote, 30)
        self.by_servers(len(commands))

    def test_forms(self):
        csv = (TESTDATA / "two.csv").read_bytes()
        report = [CELLSYNC, "-", "-r", "-"]
        self.assertEqual(self.same(report, input=csv, capture_output=True)[1], 0)
        self.same(report, input=csv.decode(), capture_output=True, text=True, timeout=60)
        self.same(report, input=b"", capture_output=True)
        self.same(report, input=b"time,thread\n" + b"7,x\n" * 200000, capture_output=True)  # more than a pipe holds
        self.same([CELLSYNC, "--help"], input=b"x" * 10**6, capture_output=True)            # nobody reads it
        self.same(report, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.same([CELLSYNC, "--help"], stdout=subprocess.DEVNULL)
        self.same((CELLSYNC, TESTDATA / "demo.pex", "-o", "-", "--to=json"), stdout=subprocess.PIPE)
        environment = {**os.environ, "TMPDIR": "/nothing", "LC_ALL": "C.UTF-8"}
        for run in BOTH:
            done = run(report, input=csv, env=environment, capture_output=True)
            self.assertRegex(done.stderr, b"^cellsync: /nothing/cellsync[.]......: temporary file: ")
        with open(TESTDATA / "two.csv", "rb") as trace:
            trace.seek(5)
            self.same([CELLSYNC, "-"], stdin=trace, capture_output=True)
        with open(self.folder / "said", "w+b") as said:
            self.same([CELLSYNC, "--help"], stdout=said, stderr=said.fileno())
            said.seek(0)
            text = said.read()
            self.assertGreater(len(text), 1000)
            self.assertEqual(text[:len(text) // 2], text[len(text) // 2:])
        self.by_servers(11)
        for run in BOTH:
            with self.assertRaises(subprocess.CalledProcessError) as raised:
                run([CELLSYNC, "nothing"], check=True, capture_output=True)
            self.assertEqual((raised.exception.returncode, raised.exception.stdout), (1, b""))
            self.assertRegex(raised.exception.stderr, b"^cellsync: nothing: ")
            with self.assertRaises(FileNotFoundError):
                run([f"{CELLSYNC}.not"])
            with self.assertRaises(FileNotFoundError):
                run([CELLSYNC], cwd=self.folder / "nothing")

    def test_working_folder(self):
        here = os.getcwd()
        try:
            for run in BOTH:
                for folder in (TESTDATA, TESTDATA / "samples"):
                    os.chdir(folder)
                    self.assertEqual(run([CELLSYNC, "-q", "paper.csv"], capture_output=True).returncode, folder == TESTDATA)
        finally:
            os.chdir(here)

    def test_environment(self):
        """A change of this process's own is taken over, and what is read before main is given to a new process."""
        csv = (TESTDATA / "two.csv").read_bytes()
        for name, value, status, runs in (("TMPDIR", "/nothing", 1, 1), ("LD_BIND_NOW", "1", 0, 0),
                                          ("MALLOC_ARENA_MAX", "1", 0, 0), ("X", "x" * 60000, 0, 1)):
            os.environ[name] = value
            try:
                self.assertEqual(started.run([CELLSYNC, "-q", "-"], input=csv, capture_output=True).returncode, status)
            finally:
                del os.environ[name]
            self.by_servers(runs)
            self.runs = started.SERVERS.runs
        self.assertEqual(started.run([CELLSYNC, "-q", "-"], input=csv, capture_output=True).returncode, 0)

    def test_pipe_of_no_reader(self):
        for run in BOTH:
            reads, writes = os.pipe()
            os.close(reads)
            done = run([CELLSYNC, "--help"], stdout=writes, stderr=subprocess.PIPE)
            os.close(writes)
            self.assertEqual((done.returncode, done.stderr), (-signal.SIGPIPE, b""))

    def test_timeout(self):
        for run in BOTH:
            reads, writes = os.pipe()
            begin = time.monotonic()
            with self.assertRaises(subprocess.TimeoutExpired) as raised:
                run([CELLSYNC, "-"], stdin=reads, capture_output=True, timeout=0.2)
            self.assertEqual((raised.exception.timeout, raised.exception.stdout or b""), (0.2, b""))
            self.assertGreaterEqual(time.monotonic() - begin, 0.2)
            os.close(reads)
            with self.assertRaises(BrokenPipeError):                # it has gone
                os.write(writes, b"x")
            os.close(writes)
        self.assertEqual(started.run([CELLSYNC, "--version"], capture_output=True).returncode, 0)

    def waiting(self, inspect, kills=False, **how):
        """Has inspect look at a cellsync that waits for its input, by both ways; how these end."""
        process = subprocess.Popen([CELLSYNC, "-q", "-"], **SILENT, **how)
        inspect(process.pid)
        if kills:
            process.wait()
        process.communicate(b"")
        server = started.SERVERS.take(CELLSYNC)
        self.assertIsNotNone(server)
        started.SERVERS.give_back(CELLSYNC, server)
        reads, writes = os.pipe()
        done = []
        thread = threading.Thread(
            target=lambda: done.append(started.run([CELLSYNC, "-q", "-"], stdin=reads, capture_output=True, **how)))
        thread.start()
        children = pathlib.Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children")
        while not children.read_text():
            time.sleep(0.001)
        try:
            inspect(int(children.read_text()))
            if kills:
                thread.join()
        finally:
            os.close(writes)
            thread.join()
            os.close(reads)
        return process.returncode, done[0].returncode

    def test_signals(self):
        for number in (signal.SIGKILL, signal.SIGSEGV, signal.SIGABRT, signal.SIGTERM, signal.SIGINT, signal.SIGXCPU):
            statuses = self.waiting(lambda pid, number=number: (settled(pid), os.kill(pid, number)), kills=True)
            self.assertEqual(statuses, (-number, -number))

    def test_what_it_finds(self):
        found = []
        self.waiting(lambda pid: found.append(settled(pid)), cwd=self.folder)
        self.assertEqual(*found)
        self.assertTrue(set("012") <= set(found[0]["fd"]))
        self.assertNotIn("socket", found[0]["fd"].values())
        self.assertEqual((found[0]["exe"], found[0]["cwd"]), (os.path.realpath(CELLSYNC), os.path.realpath(self.folder)))


def settled(pid):
    """What the kernel says of a process that waits for its input."""
    before = None
    for _ in range(1000):
        time.sleep(0.01)
        try:
            now = facts(pid)
        except FileNotFoundError:
            # A descriptor was closed, or a link was gone, while it was looked at: the process does not wait yet.
            now = None
        if now and now == before and now["State"] == "S (sleeping)" and now["SigCgt"].strip("0"):
            return now
        before = now
    raise AssertionError(f"{pid} does not wait")


def facts(pid):
    proc = pathlib.Path(f"/proc/{pid}")
    status = dict(re.findall(r"^(\w+):[ \t]*(.*)$", (proc / "status").read_text(), re.MULTILINE))
    wanted = ("Name", "State", "Umask", "Threads", "SigPnd", "ShdPnd", "SigBlk", "SigIgn", "SigCgt", "NoNewPrivs", "Seccomp",
              "Uid", "Gid", "Groups", "CapEff")
    links = {name: re.sub(r":\[\d+\]$", "", os.readlink(proc / name)) for name in ("exe", "cwd")}
    fds = {fd.name: re.sub(r":\[\d+\]$|#\d+", "", os.readlink(fd)) for fd in (proc / "fd").iterdir()}
    limits = [line for line in (proc / "limits").read_text().splitlines() if not line.startswith(OWN_LIMIT)]
    return {name: status.get(name) for name in wanted} | links | {"fd": fds, "limits": limits}


def missing():
    """What of this system a server, or the look at what it runs, takes and is not there; an old kernel, or a container that
    denies it."""
    try:
        os.close(os.pidfd_open(os.getpid()))
    except (AttributeError, OSError):
        return "pidfd_open"
    return None if os.path.exists(f"/proc/self/task/{os.getpid()}/children") else "/proc/PID/task/PID/children"


if __name__ == "__main__":
    MISSING = missing()
    if MISSING:
        print(f"skipped: this system has no {MISSING}")
        sys.exit(77)
    # A shell that runs this in the background has it ignored, and programs that are started here would ignore it, too.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    CELLSYNC, CELLSTAT, PDTSIM, TESTDATA, ONE_RATE = sys.argv[1:6]
    TESTDATA = pathlib.Path(TESTDATA)
    PROGRAMS = {"cellsync": CELLSYNC, "cellstat": CELLSTAT, "pdtsim": PDTSIM, "one_rate": ONE_RATE}
    unittest.main(argv=sys.argv[:1] + sys.argv[6:])
