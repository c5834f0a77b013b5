#!/usr/bin/env python3
"""Memory of OTF2 archives does not grow with their events, be these messages or collective operations, nor where stamps
contradict one another, or their clocks drift, but for constraints that matter: by so many bytes for each event at most.

Usage: otf2_memory_test.py CELLSYNC OTF2RUNS PEAK
"""
import pathlib
import subprocess
import sys
import tempfile

# Events, from where the chunks of the event files are full.
SIZES = 400_000, 1_200_000
RANKS = 4
MOST = 1.15
# The same of several threads a rank; where one of them calls MPI, those of the others are full later.
MANY_SIZES = {"funneled": (1_600_000, 2_800_000), "multiple": (800_000, 2_000_000), "shared": (800_000, 2_000_000)}
# The same of operations of many ranks.
MANY_RANKS = 16
PPM = 2000
# Of contradictions; what is read ahead varies.  Held in memory a message takes 250 bytes, an event of these 25.
MOST_AGAIN, BYTES_EACH = 1.4, {"ring": 4, "collectives": 14}
# A sixth of these are messages that are open at once.
# In one run of four, two workers end a short trace before both hold what they hold of a long one: the greatest of so many runs
# is measured.
SHORT_RUNS = 8
BACKLOG, BYTES_OPEN = (3_000, 24_000), 2000


def peak_of(peak, cellsync, path, words):
    """KiB."""
    done = subprocess.run([peak, cellsync, "-q", path / "traces.otf2", "-r", "/dev/null", *words],
                          capture_output=True, text=True, check=True)
    return int(done.stdout)


def peaks_of(programs, folder, kind, sizes, *words, ppm=0, ranks=RANKS):
    """KiB by how many events there are."""
    cellsync, otf2runs, peak = programs
    peaks = []
    for events in sizes:
        path = folder / f"{kind}{events}of{ranks}at{ppm}"
        if not path.exists():
            subprocess.run([otf2runs, path, kind, str(ranks), str(events), str(ppm)], check=True)
        peaks.append(peak_of(peak, cellsync, path, words))
    for _ in range(SHORT_RUNS - 1):
        if peaks[1] > MOST * peaks[0]:
            peaks[0] = max(peaks[0], peak_of(peak, cellsync, folder / f"{kind}{sizes[0]}of{ranks}at{ppm}", words))
    print(f"{kind} of {ranks} ranks at {ppm} ppm {' '.join(words)}: {peaks} KiB for {sizes} events")
    return peaks


def threads(programs, folder):
    """Threads of a process that have its clock, of which one calls MPI, or all do, each by a tag of its own, or by one."""
    faults = 0
    for kind, ppm, words in (("funneled", 0, []), ("funneled", PPM, []), ("funneled", PPM, ["--drift=50"]), ("multiple", 0, []),
                             ("multiple", PPM, []), ("multiple", PPM, ["--drift=50"]), ("shared", 0, []),
                             ("shared", PPM, []), ("shared", PPM, ["--drift=50"])):
        peaks = peaks_of(programs, folder, kind, MANY_SIZES[kind], *words, ppm=ppm)
        if peaks[1] > MOST * peaks[0]:
            faults += 1
            print(f"FAULT: memory of {kind} grows with events")
    return faults


def main():
    programs = [pathlib.Path(p).resolve() for p in sys.argv[1:]]
    faults = 0
    with tempfile.TemporaryDirectory() as name:
        for kind in "ring", "collectives":
            peaks = peaks_of(programs, pathlib.Path(name), kind, SIZES)
            if peaks[1] > MOST * peaks[0]:
                faults += 1
                print(f"FAULT: memory of {kind} grows with events")
            peaks = peaks_of(programs, pathlib.Path(name), kind, SIZES, "--delta=10us")
            if peaks[1] > MOST_AGAIN * peaks[0]:
                faults += 1
                print(f"FAULT: memory of {kind} grows with events where delta is wide")
            node = [["--clock-per=node"]] if kind == "ring" else []     # one clock, whose messages contradict it
            for words in [], ["--drift=50"], ["--drift=3000"], *node:
                peaks = peaks_of(programs, pathlib.Path(name), kind, SIZES, *words, ppm=PPM)
                if words != ["--drift=3000"] and peaks[1] > MOST_AGAIN * peaks[0]:
                    faults += 1
                    print(f"FAULT: memory of {kind} grows with events that contradict one another")
                each = 1024 * (peaks[1] - peaks[0]) / (SIZES[1] - SIZES[0])
                if each > BYTES_EACH[kind]:
                    faults += 1
                    print(f"FAULT: {each:.0f} bytes for each event of {kind}")
        faults += threads(programs, pathlib.Path(name))
        peaks = peaks_of(programs, pathlib.Path(name), "collectives", SIZES, ppm=PPM, ranks=MANY_RANKS)
        if peaks[1] > MOST_AGAIN * peaks[0]:
            faults += 1
            print("FAULT: memory of operations of many ranks grows with events that contradict one another")
        # Where thousands of messages are open at once, what would be known of them is not worth the square of their number.
        peaks = peaks_of(programs, pathlib.Path(name), "backlog", BACKLOG, ppm=PPM)
        if 1024 * (peaks[1] - peaks[0]) > BYTES_OPEN * (BACKLOG[1] - BACKLOG[0]):
            faults += 1
            print("FAULT: memory of open messages grows with their square")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
