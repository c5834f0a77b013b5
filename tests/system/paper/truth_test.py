#!/usr/bin/env python3
"""The truth is inside every bound, always: random programs, simulated, synchronized, compared.

Usage: truth_test.py PDTSIM CELLSYNC [--runs=N] [--seed=N] [--clusters]

Programs are those of blades or, with --clusters, those whose SPEs keep logs with clocks of their own.

cellsync is told how imprecise the stamps are, at times how long messages take at least, both from the head of the
truth, and how far clocks drift.  Each clock's true offset, and each pair's difference, must lie within the bounds;
under drift each clock's true time at every knot, and its true rates.  A claim that is wrong, that messages take four
times as long or that clocks drift a quarter as much, must show: else the test would see nothing.
"""
import argparse
import pathlib
import random
import sys
import tempfile

from truth import outside, simulate, solve


def imprecise(draw):
    """Options that make stamps less good."""
    return [*([f"--jitter={draw.choice([1, 5, 100, 3000])}"] if draw.random() < 0.5 else []),
            *([f"--late-writes={draw.choice([5, 50, 100])}"] if draw.random() < 0.5 else [])]


def halo(draw):
    """A program of ranks that send messages, as CSV or .pex."""
    nodes = draw.choice([1, 2, 3, 5, 9])
    ranks = max(nodes * draw.choice([1, 2, 4]) + (draw.random() < 0.3 and nodes < 5), 2)
    keys = {"swaps": draw.choice([1, 4, 9]), "compute": draw.choice([1000, 100000, 5000000]),
            "bytes": draw.choice([0, 100, 8192]), **{key: draw.randint(0, 1) for key in
                                                     ("sync", "barrier", "latency", "shared")}}
    return draw.choice(SUFFIXES), [
        "--workload=halo:" + ",".join(f"{key}={value}" for key, value in keys.items()), f"--nodes={nodes}",
        f"--contexts={ranks}", f"--machine={draw.choice(['qs20', 'qs22', 'ps3'])}",
        f"--level={draw.choice(['stalls', 'full'])}", f"--events={draw.choice([300, 2000])}"]


def shared(draw):
    """A program of one blade, whose records go to one buffer, one by one or in blocks, or to a buffer for each core."""
    workload = draw.choice(["juliaset", "blackscholes", "matrix_mul", "oversubscribed", "synthetic"])
    options = [f"--workload={workload}", f"--spes={draw.randint(1, 6)}", f"--machine={draw.choice(['qs20', 'qs22', 'ps3'])}",
               f"--level={draw.choice(['stalls', 'full'])}", f"--events={draw.choice([300, 2000])}"]
    if draw.random() < 0.5:
        return "pex", options
    kind = draw.choice(["stamped", "next", "double", "core", "pages"])
    how = {"core": "--buffers=core", "pages": "--tracer=pages"}.get(kind, f"--flush={draw.choice([1, 3, 16, 256])},{kind}")
    burst = [f"--burst={draw.choice([1, 4, 16])}"] if kind != "core" and draw.random() < 0.4 else []
    core = ["--buffers=core"] if kind != "core" and draw.random() < 0.3 else []
    rows = core or kind == "core" or workload == "oversubscribed" or (burst and kind != "stamped")
    return "csv" if rows or draw.random() < 0.5 else "pex", [*options, how, *burst, *core]


def cluster(draw):
    """A program of ranks on SPEs, each with a log."""
    machine, spes = draw.choice([("qs22", 32), ("qs20", 16), ("ps3", 6)])
    workload = draw.choice(["sweep3d", "sweep3d", "md", "lb", "pingpong"])
    nodes, spes = draw.choice([(1, min(spes, 9)), (2, 2), (2, 4), (3, 3), (2, min(spes, 16)), (5, 1)])
    keys = {"rounds": draw.choice([1, 3]), "compute": draw.choice([1000, 100000, 5000000]),
            "bytes": draw.choice([0, 100, 4800, 100000]), "pages": draw.choice(["no", "yes"]),
            "byte_order": draw.choice(["big", "little"]), "stamp": draw.choice(["begin", "end"])}
    if workload == "sweep3d" and draw.random() < 0.5 and (spes <= 8 or spes % 8 == 0):
        keys["root"] = "cell"
    return "pex", [
        f"--workload={workload}:" + ",".join(f"{key}={value}" for key, value in keys.items()), f"--nodes={nodes}",
        f"--spes={spes}", f"--machine={machine}", f"--level={draw.choice(['full', 'stalls', 'outer'])}",
        *(["--compress"] if draw.random() < 0.2 else []), *([f"--jitter={draw.choice([1, 5, 100])}"] if draw.random() < 0.4
                                                         else [])]


SUFFIXES = ["csv", "csv", "pex"]
DRIFTS = ["1", "20", "50.125", "400", "100,0", "50,0.5", "100,20", "400,100"]


def run(tools, folder, seed, clusters):
    """One program; the options that it was run with, what is outside, and whether a wrong claim shows."""
    draw = random.Random(seed)
    messages = clusters or draw.random() < 0.6
    suffix, options = (cluster if clusters else halo if messages else shared)(draw)
    drift = draw.choice(DRIFTS) if draw.random() < 0.5 else None
    options += [*([] if clusters else imprecise(draw)), f"--seed={seed}"] + ([f"--drift={drift}"] if drift else [])
    trace, truth = simulate(tools[0], folder, options, suffix)
    given = [f"--delta={truth.facts['imprecision_ticks']}"]
    if clusters or (suffix == "csv" and messages):
        given.append("--reference=spe0" if clusters else "--reference=node0")
    told = [f"--drift={drift}"] if drift else []
    wrong = [f"--drift={float(drift.split(',')[0]) / 4:.3f}"] if drift else []
    if messages:
        least = int(truth.facts["latency_ticks"])
        wrong = wrong or [f"--latency={4 * least}"]
        told += [f"--latency={least}"] if draw.random() < 0.5 else []
    found = solve(tools[1], trace, given + told)
    bad = ["infeasible"] if found is None else list(outside(found, truth))
    if not wrong:
        return options + given + told, bad, None
    claimed = solve(tools[1], trace, given + wrong)
    return options + given + told, bad, claimed is None or any(outside(claimed, truth))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pdtsim")
    parser.add_argument("cellsync")
    parser.add_argument("--runs", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--clusters", action="store_true")
    arguments = parser.parse_args()
    failed, shown = 0, []
    with tempfile.TemporaryDirectory() as name:
        for seed in range(arguments.seed, arguments.seed + arguments.runs):
            options, bad, shows = run((arguments.pdtsim, arguments.cellsync), pathlib.Path(name), seed,
                                       arguments.clusters)
            failed += bool(bad)
            shown += [] if shows is None else [shows]
            if bad:
                print("FAIL", " ".join(options), "outside:", " ".join(bad[:5]))
    print(f"{arguments.runs - failed} of {arguments.runs} inside; of {len(shown)} wrong claims {sum(shown)} show")
    return 1 if failed or sum(shown) < len(shown) / 5 else 0


if __name__ == "__main__":
    sys.exit(main())
