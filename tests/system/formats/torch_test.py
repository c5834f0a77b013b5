"""Profiles that PyTorch recorded on two ranks: moved by known amounts, the truth is inside the bounds.

usage: torch_test.py CELLSYNC RECORDED

RECORDED has the profiles, and what adds to their times to give the clock of the kernel (tests/record/torch_ranks.py).
"""
import csv
import gzip
import json
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

FAILURES = []
MOVES = [(0, 0), (1_234_567_891, 37_000), (-52_000_003, -60_000), (3_000, 100_000)]   # of rank 1: ns, and ppb


def expect(condition, *what):
    if not condition:
        FAILURES.append(" ".join(map(str, what)))
        print("FAILED:", *what)


def write(path, events, offset, ppb):
    """The profile by a clock that shows offset + (1 + ppb / 10^9) times the recorded time."""
    moved = []
    for e in events:
        begin, end = (Fraction(t) * (1 + Fraction(ppb, 10**9)) + Fraction(offset, 1000) for t in (e["ts"], e["ts"] + e["dur"]))
        moved.append({**e, "ts": float(round(begin, 3)), "dur": float(round(end - begin, 3))})
    path.write_text(json.dumps(moved))


def judge(cellsync, folder, profiles, truth, move):
    """How many readings of the clock of rank 1 have bounds, those without the truth, the worst error, and the exit status."""
    names = [folder / "rank0.json", folder / "rank1.json"]
    write(names[0], profiles[0], 0, 0)
    write(names[1], profiles[1], *move)
    clocks, report = folder / "clocks.csv", folder / "r.json"
    done = subprocess.run([cellsync, "-q", *names, f"--clocks={clocks}", "-r", report], capture_output=True, text=True)
    if done.returncode:
        return 0, 0, 0, done.stderr
    facts = json.loads(report.read_text())
    rows = list(csv.DictReader(line for line in clocks.read_text().splitlines() if not line.startswith("#")))
    own = next(r for r in rows if r["thread"] == facts["reference"])
    origin, bounded, outside, worst = Fraction(own["global"]) - int(own["local"]), 0, 0, 0
    first = facts["reference"] == own["thread"] and rows.index(own) == 0
    for row in rows:
        if row["thread"] == facts["reference"] or not row["earliest"] or not row["latest"]:
            continue
        bounded += 1
        low, high = Fraction(row["earliest_event"]) - origin, Fraction(row["latest_event"]) - origin
        # The reading of rank 1 as recorded, then as rank 0 would show it at that moment.
        recorded = (Fraction(int(row["local"])) - move[0]) / (1 + Fraction(move[1], 10**9))
        least = recorded + truth[1]["least_ns"] - truth[0]["greatest_ns"]
        greatest = recorded + truth[1]["greatest_ns"] - truth[0]["least_ns"]
        outside += greatest < low - 1 or least > high + 1
        worst = max(worst, high - low)
    expect(first, "the reference is not the clock of rank 0")
    return bounded, outside, float(worst), facts["witness"]


def main():
    cellsync, recorded = sys.argv[1], Path(sys.argv[2])
    truth = json.loads((recorded / "truth.json").read_text())["ranks"]
    profiles = [json.loads(gzip.decompress((recorded / f"rank{r}.json.gz").read_bytes())) for r in range(2)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for move in MOVES:
            bounded, outside, worst, witness = judge(cellsync, folder, profiles, truth, move)
            expect(bounded > 2 and not outside, move, outside, "of", bounded, "outside", witness)
            expect(worst < 20_000_000, move, "a bound of", worst, "ns")
            expect(not witness, move, "a contradiction:", witness)
            print(f"moved by {move[0]} ns and {move[1]} ppb: {bounded} readings, bounds of up to {worst / 1000:.0f} us")
        # Controls: without one operation the profiles are refused; with the k-th matched to the next one, the truth is lost.
        ends = [[e for e in p if e["name"] == "gloo:all_reduce"] for p in profiles]
        for p in ends:
            p.sort(key=lambda e: e["ts"])
        one = [profiles[0], [e for e in profiles[1] if e is not ends[1][-1]]]
        expect("ranks have the same number" in judge(cellsync, folder, one, truth, MOVES[0])[3], "a lost operation is taken")
        both = [[e for e in profiles[0] if e is not ends[0][0]], one[1]]
        _, outside, _, witness = judge(cellsync, folder, both, truth, MOVES[0])
        expect(outside or witness, "operations that are matched wrongly are not noticed")
    sys.exit(bool(FAILURES))


if __name__ == "__main__":
    main()
