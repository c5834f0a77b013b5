#!/usr/bin/env python3
"""The records that --advise asks for leave no more of an error than it says.

Usage: test_advise.py CELLSYNC [SEED [TRIALS]]

Random traces in one buffer, of clocks whose true offsets are known here.  The records of the plan are put where they
belong by true time, those of one time in any order, and the trace is synchronized again: of one thread, and of all at
once.  With stamps that are good to D, D is given.
"""
import json
import pathlib
import random
import sys
import tempfile

import started


def report(cellsync, folder, rows, options):
    """Rows are as in_order gives them."""
    trace, out = folder / "t.csv", folder / "t.json"
    trace.write_text("thread,time\n" + "".join([line for _, _, line in rows]))
    started.run([cellsync, "-q", "--reference=tau", "--pairs=all", *options, trace, "-r", out], check=True)
    return json.loads(out.read_text())


def errors(found):
    """The event error of each thread to tau."""
    added = 0 if found["delta"]["ticks"] == "0" else 2 * added_ticks(found["delta"]["ticks"])
    return {t["name"]: None if None in (t["earliest_ticks"], t["latest_ticks"])
            else t["latest_ticks"] - t["earliest_ticks"] + added for t in found["threads"] if t["name"] != "tau"}


def added_ticks(delta):
    """ceil(2 delta)"""
    num, _, den = delta.partition("/")
    return -(-2 * int(num) // int(den or 1))


def stamped(draw, true, offset, delta):
    return true - offset + draw.randint(-delta, delta)


def in_order(draw, rows, old=()):
    """Rows by true time, among equals at random; old ones, which have an order, stay in it: true time, place, line."""
    placed = [(true, i / len(old), line) for i, (true, _, line) in enumerate(old)]
    return sorted(placed + [(true, draw.random(), f"{name},{time}\n") for true, name, time in rows])


def planned(draw, advised, k, offsets, delta):
    """The 2 K records of a thread, with their true times: each is due when its clock shows its stamp, good to delta."""
    for name, first, step in (advised["name"], advised["thread_ticks"], advised["fine_ticks"]), \
                             ("tau", advised["reference_ticks"], advised["coarse_ticks"]):
        for i in range(k):
            stamp = first + i * step
            yield stamp + offsets[name] + draw.randint(-delta, delta), name, stamp


def trial(cellsync, folder, draw):
    """How many threads were advised and held to it."""
    delta, k = draw.choice([0, 0, 1, 3]), draw.choice([1, 1, 2, 3, 4, 7, 12])
    offsets = {"tau": 0} | {f"t{i}": draw.randint(-10**6, 10**6) for i in range(draw.randint(1, 6))}
    mean, length = draw.choice([3, 30, 1000, 20000]), draw.choice([1000, 30000])
    rows = in_order(draw, [(true, name, stamped(draw, true, offset, delta)) for name, offset in offsets.items()
                           for true in (draw.randint(0, length) for _ in range(max(2, length // mean)))])
    given = [f"--delta={delta}"] if delta else []
    found = report(cellsync, folder, rows, [*given, f"--advise={k}"])
    advice, before, held = found["advice"], errors(found), 0
    plans = [t for t in advice["threads"] if t.get("then_ticks") is not None]
    assert sorted(t["name"] for t in advice["threads"]) == sorted(before)
    assert [t["error_ticks"] for t in advice["threads"]] == \
        sorted(before.values(), key=lambda e: -10**30 if e is None else -e)
    for t in plans:
        more = in_order(draw, planned(draw, t, k, offsets, delta), rows)
        now = errors(report(cellsync, folder, more, given))[t["name"]]
        assert now <= t["then_ticks"] <= before[t["name"]], (t, now)
        held += 1
    more = in_order(draw, [row for t in plans for row in planned(draw, t, k, offsets, delta)], rows)
    found = report(cellsync, folder, more, given)
    after = [error for name, error in errors(found).items() if before[name] is not None]
    if after:
        assert max(after) <= advice["max_ticks"] and sum(after) / len(after) <= advice["mean_ticks"] + 1e-6
    names = {name for name in before if before[name] is not None}
    for pair in found["pairs"]:
        if {pair["s"], pair["t"]} <= names:
            assert pair["event_error_ticks"] <= advice["max_spe_ticks"], pair
    return held


def main(cellsync, seed="1", trials="60"):
    held = 0
    with tempfile.TemporaryDirectory() as name:
        for i in range(int(trials)):
            try:
                held += trial(cellsync, pathlib.Path(name), random.Random(f"{seed} {i}"))
            except AssertionError:
                print(f"trial {i} of seed {seed}")
                raise
    print(f"{held} threads kept what was promised")
    return 0 if held > int(trials) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
