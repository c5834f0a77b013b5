"""Runs programs as subprocess.run does, at a third of what a start costs: a program is started once, with
tests/tools/starter.c preloaded, and waits in front of its main; each run is a fork of it.

CELLSYNC_STARTER in the environment names what is preloaded; without it, and for what is asked for seldom, this is
subprocess.run.  Of what a run inherits, the working folder and the environment are those of now; limits, the mask of new
files, how signals are handled and the priority are those at the first run of the program. Who changes them calls subprocess.
"""

import atexit
import locale
import os
import select
import socket
import struct
import subprocess
import time
from subprocess import DEVNULL, PIPE, STDOUT

TEXT_MAX = 1 << 17                                  # starter.c's
READ_MAX = 1 << 16
READ_BEFORE_MAIN = (b"LD_", b"MALLOC_", b"GLIBC_")  # variables
PROGRAM_OF_SCRIPT = {}                              # by the path of a script that calls it at one rate
USUAL = {"input", "stdin", "stdout", "stderr", "capture_output", "text", "cwd", "env", "timeout"}


class Server:
    """A program that waits for requests."""

    def __init__(self, program):
        self.socket, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        # What is linked when it is first called would be so in each run.
        more = {"LD_PRELOAD": os.environ["CELLSYNC_STARTER"], "LD_BIND_NOW": "1", "CELLSYNC_STARTER_FD": str(other.fileno())}
        try:
            self.process = subprocess.Popen([program], env=os.environ | more, stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL,
                                            pass_fds=[other.fileno()])
        except OSError:
            self.socket.close()
            raise
        finally:
            other.close()
        # Of a script it would be what runs that.
        self.waits = self.socket.recv(1) == b"\0" and os.path.samefile(f"/proc/{self.process.pid}/exe", program)

    def ask(self, words, environment, streams, cwd):
        text = b"\0".join([*words, *environment, b""])
        folder = os.open(cwd or ".", os.O_PATH | os.O_DIRECTORY)
        try:
            socket.send_fds(self.socket, [struct.pack("=II", len(words), len(environment)), text], [*streams, folder])
        finally:
            os.close(folder)

    def end(self):
        """Ends it, and what it runs."""
        self.socket.close()
        self.process.wait()


class Servers:
    """Those that have nothing to run, by program: as many as once ran at a time."""

    def __init__(self):
        self.idle = {}
        self.none = set()                           # programs of which none can be had
        self.runs = 0
        self.environment = None, None

    def take(self, program):
        try:
            return self.idle.setdefault(program, []).pop()
        except IndexError:
            server = Server(program)
        if server.waits:
            return server
        server.end()
        self.none.add(program)
        return None

    def give_back(self, program, server):
        self.idle[program].append(server)
        self.runs += 1

    def all_idle(self):
        return [server for servers in self.idle.values() for server in servers]

    def end(self):
        for server in self.all_idle():
            server.end()
        self.idle.clear()

    def forget(self):
        """In a fork of this process: they are those of the other."""
        for server in self.all_idle():
            server.socket.close()
        self.__init__()

    def own_environment(self):
        """As strings; mostly it is what it was."""
        now = os.environb.copy()
        if now != self.environment[0]:
            self.environment = now, strings(now)
        return self.environment[1]


def strings(environment):
    return [os.fsencode(name) + b"=" + os.fsencode(value) for name, value in environment.items()]


SERVERS = Servers()
atexit.register(SERVERS.end)
os.register_at_fork(after_in_child=SERVERS.forget)


class Streams:
    """The three descriptors of a run, and the other ends of those that are pipes."""

    def __init__(self, data, stdin, stdout, stderr):
        self.opened = []                            # what the run alone is to have
        self.taken = {}                             # what came out of pipes
        self.data, self.feed = memoryview(data or b""), None
        if data is None:
            given = self.stream(0, stdin)[0]
        else:
            given, self.feed = os.pipe()
            self.opened.append(given)
            os.set_blocking(self.feed, False)
            self.write()
        out, self.out = self.stream(1, stdout)
        err, self.err = (out, None) if stderr == STDOUT else self.stream(2, stderr)
        self.of_run = given, out, err

    def stream(self, number, what):
        """The descriptor, and of a pipe the list of what comes out."""
        if what is None:
            return number, None
        if what == DEVNULL:
            self.opened.append(os.open(os.devnull, os.O_RDWR))
            return self.opened[-1], None
        if what == PIPE:
            reads, writes = os.pipe()
            self.opened.append(writes)
            self.taken[reads] = []
            return writes, self.taken[reads]
        return what if isinstance(what, int) else what.fileno(), None

    def write(self):
        """As much of the data as there is room for; false: no more is to come, or nobody reads any more."""
        try:
            self.data = self.data[os.write(self.feed, self.data):]
        except BlockingIOError:
            pass
        except BrokenPipeError:
            self.data = self.data[:0]
        if self.data:
            return True
        os.close(self.feed)
        self.feed = None
        return False

    def leave(self):
        while self.opened:
            os.close(self.opened.pop())

    def follow(self, answers, seconds):
        """Reads and writes until the run has ended; its status as of waitpid, or None: not in time."""
        status = b""
        poll = select.poll()
        for fd in (answers, *self.taken):
            poll.register(fd, select.POLLIN)
        if self.feed is not None:
            poll.register(self.feed, select.POLLOUT)
        left, end = 1 + len(self.taken), time.monotonic() + (seconds or 0)
        while left:
            ready = poll.poll(None if seconds is None else max(0, end - time.monotonic()) * 1000)
            if not ready:
                return None
            for fd, _ in ready:
                if fd == self.feed:
                    if not self.write():
                        poll.unregister(fd)
                    continue
                data = os.read(fd, READ_MAX)
                if fd == answers:
                    status = data
                elif data:
                    self.taken[fd].append(data)
                    continue
                poll.unregister(fd)
                left -= 1
        return struct.unpack("=i", status)[0]

    def close(self):
        self.leave()
        for fd in self.taken:
            os.close(fd)
        if self.feed is not None:
            os.close(self.feed)


def ask_server(args, words, environment, input=None, stdin=None, stdout=None, stderr=None, capture_output=False, text=False,
               cwd=None, env=None, timeout=None):
    """None: there is no server."""
    server = SERVERS.take(args[0])
    if not server:
        return None
    encoding = locale.getpreferredencoding(False) if text else None
    if capture_output:
        stdout = stderr = PIPE
    streams, status = None, None
    try:
        streams = Streams(input.encode(encoding) if text and input is not None else input, stdin, stdout, stderr)
        server.ask(words, environment, streams.of_run, cwd)
        streams.leave()
        status = streams.follow(server.socket.fileno(), timeout)
    finally:
        if streams:
            streams.close()
        if status is None:
            server.end()
        else:
            SERVERS.give_back(args[0], server)
    said = [None if taken is None else b"".join(taken) for taken in (streams.out, streams.err)]
    if status is None:
        raise subprocess.TimeoutExpired(args, timeout, *said)
    if text:
        said = [None if data is None else data.decode(encoding).replace("\r\n", "\n").replace("\r", "\n") for data in said]
    return subprocess.CompletedProcess(args, os.waitstatus_to_exitcode(status), *said)


def at_one_rate(args):
    """What tests/tools/one_rate.sh would start, without the two shells, which take longer than most runs. Only `one_rate`
    folders of builds have such scripts; their last line is: exec one_rate.sh PROGRAM "$@"."""
    script = os.fspath(args[0])
    if os.path.basename(os.path.dirname(script)) != "one_rate":
        return args
    if script not in PROGRAM_OF_SCRIPT:
        with open(script, encoding="utf-8") as text:
            PROGRAM_OF_SCRIPT[script] = text.read().split()[-2]
    words = [os.fsdecode(word) for word in args[1:]]
    other = any(word in ("--check", "--help", "--version") or word.startswith("--method") for word in words)
    rates = [] if other or any(word.startswith("--drift") for word in words) else ["--drift=0"]
    stamps = [] if other or any(word.startswith(("--delta", "--relax")) for word in words) else ["--delta=least"]
    return [PROGRAM_OF_SCRIPT[script], *rates, *stamps, *words]


def is_usual(args, how):
    return ("CELLSYNC_STARTER" in os.environ and USUAL.issuperset(how) and isinstance(args, (list, tuple)) and
            os.path.isabs(args[0]) and args[0] not in SERVERS.none and how.get("stdin") != PIPE and
            (how.get("input") is None or how.get("stdin") is None))


def run(args, check=False, **how):
    """subprocess.run; a program that is named by its full path has a server."""
    done, given = None, args
    if "CELLSYNC_STARTER" in os.environ and isinstance(args, (list, tuple)):
        args = at_one_rate(args)
    if is_usual(args, how):
        words = [os.fsencode(word) for word in args]
        env = how.get("env")
        environment = SERVERS.own_environment() if env is None else strings(env)
        if (sum(map(len, words)) + sum(map(len, environment)) + len(words) + len(environment) <= TEXT_MAX and
                not any(variable.startswith(READ_BEFORE_MAIN) for variable in environment)):
            done = ask_server(args, words, environment, **how)
    if done is None:
        done = subprocess.run(args, check=False, **how)
    done.args = given
    if check:
        done.check_returncode()
    return done
