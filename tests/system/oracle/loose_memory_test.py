#!/usr/bin/env python3
"""Memory of a trace whose rows are in no order: of messages with keys used once, at most 64 bytes each while they are not
complete, and hardly any once they are.  Messages so far apart that clocks may drift between them constrain the clocks each by
itself: at most so many bytes each.

Usage: loose_memory_test.py CELLSYNC PEAK
"""
import pathlib
import random
import subprocess
import sys
import tempfile

MESSAGES = 300_000
# While all rows of one host come before those of the other one.
EACH = 64
# Ten times as many messages of the same duration.
MOST = 1.1
# A message a second.
SPARSE, PACE = (25_000, 100_000), 10_000_000
EACH_SPARSE = 450
HEAD = "# order=messages\nthread,time_ns,send,recv\n"


def write(messages, pace, paths):
    """The rows of each host: in one file, a message at a time, or in a file each."""
    rng = random.Random(1)
    with open(paths[0], "w", encoding="utf-8") as a, open(paths[-1], "a", encoding="utf-8") as b:
        a.write(HEAD)
        if len(paths) > 1:
            b.write(HEAD)
        files = {"A": a, "B": b if len(paths) > 1 else a}
        for i in range(messages):
            now, passage = i * pace * 100, 30_000 + int(rng.expovariate(1 / 50_000))
            source, target = rng.choice((("A", "B"), ("B", "A")))
            off = {"A": 0, "B": 5_250_000_000}
            files[source].write(f"{source},{now + off[source]},k{i:09},\n")
            files[target].write(f"{target},{now + passage + off[target]},,k{i:09}\n")


def peak_of(peak, cellsync, paths, *words):
    """In bytes."""
    done = subprocess.run([peak, cellsync, "-q", *words, *paths, "-r", "/dev/null"], capture_output=True, text=True, check=True)
    return 1024 * int(done.stdout)


def main():
    cellsync, peak = (pathlib.Path(path).resolve() for path in sys.argv[1:])
    faults = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        few, more, a, b = (folder / f"{name}.csv" for name in ("few", "more", "a", "b"))
        write(MESSAGES // 10, 100, [few])
        write(MESSAGES, 10, [more])
        write(MESSAGES, 10, [a, b])
        for words in [], ["--drift=0"]:
            peaks = [peak_of(peak, cellsync, paths, *words) for paths in ([few], [more], [a, b])]
            each = (peaks[2] - peaks[0]) / MESSAGES
            print(f"{peaks} bytes {' '.join(words)}: {peaks[1] / peaks[0]:.3f} times, {each:.1f} bytes a pending message")
            if peaks[1] > MOST * peaks[0]:
                faults += 1
                print("FAULT: memory grows with complete messages")
            if each > EACH:
                faults += 1
                print("FAULT: memory of pending messages")
        peaks = []
        for messages in SPARSE:
            write(messages, PACE, [few])
            peaks.append(peak_of(peak, cellsync, [few]))
        each = (peaks[1] - peaks[0]) / (SPARSE[1] - SPARSE[0])
        print(f"{peaks} bytes: {each:.0f} bytes a sparse message")
        if each > EACH_SPARSE:
            faults += 1
            print("FAULT: memory of constraints that stay")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
