#!/usr/bin/env python3
"""Locations of OTF2 archives that are read each by itself, against event by event: the same reports.

Usage: otf2_ways_test.py OTF2GEN WAYS [--seeds=N] [--first=SEED]

The programs are those of otf2_match_test.py, most with a thread a process, many with stamps that contradict one
another; latencies, deltas, one worker and two are drawn. Half as many others, many of which have messages only, have late
stamps, clocks that run fast or slow, and are synchronized with drift, too: most of these are gone over again and again.
A few have messages of many ranks, up to 200, or operations of up to 80. As many as have late stamps have several threads a
rank that all send and receive; as many have such that share tags, which must be read each by itself, too, but for a few.
"""
import argparse
import pathlib
import random
import re
import subprocess
import sys
import tempfile

from otf2_match_test import PER, Program

NUMBER = {"process": 1, "node": 2, "location": 3}


def draw(seed):
    """A program, and what it is synchronized with."""
    rng = random.Random(seed)
    operations = rng.choice([0, 1, 20]) if seed % 2 else 0
    program = Program(rng, plain=rng.random() < 0.9, steps=rng.choice([40, 200, 600]), late=rng.choice([0, 0, 0, 0, 0.01]),
                      operations=operations)
    per = rng.choice(["process"] + PER[PER.index(program.truth):])
    latency = rng.choice([0, 0, 0, 0, 1])
    delta = rng.choice([0, 0, 0, 1, 2, 3, 20])
    return program, f"{NUMBER[per]} {latency} {delta} {rng.choice([1, 2])} -1 -1"


def draw_contradiction(seed):
    """A program of messages, or of operations, too."""
    rng = random.Random(f"contradiction {seed}")
    operations = rng.choice([None, None, 1, 5, 20])
    funnel = rng.random() < 0.3
    drifts = rng.random() < 0.4                             # and nothing else is wrong
    program = Program(rng, plain=True, steps=rng.choice([40, 200, 2000]), late=0 if drifts else rng.choice([0, 0.01, 0.5]),
                      operations=operations, gain=rng.choice([0.001, 0.02] if drifts else [0, 0.001, 0.02]), funnel=funnel)
    latency = rng.choice([0, 0, 0, 0, 1, 30])
    delta = 0 if drifts else rng.choice([0, 0, 0, 0, 1, 7, 400])
    rate = -1 if drifts else rng.choice([-1, -1, 500_000, 20_000_000, 40_000_000])
    wander = -1 if rate < 0 else rng.choice([-1, -1, 0, rate // 10])
    return program, f"{1 if funnel else rng.choice([1, 3, 3])} {latency} {delta} {rng.choice([1, 2])} {rate} {wander}"


class Threads:
    """Several threads of each rank that all send and receive, each pair of them by a tag of its own, or by shared ones: of
    who sends, of who receives, or the same of all; then some messages are never received, and some receives are posted
    before. They have one clock, which is off, runs fast or slow, and may be set ahead; some stamps are late. There may be
    operations of the first ones."""

    def __init__(self, rng, gain, late, steps, shares=False):
        ranks, most = rng.randint(2, 4), rng.randint(2, 4)
        threads = [rng.randint(1, most) for _ in range(ranks)]
        of = [(rank, thread) for rank in range(ranks) for thread in range(threads[rank])]
        nodes = rng.randint(1, 2)
        self.lines = ["resolution 1000000000"] + [f"node {n} node n{n}" for n in range(nodes)]
        self.lines += [f"process {r} {r % nodes} r{r}" for r in range(ranks)]
        self.lines += [f"location {10 * r + t} {r} t{r}.{t}" for r, t in of]
        self.lines += ["region 0 main", "world " + " ".join(str(10 * r) for r in range(ranks))]
        self.lines += ["comm 0 C " + " ".join(map(str, range(ranks)))]
        self.rng, self.late, self.now = rng, late, 0
        self.per_node = rng.random() < 0.3
        self.clocks = [(rng.randint(5000, 9000), 1 + rng.uniform(-gain, gain)) for _ in range(ranks)]
        if self.per_node:
            self.clocks = [self.clocks[r % nodes] for r in range(ranks)]
        self.jumps = {rng.randrange(ranks): (rng.randint(0, 5 * steps), rng.randint(1, 200))} if rng.random() < 0.3 else {}
        self.events, self.last = {at: [] for at in of}, dict.fromkeys(of, 0)
        operations = rng.random() < 0.3
        longest, apart, open_ones = rng.choice([1, 40, 400]), rng.choice([5, 30]), []
        of_source, of_target = (rng.choice([(10, 0), (0, 1), (0, 0)]) if shares else (10, 1))
        lost, asks, requests = (rng.choice([0, 0.02]), rng.choice([0, 0.5]), 0) if shares else (0, 0, 0)
        started = [0] * ranks                               # threads that begin late
        for rank in range(ranks) if shares else ():
            started[rank] = rng.choice([0, 0, steps * apart // 3])
        for _ in range(steps):
            self.now += rng.randint(1, apart)
            source, target = rng.choice(of), rng.choice(of)
            if source[0] == target[0] and rng.random() < 0.9 or any(t > 1 and self.now < started[r] for r, t in (source, target)):
                continue
            tag = of_source * source[1] + of_target * target[1]
            receive = f"recv 0 {source[0]} {tag}"
            if rng.random() < asks:
                requests += 1
                self.emit(target, f"post {requests}")
                receive = f"irecv 0 {source[0]} {tag} {requests}"
            self.emit(source, f"send 0 {target[0]} {tag}")
            if rng.random() >= lost or receive.startswith("irecv"):
                open_ones.append((self.now + rng.randint(1, longest), target, receive))
            for receive in sorted(one for one in open_ones if one[0] <= self.now):
                open_ones.remove(receive)
                self.emit(receive[1], receive[2])
            if operations and rng.random() < 0.05:
                for rank in range(ranks):
                    self.emit((rank, 0), "begin")
                for rank in range(ranks):
                    self.emit((rank, 0), "end 0 0 -1 0 0")
        for receive in sorted(open_ones):
            self.emit(receive[1], receive[2])
        for at, lines in self.events.items():
            self.lines += [f"at {10 * at[0] + at[1]}"] + lines

    def emit(self, at, text):
        offset, rate = self.clocks[at[0]]
        when, by = self.jumps.get(at[0], (self.now, 0))
        stamp = offset + int(rate * self.now) + (by if self.now > when else 0)
        stamp += self.rng.randint(1, 90) if self.rng.random() < self.late else 0
        self.last[at] = max(self.last[at] + 1, stamp)
        self.events[at].append(f"{self.last[at]} {text}")

    def write(self):
        return self.lines


def draw_threads(seed):
    rng = random.Random(f"threads {seed}")
    drifts = rng.random() < 0.5                             # and nothing else is wrong, but for jumps
    program = Threads(rng, rng.choice([0.001, 0.02] if drifts else [0, 0.001, 0.02]),
                      0 if drifts else rng.choice([0, 0.01, 0.5]), rng.choice([30, 200, 1500]))
    latency = rng.choice([0, 0, 0, 0, 1, 30])
    delta = 0 if drifts else rng.choice([0, 0, 0, 0, 1, 7, 400])
    rate = -1 if drifts else rng.choice([-1, 500_000, 20_000_000, 40_000_000])
    wander = -1 if rate < 0 else rng.choice([-1, -1, 0, rate // 10])
    return program, f"{2 if program.per_node else 1} {latency} {delta} {rng.choice([1, 2])} {rate} {wander}"


def draw_shared(seed):
    rng = random.Random(f"shared {seed}")
    drifts = rng.random() < 0.3
    program = Threads(rng, rng.choice([0.001, 0.02] if drifts else [0, 0, 0.001, 0.02]),
                      0 if drifts else rng.choice([0, 0, 0.01, 0.5]), rng.choice([30, 200, 1500]), shares=True)
    latency = rng.choice([0, 0, 0, 0, 1, 30])
    delta = 0 if drifts else rng.choice([0, 0, 0, 0, 1, 7, 400])
    rate = -1 if drifts else rng.choice([-1, -1, 500_000, 20_000_000, 40_000_000])
    wander = -1 if rate < 0 else rng.choice([-1, -1, 0, rate // 10])
    return program, f"{2 if program.per_node else 1} {latency} {delta} {rng.choice([1, 2])} {rate} {wander}"


class Many:
    """Messages between near ranks of many, whose clocks are off and run fast or slow."""

    def __init__(self, rng, ranks=None, messages=None, gain=None, longest=40):
        ranks = ranks or rng.choice([70, 130, 150, 200])
        gain = rng.choice([0, 0.002, 0.02]) if gain is None else gain
        clocks = [(rng.randint(5000, 9000), 1 + rng.uniform(-gain, gain)) for _ in range(ranks)]
        events, last = [[] for _ in range(ranks)], [0] * ranks
        for now in range(100, 100 + 5 * (messages or rng.randint(ranks, 5 * ranks)), 5):
            source = rng.randrange(ranks)
            target = (source + rng.choice([1, 1, 2, -1, 20])) % ranks
            for rank, peer, word, at in (source, target, "send", now), (target, source, "recv", now + rng.randint(1, longest)):
                offset, rate = clocks[rank]
                last[rank] = max(last[rank] + 1, offset + int(rate * at))
                events[rank].append(f"{last[rank]} {word} 0 {peer} 1")
        self.lines = ["resolution 1000000000", "node 0 machine all"]
        self.lines += [f"process {r} 0 r{r}" for r in range(ranks)] + [f"location {r} {r} t{r}" for r in range(ranks)]
        everyone = " ".join(map(str, range(ranks)))
        self.lines += ["region 0 main", f"world {everyone}", f"comm 0 C {everyone}"]
        for r, of in enumerate(events):
            self.lines += [f"at {r}"] + of

    def write(self):
        return self.lines


class Together:
    """Operations of many ranks, most of all of them, some of half, and a few messages; clocks are off, and run fast or
    slow.  Whether all operations wait for all, else of all kinds with any root."""

    WAITING, ROOTED, UP = (0, 6, 8, 16), (1, 3, 5), (10, 11)    # barrier, allreduce; broadcast, reduce; scans

    def __init__(self, rng):
        ranks, gain, plain = rng.choice([34, 40, 65, 80]), rng.choice([0.002, 0.02]), rng.random() < 0.5
        clocks = [(rng.randint(5000, 9000), 1 + rng.uniform(-gain, gain)) for _ in range(ranks)]
        events, last = [[] for _ in range(ranks)], [0] * ranks

        def emit(rank, at, text):
            offset, rate = clocks[rank]
            last[rank] = max(last[rank] + 1, offset + int(rate * at))
            events[rank].append(f"{last[rank]} {text}")

        for now in range(1000, 1000 + 200 * rng.randint(10, 60), 200):
            half = rng.random() < 0.2
            among = range((ranks + 1) // 2 if half else ranks)
            kind = rng.choice(self.WAITING if plain else self.WAITING + self.ROOTED + self.UP)
            root = rng.randrange(len(among)) if kind in self.ROOTED else -1
            for rank in among:
                emit(rank, now + rng.randint(0, 80), "begin")
                emit(rank, now + 90 + rng.randint(0, 80), f"end {kind} {int(half)} {root} 8 8")
            if rng.random() < 0.3:
                source, target = rng.sample(range(ranks), 2)
                emit(source, now + 175, f"send 0 {target} 1")
                emit(target, now + 180 + rng.randint(0, 10), f"recv 0 {source} 1")
        self.lines = ["resolution 1000000000", "node 0 machine all"]
        self.lines += [f"process {r} 0 r{r}" for r in range(ranks)] + [f"location {r} {r} t{r}" for r in range(ranks)]
        everyone = [str(r) for r in range(ranks)]
        self.lines += ["region 0 main", f"world {' '.join(everyone)}", f"comm 0 C {' '.join(everyone)}",
                       f"comm 1 H {' '.join(everyone[:(ranks + 1) // 2])}"]
        for r, of in enumerate(events):
            self.lines += [f"at {r}"] + of

    def write(self):
        return self.lines


def draw_together(seed):
    rng = random.Random(f"together {seed}")
    rate = rng.choice([-1, -1, -1, 40_000_000])
    return Together(rng), f"1 0 {0 if rate < 0 else 400} {rng.choice([1, 2])} {rate} -1"


def draw_many(seed):
    rng = random.Random(f"many {seed}")
    rate = rng.choice([-1, -1, 40_000_000])
    delta = 0 if rate < 0 else rng.choice([0, 400])
    return Many(rng), f"1 {rng.choice([0, 0, 1])} {delta} {rng.choice([1, 2])} {rate} -1"


CYCLE = """resolution 1000000000
node 0 machine all
process 0 0 r0
process 1 0 r1
location 0 0 a
location 1 1 b
region 0 main
world 0 1
comm 0 C 0 1
at 0
10 recv 0 1 1
20 send 0 1 1
at 1
10 recv 0 0 1
20 send 0 0 1
"""

SELF = """resolution 1000000000
node 0 machine all
process 0 0 r0
location 0 0 a
region 0 main
world 0
comm 0 C 0
at 0
10 send 0 0 1
20 recv 0 0 1
"""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", nargs=2, type=pathlib.Path)
    parser.add_argument("--seeds", type=int, default=60)
    parser.add_argument("--first", type=int, default=0)
    args = parser.parse_args()
    otf2gen, ways = (p.resolve() for p in args.programs)
    with tempfile.TemporaryDirectory() as name:
        jobs = []
        for seed in range(args.first, args.first + args.seeds):
            for drawn in (draw, draw_contradiction)[:1 + seed % 2] + (draw_threads,) * (seed % 2) + (draw_many,) * (seed % 6 == 1):
                program, options = drawn(seed)
                folder = pathlib.Path(name) / f"{drawn.__name__}{seed}"
                subprocess.run([otf2gen, folder], input="\n".join(program.write()) + "\n", text=True, check=True)
                jobs.append(f"{folder}/traces.otf2 {options}\n")
        together = []                                       # more clocks than have constraints of their own under drift
        for seed in range(args.first // 12, (args.first + args.seeds) // 12 + 1):
            program, options = draw_together(seed)
            folder = pathlib.Path(name) / f"together{seed}"
            subprocess.run([otf2gen, folder], input="\n".join(program.write()) + "\n", text=True, check=True)
            together.append(f"{folder}/traces.otf2 {options}\n")
        together = subprocess.run([ways, name], input="".join(together), capture_output=True, text=True)
        shared = []
        for seed in range(args.first // 2, (args.first + args.seeds) // 2):
            program, options = draw_shared(seed)
            folder = pathlib.Path(name) / f"shared{seed}"
            subprocess.run([otf2gen, folder], input="\n".join(program.write()) + "\n", text=True, check=True)
            shared += 2 * [f"{folder}/traces.otf2 {options}\n"]
        shared = subprocess.run([ways, name], input="".join(shared), capture_output=True, text=True)
        folder = pathlib.Path(name) / "close"               # many messages close to others
        program = Many(random.Random(args.first), ranks=5, messages=12000, gain=0, longest=4)
        subprocess.run([otf2gen, folder], input="\n".join(program.write()) + "\n", text=True, check=True)
        close = "".join(f"{folder}/traces.otf2 1 0 400 {workers} -1 -1\n" for workers in (1, 2))
        close = subprocess.run([ways, name], input=close, capture_output=True, text=True)
        folder = pathlib.Path(name) / "cycle"               # which shows only when messages are gone over again
        subprocess.run([otf2gen, folder], input=CYCLE, text=True, check=True)
        jobs += [f"{folder}/traces.otf2 1 0 0 1 {drift}\n" for drift in ("-1 -1", "50000 -1")]
        folder = pathlib.Path(name) / "self"                # messages of one clock, which drifts
        subprocess.run([otf2gen, folder], input=SELF, text=True, check=True)
        jobs.append(f"{folder}/traces.otf2 1 0 0 1 50000 -1\n")
        done = subprocess.run([ways, name], input="".join(jobs), capture_output=True, text=True)
    print("".join(of.stdout + of.stderr for of in (close, together, shared, done)), end="")
    if close.returncode or "2 archives, 2 replayed" not in close.stdout:
        print("FAULT: messages close to others say something else")
        return 1
    found = re.search(r"(\d+) archives, (\d+) replayed", shared.stdout)
    if shared.returncode or not found or 0.85 * int(found[1]) > int(found[2]):
        print("FAULT: what threads share says something else, or too few were read each by itself")
        return 1
    found = re.search(r"(\d+) archives, .* (\d+) with operations, (\d+) explained", together.stdout)
    if together.returncode or not found or any(4 * int(n) + 4 < int(found[1]) for n in found.groups()):
        print("FAULT: operations of many ranks say something else, or too few were gone over again")
        return 1
    found = re.search(r"(\d+) archives, (\d+) replayed, (\d+) with operations, (\d+) explained, (\d+) of many, (\d+) groups",
                      done.stdout)
    least = (2 * (args.seeds // 2) + args.seeds + 2, args.seeds, args.seeds // 3, args.seeds // 12,
             args.seeds // 40, args.seeds)
    if not found or any(int(n) < want for n, want in zip(found.groups(), least)):
        print("FAULT: too few of them were read each by itself, or too few have what they should have")
        return 1
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
