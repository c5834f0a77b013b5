#!/usr/bin/env python3
"""What celltrace(1) and libcelltrace(3) promise, held against the files of the run.

Usage: celltrace_test.py CELLTRACE TRACED [--kills=N] [--linked]
--linked: under a sanitizer nothing can be preloaded; TRACED is linked with the library and told by CELLTRACE.
"""
import mmap
import os
import pathlib
import random
import re
import resource
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from run_files import FLUSH, processes  # noqa: E402

CELLTRACE, TRACED = (str(pathlib.Path(p).resolve()) for p in sys.argv[1:3])
LINKED = "--linked" in sys.argv
if LINKED:  # leaks are looked for by stopping all threads, the recorder's own, too
    os.environ["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
KILLS = next((int(a.split("=")[1]) for a in sys.argv if a.startswith("--kills=")), 10)


def record(folder, *words, settings="", program=TRACED, **more):
    """Run a program under the recorder, in its own folder; the run and how it ended."""
    run = pathlib.Path(folder) / f"run{len(list(pathlib.Path(folder).iterdir()))}"
    settings = f"events=none {settings}".strip()
    if LINKED or "pass_fds" in more:
        environment = dict(os.environ, CELLTRACE=f"{settings.replace(' ', ';')}{';' if settings else ''}run={run}")
        command = [program, *words]
    else:
        environment = None
        command = [CELLTRACE, "-o", str(run), *(f"--{s}" for s in settings.split()), program, *words]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, **more)
    return run, ended


def one(folder, *words, status=0, said="", **more):
    run, ended = record(folder, *words, **more)
    assert ended.returncode == status and ended.stderr == said, (words, ended)
    (process,) = processes(run)
    return process


def whole(process, name="NUMBER"):
    """Each thread's numbers, which are all of 0, 1, ... in order."""
    threads = {}
    for r in process.of(name):
        threads.setdefault(r.thread, []).append(r.values[0])
    assert all(numbers == list(range(len(numbers))) for numbers in threads.values())
    return threads


def counts(folder):
    for threads, events, settings in ((1, 0, ""), (1, 1, ""), (4, 3000, ""), (3, 5000, "page=4096"), (2, 1000, "page=5120"), (2, 1000, "page=6080"),
                                      (1, 1, "order=buffer"), (4, 5000, "order=buffer page=4096"), (8, 2000, "order=buffer")):
        p = one(folder, "count", str(threads), str(events), settings=settings)
        assert p.recording["complete"] == "yes" and p.recording["lost"] == "0" and not p.has_live
        assert p.said == len(p.written) and p.torn == 0 and len(p.records) == len(p.written)
        assert int(p.recording["records"]) == sum(r.id != FLUSH for r in p.records)
        found = whole(p)
        assert [len(n) for n in found.values()] == [events] * threads * (events > 0), (threads, events)
        assert p.one_buffer == ("order=buffer" in settings)


def sizes(folder):
    """Pages end at every residue of a record's size, and hold what fits and nothing else."""
    n = 4000
    for order in ("block", "buffer"):
        sizes_in(n, one(folder, "sizes", str(n), settings=f"page=4096 order={order}"))


def sizes_in(n, p):
    found = p.of("SIZED")
    assert [r.values for r in found] == [(i,) * (i * 7 % 31) for i in range(n)] and p.recording["lost"] == "0"
    sizes, ends = 0, set()
    for r in p.records:
        if r.id == FLUSH:
            ends.add(sizes)
            sizes = 0
        else:
            sizes += r.size
    assert max(ends) <= 4096 and {e % 8 for e in ends} == {0} and len(ends) > 10, sorted(ends)


def kinds(folder):
    run, ended = record(folder, "kinds")
    (p,) = processes(run)
    assert ended.returncode == 0 and "1 function entries and exits have no counterpart" in ended.stderr, ended
    assert (p.recording["unbalanced"], p.recording["refused"]) == ("1", "4")
    found = [(p.types[r.id].get("name"), r.flags, r.values) for r in p.records]
    sample = next(f for f in found if f[0] == "sample")
    assert len(sample[2]) == 5 and sample[2][4] > 0
    want = [("block_ENTRY", 0, ()), ("STATE", 0, (2**64 - 3,)), ("COUNTER", 0, (4, 5)), ("SEND", 0, (6, 7, 8)),
            ("NUMBER", 0, (9, 10, 11, 12)), ("WAIT", 1, ()), ("INTERVAL", 1, (1,)), ("INTERVAL", 1, (1, 2)),
            ("RECV", 1, (1, 2, 3)), *(("INTERVAL", 1, tuple(range(1, n))) for n in (5, 6, 7)),
            ("MANY", 0, tuple(range(1, 9))), ("block_EXIT", 0, ()), ("block_ENTRY", 0, ()), ("TRACE_STOP", 0, ()),
            ("TRACE_START", 0, ()), sample]
    assert found[1:1 + len(want)] == want, found
    assert found[0][0] == "PROGRAM_START" and [f[0] for f in found if f[0] != "BUFFER_FLUSH"][-1] == "PROGRAM_STOP"
    assert all(r.begin <= r.time for r in p.records if r.flags)
    order = {t.get("name"): (t.get("order"), t.get("match"), t.get("stamp")) for t in p.types.values()}
    assert order["SEND"] == ("send", "@self to tag", "before") and order["RECV"] == ("recv", "from @self tag", None)
    assert p.root.find("threads/ppe").get("name") == "kinds & <more>"
    clock = p.root.find("clock").attrib
    assert (run / "clock").read_text() == f"{clock['id']} {clock['source']} {clock['hz']}\n"
    paths = {i.get("path") for i in p.root.iter("image")}
    assert TRACED in paths and all(int(i.get("from"), 16) < int(i.get("to"), 16) for i in p.root.iter("image"))


def kill_once(folder, at_s, threads, order, page):
    """Nothing is lost that was recorded before the threads said so."""
    said = pathlib.Path(folder) / "said"
    said.write_bytes(bytes(4096))
    run = pathlib.Path(folder) / f"run{len(list(pathlib.Path(folder).iterdir()))}"
    with open(said, "r+b") as file:
        program = subprocess.Popen([TRACED, "until-killed", str(file.fileno()), str(threads)], pass_fds=[file.fileno()],
                                   env=dict(os.environ, CELLTRACE=f"events=none;page={page};order={order};run={run}"))
        seen = mmap.mmap(file.fileno(), 4096)
        while seen[:8] == bytes(8) and program.poll() is None:
            time.sleep(0.001)
        time.sleep(at_s)
        program.send_signal(signal.SIGKILL)
        program.wait()
        least = [int.from_bytes(seen[8 * i:8 * i + 8], sys.byteorder) for i in range(threads)]
    (p,) = processes(run)
    assert p.recording == {"complete": "no"} and p.said == 2**64 - 1
    main = int(p.root.find("process").get("pid"))
    found = {thread: len(numbers) for thread, numbers in whole(p).items()}
    assert found.get(main, 0) >= least[0] > 0 and sum(found.values()) >= sum(least), (found, least)
    for path in run.iterdir():
        path.unlink()


def live_bytes(run, said, page, buffer):
    """Of pages of three threads that record as fast as they can, and are killed."""
    said.write_bytes(bytes(4096))
    with open(said, "r+b") as file:
        program = subprocess.Popen([TRACED, "until-killed", str(file.fileno()), "3"], pass_fds=[file.fileno()],
                                   env=dict(os.environ, CELLTRACE=f"events=none;page={page};buffer={buffer};run={run}"))
        seen = mmap.mmap(file.fileno(), 4096)
        while min(struct.unpack("3Q", seen[:24])) < 50000 and program.poll() is None:
            time.sleep(0.001)
        program.send_signal(signal.SIGKILL)
        program.wait()
    (live,) = run.glob("*.live")
    return live.stat().st_size - 4096


def memory(folder):
    """What celltrace(1) says that a thread takes, and the library."""
    folder, most = pathlib.Path(folder), 0
    for page, slot in ((4096, 6144), (5120, 6144), (131072, 133120)):
        least = 3 * 2 * slot
        # Room for two pages of each thread, and for so many more that each 8th may be for more than two.
        assert live_bytes(folder / f"two{page}", folder / "said", page, least) == least, page
        took = live_bytes(folder / f"more{page}", folder / "said", page, 8 * 4 * least)
        assert least <= took <= 4 * least and took % (2 * slot) == 0, (page, took)
        most = max(most, took / least)
    assert most > 1 or LINKED, "no thread has more than two pages"
    if LINKED:
        return
    library = pathlib.Path(CELLTRACE).parent / "libcelltrace.so"
    data = library.read_bytes()
    assert data[:4] == b"\x7fELF"
    if data[4] == 2:
        at, size, n = struct.unpack_from("<Q14xHH", data, 32)[0], *struct.unpack_from("<HH", data, 54)
        kinds = [struct.unpack_from("<IIQQQQQQ", data, at + i * size) for i in range(n)]
        assert sum(k[6] for k in kinds if k[0] == 1 and k[1] & 1) <= 128 * 1024, "code"
        assert sum(k[6] for k in kinds if k[0] == 7) <= 1536, "of a thread, beside its pages"


def steps(folder):
    """A handler that records, in the window before each instruction of recording an event, and of turning a page."""
    for order in ("block", "buffer"):
        run, ended = record(folder, "step", "250", settings=f"page=4096 order={order}")
        if "ptrace" in ended.stderr:
            print(f"programs cannot be stepped through here: {ended.stderr.strip()}")
            return
        assert ended.returncode == 0 and ended.stderr == "", ended
        (p,) = (p for p in processes(run) if p.of("NUMBER"))
        numbers = [r.values[0] for r in p.of("NUMBER")]
        own, handled = [n for n in numbers if n < 10**6], [n - 10**6 for n in numbers if n >= 10**6]
        assert own == list(range(250)) and handled == sorted(set(handled)), (order, numbers)
        assert p.recording["complete"] == "yes", (order, p.recording)
        # Only where the recorder itself was interrupted what a handler records is lost.
        lost = int(p.recording["lost"])
        assert len(handled) + lost == int(ended.stdout) and len(handled) > 20 and lost > 5, (order, len(handled), ended, p.recording)


def kills(folder):
    random.seed(17)
    for i in range(KILLS):
        kill_once(folder, random.random() * 0.01, 1 + i % 3, ("block", "buffer")[i % 2], (8192, 6080)[i // 2 % 2])


def full_disk(folder):
    """A limit of file size is a full disk; what is there is a prefix, and the rest is counted."""
    for order in ("block", "buffer"):
        fill_disk(folder, order, 200000)


def fill_disk(folder, order, limit):
    run, ended = record(folder, "count", "2", "20000", settings=f"page=4096 order={order}",
                        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
    (p,) = processes(run)
    lost = int(p.recording["lost"])
    trace = p.pex.with_suffix(".trace")
    assert ended.returncode == 0 and ended.stderr == f"celltrace: {trace}: File too large; {lost} records lost\n", ended
    assert p.recording["complete"] == "no" and p.recording["fault"] == "File too large" and not p.has_live
    assert p.torn == 0 and p.said == len(p.written) == len(p.records) and trace.stat().st_size <= limit
    # Both threads' numbers, start and stop, and the waits, of which a few may be lost.
    waits = int(p.recording["waits"])
    # With one buffer what threads have spent is records, too; a sanitizer may have a thread of its own.
    times = int(p.recording["records"]) + lost - (2 * 20000 + 2 + waits)
    assert times in ((0,) if order == "block" else (2, 2 + LINKED)), times
    assert whole(p)


def mounted_disk(folder):
    """The same on a file system of 1 MiB, where one can be mounted."""
    disk = pathlib.Path(folder) / "disk"
    disk.mkdir()
    script = f'mount -t tmpfs -o size=1m none {disk} && CELLTRACE="events=none;run={disk}/run" {TRACED} count 2 50000; ' \
             f'code=$?; cp -r {disk}/run {disk}.copy; exit $code'
    ended = subprocess.run(["unshare", "-Urm", "sh", "-c", script], capture_output=True, text=True, timeout=120)
    if "mount" in ended.stderr or "unshare" in ended.stderr:
        print(f"no file system can be mounted here: {ended.stderr.strip()}")
        return
    (p,) = processes(f"{disk}.copy")
    lost = int(p.recording["lost"])
    assert ended.returncode == 0 and f".trace: No space left on device; {lost} records lost" in ended.stderr, ended
    assert int(p.recording["records"]) + lost == 2 * 50000 + 2 + int(p.recording["waits"])
    assert p.recording["complete"] == "no" and p.said == len(p.records) and whole(p)


def no_record_file(folder):
    """A process that cannot make its record file leaves nothing that makes the run look incomplete."""
    run = pathlib.Path(folder) / "run"
    run.mkdir(mode=0o755)
    trace = f"{run}/{re.sub('[^A-Za-z0-9.-]', '_', socket.gethostname())}.$$.trace"
    ended = subprocess.run(["sh", "-c", f'touch "{trace}"; CELLTRACE="events=none;run={run}" exec {TRACED} count 1 1'],
                           capture_output=True, text=True, timeout=120)
    assert ended.returncode == 0 and ended.stderr.endswith(".trace: File exists; nothing is recorded\n"), ended
    assert sorted(p.suffix for p in run.iterdir()) == ["", ".trace"], list(run.iterdir())  # the clock, and our file


def dropping(folder):
    for order in ("block", "buffer"):
        p = one(folder, "count", "4", "30000", settings=f"full=drop page=4096 order={order}")
        got = sum(r.id != FLUSH for r in p.records)
        times = got + int(p.recording["lost"]) - (4 * 30000 + 2)
        assert times in ((0,) if order == "block" else (4, 4 + LINKED)) and p.recording["waits"] == "0", times
        told = sum(r.values[1] for r in p.records if r.id == FLUSH)
        assert told <= int(p.recording["lost"])


def too_small_buffer(folder):
    run, ended = record(folder, "count", "3", "100", settings="buffer=300000")
    (p,) = processes(run)
    lost = int(p.recording["lost"])
    # The first thread's pages fit, and no others'.
    assert f".live: Cannot allocate memory; {lost} records lost" in ended.stderr and lost == 300, ended
    run, ended = record(folder, "count", "3", "100", settings="buffer=135168 order=buffer")
    if LINKED:  # the recorder itself says so, else the launcher before it
        assert ended.returncode == 0 and ended.stderr.endswith(".live: Cannot allocate memory; nothing is recorded\n"), ended
    else:
        assert ended.returncode == 125 and "is too small for two pages" in ended.stderr and not run.exists(), ended


def forks(folder):
    p = one(folder, "fork")
    assert [r.values for r in p.of("NUMBER")] == [(1,), (3,)] and p.recording["complete"] == "yes"


def execs(folder):
    run, ended = record(folder, "exec", TRACED)
    assert ended.returncode == 0 and ended.stderr == "", ended
    second, first = processes(run)
    assert second.pex.stem == f"{first.pex.stem}-2"
    assert first.recording == {"complete": "exec"} and first.has_live and second.recording["complete"] == "yes"
    assert [r.values for r in first.of("NUMBER")] == [(1,)] and len(second.of("NUMBER")) == 5


def storms(folder):
    for settings in ("", "order=buffer"):
        storm(*record(folder, "storm", settings=settings))


def storm(run, ended):
    assert ended.returncode == 0 and ended.stderr == "", ended
    (p,) = processes(run)
    assert p.recording["complete"] == "yes" and p.said == len(p.records)
    handled = sum(r.values == (signal.SIGALRM,) for r in p.of("NUMBER"))
    # A handler's event, or one that it interrupts a thread's end with, may be lost; a thread's own never.
    assert len(p.of("NUMBER")) - int(ended.stdout) <= handled and handled > 0
    threads = {}
    for r in p.of("NUMBER"):
        threads.setdefault(r.thread, []).append(r.values[0])
    assert sum(n >= 0 for numbers in threads.values() for n in numbers) >= int(ended.stdout)


def spending(folder):
    """User, system, ready and blocked time of each thread, from its blocks, also of one that has not ended."""
    names = ("cpu", "voluntary", "involuntary", "user", "system", "page_faults", "running", "runnable")
    for order in ("block", "buffer"):
        p = one(folder, "spend", settings=f"order={order}")
        (main,) = p.of("PROGRAM_START")
        base = dict(zip(names, main.values[1:]))
        last, first = {}, {}
        for r in p.records:
            first.setdefault(r.thread, r)
            if r.id == FLUSH and len(r.values) == 11 or p.types[r.id].get("name") in ("THREAD_TIMES", "PROGRAM_STOP"):
                last[r.thread] = dict(zip(names, r.values[-8:])), r.begin or r.time
        hz, spent = int(p.root.find("clock").get("hz")), {}
        for who in p.of("NUMBER"):
            t, at = last[who.thread]
            spent[who.values[0]] = t
            t["elapsed"] = (at - first[who.thread].time) * 10**9 // hz
            assert abs(t["user"] + t["system"] - t["cpu"]) <= 2 * 10**6, t  # getrusage has microseconds, read at another time
            assert abs(t["running"] - t["cpu"]) <= 5 * 10**6, t
            t["blocked"] = t["elapsed"] - t["running"] - t["runnable"]
        works, asks, sleeps, stays = (spent[n] for n in range(4))
        assert works["cpu"] >= 25 * 10**6 and works["blocked"] < 10**7, works
        # The kernel divides it by what its clock happens to tick upon, which other load can lead astray.
        assert asks["cpu"] >= 25 * 10**6 and asks["blocked"] < 10**7, asks
        # What a thread has spent is since it began, which was later than the program, and earlier than its first record.
        for kind, t in ((2, sleeps), (3, stays)):
            ended = next(last[r.thread][1] for r in p.of("NUMBER") if r.values[0] == kind)
            t["blocked"] = (ended - main.time) * 10**9 // hz - t["running"] - t["runnable"]
            # If other programs keep both processors busy, the kernel counts some of the sleep as waiting for one.
            assert t["blocked"] > 20 * 10**6 or t["runnable"] > 10**7, t
            assert t["cpu"] < 10**7 and t["voluntary"] > 0, t
        assert base["cpu"] > 0 and base["page_faults"] > 0


def closing(folder):
    """What opened other files under numbers of the library's is recorded, too, and the files are as they were."""
    other = pathlib.Path(folder) / "other"
    p = one(folder, "closes", str(other))
    assert sorted(r.values for r in p.of("NUMBER")) == [(0,), (1,), (2,)] and p.recording["complete"] == "yes"
    assert p.recording["lost"] == "0" and other.stat().st_size == 0


def skewing(folder):
    p = one(folder, "count", "1", "10", settings="skew=1000000,50")
    lines = (p.pex.parent / "truth.csv").read_text().splitlines()
    host, pid, ns, ppm = lines[1].split(",")
    assert lines[0] == "host,pid,ns,ppm" and len(lines) == 2
    assert f"{host}.{pid}" == p.pex.stem and abs(int(ns)) <= 10**6 and abs(float(ppm)) <= 50
    clock = p.root.find("clock").attrib
    assert clock["id"].endswith(f"+{pid}")
    # What the clock shows now is near what it showed then, once the skew is taken away.
    if clock["source"] == "tsc":
        uptime = p.records[0].time / int(clock["hz"])
        true = (uptime - int(ns) / 1e9) / (1 + float(ppm) / 1e6)
        assert abs(true - time.clock_gettime(time.CLOCK_MONOTONIC_RAW)) < 3600 or true > 0


def guarding(folder):
    """A folder into which others could put links is refused, and links there are not followed."""
    folder = pathlib.Path(folder)
    precious = folder / "precious"
    host = re.sub(r"[^\w.-]|^[.-]", "_", socket.gethostname()[:127])

    def refused(run, want, **more):
        ended = subprocess.run([TRACED, "count", "1", "1"], env=dict(os.environ, CELLTRACE=f"events=none;run={run}"),
                               capture_output=True, text=True, **more)
        assert ended.returncode == 0 and ended.stderr == f"celltrace: {want}; nothing is recorded\n", (run, ended)
        if not LINKED and not more and "link" not in run.name:
            ended = subprocess.run([CELLTRACE, "-o", run, TRACED, "count", "1", "1"], env=dict(os.environ, PMI_RANK="0"),
                                   capture_output=True, text=True)
            assert ended.returncode == 125 and ended.stderr == f"celltrace: {want}\n", (run, ended)
        assert precious.read_text() == "kept\n" and not list(run.glob("*.live"))

    precious.write_text("kept\n")
    for mode in (0o775, 0o757, 0o1777):
        (folder / "open").mkdir(exist_ok=True)
        (folder / "open").chmod(mode)
        refused(folder / "open", f"{folder}/open: other users can write to the folder, and could make celltrace overwrite your files; run chmod go-w on the folder, or name a new folder")
    (folder / "own").mkdir()
    if os.geteuid() == 0:
        os.chown(folder / "own", 65534, 65534)
        refused(folder / "own", f"{folder}/own: the folder belongs to another user, who could make celltrace overwrite your files; name a folder that you own")
        os.chown(folder / "own", 0, 0)
    (folder / "link").symlink_to("own")
    refused(folder / "link", f"{folder}/link: Not a directory")
    refused(folder / "own", f"{folder}/own/clock: Too many levels of symbolic links",
            preexec_fn=lambda: (folder / "own/clock").symlink_to(precious))
    (folder / "own/clock").unlink()
    for name in ("trace", "tmp"):
        run = folder / f"own-{name}"
        run.mkdir()

        def plant():
            stem = f"{host}.{os.getpid()}"
            (run / (f"{stem}.trace" if name == "trace" else f".{stem}.tmp")).symlink_to(precious)

        ended = subprocess.run([TRACED, "count", "1", "1"], env=dict(os.environ, CELLTRACE=f"events=none;run={run}"),
                               capture_output=True, text=True, preexec_fn=plant)
        # A temporary file is replaced, as that of a killed process with the same id is.
        want = ".trace: File exists; nothing is recorded\n" if name == "trace" else ""
        assert ended.returncode == 0 and ended.stderr.endswith(want) and bool(ended.stderr) == bool(want), ended
        assert precious.read_text() == "kept\n" and not list(run.glob("*.live"))
        if name == "tmp":
            (p,) = processes(run)
            assert p.recording["complete"] == "yes" and not (run / f".{p.pex.stem}.tmp").is_symlink()
    run, ended = record(folder, "count", "1", "1", settings="skew=10", preexec_fn=lambda: os.umask(0))
    assert ended.returncode == 0 and ended.stderr == "" and run.stat().st_mode & 0o7777 == 0o755
    assert {p.name: p.stat().st_mode & 0o7777 for p in run.iterdir() if p.stat().st_mode & 0o7777 != 0o644} == {}


def launching(folder):
    """Exit codes and messages of the launcher."""
    def fails(status, *words, want):
        ended = subprocess.run([CELLTRACE, *words], capture_output=True, text=True, cwd=folder)
        assert ended.returncode == status and want in ended.stderr, (words, ended)

    fails(125, want="celltrace: the name of a program (PROGRAM) is missing")
    fails(125, "--page=1k", "true", want="--page: '1k' is not a number of bytes from 4096 to 16777216")
    fails(125, "--buffer=256k", "true", want="--buffer: '256k' is too small for two pages of 128k, which need 266240 bytes")
    fails(125, "--buffer=8k", "--page=4K", "true", want="--buffer: '8k' is too small for two pages of 4K, which need 12288 bytes")
    fails(125, "--skew=1,2,3", "true", want="--skew: '1,2,3' is not NS or NS,PPM")
    fails(125, "-e", "sync,all", "true", want="--events: 'sync,all' is not a comma-separated list of")
    fails(125, "--order=thread", "true", want="--order: 'thread': expected one of block, buffer")
    fails(125, "--full=stop", "true", want="--full: 'stop': expected one of wait, drop")
    fails(125, "-o", "no/such/folder", "true", want="no/such/folder: No such file or directory")
    (pathlib.Path(folder) / "file").touch()
    fails(125, "-o", ".", "true", want="the folder is not empty")
    fails(127, "-o", "none", "no-such-program", want="no-such-program: program not found")
    fails(126, "-o", "folder", "/", want="/: Permission denied")
    assert not (pathlib.Path(folder) / "none").exists() and not (pathlib.Path(folder) / "folder").exists()
    ended = subprocess.run([CELLTRACE, "-o", "status", "sh", "-c", "exit 7"], cwd=folder)
    assert ended.returncode == 7
    # Some shells end by _exit.
    (p,) = processes(pathlib.Path(folder) / "status")
    assert p.recording["complete"] == "yes"
    ended = subprocess.run([CELLTRACE, "true"], cwd=folder, env=dict(os.environ, PMI_RANK="0"), capture_output=True, text=True)
    assert ended.returncode == 125 and "this option is required in an MPI job" in ended.stderr
    ended = subprocess.run([TRACED, "count", "1", "1"], env=dict(os.environ, CELLTRACE="page=x;run=y"), capture_output=True, text=True)
    assert ended.returncode == 0 and "nothing is recorded" in ended.stderr and not os.path.exists("y")
    ended = subprocess.run([TRACED, "count", "1", "1"], env=dict(os.environ, CELLTRACE="run=/dev/null/x"), capture_output=True, text=True)
    assert ended.returncode == 0 and ended.stderr == "celltrace: /dev/null/x: Not a directory; nothing is recorded\n", ended


def main():
    cases = [counts, sizes, kinds, memory, kills, full_disk, mounted_disk, no_record_file, dropping, too_small_buffer, forks, execs, storms, spending, closing, skewing, guarding]
    if not LINKED:
        cases += [launching, steps]
    for case in cases:
        with tempfile.TemporaryDirectory() as folder:
            case(folder)
    print(f"{len(cases)} cases, {KILLS} kills")


if __name__ == "__main__":
    main()
