"""Property test: the methods to compare with, on random traces, against their definitions.

    test_methods.py CELLSYNC [--seeds=N] [--first=SEED] [--jobs=N]

For every seed and method: global times, offsets, the reports' figures and the synchronization element are what the
definitions give; --check refuses the trace. With our own method, damage and inversions are measured to be none beyond
what its delta allows. On a failure the seed is printed; exit status 1.
"""

import argparse
import json
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import expect
import generate
import methods
import pexfile
import solver
import started
from compare import read, same
from test_solver import clocked_of
from trials import trials


def run(program, *arguments, status=0):
    """Runs cellsync; returns its messages once the exit status is as wanted."""
    done = started.run([program, *arguments], capture_output=True, timeout=60, check=False)
    same(done.returncode, status, f"exit status of {' '.join(arguments)}: {done.stderr.decode()}")
    return done.stderr.decode()


def correction_json(clocked, times, offsets):
    """How far records are from where the clocks of their threads put them, from the first record on if need be."""
    first = [times[t.positions[0]] - clocked.time[t.positions[0]] for t in clocked.threads]
    starts = [f if g is None else g for f, g in zip(first, offsets)]
    moved = [abs(time - starts[o] - local) for o, local, time in zip(clocked.owner, clocked.time, times)]
    return {"monotonic": False, "records": sum(m > 0 for m in moved), "largest_ticks": max(moved)}


def damage_json(damages):
    return {"distances": len(damages), "damaged": sum(d > 0 for d in damages),
            "worst_ticks": max(damages, default=0), "mean_ticks": expect.mean_text(damages)}


def doubted(clocked):
    """Where there are no bounds, it is only told whether threads stand one after another."""
    return "thread" if expect.sorted_as(clocked) == "thread" else None


def no_diagnosis(clocked):
    """What is said of contradictions where there are no bounds."""
    return {"kind": "not_interleaved" if doubted(clocked) else "unknown", "clocks": []}


def report_of(clocked, method, offsets, times, path):
    """The JSON report of a method without bounds."""
    count, largest = solver.inversions(times)
    threads = [{"name": t.name, "kind": expect.kind_json(clocked, t), "context": t.context, "first_record": t.positions[0],
                "records": len(t.positions), "offset_ticks": offset, "earliest_ticks": None, "latest_ticks": None,
                "earliest_event_ticks": None, "latest_event_ticks": None,
                **expect.difference_json(clocked, t, None, -expect.inf, expect.inf), **expect.members_json(t)}
               for t, offset in zip(clocked.threads, offsets)]
    return {"trace": path, "timebase_hz": clocked.timebase_hz,
            "timebase_assumed": clocked.timebase_assumed, "records": len(clocked.owner), "method": method,
            "reference": None, "alpha": None, "center": None, "salvaged": None,
            "order": expect.order_json(clocked, times, doubted(clocked)),
            "delta": {"mode": None, "ticks": None, "inversions": count, "largest_inversion_ticks": largest,
                      "adjacent_steps_back": solver.steps_back(clocked)},
            "conditional": False, "warnings": expect.assumed_warnings(clocked) + expect.order_warnings(doubted(clocked), "global times"),
            "conditions": [], "unwrapping": {"wraps": clocked.wraps, "splits": clocked.splits, "assumed": clocked.assumed},
            "switches": {"lost_outs": clocked.lost_outs, "lost_ins": clocked.lost_ins,
                         "stragglers": clocked.stragglers},
            "correction": correction_json(clocked, times, offsets),
            "damage": damage_json(methods.damage(clocked, times)),
            "witness": None, "diagnosis": no_diagnosis(clocked), "delta_profile": None, "dropped": [], "summary": None, "threads": threads, "pairs_listed": None,
            "pairs": None}


def check_table(synced, clocked, method, offsets, original):
    """The synchronization element names the method and nothing that it does not have."""
    element = synced.root.findall("synchronization")[-1]
    wanted = {"method": method, "original_crc32": pexfile.crc32(pexfile.pack_records(original.records)),
              "records": str(len(clocked.owner)), "wraps": str(clocked.wraps), "splits": str(clocked.splits),
              "assumed": str(clocked.assumed), "unwrap": "assume", "max_imprecision": str(clocked.imprecision)}
    same(dict(element.attrib), wanted, "synchronization")
    for row, offset in zip(element, offsets):
        same(row.attrib.get("offset"), None if offset is None else str(offset), "offset in the table")
        same((row.attrib["earliest"], row.attrib["latest"]), ("-inf", "inf"), "bounds in the table")


def check_pex(program, made, clocked, method, offsets, times, folder):
    target = os.path.join(folder, f"{method}.pex")
    run(program, "-q", f"--method={method}", made.path, "-o", target)
    original, synced = pexfile.read_pex(made.path).trace, pexfile.read_pex(target)
    solution = SimpleNamespace(clocked=clocked, global_times=times)
    same(synced.trace, expect.global_trace(solution, original), f"{method}: synced trace")
    check_table(synced, clocked, method, offsets, original)
    message = f"cellsync: {target}: the trace was synchronized with --method={method}, but only results of --method=bhh can be checked"
    same(run(program, "--check", target, status=1).startswith(message), True, f"{method}: --check refuses")
    run(program, "-q", f"--method={method}", made.path, "--to=csv", "-o", target + ".csv")
    warnings = expect.warning_lines(expect.assumed_warnings(clocked))
    wanted = expect.csv_trace(solution, pexfile.read_pex(made.path), lambda *_: f"# cellsync method={method}{expect.assumed_fact(clocked)}{warnings}")
    same(read(target + ".csv"), wanted, f"{method}: CSV")


def check_csv(program, made, method, times, folder):
    target = os.path.join(folder, f"{method}.csv")
    run(program, "-q", f"--method={method}", made.path, "-o", target)
    same(read(target), pexfile.csv_with_global_time(pexfile.read_csv(made.path), times, f"# cellsync method={method}"), f"{method}: CSV")


def check_method(program, made, clocked, method, folder):
    """Returns whether the method broke the order, and whether it damaged intervals."""
    offsets, times = methods.place(clocked, method)
    path = os.path.join(folder, "report.json")
    run(program, "-q", f"--method={method}", made.path, "-r", path)
    found = json.loads(read(path), parse_float=str)
    wanted = report_of(clocked, method, offsets, times, made.path)
    found["diagnosis"] = {key: found["diagnosis"][key] for key in wanted["diagnosis"]}
    found.pop("explanations", None)  # test_explanations.py
    same(found, wanted, f"{method}: report")
    same(list(found), list(wanted), f"{method}: members")
    if made.kind == "csv":
        check_csv(program, made, method, times, folder)
    else:
        check_pex(program, made, clocked, method, offsets, times, folder)
    return found["delta"]["inversions"] > 0, found["damage"]["damaged"] > 0


def check_ours(program, made, clocked, folder):
    """Ours damages nothing, and breaks the order no further than stamps do."""
    path = os.path.join(folder, "ours.json")
    run(program, "-q", "--method=bhh", "--measure", made.path, "-r", path)
    found = json.loads(read(path), parse_float=str)
    offsets = [thread["offset_ticks"] for thread in found["threads"]]
    times = [offsets[o] + t for o, t in zip(clocked.owner, clocked.time)]
    same(found["damage"], damage_json(methods.damage(clocked, times)), "bhh: damage")
    same(found["damage"]["damaged"], 0, "bhh: damaged intervals")
    count, largest = solver.inversions(times)
    same((found["delta"]["inversions"], found["delta"]["largest_inversion_ticks"]), (count, largest), "bhh: inversions")
    if found["delta"]["ticks"] == "0":
        same(count, 0, "bhh: inversions without imprecision")
    return count > 0, False


def check_seed(seed, program):
    with tempfile.TemporaryDirectory() as folder:
        made = generate.generate(seed, folder)
        clocked = clocked_of(made)
        seen = {"bhh": check_ours(program, made, clocked, folder)}
        seen.update({m: check_method(program, made, clocked, m, folder) for m in methods.METHODS})
        return seen


def run_seed(seed, program):
    """What each method did to a seed's trace, and the description of a failure or None."""
    try:
        return check_seed(seed, program), None
    except Exception as error:      # whatever goes wrong belongs to this seed
        return None, (f"seed {seed} failed: {type(error).__name__}: {error}\n"
                      f"  again: test_methods.py {program} --first={seed} --seeds=1")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", metavar="CELLSYNC")
    parser.add_argument("--seeds", type=int, default=trials(60))
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    program = os.path.abspath(arguments.program)
    seeds = range(arguments.first, arguments.first + arguments.seeds)
    with ThreadPoolExecutor(arguments.jobs) as pool:
        done = list(pool.map(lambda seed: run_seed(seed, program), seeds))
    failures = [text for _, text in done if text]
    print("\n".join(failures[:10]), end="\n" if failures else "")
    for number, what in enumerate(("inversions", "damage")):
        counts = {m: sum(seen[m][number] for seen, text in done if not text) for m in ["bhh"] + methods.METHODS}
        print(f"traces with {what}: {counts}")
    print(f"{len(seeds) - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
