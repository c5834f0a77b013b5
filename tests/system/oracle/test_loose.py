"""Property test: random traces whose rows are in no order (# order=messages) through the command line, against the brute
force of partial.py and drift.py; at one rate, and with clocks that drift.

    test_loose.py CELLSYNC [--seeds=N] [--first=SEED] [--jobs=N]

Rows of all threads are shuffled. Messages have keys of their own; rows may be the ends of several messages, groups, and
ids, so that constraints are joined. The checks are those of test_partial.py and test_drift.py.
On a failure the seed is printed and its trace kept; exit status 1.
"""

import argparse
import os
import random
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import test_drift
import test_partial
from partial import Row
from test_partial import Happening, Made
from trials import trials


class Program:
    """Happenings at any instants, and what truly orders some of them."""

    def __init__(self, rng):
        self.rng = rng
        far = rng.choice([0, 100, 10**6, 2**40])
        self.clocks = [f"c{i}" for i in range(rng.randint(1, 5))] + ["ppe"] * rng.choice([0, 0, 1])
        self.offsets = {clock: rng.randint(-far, far) for clock in self.clocks}
        self.length = rng.choice([5, 30, 1000])
        self.latency = rng.choice([0, 0, 1, 5])
        self.threads = [(f"p{i}", rng.choice(self.clocks)) for i in range(rng.randint(1, 6))]
        self.happenings = []
        self.names = 0

    def name(self, letter):
        self.names += 1
        return f"{letter}{self.names}"

    def happen(self, least_end=0, interval=None):
        rng = self.rng
        thread, clock = rng.choice(self.threads)
        end = max(rng.randint(0, self.length), least_end)
        interval = rng.random() < 0.3 if interval is None else interval
        begin = rng.randint(0, end) if interval else end
        happening = Happening(Row(thread=thread, clock=clock, time=end, begin=begin if interval else None), begin, end)
        self.happenings.append(happening)
        return happening

    def some(self, least_end=0):
        """A new happening, or one that has a role."""
        rng = self.rng
        fit = [h for h in self.happenings if h.end >= least_end]
        return rng.choice(fit) if fit and rng.random() < 0.4 else self.happen(least_end)

    def message(self):
        rng, key = self.rng, self.name("m")
        send = self.some()
        latency = rng.choice([None, rng.randint(0, 6)])
        receive = self.some(send.begin + (self.latency if latency is None else latency))
        row = receive.row
        if row.recv or row.after or row.leave:      # one latency is for all that a row has
            latency = row.latency
            if receive.end < send.begin + (self.latency if latency is None else latency):
                return
        send.row.send = f"{send.row.send} {key}".strip()
        row.recv, row.latency = f"{row.recv} {key}".strip(), latency

    def group(self):
        rng, key = self.rng, self.name("g")
        entered = [self.some() for _ in range(rng.randint(1, 4))]
        last = max(h.begin for h in entered)
        for h in entered:
            if key not in h.row.enter.split():
                h.row.enter = f"{h.row.enter} {key}".strip()
        for _ in range(rng.randint(1, 4)):
            h = self.some(last)
            if key not in h.row.leave.split() and not h.row.latency:
                h.row.leave = f"{h.row.leave} {key}".strip()
                if not h.row.recv and not h.row.after:
                    h.row.latency = None

    def named(self):
        key = self.name("i")
        before = self.some()
        after = self.some(before.end + self.length)
        if after is before or (after.row.latency or 0) > self.length:
            return
        before.row.id = f"{before.row.id} {key}".strip()
        after.row.after = f"{after.row.after} {key}".strip()

    def run(self, steps):
        for _ in range(steps):
            self.rng.choices([self.message, self.group, self.named, self.happen], [6, 2, 1, 2])[0]()


def make(seed):
    rng = random.Random(f"loose {seed}")
    program = Program(rng)
    program.happen()
    program.run(rng.randint(1, 14))
    happenings = program.happenings
    rng.shuffle(happenings)
    imprecision = rng.choice([0, 0, 0, 1, 3, 20])
    for h in happenings:
        off = program.offsets[h.row.clock]

        def stamp(instant, off=off):
            return instant - off + rng.randint(-imprecision, imprecision)

        h.row.time = stamp(h.end)
        if h.row.begin is not None:
            h.row.begin = min(stamp(h.begin), h.row.time)
    lies = rng.random() < 0.1
    for h in happenings:
        if lies and rng.random() < 0.1:
            h.row.time += rng.randint(0, 50)
        if rng.random() < 0.05 and h.row.send:
            h.row.send = " ".join(h.row.send.split()[1:])
        if rng.random() < 0.05 and h.row.recv:
            h.row.recv = " ".join(h.row.recv.split()[1:])
    rows = [h.row for h in happenings]
    if rng.random() < 0.3:                          # clocks that are called as the threads on them
        rows = [replace(r, thread=r.clock, location=r.thread, clock="") for r in rows]
    return Made(rows, program.latency, program.offsets, imprecision, not lies, unordered=True)


def run_seed(seed, program):
    with tempfile.TemporaryDirectory() as folder:
        try:
            made = make(seed)
            return (test_partial.check_made(made, seed, program, folder),
                    test_drift.check_against_network(seed, program, folder, made)), None
        except Exception as error:      # whatever goes wrong belongs to this seed
            kept = os.path.join(tempfile.gettempdir(), f"loose-{seed}.csv")
            with open(kept, "wb") as out:
                out.write(test_partial.read(os.path.join(folder, "t.csv")))
            return None, (f"seed {seed} failed: {type(error).__name__}: {error}\n"
                          f"  trace: {kept}; again: test_loose.py {program} --first={seed} --seeds=1")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", metavar="CELLSYNC")
    parser.add_argument("--seeds", type=int, default=trials(120))
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    program = os.path.abspath(arguments.program)
    seeds = range(arguments.first, arguments.first + arguments.seeds)
    with ThreadPoolExecutor(arguments.jobs) as pool:
        done = list(pool.map(lambda seed: run_seed(seed, program), seeds))
    failures = [text for _, text in done if text]
    print("\n".join(failures[:10]), end="\n" if failures else "")
    kinds = [kind for kind, _ in done if kind]
    print({kind: kinds.count(kind) for kind in sorted(set(kinds))})
    print(f"{len(seeds) - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
