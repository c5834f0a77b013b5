"""Lines of cellstat: profile against the reports of tracers, a summary against the record pass, and memory."""
import os
import re
import resource
import statistics
import struct
import subprocess

from measure import RUNS, compare, output, shell
from whole_program import RECORDS_2G, peak_kib

CALLS = 2_000_000
CALLER = """
#include <pthread.h>
static volatile int sum;
static void __attribute__((noinline)) leaf(int i) { sum += i; }
static void __attribute__((noinline)) stem(int i) { leaf(i); leaf(i + 1); leaf(i + 2); }
static void __attribute__((noinline)) *work(void *p) { for (int i = 0; i < CALLS / 32; i++) stem(i); return p; }
int main(void) {
    pthread_t threads[8];
    for (int i = 0; i < 8; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 8; i++)
        pthread_join(threads[i], 0);
    return 0;
}
"""
PEX = """<?xml version="1.0" encoding="UTF-8"?>
<pdt_trace version="1" application="caller"><machine name="host" timebase_hz="1000000000"/><trace_file href="recorded.trace"/>
<pdtGroup name="CALLS" id="0x09">
<recordType name="ENTER" id="0x0109" type="event" role="enter"><field name="routine" type="u64">NAMES</field></recordType>
<recordType name="EXIT" id="0x0209" type="event" role="exit"><field name="routine" type="u64">NAMES</field></recordType>
</pdtGroup></pdt_trace>
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


def recorded(bench):
    """What uftrace records of a program, and the same as a .pex: both paths, and the records.  Made once."""
    trace, data, program = bench.path("recorded"), bench.path("uftrace"), bench.path("caller")
    if not os.path.exists(f"{trace}.pex"):
        with open(f"{program}.c", "w", encoding="ascii") as file:
            file.write(CALLER)
        shell(f"cc -O1 -pg -pthread -DCALLS={CALLS} {program}.c -o {program} && uftrace record -d {data} {program}")
        line = re.compile(r"(\d+)\.(\d+) +(\d+): \[(entry|exit )\] (.*)\([0-9a-f]+\) depth: ")
        found = filter(None, map(line.match, output("uftrace", "dump", "-d", data).splitlines()))
        rows = sorted(((int(m[1]) * 10**9 + int(m[2]), int(m[3]), m[4] == "entry", m[5]) for m in found),
                      key=lambda row: row[0])
        numbers = {name: i for i, name in enumerate(sorted({row[3] for row in rows}))}
        record = struct.Struct(">HBBHHIIQQQ")
        # In pieces as large as those in which cellsync writes what babeltrace2 reads: smaller ones stay apart in the page cache, and
        # are slower to read.
        with open(f"{trace}.trace", "wb", buffering=32 * 1024) as file:
            file.write(struct.pack(">8sHHIQQ", b"PDTTRACE", 1, 32, 0, len(rows), 0))
            file.writelines(record.pack(40, 0, 0, 0x0109 if enters else 0x0209, 1, tid, 0, at, at, numbers[name])
                            for at, tid, enters, name in rows)
        names = "".join(f'<name value="{number}">{name}</name>' for name, number in numbers.items())
        with open(f"{trace}.pex", "w", encoding="ascii") as file:
            file.write(PEX.replace("NAMES", names))
    return trace, data, records_of(bench, trace)


def profile_of(bench, trace, records):
    """Processor time a record of what comes after solving."""
    solve = cpu(bench.cellsync, "-q", f"{trace}.pex", "-r", "/dev/null")
    return (cpu(cellstat(bench), "profile", "-q", f"{trace}.pex", "-o", "/dev/null", "--format=csv") - solve) / records


def profile(bench):
    """A call is two records for us and for uftrace; of what pdtsim makes a seventh are waits, which uftrace has none of."""
    if not bench.has("profile / uftrace report, a record", "uftrace"):
        return
    trace, data, records = recorded(bench)
    simulated = profile_of(bench, *calls(bench))
    ours, theirs = profile_of(bench, trace, records), cpu("uftrace", "report", "-d", data) / records
    for name, nanoseconds in (("profile / uftrace report, a record of its own", ours * 1e9),
                              ("profile / uftrace report, a record of pdtsim's", simulated * 1e9)):
        bench.note(name, nanoseconds / theirs / 1e9, "x", 0.4, False, f"{nanoseconds:.0f} ns against {theirs * 1e9:.0f} ns")
    if bench.has("profile / babeltrace2 -o dummy, a record", "babeltrace2"):
        ctf = bench.path("ctf")
        output(bench.cellsync, "-q", f"{trace}.pex", "-o", ctf, "--to=ctf")
        theirs = cpu("babeltrace2", "-o", "dummy", ctf) / records
        bench.note("profile / babeltrace2 -o dummy, a record", ours / theirs, "x", 0.04, False,
                   f"{ours * 1e9:.0f} ns against {theirs * 1e9:.0f} ns")
        bench.remove("ctf")
    bench.remove("calls", "recorded", "uftrace", "caller", "caller.c")


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
