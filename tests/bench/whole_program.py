"""Lines that time the program as it is run: reading, writing, compressing, and its memory."""
import glob
import os
import statistics

from measure import against, compare, figures, median_ratio, output, race, shell

RECORDS_2G = 67_000_000
RECORDS_MID = RECORDS_2G // 8


def report(bench):
    trace = bench.trace("big", RECORDS_2G)
    ours = f"{bench.cellsync} -q {trace}.pex -r /dev/null"
    compare(bench, "report only, 1 thread", f"{ours} --threads=1", f"cat {trace}.trace", 3.0)
    compare(bench, "report only, 2 threads", f"{ours} --threads=2", f"cat {trace}.trace", 1.6)


def write(bench):
    """The peer copies as many bytes as we write, from a file of that size."""
    trace = bench.trace("big", RECORDS_2G)
    out, copied = bench.path("out"), bench.path("copied")
    output(bench.cellsync, "-q", f"{trace}.pex", "-o", f"{out}.pex")
    os.replace(glob.glob(f"{out}.*.trace")[0], copied)
    clean = f"rm -f {out}.pex {out}.*.trace {out}; sync"
    peer = f"dd if={copied} of={out} bs=1M conv=fsync status=none"
    for threads, reach in ((1, 1.5), (2, 1.0)):
        ours = f"{bench.cellsync} -q --threads={threads} {trace}.pex -o {out}.pex"
        name = f"synchronized to disk, {threads} thread{'s' if threads > 1 else ''}"
        compare(bench, name, ours, peer, reach, clean)
    bench.remove("out", "copied")


def document(bench):
    """Peak memory with a document of 64 MiB, read and written; the greatest of several kinds."""
    kinds = {"recordTypes": ("<g>", '<recordType name="EVENT_{0}" id="{1}"><field name="lock"/>'
                             "</recordType>\n", "</g>"),
             "fields": ('<recordType name="a" id="7">', '<field name="f{0}"/>', "</recordType>"),
             "rows": ("<synchronization>", '<ppe_thread first_record="{0}" records="0" offset="0" '
                      'earliest="0" latest="0"/>', "</synchronization>"),
             "elements": ("<g>", "<a/>", "</g>"), "comments": ("<g>", "<!--live intervals-->\n", "</g>")}
    trace, wide, out = bench.trace("few", 1000), bench.path("wide"), bench.path("out")
    with open(f"{trace}.pex", encoding="utf-8") as file:
        head, tail = file.read().rsplit("</pdt_trace>", 1)
    factors = {}
    for name, (begin, element, end) in kinds.items():
        n = (64 << 20) // len(element.format(10**6, 10**4))
        text = "".join(element.format(i, i % 60000) for i in range(n))
        with open(f"{wide}.pex", "w", encoding="utf-8") as file:
            file.write(f"{head}{begin}{text}{end}</pdt_trace>{tail}")
        peak = peak_kib(bench, bench.cellsync, "-q", f"{wide}.pex", "-o", f"{out}.pex")
        factors[name] = peak * 1024 / os.path.getsize(f"{wide}.pex")
    bench.remove("few", "wide", "out")
    bench.note("memory of a document of 64 MiB", max(factors.values()), "x", 3.0, False,
               ", ".join(f"{name} {factor:.2f}x" for name, factor in factors.items()))


def imprecise(bench):
    """With a carrier and a pass that measures, against without."""
    trace, rows = bench.trace("mid", RECORDS_MID), rows_of_csv(bench)
    for name, path in (("--delta=1", f"{trace}.pex"), ("--delta=1, CSV", rows)):
        ours = f"{bench.cellsync} -q {path} -r /dev/null"
        compare(bench, f"survey with {name}", f"{ours} --delta=1", ours, 3.0)
    bench.remove("csv", "rows.csv")


def gzip(bench):
    if not bench.has("report only, from gzip", "pigz") or not bench.has("gzip output, level 1",
                                                                        "pigz"):
        return
    trace, out = bench.trace("mid", RECORDS_MID), bench.path("out")
    packed, z = bench.path("packed"), bench.path("z")
    shell(f"pigz -6 -c {trace}.trace > {packed}.trace.gz; sed 's/mid.trace\"/packed.trace.gz\" "
          f"compression=\"gzip\"/' {trace}.pex > {packed}.pex")
    compare(bench, "report only, from gzip", f"{bench.cellsync} -q {packed}.pex -r /dev/null",
            f"pigz -dc {packed}.trace.gz", 1.0)
    output(bench.cellsync, "-q", f"{trace}.pex", "-o", f"{out}.pex")
    compare(bench, "gzip output, level 1",
            f"{bench.cellsync} -q --threads=2 --compress=1 {trace}.pex -o {z}.pex",
            f"pigz -1 -p2 -c {out}.*.trace > {z}; sync {z}", 1.1,
            f"rm -f {z} {z}.pex {z}.*.trace.gz; sync")
    bench.remove("out", "packed", "packed.trace.gz", "z")


def rows_of_csv(bench):
    """The path of a CSV of thread, time and core.  Made once."""
    trace, rows = bench.trace("csv", 10_000_000), bench.path("rows.csv")
    if not os.path.exists(rows):
        shell(f"{bench.cellsync} -q {trace}.pex -o {rows}.full --to=csv && "
              f"sed 1d {rows}.full | cut -d, -f1,2,4 > {rows}; rm {rows}.full")
    return rows


def csv(bench):
    rows = rows_of_csv(bench)
    ours = f"{bench.cellsync} -q {rows} -r /dev/null"
    compare(bench, "CSV, 1 thread", f"{ours} --threads=1", f"wc -l {rows}", 8.0)
    compare(bench, "CSV, 2 threads", f"{ours} --threads=2", f"wc -l {rows}", 4.0)
    bench.remove("csv", "rows.csv")


def outputs(bench):
    """The peer copies as many bytes as we write, in memory: there no side waits for a disk."""
    trace, memory = bench.trace("written", 3_000_000), "/dev/shm"
    if not os.access(memory, os.W_OK):
        raise SystemExit(f"bench: {memory} cannot be written")
    out, copied = [os.path.join(memory, f"cellsync-bench-{os.getpid()}.{name}") for name in "oc"]
    try:
        for form, reach in (("csv", (5.0, 3.0)), ("json", (4.0, 2.5)), ("ctf", (4.0, 2.5))):
            ours = f"{bench.cellsync} -q {trace}.pex -o {out} --to={form}"
            shell(f"rm -rf {out}; {ours}; find {out} -type f | sort | xargs cat > {copied}")
            for threads in (1, 2):
                compare(bench, f"{form.upper()} output, {threads} thread{'s' * (threads > 1)}",
                        f"{ours} --threads={threads}", f"cat {copied} > {out}",
                        reach[threads - 1], f"rm -rf {out}")
    finally:
        shell(f"rm -rf {out} {copied}")
        bench.remove("written")


def events(bench):
    """Events a second.  babeltrace2 counts them in the shortest graph that it takes: no muxer between the
    reader and the counter, and nothing printed before the end."""
    name = "events/s against babeltrace2"
    if not bench.has(name, "babeltrace2"):
        return
    trace, ctf = bench.trace("mid", RECORDS_MID), bench.path("ctf")
    os.makedirs(ctf, exist_ok=True)
    records = int(figures(bench.program("pass_bench"), "pass", f"{trace}.pex")["records"])
    output(bench.program("ctfgen"), ctf, records)
    peer = (f"babeltrace2 run -c READ:source.ctf.fs --params 'inputs=[\"{ctf}\"]' "
            "-c COUNT:sink.utils.counter --params step=+0 --connect READ:COUNT")
    counted = int(output("sh", "-c", peer).split()[0])
    if counted != records:
        raise SystemExit(f"bench: babeltrace2 counts {counted} events of {records}")
    ours, theirs = race(f"{bench.cellsync} -q {trace}.pex -r /dev/null", peer)
    rates = [records / statistics.median(times) / 1e6 for times in (ours, theirs)]
    bench.note(name, median_ratio(theirs, ours), "x", 30, True,
               f"{rates[0]:.1f} million a second against {rates[1]:.2f} million")
    bench.remove("ctf")


def decoded(bench):
    """What a program that uses the library pays for decoded events, three members each."""
    trace = bench.trace("mid", RECORDS_MID)
    figure = figures(bench.program("pass_bench"), "decoded", f"{trace}.pex")
    bench.note("decoded events in batches", float(figure["ratio"]), "x", 2, False,
               f"{figure['read']} ns a record against {figure['survey']} of the survey pass")


def peak_kib(bench, *command):
    """The most memory that a command held."""
    return int(output(bench.program("peak"), *command).split()[-1])


def memory(bench):
    """Peak memory must not grow with the trace. If clocks drift, it grows with the constraints (doc/costs.md)."""
    peaks = []
    for name, records in (("small", RECORDS_2G // 10), ("big", RECORDS_2G), ("huge", RECORDS_2G * 4)):
        trace = bench.trace(name, records)
        peaks.append(peak_kib(bench, bench.cellsync, "-q", f"{trace}.pex", "-r", "/dev/null"))
    bench.remove("small", "huge")
    flushed = []
    few = bench.blocks("few", 200)
    drifting = peak_kib(bench, bench.cellsync, "-q", few, "-r", "/dev/null")
    for name, mib in (("few", 200), ("many", 8192)):
        flushed.append(peak_kib(bench, bench.cellsync, "-q", bench.blocks(name, mib), "--drift=0", "-r",
                                "/dev/null"))
        bench.remove(name)
    bench.note("memory of blocks, one rate, 200 MiB, 8 GiB", max(flushed) / min(flushed), "x", 1.05, False,
               f"{', '.join(str(peak) for peak in flushed)} KiB")
    bench.note("memory of 200 MiB of blocks, drift / one rate", drifting / flushed[0], "x", 1.5, False,
               f"{drifting} KiB against {flushed[0]} KiB")
    bench.note("memory of 200 MiB, 2 GiB, 8 GiB", max(peaks) / min(peaks), "x", 1.05, False,
               f"{', '.join(str(peak) for peak in peaks)} KiB")
