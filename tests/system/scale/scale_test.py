"""A million live intervals, scaled down: 50 records each, 17 threads live together, 1 record in 17 by the PPE.

    scale_test.py CELLSYNC TRACEGEN PEAK ALL_PAIRS

20,000 intervals are solved in memory that grows by no more than BYTES_AN_INTERVAL, and the synchronized trace passes
--check. Of 8,000 the figures are those of all 32 million pairs asked for one by one. Of 2,500 the dense engine writes
the same report.
"""

import os
import re
import subprocess
import sys
import tempfile

RECORDS_AN_INTERVAL = 56    # its own 50 or so, its share of the PPE's, and two switches
BYTES_AN_INTERVAL = 800     # of the report: the sweep's records, offsets, figures and the table of threads


def run(*command):
    """Runs a command; returns what it printed."""
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout


def check(condition, what):
    if not condition:
        sys.exit(f"scale_test: {what}")


class Scale:
    """The programs, and traces that are made as needed."""

    def __init__(self, cellsync, tracegen, peak, all_pairs):
        self.cellsync, self.tracegen, self.peak, self.all_pairs = cellsync, tracegen, peak, all_pairs

    def trace(self, intervals):
        """A trace of about so many intervals."""
        run(self.tracegen, f"t{intervals}", str(RECORDS_AN_INTERVAL * intervals), "16", "50", "17")
        return f"t{intervals}.pex"

    def report(self, trace, *options):
        """The text report."""
        return run(self.cellsync, "-q", *options, trace)

    def intervals(self, trace):
        """How many intervals a trace has."""
        return int(re.search(r"(\d+) live intervals", self.report(trace)).group(1))

    def check_memory(self, small, large):
        """Two traces, one ten times the other."""
        peaks = [1024 * int(run(self.peak, self.cellsync, "-q", "--threads=1", "-r", "/dev/null", trace))
                 for trace in (small, large)]
        counts = [self.intervals(trace) for trace in (small, large)]
        grown = (peaks[1] - peaks[0]) / (counts[1] - counts[0])
        print(f"{counts[1]} intervals: {peaks[1] >> 10} KiB, {grown:.0f} bytes an interval more than of {counts[0]}")
        check(counts[1] >= 20000, "too few intervals")
        check(grown <= BYTES_AN_INTERVAL, f"more than {BYTES_AN_INTERVAL} bytes an interval")

    def check_report(self, trace):
        """Exact clocks: no delta, no inversion, everything bounded."""
        report = self.report(trace)
        check(re.search(r"^delta +0 ns \(none needed\)$", report, re.MULTILINE), "delta is not 0")
        check(not re.search(r"^inversions ", report, re.MULTILINE), "inversions")
        bounded, pairs = re.search(r"^figures over (\d+) of (\d+) pairs", report, re.MULTILINE).groups()
        check(bounded == pairs, "unbounded pairs")

    def check_proof(self, trace):
        """--check on the synchronized trace."""
        run(self.cellsync, "-q", trace, "-o", "synced.pex")
        print(run(self.cellsync, "--check", "synced.pex").splitlines()[0])

    def check_dense(self, trace):
        """The dense engine's report."""
        check(self.report(trace, "--engine=sweep") == self.report(trace, "--engine=dense"), "engines differ")
        print(f"{self.intervals(trace)} intervals: the dense engine reports the same")


def main():
    scale = Scale(*map(os.path.abspath, sys.argv[1:5]))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        large = scale.trace(20000)
        scale.check_memory(scale.trace(2000), large)
        scale.check_report(large)
        scale.check_proof(large)
        print(run(scale.all_pairs, scale.trace(8000)), end="")
        scale.check_dense(scale.trace(2500))
        os.chdir("/")


if __name__ == "__main__":
    main()
