#!/usr/bin/env python3
"""Memory of OTF2 archives does not grow with their events, be these messages or collective operations.

Usage: otf2_memory_test.py CELLSYNC OTF2RUNS PEAK
"""
import pathlib
import subprocess
import sys
import tempfile

# Events, from where the chunks of libotf2 are full.
SIZES = 400_000, 1_600_000
RANKS = 4
MOST = 1.15


def main():
    cellsync, otf2runs, peak = (pathlib.Path(p).resolve() for p in sys.argv[1:])
    faults = 0
    with tempfile.TemporaryDirectory() as name:
        for kind in "ring", "collectives":
            peaks = []
            for events in SIZES:
                folder = pathlib.Path(name) / f"{kind}{events}"
                subprocess.run([otf2runs, folder, kind, str(RANKS), str(events)], check=True)
                done = subprocess.run([peak, cellsync, "-q", folder / "traces.otf2", "-r", "/dev/null"],
                                      capture_output=True, text=True, check=True)
                peaks.append(int(done.stdout))
            print(f"{kind}: {peaks} KiB for {SIZES} events")
            if max(peaks) > MOST * min(peaks):
                faults += 1
                print(f"FAULT: memory of {kind} grows with events")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
