#!/usr/bin/env python3
"""Memory of logs of Dursun's profiler does not grow with their events, whether stamps contradict one another or not, nor where
clocks drift, but for constraints that matter: by so many bytes for each event at most.

Usage: event80_memory_test.py CELLSYNC PDTSIM PEAK
"""
import pathlib
import subprocess
import sys
import tempfile

# Rounds of programs on four SPEs.
WORKLOADS = {"md": (1_500, 4_000), "sweep3d": (500, 1_300)}
MOST = 1.4
# Of constraints under drift; held in memory an event takes 200.
BYTES_EACH = 75
CASES = ([], []), (["--jitter=300"], []), ([], ["--delta=1ms"]), (["--drift=50"], []), (["--drift=50"], ["--drift=60"])


def peaks_of(programs, folder, workload, made, words):
    """KiB, and how many events, by size."""
    cellsync, pdtsim, peak = programs
    peaks, events = [], []
    for rounds in WORKLOADS[workload]:
        path = folder / f"{workload}{rounds}{''.join(made)}.pex"
        if not path.exists():
            subprocess.run([pdtsim, f"--workload={workload}:rounds={rounds}", "--nodes=2", "--spes=2", "--level=outer", *made,
                            "-o", path], check=True, capture_output=True)
        done = subprocess.run([peak, cellsync, "-q", path, "-r", "/dev/null", *words], capture_output=True, text=True, check=True)
        peaks.append(int(done.stdout))
        events.append(sum(log.stat().st_size for log in folder.glob(f"{path.stem}.*.log")) // 80)
    print(f"{workload} {' '.join(made)}: {peaks} KiB for {events} events {' '.join(words)}")
    return peaks, events


def main():
    programs = [pathlib.Path(p).resolve() for p in sys.argv[1:]]
    faults = 0
    with tempfile.TemporaryDirectory() as name:
        for workload in WORKLOADS:
            for made, words in CASES:
                peaks, events = peaks_of(programs, pathlib.Path(name), workload, made, words)
                drifts = any(word.startswith("--drift") for word in words)
                each = 1024 * (peaks[1] - peaks[0]) / (events[1] - events[0])
                if each > BYTES_EACH if drifts else peaks[1] > MOST * peaks[0]:
                    faults += 1
                    print(f"FAULT: memory of {workload} grows with events")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
