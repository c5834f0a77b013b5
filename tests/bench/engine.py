"""Lines that time the engine: the sweep, its figures, all pairs, and the dense closure."""
import os

from measure import RUNS, against, compare, figures, median_ratio, race
from whole_program import RECORDS_2G, peak_kib

# 10^6 live intervals of 50 records, each with two switches, and one record in 17 the PPE's.
RECORDS_1M_INTERVALS = 55_700_000
RECORDS_10K_INTERVALS = 557_000


def million(bench):
    """10^6 live intervals: the whole program with its figures of all pairs, and the record pass alone
    against that of 17 threads, a byte."""
    program, ours = bench.program("pass_bench"), bench.trace("million", RECORDS_1M_INTERVALS, 50)
    for threads, reach in ((1, 18), (2, 12)):
        compare(bench, f"a million intervals, {threads} thread{'s' if threads > 1 else ''}",
                f"{bench.cellsync} -q --threads={threads} {ours}.pex -r /dev/null",
                f"cat {ours}.trace", reach)
    few = bench.trace("big", RECORDS_2G)
    times = race(f"{program} pass {ours}.pex", f"{program} pass {few}.pex")
    sizes = [os.path.getsize(f"{trace}.trace") for trace in (ours, few)]
    ratio = median_ratio(*times) * sizes[1] / sizes[0]
    bench.note("a million intervals, record pass", ratio, "x", 2, False,
               f"a byte, against 17 threads; {against(*times)} for {sizes[0]} and {sizes[1]} bytes")


def sweep(bench):
    """Against the record pass alone, which is the pipeline's own: see pass_bench.c."""
    program = bench.program("pass_bench")
    trace = bench.trace("million", RECORDS_1M_INTERVALS, 50) + ".pex"
    tiny = bench.trace("tiny", 1000, 50) + ".pex"
    intervals = int(figures(program, "pass", trace)["threads"]) - 1
    for threads in (1, 2):
        compare(bench, f"sweep, {threads} thread{'s' if threads > 1 else ''}",
                f"{program} sweep {trace} {threads}", f"{program} pass {trace} {threads}", 1.8)
    grown = peak_kib(bench, program, "sweep", trace) - peak_kib(bench, program, "sweep", tiny)
    own = int(figures(program, "sweep", trace)["bytes"])
    bench.note("sweep, bytes an interval", 1024 * grown / intervals, "B", 640, False,
               f"{intervals} intervals; whole process less that of a tiny trace, "
               f"{own / intervals:.0f} of it the sweep's records")
    compare(bench, "mean and maximum of all pairs, 2 threads", f"{program} figures {trace} 2",
            f"{program} pass {trace} 2", 2.5)
    bench.remove("million", "tiny")


def pairs(bench):
    """Johnson takes long and runs once, after the rounds of ours."""
    name, program = "all pairs, 1 thread", bench.program("boost_johnson")
    if not program:
        bench.leave_out(name, "Boost or a C++ compiler")
        return
    trace = bench.trace("tenthousand", RECORDS_10K_INTERVALS, 50) + ".pex"
    figure = figures(program, trace, RUNS)
    bench.note(name, float(figure["boost/sweep"]), "x", 200, True,
               f"{figure['sweep']} s against {figure['boost']} s of Boost's Johnson (once); "
               f"{figure['threads']} threads, {figure['edges']} edges")
    bench.remove("tenthousand")


def dense(bench):
    """Kernels are printed from the slowest to the fastest: the last one serves."""
    figure = figures(bench.program("minplus_bench"), 2048, RUNS)
    kernel = [name for name in figure if name.startswith("peak/closure_")][-1].split("_")[-1]
    bench.note("dense, of the min-plus peak", 100 * float(figure[f"peak/closure_{kernel}"]), "%", 70,
               True, f"{kernel}: peak {figure[f'peak_{kernel}']} s, closure "
               f"{figure[f'closure_{kernel}']} s")
    name, program = "dense, 1 thread", bench.program("boost_fw")
    if not program:
        bench.leave_out(name, "Boost or a C++ compiler")
        return
    figure = figures(program, 2048, RUNS)
    bench.note(name, float(figure["boost/closure"]), "x", 30 if kernel == "avx512" else 10, True,
               f"{figure['closure']} s against {figure['boost']} s of Boost's Floyd-Warshall")
