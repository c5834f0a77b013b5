"""The recorder beside the clock that it reads, and other recorders; times of single events, the best of short batches."""
import os
import resource
import shutil
import statistics
import subprocess

from measure import RUNS, shell


def runs(command, environment=None, before=lambda: None):
    """Figures of several runs."""
    out = []
    for _ in range(RUNS):
        before()
        ended = subprocess.run([str(word) for word in command], env=environment, stdout=subprocess.PIPE, check=True)
        lines = [line.removeprefix("figures ").split() for line in ended.stdout.decode().splitlines()]
        out.append({words[0]: float(words[1]) for words in lines if len(words) == 2})
    return out


def median(found, name):
    return statistics.median(f[name] for f in found)


def ours(bench, *words, settings=""):
    run = bench.path("record_run")
    environment = dict(os.environ, CELLTRACE=f"events=none;{settings}run={run}")
    found = runs([bench.program("record_bench"), *words], environment, lambda: shutil.rmtree(run, ignore_errors=True))
    shutil.rmtree(run)
    return found


def least(bench, name, ours_ns, peer_ns, reach):
    bench.note(name, peer_ns / ours_ns, "x", reach, True, f"{ours_ns:.1f} ns against {peer_ns:.1f} ns")


def beside_clock(bench, found):
    clock, event, interval = (median(found, n) for n in ("clock", "event", "interval"))
    bench.note("record an event / read the clock", event / clock, "x", 1.15, False, f"{event:.1f} ns, {clock:.1f} ns")
    cpu, clock_cpu = median(found, "event_cpu"), median(found, "clock_cpu")
    bench.note("with its writer / read the clock", cpu / clock_cpu, "x", 2.5, False,
               f"{cpu:.1f} ns of CPU an event, written, {clock_cpu:.1f} ns")
    bench.note("an interval of 5 values / two readings", interval / (2 * clock), "x", 2, False, f"{interval:.1f} ns")
    bench.note("an event that is not recorded / read the clock", median(found, "off") / clock, "x", 0.5, False,
         f"{median(found, 'off'):.1f} ns")


def lttng(bench, event):
    name = "LTTng-UST / an event"
    program = bench.program("lttng_bench")
    if not program or not shutil.which("lttng") or not shutil.which("lttng-sessiond"):
        bench.leave_out(name, "LTTng-UST (liblttng-ust-dev, lttng-tools)")
        return
    home = bench.path("lttng_home")
    os.makedirs(home, exist_ok=True)
    os.environ["LTTNG_HOME"] = home
    session = f"cellsync-bench-{os.getpid()}"
    try:
        shell(f"lttng create {session} --output={home}/trace && lttng enable-event -u 'cellsync_bench:*' -s {session} "
              f"&& lttng start {session}")
        least(bench, name, event, median(runs([program]), "lttng"), 4)
    finally:
        subprocess.run(["lttng", "destroy", session], stdout=subprocess.DEVNULL, check=False)
        shutil.rmtree(home, ignore_errors=True)


def uftrace(bench):
    name = "uftrace / a function call"
    if not bench.has(name, "uftrace"):
        return
    run, data = bench.path("call_run"), bench.path("uftrace.data")
    call = runs([bench.programs.parent.parent / "celltrace", "-o", run, "-e", "functions", bench.program("call_bench")],
                before=lambda: shutil.rmtree(run, ignore_errors=True))
    peer = runs(["uftrace", "record", "--no-libcall", "-d", data, bench.program("call_bench")],
                before=lambda: shutil.rmtree(data, ignore_errors=True))
    least(bench, name, median(call, "call"), median(peer, "call"), 3)
    bench.remove("call_run", "uftrace.data")


def eztrace(bench):
    """Calls of MPI without a partner: the recorder's part alone is left."""
    name = "EZTrace / an MPI call"
    program = bench.program("overhead_kernel")
    if not program:
        bench.leave_out(name, "MPICH (libmpich-dev)")
        return
    if not bench.has(name, "eztrace"):
        return
    mpirun = shutil.which("mpirun.mpich") or "mpirun"
    run, data = bench.path("mpi_run"), bench.path("mpi_trace")
    plain = runs([mpirun, "-n", "1", program, "calls"])
    call = runs([mpirun, "-n", "1", bench.programs.parent.parent / "celltrace", "-o", run, "-e", "mpi", program, "calls"],
                before=lambda: shutil.rmtree(run, ignore_errors=True))
    peer = runs([mpirun, "-n", "1", "eztrace", "-t", "mpich", "-o", data, program, "calls"],
                before=lambda: shutil.rmtree(data, ignore_errors=True))
    least(bench, name, median(call, "send") - median(plain, "send"), median(peer, "send") - median(plain, "send"), 3)
    bench.remove("mpi_run", "mpi_trace")


def in_threads(bench, event):
    """Of CPU time, so that threads which wait for a core do not count."""
    alone = ours(bench, 1)
    for n in (2, 4, 8):
        own = median(ours(bench, n), "own")
        bench.note(f"an event in {n} threads / in one", own / median(alone, "own"), "x", 1.5, False, f"{own:.1f} ns of CPU")
    shared = median(ours(bench, settings="order=buffer;"), "event")
    bench.note("one buffer for all / pages of each thread", shared / event, "x", 4, False, f"{shared:.1f} ns an event, of one thread")
    alone = median(ours(bench, 1, settings="order=buffer;"), "own")
    for n in (2, 4, 8):
        own = median(ours(bench, n, settings="order=buffer;"), "own")
        bench.note(f"one buffer: an event in {n} threads / in one", own / alone, "x", 5, False, f"{own:.1f} ns of CPU")


def to_disk(bench):
    """CPU time of what is recorded and written, beside that of cat, which reads and writes the same bytes."""
    run, copy = bench.path("disk_run"), bench.path("disk_copy")
    environment = dict(os.environ, CELLTRACE=f"events=none;run={run}")
    recorded, copied = [], []
    for _ in range(RUNS):
        shutil.rmtree(run, ignore_errors=True)
        recorded.append(cpu_of([bench.program("record_bench"), "1"], environment))
        (trace,) = (os.path.join(run, name) for name in os.listdir(run) if name.endswith(".trace"))
        size = os.path.getsize(trace)
        copied.append(cpu_of(["sh", "-c", f"cat '{trace}' > '{copy}'"]))
    bench.remove("disk_run", "disk_copy")
    ours_s, cat_s = statistics.median(recorded), statistics.median(copied)
    bench.note("recording to disk / cat of it", ours_s / cat_s, "x", 2, False,
               f"{size / 40 / ours_s / 1e6:.0f} million events a second of CPU, {size / cat_s / 1e6:.0f} MB")


def cpu_of(command, environment=None):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([str(word) for word in command], env=environment, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def otf2(bench, event, clock):
    name = "OTF2_EvtWriter / an event"
    program = bench.program("otf2_write_bench")
    if not program:
        bench.leave_out(name, "libotf2 (libopen-trace-format2-dev)")
        return
    target = bench.path("otf2_bench")
    peer = runs([program, target], before=lambda: shutil.rmtree(target, ignore_errors=True))
    bench.remove("otf2_bench")
    # Its caller reads a clock, and libotf2 has none: as its examples do; and with the reading that ours takes.
    least(bench, name, event, median(peer, "otf2"), 2)
    alone = median(peer, "otf2") - median(peer, "otf2_clock")
    least(bench, name + ", both with our clock", event, alone + clock, 1.5)


def celltrace(bench):
    if not bench.program("record_bench"):
        bench.leave_out("record an event / read the clock", "celltrace, which wants Linux,")
        return
    found = ours(bench)
    beside_clock(bench, found)
    event = median(found, "event")
    lttng(bench, event)
    uftrace(bench)
    eztrace(bench)
    in_threads(bench, event)
    to_disk(bench)
    otf2(bench, event, median(found, "clock"))
