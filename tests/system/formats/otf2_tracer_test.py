#!/usr/bin/env python3
"""What the tracer that wrote an OTF2 archive took its clocks for, beside what its order says of them.

Usage: otf2_tracer_test.py CELLSYNC OTF2GEN

Known answers, and random archives with random ClockOffset records: what the reports say of them is compared with
what fractions say at each tick of the clocks, and with the corrected times that otf2-print shows.
"""
import pathlib
import random
import re
import shutil
import sys
import tempfile
from fractions import Fraction

from otf2_test import CELLSYNC, bounds, expect, faults, generate, report, run, world

BACK = [["10 send 0 1 7", "30 recv 0 1 8"], ["100 recv 0 0 7", "105 send 0 0 8"]]    # g1 - g0 in [-91, -74]


def archive(folder, offsets, events=BACK):
    """One rank a location; offsets: the (time, offset) of each."""
    lines = world(len(events))
    for r, own in enumerate(events):
        lines += [f"at {r}"] + [f"offset {t} {o}" for t, o in offsets[r]] + own
    return generate(folder, lines)


def line(anchor, *options):
    text = run(CELLSYNC, "-q", anchor, "-r", "-", "--reference=Rank 0", *options).stdout
    return [row.split(None, 1)[1] for row in text.splitlines() if row.startswith("tracer ")]


def page(anchor, tmp, *options):
    run(CELLSYNC, "-q", anchor, "-r", tmp / "page.html", "--reference=Rank 0", *options)
    return (tmp / "page.html").read_text()


def known_answers(tmp):
    flat = lambda ticks: [(0, ticks), (1000, ticks)]
    outside = "the recorded offsets of 1 thread are 0 within the bounds, 1 outside: Rank 1 by up to "
    cases = [
        # Only differences to the reference count: -80, as ours is -83 in the midst.
        ("inside", [flat(100), flat(20)], (0, 3), "the recorded offsets of 1 thread are within the bounds; they differ from the offsets in this report by at most 3 ns"),
        ("at an end", [flat(0), flat(-91)], (0, 8), "the recorded offsets of 1 thread are within the bounds; they differ from the offsets in this report by at most 8 ns"),
        ("beyond it", [flat(0), flat(-92)], (1, 9), outside + "1 ns, at 100; they differ from the offsets in this report by at most 9 ns"),
        ("beyond the other", [flat(-7), flat(-73)], (8, 17), outside + "8 ns, at 100; they differ from the offsets in this report by at most 17 ns"),
        ("a line", [flat(0), [(100, -83), (110, -3)]], (31, 40), outside + "31 ns, at 105; they differ from the offsets in this report by at most 40 ns"),
        # Between begin and end, which alone would be inside.
        ("a kink", [flat(0), [(100, -80), (103, -20), (105, -80)]], (54, 63), outside + "54 ns, at 103; they differ from the offsets in this report by at most 63 ns"),
        ("a kink of the reference", [[(20, 0), (22, 50), (24, 0)], flat(-80)], (0, 0), None),
        ("a single one", [flat(0), [(100, -83)]], (74, 83), outside + "74 ns, at 100; they differ from the offsets in this report by at most 83 ns"),
        ("none", [[], []], None, "no recorded clock offsets (ClockOffset)"),
    ]
    for name, offsets, want, text in cases:
        anchor = archive(tmp / "known", offsets)
        found = report(anchor, "--reference=Rank 0")["tracer"]
        if want is None:
            expect(found == {"readings": 0, "inside": None, "outside": None, "unknown": None, "clocks": []}, f"{name}: {found}")
            expect("no ClockOffset records" in page(anchor, tmp), f"{name}: the page says so")
        elif text:
            clock = found["clocks"][0]
            got = clock["outside_ticks"], clock["distance_ticks"]
            expect(got == want and clock["name"] == "Rank 1", f"{name}: {clock}, want {want}")
            expect((found["inside"], found["outside"]) == ((1, 0) if want[0] == 0 else (0, 1)), f"{name}: {found}")
            html = page(anchor, tmp)
            expect(("<td>inside</td>" in html) == (want[0] == 0) and 'id="tracer-drawing"' in html, f"{name}: the page")
        else:
            expect(found["unknown"] == 1 and found["clocks"][0]["inside"] is None, f"{name}: corrected time goes back: {found}")
            continue
        expect(line(anchor) == [text], f"{name}: {line(anchor)}")
    # The worst of several threads of a clock counts, and so do bounds that change with time.
    lines = world(2, 2) + ["at 0", *BACK[0], "at 1", "offset 0 -80", "offset 9 -80", *BACK[1], "at 1001", "offset 0 -95",
                           "offset 9 -95", "101 mark"]
    anchor = generate(tmp / "known", lines)
    clock = report(anchor, "--reference=Rank 0")["tracer"]["clocks"][0]
    expect((clock["readings"], clock["outside_ticks"]) == (4, 4), f"two threads: {clock}")
    drifting = report(anchor, "--reference=Rank 0", "--drift=100")["tracer"]["clocks"][0]
    expect(drifting["outside_ticks"] == 3 and "tracer-clocks" in page(anchor, tmp, "--drift=100"), f"drift: {drifting}")
    lsq = report(anchor, "--method=lsq")["tracer"]
    expect(lsq["inside"] is None and lsq["clocks"][0]["outside_ticks"] is None, f"no bounds: {lsq}")
    expect("tracer" not in report(anchor, "--method=lamport"), "no offsets")
    expect(line(archive(tmp / "known", [[(0, 2**63 - 1), (1, -2**63)], [(0, -2**63), (9, 2**63 - 1)]]))[0].endswith("unknown for 1"),
           "offsets beyond 64 bits")


class Clock:
    """Offsets as they are drawn, by fractions."""

    def __init__(self, readings):
        self.readings = readings

    def corrected(self, x):
        pairs = list(zip(self.readings, self.readings[1:]))
        if not pairs:
            return Fraction(x)
        (t0, o0), (t1, o1) = next((p for p in pairs if x < p[1][0]), pairs[-1])
        return x + o0 + Fraction((o1 - o0) * (x - t0), t1 - t0)

    def shown(self, time):
        """What it shows then: by halving, to the nearest tick."""
        low, high = -2**40, 2**40
        while high - low > 1:
            middle = (low + high) // 2
            if self.corrected(middle) <= time:
                low = middle
            else:
                high = middle
        part = (time - self.corrected(low)) / (self.corrected(high) - self.corrected(low))
        return low + part


def random_archives(tmp, runs):
    rng = random.Random(16)
    seen = [0, 0]
    for i in range(runs):
        ranks = rng.randint(2, 3)
        true = [rng.randint(-300, 300) for _ in range(ranks)]
        now, events = [1000] * ranks, [[] for _ in range(ranks)]
        for _ in range(rng.randint(4, 30)):
            a, b = rng.sample(range(ranks), 2)
            now[a] += rng.randint(1, 30)
            events[a].append(f"{now[a] + true[a]} send 0 {b} 1")
            now[b] = max(now[b], now[a]) + rng.randint(1, 30)
            events[b].append(f"{now[b] + true[b]} recv 0 {a} 1")
        if not all(events):
            continue
        offsets = []
        for r in range(ranks):
            times = sorted(rng.sample(range(600, 1800), rng.choice([0, 1, 2, 2, 3, 5])))
            offsets.append([(t, rng.randint(-10, 10) - true[r]) for t in times])
        anchor = archive(tmp / "random", offsets, events)
        drift = rng.choice([[], [], ["--drift=1000"]])
        document = report(anchor, "--reference=Rank 0", *drift)
        clocks = [Clock(readings) for readings in offsets]
        if not any(offsets):
            continue
        views = {t["name"]: t for t in document["threads"]}
        zero = Fraction(views["Rank 0"]["offset_ticks"]) if not drift else None
        for clock in document["tracer"]["clocks"]:
            r = int(clock["name"][5:])
            rises = [all(a + x < b + y for (a, x), (b, y) in zip(o, o[1:])) for o in (offsets[0], offsets[r])]
            expect(clock["readings"] == len(offsets[r]), f"run {i}: readings of {clock}")
            if not rises[0]:
                expect(clock["inside"] is None, f"run {i}: the reference's corrected time goes back: {clock}")
                continue
            for when in ("first", "last", "worst"):
                moment = clock[when]
                x = moment["local_ticks"]
                believed = clocks[0].shown(clocks[r].corrected(x)) - x
                if zero is not None:
                    expect(abs(moment["tracer_ticks"] - zero - believed) <= 2, f"run {i}: {moment}, want {believed}")
            if zero is None:
                continue
            low, high = (views[clock["name"]][key] for key in ("earliest_ticks", "latest_ticks"))
            stamps = [int(e.split()[0]) for e in events[r]]
            outside = 0
            for x in range(min(stamps), max(stamps) + 1):
                by = clocks[0].shown(clocks[r].corrected(x)) - x + zero
                outside = max(outside, low - by if low is not None else 0, by - high if high is not None else 0)
            expect(abs(clock["outside_ticks"] - outside) <= 2, f"run {i}: outside {clock}, want {float(outside)}")
            seen[clock["outside_ticks"] > 0] += 1
    expect(min(seen) > runs // 10, f"both kinds are drawn: {seen}")
    print(f"random archives: {runs}, of whose clocks {seen[0]} are inside and {seen[1]} outside")


def printed(tmp):
    """otf2-print, and so Vampir, shows the same corrected times."""
    if not shutil.which("otf2-print"):
        print("SKIPPED: otf2-print is not installed")
        return
    rng = random.Random(9)
    for _ in range(8):
        readings = [(t, rng.randint(-500, 500)) for t in sorted(rng.sample(range(1000, 100000), rng.choice([1, 2, 3, 6])))]
        stamps = sorted(rng.sample(range(2000, 99000), 2))
        events = [BACK[0], [f"{stamps[0]} recv 0 0 7", f"{stamps[1]} send 0 0 8"]]
        anchor = archive(tmp / "printed", [[], readings], events)
        shown = re.findall(r"^MPI_(?:RECV|SEND) +1 +(\d+) ", run("otf2-print", anchor).stdout, re.M)
        document = report(anchor, "--reference=Rank 0")
        zero = bounds(anchor, "--reference=Rank 0")["Rank 0"]["offset_ticks"]
        clock = document["tracer"]["clocks"][0]
        ours = [clock[when]["local_ticks"] + clock[when]["tracer_ticks"] - zero for when in ("first", "last")]
        expect([int(t) for t in shown] == ours, f"otf2-print shows {shown}, we took {ours}")


def violations(tmp):
    """Messages received before they were sent: by raw stamps, and as otf2-print shows them."""
    if not shutil.which("otf2-print"):
        return    # which was said
    rng = random.Random(4)
    ranks, seen = 3, 0
    for i in range(6):
        true = [rng.randint(-300, 300) for _ in range(ranks)]
        now, events, messages = [1000] * ranks, [[] for _ in range(ranks)], []
        for _ in range(40):
            a, b = rng.sample(range(ranks), 2)
            now[a] += rng.randint(5, 30)
            now[b] = max(now[b], now[a]) + rng.randint(5, 30)
            messages.append(((a, len(events[a])), (b, len(events[b]))))
            events[a].append(f"{now[a] - 5 + true[a]} send 0 {b} 1")
            events[b].append(f"{now[b] + true[b]} recv 0 {a} 1")
        stamps = [[int(event.split()[0]) for event in own] for own in events]
        offsets = [[(500, rng.randint(-20, 20) - true[r]), (2500, rng.randint(-20, 20) - true[r])] for r in range(ranks)]
        anchor = archive(tmp / "violations", offsets, events)
        shown = [[] for _ in range(ranks)]
        for location, time in re.findall(r"^MPI_(?:RECV|SEND) +(\d+) +(\d+) ", run("otf2-print", anchor).stdout, re.M):
            shown[int(location)].append(int(time))
        # otf2-print merges by corrected time, which may go back on a location no more than ours does.
        want = {}
        for way, times in (("raw", stamps), ("tracer", shown)):
            back = [times[a][k] - times[b][j] for (a, k), (b, j) in messages]
            want[way] = {"count": sum(by > 0 for by in back), "largest_ticks": max(0, *back)}
        found = report(anchor)["violations"]
        expect({way: found[way] for way in want} == want, f"violations {i}: {found}, want {want}")
        expect(found["messages"] == 40 and found["ours"]["count"] == 0, f"violations {i}: {found}")
        seen += want["tracer"]["count"]
    expect(seen > 0, "none of the tracer's offsets violates anything")


def warnings(tmp):
    """Ends without others, communicators between groups, and a CSV that does not say its order."""
    lines = world(2) + ["at 0", "10 send 0 1 7", "12 send 0 1 9", "30 recv 0 1 8", "at 1", "100 recv 0 0 7",
                        "105 send 0 0 8", "110 recv 0 0 5"]
    for complete in (False, True):
        anchor = generate(tmp / "warnings", ["complete"] * complete + lines)
        says = f"cellsync: warning: {anchor}: 1 send and 1 receive have no counterpart, although the trace " \
            "declares its messages complete\n"
        done = run(CELLSYNC, anchor, "-r", tmp / "w.txt")
        expect((says in done.stderr) == complete, f"complete {complete}: {done.stderr!r}")
        text = (tmp / "w.txt").read_text()
        expect(("warning     1 send and 1 receive have no counterpart" in text) == complete, text)
        expect("left out    1 send: " in text and "left out    1 receive: " in text
               and "'MPI_COMM_WORLD/0>1/9'" in text and "'MPI_COMM_WORLD/0>1/5'" in text, text)
    anchor = generate(tmp / "warnings", lines + ["intercomm 5 0 0"])
    done = run(CELLSYNC, anchor)
    expect(f"warning: {anchor}: 1 communicator between groups: messages through it give no order\n" in done.stderr, done.stderr)
    run(CELLSYNC, "-q", anchor, "-o", tmp / "made.csv")
    done = run(CELLSYNC, "--check", tmp / "made.csv", code=1)
    expect(done.stderr == f"cellsync: {tmp}/made.csv: the rows do not contain the whole order of events; pass --original with the original input from which this file was made (all its files, if it was made from several)\n", done.stderr)


def main():
    with tempfile.TemporaryDirectory() as name:
        tmp = pathlib.Path(name).resolve()
        known_answers(tmp)
        random_archives(tmp, 30)
        printed(tmp)
        violations(tmp)
        warnings(tmp)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
