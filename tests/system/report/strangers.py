#!/usr/bin/env python3
"""Traces that strangers would write, and the truth about them.  strangers.py KIND SEED [ROWS] > x.csv

KIND: exact    the clock is read while the slot is held
      early    it is read before the lock is taken, which is then waited for: mostly microseconds, now and then a
               preemption
      drift    rates differ by up to 40 ppm
      step     one clock is set by 3 ms half-way
      apart    one log a thread, written one after another
      sorted   sorted by time stamp
Rows: thread,time (ns); every thread's clock starts at its own unknown moment.
"""
import random
import sys

KINDS = ["exact", "early", "drift", "step", "apart", "sorted"]
THREADS = 4


def read_back(rows):
    """A thread's own readings never step back."""
    last, out = {}, []
    for thread, time in rows:
        last[thread] = max(time, last.get(thread, time))
        out.append((thread, last[thread]))
    return out


def make(kind, seed, count=20000):
    """Rows (thread, time), the threads' offsets to thread 0 when the trace begins, and their rates in ppm."""
    draw = random.Random(seed)
    start = [draw.randrange(10**9, 10**13) for _ in range(THREADS)]
    ppm = [0] + [draw.uniform(-40, 40) for _ in range(THREADS - 1)]
    now, rows = 0, []
    for k in range(count):
        now += int(draw.expovariate(1 / 40000)) + 30
        thread, read = draw.randrange(THREADS), now
        if kind == "early":
            read -= int(draw.expovariate(1 / 2000)) + (int(draw.expovariate(1 / 3e6)) if draw.random() < .001 else 0)
        time = start[thread] + read
        if kind == "drift":
            time = start[thread] + int(read * (1 + ppm[thread] * 1e-6))
        if kind == "step" and thread == 2 and k > count // 2:
            time += 3000000
        rows.append((thread, time))
    if kind == "early":
        rows = read_back(rows)
    if kind == "apart":
        rows.sort(key=lambda row: row[0])
    if kind == "sorted":
        rows.sort(key=lambda row: row[1])
    rates = ppm if kind == "drift" else [0] * THREADS
    return rows, [start[0] - s for s in start], rates


def csv_text(rows):
    return "thread,time\n" + "".join(f"t{thread},{time}\n" for thread, time in rows)


if __name__ == "__main__":
    made = make(sys.argv[1], int(sys.argv[2]), *map(int, sys.argv[3:]))
    sys.stdout.write(csv_text(made[0]))
