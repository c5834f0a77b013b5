#!/usr/bin/env python3
"""Workloads of clusters are those of the papers: who talks to whom, what a message costs, what logs hold.

Usage: clusters_test.py PDTSIM CELLSYNC

Logs are read here by cellsync-run(5), EVENT LOGS. cellsync must find a partner for every message.
"""
import csv
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

TYPES = range(15)
SEND, RECV, E = 4, 5, 2
HZ = 26666666
# [DBK09], Table 2: seconds, and bytes a second.
TABLE = {"Cell": (0.272e-6, 22994.2e6), "node": (0.825e-6, 4281.3e6), "nodes": (11.771e-6, 161.2e6)}
LOG_CALL = 0.3e-6


class Trace:
    """The logs of a run: of each rank its records, (stamp, duration, type, data), in seconds."""

    def __init__(self, tools, folder, *options):
        self.path = folder / "t.pex"
        subprocess.run([tools[0], *options, "--machine=qs22", "-o", self.path, f"--truth={folder / 't.csv'}"], check=True)
        self.truth = folder / "t.csv"
        self.logs = []
        while (log := folder / f"t.rank{len(self.logs)}.log").exists():
            data = log.read_bytes()
            self.logs.append([(r[0], r[1], r[2], r[5:]) for r in struct.iter_unpack(">ddI4xQQ8x8i", data)])
            log.unlink()
            log.with_suffix(".kept").write_bytes(data)

    def back(self):
        """The logs under their names, for cellsync."""
        for kept in self.path.parent.glob("*.kept"):
            kept.rename(kept.with_suffix(".log"))

    def messages(self):
        """(from, to, bytes) of each."""
        return [(rank, data[0], data[1]) for rank, log in enumerate(self.logs) for _, _, kind, data in log if kind == SEND]

    def truths(self):
        """The true time of a rank's clock, in ticks."""
        rows = csv.DictReader(line for line in self.truth.read_text().splitlines() if line[0] != "#")
        return {int(row["thread"][3:]): float(row["offset_ticks"]) for row in rows}


def where(rank, spes=32):
    """Node and Cell of a rank on tri-blades."""
    return rank // spes, rank // spes * 4 + rank % spes // 8


def share(messages, what):
    found = [what(a, b) for a, b, _ in messages]
    return sum(found) / len(found)


def all_types(tools, folder):
    for workload in ("sweep3d", "sweep3d:root=cell", "md", "lb", "pingpong"):
        trace = Trace(tools, folder, f"--workload={workload}", "--nodes=2", "--spes=8")
        for rank, log in enumerate(trace.logs):
            kinds = {kind for _, _, kind, _ in log}
            yield f"{workload}: types of rank {rank}: {sorted(kinds)}", kinds == set(TYPES)
            yield f"{workload}: stamps of rank {rank} go down", all(a[0] <= b[0] for a, b in zip(log, log[1:]))
            ticks = [stamp * HZ for stamp, *_ in log]
            yield f"{workload}: ticks of rank {rank}", all(abs(t - round(t)) < 1e-6 * max(1, t) for t in ticks)
        trace.back()
        report = folder / "r.json"
        subprocess.run([tools[1], "-q", trace.path, "-r", report], check=True)
        found = json.loads(report.read_text())
        sends = len(trace.messages())
        yield f"{workload}: {sends} sends, {found['matched']['messages']} matched", found["matched"]["messages"] == sends
        yield f"{workload}: left out", found["matched"]["left_out"] == []
        yield f"{workload}: delta {found['delta']['ticks']}", found["delta"]["ticks"] == "1/2"
        yield f"{workload}: unbounded", found["summary"]["bounded"] == 16 * 15 // 2


def none_waits(tools, folder):
    """By true time no message comes before it was sent, nor sooner than its wire lets it."""
    trace = Trace(tools, folder, "--workload=lb", "--nodes=2", "--spes=16")
    true, sent, early = trace.truths(), {}, 0
    for rank, log in enumerate(trace.logs):
        for stamp, _, kind, data in log:
            if kind == SEND:
                sent.setdefault((rank, data[0], data[4]), []).append(stamp * HZ + true[rank])
    for rank, log in enumerate(trace.logs):
        for stamp, duration, kind, data in log:
            if kind == RECV:
                near = "Cell" if where(rank, 16)[1] == where(data[0], 16)[1] else "node" \
                    if rank // 16 == data[0] // 16 else "nodes"
                least = TABLE[near][0] + data[1] / TABLE[near][1]
                begun = sent[data[0], rank, data[4]].pop(0)
                early += (stamp + duration) * HZ + true[rank] - begun < least * HZ - 1.01
    yield f"{early} messages too early", early == 0


def table_2(tools, folder):
    """Half of a round trip, less what logging costs, is what the papers have measured."""
    for size in (0, 1000000):
        trace = Trace(tools, folder, f"--workload=pingpong:bytes={size}", "--nodes=2", "--level=outer")
        for near, partner in (("Cell", 1), ("node", 8), ("nodes", 32)):
            log = [r for r in trace.logs[0] if r[2] in (SEND, RECV) and r[3][0] == partner]
            trips = [b[0] + b[1] - a[0] for a, b in zip(log[::2], log[1::2])]
            latency, speed = TABLE[near]
            least, want = (min(trips) - LOG_CALL) / 2, latency + size / speed
            yield f"{size} bytes, {near}: {least * 1e6:.3f} us, want {want * 1e6:.3f}", abs(least - want) < 1.5 / HZ


def sweep(tools, folder):
    """[DBK09], figures 6 and 7: neighbours at 1 and 16; roots alone talk to other Cells."""
    options = ["--nodes=8", "--level=outer"]
    plain = Trace(tools, folder, "--workload=sweep3d:rounds=1", *options).messages()
    roots = Trace(tools, folder, "--workload=sweep3d:rounds=1,root=cell", *options).messages()

    def outside(a, b):
        return where(a)[1] != where(b)[1]

    yield "distances of sweep3d", {abs(a - b) for a, b, _ in plain} == {1, 16}
    yield "sizes of sweep3d", {size for _, _, size in plain} == {4800}
    yield "root=cell: who talks to other Cells", all(a % 8 == 0 and b % 8 == 0 for a, b, _ in roots if outside(a, b))
    yield "root=cell: within Cells", any(not outside(a, b) and abs(a - b) > 1 for a, b, _ in roots)
    counts = [sum(outside(a, b) for a, b, _ in found) for found in (plain, roots)]
    # In y, eight messages become one; in x there was one.
    yield f"to other Cells: {counts}", counts == [8 * 2 * (256 - 16) + 8 * 2 * 16, 8 * 2 * (32 - 2) + 8 * 2 * 16]
    sizes = [sum(size for a, b, size in found if outside(a, b)) for found in (plain, roots)]
    yield f"bytes to other Cells: {sizes}", sizes[0] == sizes[1]


def box(tools, folder):
    """[DBK09], figure 8: 8 x 8 x 4 ranks, x within a Cell, z between nodes, half of the ranks talk to one in y."""
    found = Trace(tools, folder, "--workload=md:rounds=1", "--nodes=8", "--level=outer").messages()
    x = [(a, b) for a, b, _ in found if where(a)[1] == where(b)[1]]
    y = [(a, b) for a, b, _ in found if abs(a - b) in (8, 56)]
    z = [(a, b) for a, b, _ in found if abs(a - b) in (64, 192)]
    yield "md: six neighbours", len(x) == len(y) == len(z) == len(found) / 3
    yield "md: z", all(a // 32 != b // 32 for a, b in z)
    far = {a for a, b in y if a // 32 != b // 32}
    yield "md: y", far == {a for a in range(256) if a % 32 < 8 or a % 32 >= 24}
    lb = Trace(tools, folder, "--workload=lb:rounds=1", "--nodes=8", "--level=outer").messages()
    sizes = [size for _, _, size in lb]
    yield "lb: light and heavy", sizes.count(132) == sizes.count(1320) == len(found) / 2
    yield "lb: one third of the heavy ones in a Cell", share([m for m in lb if m[2] > 1000],
                                                            lambda a, b: where(a)[1] == where(b)[1]) == 1 / 3
    yield "lb: SPE 0 and 56", (0, 56, 132) in lb
    # Figure 9: half of them inter-node, a third of the others between Cells; so it is where a node has two Cells.
    heavy = [m for m in Trace(tools, folder, "--workload=lb:rounds=1", "--nodes=16", "--spes=16",
                              "--level=outer").messages() if m[2] > 1000]
    nodes = [sum(a // 16 != b // 16 for a, b, _ in heavy), sum(a // 8 == b // 8 for a, b, _ in heavy)]
    yield f"lb: between nodes, within Cells: {nodes} of {len(heavy)}", nodes == [3 * 256, 2 * 256] and \
        len(heavy) == 6 * 256


def same_bytes(tools, folder):
    made = []
    for seed in (3, 3, 4):
        trace = Trace(tools, folder, "--workload=md:rounds=2", "--nodes=2", "--spes=2", f"--seed={seed}", "--events=300",
                      "--drift=50,2", "--jitter=4")
        made.append((repr(trace.logs), trace.truth.read_bytes(), trace.path.read_bytes()))
        yield "--events", 300 <= sum(map(len, trace.logs)) < 400
    yield "the same seed", made[0] == made[1]
    yield "another seed", made[0] != made[2]


def main(pdtsim, cellsync):
    failed = count = 0
    for test in (all_types, none_waits, table_2, sweep, box, same_bytes):
        # Hundreds of files are synced: where that is no work.
        with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as name:
            for what, good in test((pdtsim, cellsync), pathlib.Path(name)):
                count += 1
                if not good:
                    failed += 1
                    print("FAIL", test.__name__, what)
    print(f"{count - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
