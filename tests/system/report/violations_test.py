#!/usr/bin/env python3
"""Messages received before they were sent, as reports count them, against counting them one by one.

Usage: violations_test.py CELLSYNC

Random traces in partial order: raw stamps are compared as they are drawn, global times as the CSV that is written has
them.  A group more must not change the counts.
The figure messages.svg shows some of these messages, among them the one that raw stamps put furthest backward.
"""
import csv
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

CELLSYNC = pathlib.Path(sys.argv[1]).resolve()
faults = []


def run(*words):
    done = subprocess.run([CELLSYNC, "-q", *map(str, words)], capture_output=True, text=True)
    if done.returncode not in (0, 4):
        raise SystemExit(f"{words}: exit {done.returncode}: {done.stderr}")
    return done.stdout


def expect(good, what):
    if not good:
        faults.append(what)
        print("FAULT:", what)


def draw(rng, begins, shared):
    """Rows, and (row of the send, row of the receive) of each message.  Stamps may be late."""
    clocks = [rng.randint(-2000, 2000) for _ in range(rng.randint(2, 4))]
    now, rows, messages = [5000] * len(clocks), [], []
    for m in range(rng.randint(3, 25)):
        a, b = rng.sample(range(len(clocks)), 2)
        channel = f"{a}>{b}" if shared else f"m{m}"
        begun = now[a]
        now[a] += rng.randint(1, 30)
        late = rng.randint(0, 40) if rng.random() < 0.1 else 0
        time = now[a] + clocks[a] + late
        rows.append([f"t{a}", time, channel, "", begun + clocks[a] if begins else ""])
        now[a] += late
        now[b] = max(now[b], now[a] - late) + rng.randint(0, 30)
        rows.append([f"t{b}", now[b] + clocks[b], "", channel, ""])
        messages.append((len(rows) - 2, len(rows) - 1))
    return rows, messages


def count(pairs):
    steps = [sent - received for sent, received in pairs if received < sent]
    return {"count": len(steps), "largest_ticks": max(steps, default=0)}


def panels(path):
    """Of each panel the first line below its title, and its arrows: class, sender, sent, receiver, received."""
    arrow = re.compile(r'<path class="(passage|backward)" .*<title>(\w+) at (\S+) to (\w+) at (\S+)</title>')
    text = re.sub(r"(?<=\d)\u202f(?=\d)", "", path.read_text())
    found = []
    for part in text.split('<text class="clock"')[1:]:
        sentence = re.findall(r"<text[^>]*>([^<]*)</text>", part)[0]
        found.append((sentence, [(kind, s, int(a), t, int(b)) for kind, s, a, t, b in arrow.findall(part)]))
    return found


def check_figure(path, known, counts):
    """known: (sender, sent, receiver, received) of every message, by raw stamps and by ours, in the same order."""
    found = panels(path)
    expect(len(found) == 2, f"{path}: {len(found)} panels")
    drawn = []
    for (sentence, arrows), messages, backward in zip(found, known, counts):
        n = backward["count"]
        words = f"{n} of {len(messages)} message" if n else f"None of {len(messages)} message"
        expect(sentence.startswith(words), f"{path}: {sentence!r}, want {words!r}")
        expect(1 <= len(arrows) <= 14, f"{path}: {len(arrows)} arrows")
        expect(all((kind == "backward") == (b < a) for kind, _, a, _, b in arrows), f"{path}: colours of {arrows}")
        expect(all(arrow[1:] in messages for arrow in arrows), f"{path}: {arrows} of {messages}")
        drawn.append(sorted(messages.index(arrow[1:]) for arrow in arrows))
    expect(drawn[0] == drawn[1], f"{path}: messages {drawn}")
    steps = [(b - a, k) for k, (_, a, _, b) in enumerate(known[0])]
    if min(steps)[0] < 0:
        expect(any(k in drawn[0] for step, k in steps if step == min(steps)[0]), f"{path}: {drawn[0]}, want one of {min(steps)}")


def check(tmp, rng, i):
    begins, shared = rng.random() < 0.4, rng.random() < 0.5
    rows, messages = draw(rng, begins, shared)
    found = []
    for group in (False, True):
        path, out = tmp / "m.csv", tmp / "out.csv"
        with open(path, "w") as file:
            print("# order=partial\nthread,time,send,recv,begin,enter,leave", file=file)
            for row in rows:
                print(",".join(map(str, row)) + ",,", file=file)
            if group:
                print("t0,900000,,,,g,\nt1,900000,,,,,g", file=file)
        drifts = i % 5 == 4
        options = ["--drift=1000"] if drifts else ["--alpha=1/2", f"--figures={tmp}/figures"]
        report = json.loads(run(path, "-o", out, "-r", "-", "--report-format=json", *options))
        found.append(report["violations"])
        with open(out) as file:
            table = list(csv.DictReader(line for line in file if not line.startswith("#")))
        shown = [(int(row["global_time"]), int(row["time"]), int(row["begin"] or row["time"])) for row in table]
        raw = [(shown[s][2], shown[r][1]) for s, r in messages]
        expect(found[-1]["raw"] == count(raw), f"run {i}: {found[-1]}, raw {count(raw)}")
        if not drifts:
            ours = [(shown[s][0] - shown[s][1] + shown[s][2], shown[r][0]) for s, r in messages]
            expect(found[-1]["ours"] == count(ours), f"run {i}: {found[-1]}, ours {count(ours)}")
            known = [[(rows[s][0], a, rows[r][0], b) for (s, r), (a, b) in zip(messages, times)] for times in (raw, ours)]
            check_figure(tmp / "figures/messages.svg", known, [found[-1]["raw"], found[-1]["ours"]])
        expect(found[-1]["messages"] == len(messages) and found[-1]["tracer"] is None, f"run {i}: {found[-1]}")
        if report["delta"]["ticks"] == "0":
            expect(found[-1]["ours"]["count"] == 0, f"run {i}: delta is 0: {found[-1]}")
    expect(found[0]["raw"] == found[1]["raw"], f"run {i}: {found[0]}, with a group {found[1]}")
    return found[0]["raw"]["count"] > 0, found[0]["ours"]["count"] > 0


def main():
    rng = random.Random(20)
    with tempfile.TemporaryDirectory() as name:
        seen = [check(pathlib.Path(name), rng, i) for i in range(30)]
    raw, ours = (sum(one) for one in zip(*seen))
    expect(raw > 10 and 0 < ours < len(seen), f"kinds that were drawn: {raw}, {ours} of {len(seen)}")
    print(f"{len(seen)} traces, of which {raw} have messages received before sent by raw stamps, {ours} by ours")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
