"""Lines of OTF2 archives: reading them against otf2-print, memory, and many locations."""
import os
import resource
import statistics
import subprocess
import time

from measure import median_ratio, output, race
from whole_program import peak_kib

RANKS = 16


def ring_of(bench, events, kind="ring", ranks=RANKS, ppm=0):
    """The anchor of an archive of ranks that send around a ring, or operate together.  Made once."""
    path = bench.path(f"{kind}-{events}")
    if not os.path.exists(path):
        output(bench.program("otf2runs"), path, kind, ranks, events, ppm)
        os.sync()
    return f"{path}/traces.otf2"


def reading(bench, events=10_000_000):
    anchor = ring_of(bench, events)
    ours = f"{bench.cellsync} -q {anchor} -r /dev/null"
    for peer, option, reach in (("otf2-print", "", (4, 8)), ("otf2-print --silent", "--silent ", (0.4, 0.8))):
        for workers in (1, 2):
            times = race(f"{ours} --threads={workers}", f"otf2-print {option}{anchor}")
            rates = [events / statistics.median(t) / 1e6 for t in times]
            bench.note(f"OTF2, {workers} worker{'s' * (workers > 1)}, {peer}", median_ratio(times[1], times[0]), "x",
                       reach[workers - 1], True,
                       f"{rates[0]:.1f} million events a second against {rates[1]:.2f} million")


def memory(bench):
    """Peak memory does not grow with the events, from where the chunks of libotf2 are full: a location's 256 KiB."""
    for kind in "ring", "collectives":
        peaks = []
        for events in (1_000_000, 10_000_000, 30_000_000):
            peaks.append(peak_kib(bench, bench.cellsync, "-q", ring_of(bench, events, kind), "-r", "/dev/null"))
            bench.remove(f"{kind}-{events}")
        bench.note(f"memory of OTF2, {kind}, 10^6, 10^7, 3*10^7 events", max(peaks) / min(peaks), "x", 1.25, False,
                   f"{', '.join(str(peak) for peak in peaks)} KiB; fewer events do not fill the 16 chunks of 256 KiB")


def contradicting(bench):
    """The same where clocks gain and lose up to 2000 ppm, so that the archive is gone over again; by rank, as a location of
    fewer events does not fill its chunks."""
    for kind in "ring", "collectives":
        for ranks in 8, 32, 64:
            peaks = []
            for events in (100_000 * ranks, 400_000 * ranks):
                anchor = ring_of(bench, events, kind, ranks, 2000)
                peaks.append(peak_kib(bench, bench.cellsync, "-q", anchor, "-r", "/dev/null"))
                bench.remove(f"{kind}-{events}")
            bench.note(f"memory of OTF2, {kind}, {ranks} clocks that contradict, 10^5, 4*10^5 events a rank",
                       max(peaks) / min(peaks), "x", 1.25, False, f"{', '.join(str(peak) for peak in peaks)} KiB")


def many(bench, ranks=256):
    """The same with many locations, of messages where clocks gain and lose up to 100 ppm, of operations where they agree;
    below 10^7 events the first do not contradict one another, and chunks are not full."""
    for kind, ppm in ("ring", 100), ("collectives", 0):
        peaks = []
        for events in (16_000_000, 32_000_000):
            anchor = ring_of(bench, events, kind, ranks, ppm)
            peaks.append(peak_kib(bench, bench.cellsync, "-q", anchor, "-r", "/dev/null"))
            bench.remove(f"{kind}-{events}")
        bench.note(f"memory of OTF2, {kind}, {ranks} clocks that {'contradict' if ppm else 'agree'}, 1.6*10^7, 3.2*10^7 events",
                   max(peaks) / min(peaks), "x", 1.25, False, f"{', '.join(str(peak) for peak in peaks)} KiB")


def writing(bench, events=10_000_000):
    """Both are on disk at the end; ours reads the events, too, and sums up the files."""
    anchor = ring_of(bench, events)
    source, ours, copy = os.path.dirname(anchor), bench.path("synced"), bench.path("copied")
    times = race(f"{bench.cellsync} -q {anchor} -o {ours}",
                 f"rm -rf {copy} && cp -r {source} {copy} && sync {copy}/* {copy}/traces/*")
    bench.note("OTF2 written, against cp -r and sync", median_ratio(*times), "x", 10, False,
               f"{statistics.median(times[0]):.2f} s against {statistics.median(times[1]):.2f} s, {events} events")
    bench.remove("synced", "copied")


def locations(bench):
    """Sweep3D on 97,920 ranks, a few events each, with few descriptors; against a look at every event file."""
    path = bench.path("sweep3d")
    if not os.path.exists(path):
        output(bench.program("otf2runs"), path, "sweep", 306, 320, 2)
        os.sync()
    command = [bench.program("peak"), bench.cellsync, "-q", f"{path}/traces.otf2", "-r", "/dev/null"]

    def limit():
        resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))

    seconds, busy = [], []
    for _ in range(3):
        start, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
        peak = int(subprocess.run(command, stdout=subprocess.PIPE, check=True, preexec_fn=limit).stdout.split()[-1])
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds.append(time.monotonic() - start)
        busy.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    bench.note("97,920 locations of OTF2", statistics.median(seconds), "s", 60, False,
               f"{statistics.median(busy):.1f} s of processors, {peak} KiB, with 64 descriptors")
    bench.remove("sweep3d")


def otf2(bench):
    if not bench.program("otf2runs"):
        bench.leave_out("OTF2", "libotf2")
    elif bench.has("OTF2", "otf2-print"):
        reading(bench)
        writing(bench)
        memory(bench)
        contradicting(bench)
        many(bench)
        locations(bench)
