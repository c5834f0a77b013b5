"""Lines of cellstat: profile against the reports of tracers, a summary against the record pass, and memory."""
import os
import resource
import statistics
import subprocess

from measure import RUNS, compare, output, shell
from whole_program import RECORDS_2G, peak_kib

CALLS = 2_000_000
CALLER = """
static volatile int sum;
static void __attribute__((noinline)) leaf(int i) { sum += i; }
static void __attribute__((noinline)) stem(int i) { leaf(i); leaf(i + 1); leaf(i + 2); }
int main(void) { for (int i = 0; i < CALLS / 4; i++) stem(i); return 0; }
"""


def cpu(*command):
    """Seconds of processor time of a command: the median of some runs."""
    seconds = []
    for _ in range(RUNS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([str(word) for word in command], stdout=subprocess.DEVNULL, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(seconds)


def cellstat(bench):
    return os.path.join(os.path.dirname(bench.cellsync), "cellstat")


def calls(bench):
    """A trace of ENTER and EXIT: its path without suffix, and its records.  Made once."""
    trace = bench.path("calls")
    if not os.path.exists(f"{trace}.pex"):
        output(os.path.join(os.path.dirname(bench.cellsync), "pdtsim"), "-o", f"{trace}.pex", "--calls",
               f"--events={CALLS}")
    return trace, records_of(bench, trace)


def records_of(bench, trace):
    """How many records a trace has, as its report says."""
    report = output(bench.cellsync, "-q", f"{trace}.pex", "-r", "-")
    return next(int(line.split()[1]) for line in report.splitlines() if line.startswith("records"))


def profile(bench):
    """Processor time a record of what comes after solving: a call is two records for us and for uftrace."""
    trace, records = calls(bench)
    solve = cpu(bench.cellsync, "-q", f"{trace}.pex", "-r", "/dev/null")
    ours = (cpu(cellstat(bench), "profile", "-q", f"{trace}.pex", "-o", "/dev/null", "--format=csv") - solve) / records
    name = "profile / uftrace report, a record"
    if bench.has(name, "uftrace"):
        program, data = bench.path("caller"), bench.path("uftrace")
        with open(f"{program}.c", "w", encoding="ascii") as file:
            file.write(CALLER)
        shell(f"cc -O1 -pg -DCALLS={CALLS} {program}.c -o {program} && uftrace record -d {data} {program}")
        theirs = cpu("uftrace", "report", "-d", data) / (2 * CALLS)
        bench.note(name, ours / theirs, "x", 0.4, False, f"{ours * 1e9:.0f} ns against {theirs * 1e9:.0f} ns")
        bench.remove("uftrace", "caller", "caller.c")
    name = "profile / babeltrace2 -o dummy, a record"
    if bench.has(name, "babeltrace2"):
        ctf = bench.path("ctf")
        output(bench.cellsync, "-q", f"{trace}.pex", "-o", ctf, "--to=ctf")
        theirs = cpu("babeltrace2", "-o", "dummy", ctf) / records
        bench.note(name, ours / theirs, "x", 0.04, False, f"{ours * 1e9:.0f} ns against {theirs * 1e9:.0f} ns")
        bench.remove("ctf")
    bench.remove("calls")


def summary(bench):
    trace = bench.trace("big", RECORDS_2G)
    compare(bench, "summary of 2 GiB / report only", f"{cellstat(bench)} summary -q {trace}.pex -o /dev/null",
            f"{bench.cellsync} -q {trace}.pex -r /dev/null", 20.0)


def memory(bench):
    """Peak memory, with ranges, must not grow with the trace."""
    verbs = ("concurrency", "states", "summary")
    peaks = {verb: [] for verb in verbs}
    for name, records in (("small", RECORDS_2G // 10), ("huge", RECORDS_2G * 4)):
        trace = bench.trace(name, records)
        for verb in verbs:
            peaks[verb].append(peak_kib(bench, cellstat(bench), verb, "-q", f"{trace}.pex", "-o", "/dev/null",
                                        "--format=csv"))
        bench.remove(name)
    for verb in verbs:
        small, huge = peaks[verb]
        bench.note(f"memory of {verb}, 200 MiB, 8 GiB", huge / small, "x", 1.05, False, f"{small}, {huge} KiB")


def cellstat_lines(bench):
    profile(bench)
    summary(bench)
    memory(bench)
