"""Property test: the range of the latency of each message (cellstat latency --each-message), at one rate and under drift.

    test_each_latency.py CELLSTAT [--seeds=N] [--first=SEED]

Each trace comes from a hidden truth, which must be inside every range. With --window between two records, the rows are those of the
messages that may have been under way in it, and the truth decides which were. At one rate and with exact timestamps the ranges are tight:
then they are equal to shortest paths over offsets (Floyd-Warshall), written from cellsync-model(7).
"""

import csv
import os
import random
import subprocess
import tempfile
from fractions import Fraction
from math import floor

from trials import run_seeds

MILLION = 10**6


def draw(rng, rate):
    """(clocks, messages): names with functions of time, and (sender, sent, receiver, received, latency) with instants."""
    names = "ABCD"[:rng.randint(2, 4)]
    clocks = {name: (rng.randint(-10**5, 10**5), 1 + Fraction(rng.randint(-rate, rate) if name != "A" else 0, 2 * MILLION))
              for name in names}
    messages, at = [], 0
    for _ in range(rng.randint(3, 30)):
        at += rng.randint(1, 4000)
        sender, receiver = rng.sample(names, 2) if messages else "AB"
        least = rng.choice([0, 0, 5])
        messages.append((sender, at, receiver, at + least + 2 + rng.randint(0, 300), least))
    return clocks, messages


def text_of(clocks, messages):
    shows = {name: lambda t, start=start, rate=rate: floor(start + t * rate) for name, (start, rate) in clocks.items()}
    rows = []
    for i, (sender, sent, receiver, received, least) in enumerate(messages):
        rows.append((sent, 2 * i, f"{sender},{shows[sender](sent)},MPI_SEND,m{i},,"))
        rows.append((received, 2 * i + 1, f"{receiver},{shows[receiver](received)},MPI_RECV,,m{i},{least or ''}"))
    lines = ["# order=partial", "# timebase_hz=1000000", "thread,time,event,send,recv,latency"]
    return "\n".join(lines + [row[2] for row in sorted(rows)]) + "\n", shows, [row[0] for row in sorted(rows)]


def closed(clocks, messages, shows):
    """The greatest offset of b less offset of a, by pairs (a, b); global time is local time plus offset."""
    far = {(a, b): Fraction(0) if a == b else None for a in clocks for b in clocks}
    for sender, sent, receiver, received, least in messages:
        # sent + offset of the sender + least <= received + offset of the receiver
        limit = shows[receiver](received) - shows[sender](sent) - least
        if far[receiver, sender] is None or limit < far[receiver, sender]:
            far[receiver, sender] = limit
    for k in clocks:
        for a in clocks:
            for b in clocks:
                if None not in (far[a, k], far[k, b]) and (far[a, b] is None or far[a, k] + far[k, b] < far[a, b]):
                    far[a, b] = far[a, k] + far[k, b]
    return far


def number(text, infinity):
    return infinity if text in ("", "inf", "-inf") else int(text)


def check_window(run, rng, rows, messages, instants):
    """The fault of a window between two records, or None."""
    first, last = sorted(rng.sample(range(len(instants)), 2))
    done = run(f"--window=#{first}..#{last}")
    if done.returncode:     # estimates may have them the other way round
        return None if "before" in done.stderr and done.returncode == 2 else f"exit {done.returncode}: {done.stderr}"
    found = list(csv.DictReader(done.stdout.splitlines()))
    here = iter(found)
    row = next(here, None)
    for full, (_, sent, _, received, _) in zip(rows, sorted(messages, key=lambda message: message[3])):
        for_some = min(received, instants[last]) - max(sent, instants[first])
        count = (0, 0)
        if row and all(row[name] == full[name] for name in full):
            count = int(row["messages_lo"]), int(row["messages_hi"])
            if not 0 <= count[0] <= int(row["messages"]) <= count[1] == 1:
                return f"messages of {row}"
            row = next(here, None)
        if for_some > 0 and count[1] == 0 or for_some < 0 and count[0] == 1:
            return f"#{first}..#{last}: {full} was in the window for {for_some}: {count}"
    return f"a row that is not among all messages, or is changed: {row}" if row else None


def check(program, seed):
    rng = random.Random(seed)
    rate = rng.choice([0, 0, 100, 5000])
    clocks, messages = draw(rng, rate)
    text, shows, instants = text_of(clocks, messages)
    rounded = rate > 0          # readings are then up to a tick early
    options = ["--reference=A", f"--drift={rate}" if rate else "--drift=0", "--delta=1" if rounded else "--delta=0"]
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "t.csv")
        with open(trace, "w", encoding="utf-8") as file:
            file.write(text)

        def run(*more):
            return subprocess.run([program, "latency", "-q", trace, "--each-message", "--format=csv", *options, *more],
                                  capture_output=True, text=True, timeout=120, check=False)
        done = run()
        case = f"{' '.join(options)}\n{text}"
        if done.returncode:
            return f"exit {done.returncode}: {done.stderr}\n{case}"
        rows = list(csv.DictReader(done.stdout.splitlines()))
        fault = check_window(run, rng, rows, messages, instants)
        if fault:
            return f"{fault}\n{case}"
    if len(rows) != len(messages):
        return f"{len(rows)} rows for {len(messages)} messages\n{done.stdout}{case}"
    far = closed(clocks, messages, shows)
    # Rows come in the order of receives.
    for row, (sender, sent, receiver, received, least) in zip(rows, sorted(messages, key=lambda message: message[3])):
        low, high = number(row["latency_lo_ticks"], -10**18), number(row["latency_hi_ticks"], 10**18)
        by = shows[receiver](received) - shows[sender](sent)
        up, down = far[sender, receiver], far[receiver, sender]
        want = max(0, by - down) if down is not None else 0, by + up if up is not None else 10**18
        if (row["sender"], row["receiver"]) != (sender, receiver) or not low <= int(row["latency_ticks"]) <= high:
            return f"the estimate is outside, or it is another message: {row}\n{case}"
        if not low <= received - sent <= high:
            return f"the truth, {received - sent}, is outside: {row}\n{case}"
        if not rate and (low, high) != want:
            return f"{row}: the range is {want}\n{case}"
    return None


if __name__ == "__main__":
    run_seeds(check, 100)
