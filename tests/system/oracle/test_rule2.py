"""Rule 2 of unwrapping: random gaps that the PPE does not settle, of contexts that come and go, with switch records or without.

    test_rule2.py CELLSYNC [--seeds=N] [--first=SEED]

Clocks disagree by up to about B, which reaches 2^30 ticks, so that it matters what threads say that have had their last record.
Wraps, splits, assumed gaps, and the threads with their local times must be those of the solver. Last, 140 contexts, one after
another: whatever their number, the last one is placed where it really was.
"""

import argparse
import json
import os
import random
import sys
import tempfile

import pexfile
import solver
import started
from compare import Mismatch, same
from pexfile import PPE, SPE, WRAP, Record
from trials import trials

HZ = 14318000
DOCUMENT = f'<pdt_trace version="1"><machine timebase_hz="{HZ}"/><trace_file/></pdt_trace>\n'.encode()


def write(folder, records):
    path = os.path.join(folder, "trace.pex")
    pexfile.write_pex(path, DOCUMENT, pexfile.pack_trace(pexfile.TraceFile(records)))
    return path


def draw(rng):
    """Records of a few contexts, each for a part of the trace, with sleeps and a PPE that is mostly silent."""
    n, contexts = rng.randint(4, 40), rng.randint(1, 8)
    b = rng.choice([10, HZ // 100, 2**24, 2**28, 2**30])
    off = rng.choice([0, b // 4, b // 2, b // 2, b])
    now, records = 10**12, []
    bases = [rng.randrange(WRAP) for _ in range(contexts)]
    spoken, switching = rng.choice([2, 10, 40]), rng.choice([0, 0, 0.2])
    for i in range(n):
        now += rng.choice([1, b // 8, b // 2, WRAP // 3, WRAP - 1 - rng.randrange(b), rng.randrange(3 * WRAP)])
        stamp = now + rng.randint(-off, off)
        live = [c for c in range(contexts) if abs(c / contexts - i / n) < 0.3] or [0]
        if i in (0, n - 1) and rng.random() < 0.7 or rng.random() * 100 < spoken:
            records.append(Record(PPE, 0x300, 1, stamp))
        elif rng.random() < switching:
            event = rng.choice([pexfile.SWITCH_IN, pexfile.SWITCH_OUT, pexfile.SWITCH_OUT])
            records.append(Record(PPE, event, 1, stamp, values=(rng.choice(live), 0)))
        else:
            c = rng.choice(live)
            records.append(Record(SPE, 0x503, c, (bases[c] - stamp) % WRAP))
    return records, b


def compare(program, folder, seed):
    """How many gaps were assumed, and how many splits there are, once both agree."""
    rng = random.Random(seed)
    records, b = draw(rng)
    path = write(folder, records)
    report = os.path.join(folder, "report.json")
    done = started.run([program, "-q", f"--report={report}", f"--max-imprecision={b}", path], capture_output=True, check=False)
    if done.returncode:
        raise Mismatch(done.stderr.decode())
    with open(report, encoding="utf-8") as file:
        found = json.load(file)
    wanted = solver.clocked_pex(pexfile.read_pex(path), b)
    same(found["unwrapping"], {"wraps": wanted.wraps, "splits": wanted.splits, "assumed": wanted.assumed}, "unwrapping")
    same([(t["name"], t["first_record"], t["records"]) for t in found["threads"]],
         [(t.name, t.positions[0], len(t.positions)) for t in wanted.threads], "threads")
    return wanted.assumed, wanted.splits


def check_crowd(program, folder, contexts):
    """Contexts one after another; then one sleeps, while another goes on and the PPE says nothing."""
    now, records = 10**12, []
    for c in range(contexts):
        for record in (Record(PPE, 0x300, 1, now), Record(SPE, 0x503, 10 + c, -now % WRAP), Record(PPE, 0x300, 1, now + 20)):
            records.append(record)
            now += 10
    first = now
    records += [Record(PPE, 0x300, 1, now), Record(SPE, 0x503, 1, -(now + 10) % WRAP), Record(PPE, 0x300, 1, now + 20),
                Record(SPE, 0x503, 2, -(now + 30) % WRAP), Record(PPE, 0x300, 1, now + 40)]
    for _ in range(8):
        now += WRAP // 5
        records.append(Record(SPE, 0x503, 2, -(now + 30) % WRAP))
    records += [Record(SPE, 0x503, 1, -(now + 40) % WRAP), Record(SPE, 0x503, 2, -(now + 50) % WRAP)]
    now += WRAP * 3 // 5
    records += [Record(PPE, 0x300, 1, now + 60), Record(SPE, 0x503, 1, -(now + 70) % WRAP), Record(PPE, 0x300, 1, now + 80)]
    path = write(folder, records)
    report = os.path.join(folder, "report.json")
    started.run([program, "-q", f"--report={report}", path], capture_output=True, check=True)
    with open(report, encoding="utf-8") as file:
        threads = {t["name"]: t for t in json.load(file)["threads"]}
    same(abs(threads["spe1.1"]["offset_ticks"] - first - 10) <= 10, True, f"spe1.1 of {contexts} contexts is in its place")


def main():
    """Runs the seeds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--seeds", type=int, default=trials(150))
    parser.add_argument("--first", type=int, default=1)
    arguments = parser.parse_args()
    assumed = splits = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(arguments.first, arguments.first + arguments.seeds):
            try:
                found = compare(arguments.program, folder, seed)
            except Mismatch as mismatch:
                sys.exit(f"seed {seed}: {mismatch}")
            assumed, splits = assumed + found[0], splits + found[1]
        for contexts in (1, 126, 127, 140):
            check_crowd(arguments.program, folder, contexts)
    print(f"{arguments.seeds} traces with {assumed} assumed gaps and {splits} splits")


if __name__ == "__main__":
    main()
