#!/usr/bin/env python3
"""What recording MPI costs: the figures of Dursun and others' papers, made anew with celltrace(1) under MPICH.

Usage: overhead.py BUILD DOC [--quick]
Runs BUILD/celltrace and the kernels; writes DOC/overhead.md and the plots in DOC/overhead/.
--quick: small sizes, for the test of it
"""
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from overhead_plot import plot  # noqa: E402

BUILD, DOC = (pathlib.Path(p).resolve() for p in sys.argv[1:3])
QUICK = "--quick" in sys.argv
KERNEL = BUILD / "tests/bench/overhead_kernel"
MPIRUN = shutil.which("mpirun.mpich") or shutil.which("mpirun")
RUNS = 1 if QUICK else 3
BATCHES = 2 if QUICK else 5
BYTES = 600 * 8
POINT_EVENTS, POINT_BYTES, POINT_PAGE = 36000, 12800, 5120
EVENTS = [1000, 3000] if QUICK else [1000, 3000, 10000, 36000, 100000, 300000, 1000000]
SIZES = [BYTES] if QUICK else [64, 256, 1024, BYTES, POINT_BYTES, 32768, 131072, 1048576]
PAGES = [POINT_PAGE] if QUICK else [4096, POINT_PAGE, 8192, 10240, 16384, 32768, 65536, 131072, 262144]
MD_PAGES = [10240] if QUICK else [POINT_PAGE, 10240, 65536]
STEPS = 2 if QUICK else 100
USUAL_PAGE = 65536
CODE_MOST, MPI_CODE_MOST, THREAD_MOST = 128 * 1024, 224 * 1024, 12 * 1024


def run(ranks, words, page=None):
    """Lines of figures of one run, recorded or not; the libraries of MPICH may print lines of their own."""
    with tempfile.TemporaryDirectory() as folder:
        recorder = []
        if page:
            recorder = [BUILD / "celltrace", "-e", "mpi", f"--page={page}", "-o", f"{folder}/run"]
        command = [MPIRUN, "-n", ranks, *recorder, KERNEL, *words]
        ended = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, check=True, text=True)
        if page:
            check_complete(pathlib.Path(folder) / "run", ranks)
    return [line.split()[1:] for line in ended.stdout.splitlines() if line.startswith("figures ")]


def check_complete(folder, ranks):
    """What costs nothing since nothing was recorded is not to be found cheap."""
    said = [re.search(r'<recording complete="yes" records="(\d+)" lost="0"', p.read_text()) for p in folder.glob("*.pex")]
    assert len(said) == ranks and all(s and int(s[1]) > 0 for s in said), said


def sweep_seconds(ranks, size, events, page):
    """By events, of all batches of all runs the shortest: what else the machine does only adds; and the calls."""
    found = {}
    batches = BATCHES if size * max(events) < 2**33 else 1
    for _ in range(RUNS):
        for wanted, calls, seconds in run(ranks, ["sweep", size, batches, *events], page):
            least = min(float(seconds), found.get(int(wanted), (1e9, 0))[0])
            found[int(wanted)] = (least, int(calls))
    return found


def compare(plain, with_it):
    """By events: microseconds that a call costs more, and how many times as long the kernel takes."""
    return {n: ((with_it[n][0] - seconds) / calls * 1e6, with_it[n][0] / seconds) for n, (seconds, calls) in plain.items()}


def single_calls():
    """Nanoseconds of single calls, without the recorder and with it."""
    plain, with_it = ({}, {})
    for _ in range(RUNS):
        for out, page in ((plain, None), (with_it, USUAL_PAGE)):
            for name, value in run(1, ["calls"], page):
                out[name] = min(out.get(name, 1e9), float(value))
    return {name: (plain[name], with_it[name]) for name in plain}


def dynamics(page, ranks):
    """Calls, and seconds of the shortest of some runs."""
    seconds, calls = [], 0
    for _ in range(RUNS):
        ((_, calls, took),) = run(ranks, ["md", STEPS], page)
        seconds.append(float(took))
    return int(calls), min(seconds)


# --- What it takes --------------------------------------------------------------------------------------------------


def code_bytes(name):
    """Bytes of code of a library: of its section .text."""
    ended = subprocess.run(["size", "-A", str(BUILD / name)], stdout=subprocess.PIPE, check=True, text=True)
    return next(int(line.split()[1]) for line in ended.stdout.splitlines() if line.startswith(".text"))


def thread_bytes(page):
    """Bytes of the pages of a thread, as the header of a .live file has them: of a program that was killed."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([str(BUILD / "celltrace"), f"--page={page}", "-e", "none", "-o", f"{folder}/run", "sh", "-c",
                        "kill -9 $$"], check=False)
        (live,) = pathlib.Path(f"{folder}/run").glob("*.live")
        return 2 * int.from_bytes(live.read_bytes()[24:32], "big")


# --- The page --------------------------------------------------------------------------------------------------------


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "|".join(" ---: " for _ in head) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def kib(size):
    return f"{size / 1024:g} KiB" if size % 512 == 0 else f"{size} B"


def processor():
    found = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    return found[1] if found else platform.machine()


def load():
    return os.getloadavg()[0]


def is_real_time():
    """As under chrt(1)."""
    return os.sched_getscheduler(0) in (os.SCHED_RR, os.SCHED_FIFO)


def figure(name, caption):
    return f"![{caption}](overhead/{name}.svg)\n"


def both(plots, stem, what, x_title, found, binary=False):
    plot(plots / f"{stem}a.svg", f"{what}: cost of a call", x_title, "microseconds a call",
         {name: [(x, values[x][0]) for x in values] for name, values in found.items()}, binary)
    plot(plots / f"{stem}b.svg", f"{what}: slowdown", x_title, "times as long",
         {name: [(x, values[x][1]) for x in values] for name, values in found.items()}, binary)


def main():
    cores = len(os.sched_getaffinity(0))
    before = load()
    ranks = max(2, min(cores, 8))
    plots = DOC / "overhead"
    plots.mkdir(parents=True, exist_ok=True)
    point = [EVENTS[0] if QUICK else POINT_EVENTS]
    plain = sweep_seconds(ranks, BYTES, EVENTS, None)
    by_events = compare(plain, sweep_seconds(ranks, BYTES, EVENTS, POINT_PAGE))
    by_usual = compare(plain, sweep_seconds(ranks, BYTES, EVENTS, USUAL_PAGE))
    by_size = {s: compare(sweep_seconds(ranks, s, point, None), sweep_seconds(ranks, s, point, POINT_PAGE))[point[0]]
               for s in SIZES}
    plain = sweep_seconds(ranks, POINT_BYTES, point, None)
    by_page = {p: compare(plain, sweep_seconds(ranks, POINT_BYTES, point, p))[point[0]] for p in PAGES}
    singles = single_calls()
    calls, seconds = dynamics(None, ranks)
    with_pages = {p: dynamics(p, ranks)[1] for p in MD_PAGES}
    after = load()
    both(plots, "events", "Number of events", "calls of a process",
         {"pages of 5 KiB": by_events, "pages of 64 KiB": by_usual})
    both(plots, "size", "Size of messages", "bytes", {"": by_size}, True)
    both(plots, "page", "Size of pages", "bytes", {"": by_page}, True)
    plot(plots / "md.svg", "Molecular dynamics: run time", "bytes of a page", "per cent of that without the recorder",
         {"": [(p, 100 * s / seconds) for p, s in with_pages.items()]}, True)
    (DOC / "overhead.md").write_text(page(locals()))


def page(f):
    singles, ranks, calls, seconds = f["singles"], f["ranks"], f["calls"], f["seconds"]
    # Of md's calls two in three are MPI_Sendrecv, of two records, and one is MPI_Allreduce.
    cost = {name: (b - a) / 1000 for name, (a, b) in singles.items()}
    md_us = (2 * cost["sendrecv"] + cost["allreduce"]) / 3
    md_share = calls * md_us / 1e6 / seconds * 100
    point_events = f["by_events"].get(POINT_EVENTS) or f["by_events"][EVENTS[0]]
    point_page = f["by_page"][POINT_PAGE]
    most = max(EVENTS)
    code = {n: code_bytes(n) for n in ("libcelltrace.so", "libcelltrace-mpich.so")}
    threads = {p: thread_bytes(p) for p in (POINT_PAGE, 131072)}
    assert code["libcelltrace.so"] <= CODE_MOST and code["libcelltrace-mpich.so"] <= MPI_CODE_MOST, code
    assert threads[POINT_PAGE] <= THREAD_MOST, threads
    worst = max(cost.values())
    loaded = "The load average was" if f["before"] <= 0.5 else "The machine was loaded during the measurement: its load average was"
    loaded += f" {f['before']:.1f} before and {f['after']:.1f} after,\nincluding the processes of the kernels. "
    if is_real_time():
        loaded += "These ran at a real-time priority, so other programs did not take the cores from them. "
    if f["before"] > 0.5:
        loaded += ("Differences of\nwhole runs are imprecise nevertheless, and some are negative. Figures of single calls are the best "
                   "of many, and are reliable.")
    return f"""# What recording MPI costs

`./dev overhead` writes this page. It repeats the measurements by which Dursun and others found the cost of their MPI profiler
on Cell processors (*An MPI Performance Monitoring Interface for Cell Based Compute Nodes*; *Application Profiling on
Cell-based Clusters*), here with `celltrace -e mpi` under MPICH. Their machines had local stores of 256 KiB, and sent messages by
DMA in under a microsecond; the machine here is {processor()}, {f['cores']} cores.

{loaded}

## In short

{table(["", "theirs", "here"], [
    ["a call in the worst case, PowerXCell 8i", "3.2 us", f"{f['by_events'][most][0]:.3f} us"],
    ["the same on the PlayStation 3", "6.3 us", "the same"],
    ["slowdown of a kernel with messages only", "4.2; 6.8", f"{f['by_events'][most][1]:.2f}"],
    [f"a call, {POINT_EVENTS:,} events of {kib(POINT_BYTES)}, pages of {kib(POINT_PAGE)}", "5.6 us", f"{point_page[0]:.3f} us"],
    ["its slowdown", "4", f"{point_page[1]:.2f}"],
    ["a call of molecular dynamics", "0.3 us", f"{md_us:.3f} us"],
    ["all these calls, as a part of its time", "0.5 %", f"{md_share:.4f} %"],
    ["memory of a thread, pages of 5 KiB", "10 KiB", f"{threads[POINT_PAGE] / 1024:.1f} KiB"],
    ["with the code", "12 KiB", f"{code['libcelltrace.so'] / 1024:.1f} KiB more, once a process"],
    ["a record of a function's entry", "80 bytes", "40 bytes"],
    ["a record of a message", "80 bytes", "72 bytes"],
])}
A page holds records and 64 bytes of its own. A thread has two pages, rounded up together to whole pages of the machine. By default
a page has 128 KiB, and a thread needs {threads[131072] / 1024:.1f} KiB. The code is the whole recorder; with the
MPI calls it has {code['libcelltrace-mpich.so'] / 1024:.1f} KiB. Their recorder had to fit into a local store beside the program. The test of this
command keeps the code below {CODE_MOST // 1024} KiB, with the MPI calls below {MPI_CODE_MOST // 1024} KiB, and a thread's
two pages of 5 KiB within {THREAD_MOST // 1024} KiB.

## Single calls

The figures are nanoseconds for a call, the best of many short batches, in one process alone:
its messages go to MPI_PROC_NULL, or to itself.

{table(["call", "without", "with", "costs"],
       [[f"`{n}`", f"{a:.1f}", f"{b:.1f}", f"{b - a:.1f}"] for n, (a, b) in singles.items()])}
The recorder adds at most {worst * 1000:.0f} ns to a call. `sendrecv` makes two records. Two readings of the clock
are the greater part of the cost.

## Figure 2: the number of events

The processes exchange messages of 600 doubles in the pattern of Sweep3D, without computation: {ranks} processes, pages of 5 KiB.
The cost of a call is the difference of two whole runs, with and without the recorder, divided by the calls of a process. Each
of the two is the shortest of {RUNS * BATCHES} runs, because other work of the machine only adds time. The cost includes the time
of the writing thread on the cores, where processes spin while they wait.

{figure("eventsa", "microseconds a call against the number of events")}
{figure("eventsb", "slowdown against the number of events")}
{table(["calls of a process", "us a call", "slowdown"],
       [[f"{n:,}", f"{v[0]:.3f}", f"{v[1]:.2f}"] for n, v in f["by_events"].items()])}
Their cost saturated at 36,000 events, at 6.3 us and a slowdown of 6.8. Here the figures
at that point are {point_events[0]:.3f} us and {point_events[1]:.2f}.

## Figure 3: the size of messages

{POINT_EVENTS:,} events, pages of 5 KiB.

{figure("sizea", "microseconds a call against the size of messages")}
{figure("sizeb", "slowdown against the size of messages")}
{table(["bytes", "us a call", "slowdown"], [[f"{n:,}", f"{v[0]:.3f}", f"{v[1]:.2f}"] for n, v in f["by_size"].items()])}
Their best size was 12.5 KiB: 5.6 us, and a slowdown of 4.

## Figure 4: the size of pages

{POINT_EVENTS:,} events of {kib(POINT_BYTES)}. Their slowdown went down to 3.7.

{figure("pagea", "microseconds a call against the size of pages")}
{figure("pageb", "slowdown against the size of pages")}
{table(["page", "us a call", "slowdown"], [[kib(n), f"{v[0]:.3f}", f"{v[1]:.2f}"] for n, v in f["by_page"].items()])}
Molecular dynamics simulates a Lennard-Jones liquid of 2,744 atoms for each process, over {STEPS} steps of velocity
Verlet. Each process makes {calls}
calls in {seconds:.2f} s. At the cost of single calls, this is {md_share:.4f} % of the time; theirs was below 0.5 %.
The difference of whole runs rather shows how steady the machine was:

{figure("md", "run time of molecular dynamics against the size of pages")}
{table(["page", "per cent of the time without"],
       [[kib(p), f"{100 * s / seconds:.2f}"] for p, s in f["with_pages"].items()])}
## Figure 5: the same, where it is faster

Their figure repeats figure 2 on a PowerXCell 8i: 3.2 us and a slowdown of 4.2 for many events. Here, larger
pages reduce the cost of many events. This table has pages of 64 KiB; the default is 128 KiB:

{table(["calls of a process", "us a call", "slowdown"],
       [[f"{n:,}", f"{v[0]:.3f}", f"{v[1]:.2f}"] for n, v in f["by_usual"].items()])}
"""


if __name__ == "__main__":
    main()
