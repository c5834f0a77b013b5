#!/usr/bin/env python3
"""Runs whose threads are read separately, against event by event: the same reports.

Usage: run_ways_test.py WAYS [--seeds=N] [--first=SEED]

Processes of random runs send messages, meet in collective operations, and record plain events in several threads. Blocks
of threads alternate in the file as they become full. Latencies, deltas, drift, one worker and two are drawn.
"""
import argparse
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile

HZ = 1_000_000_000
MARK, SEND, SYNC, RECV, MEET, BCAST, FLUSH = 0x0120, 0x0108, 0x0208, 0x0308, 0x8008, 0x8108, 0x0900
FIELDS = "".join(f'<field name="{n}" type="u64"/>' for n in ("partner", "tag", "bytes", "communicator", "request"))
MEMBER = "".join(f'<field name="{n}" type="u64"/>' for n in ("root", "instance", "sent", "communicator", "received"))
MEETS = 'order="enter leave" match="communicator" instance="instance" root="root" size="sent received"'
DOCUMENT = """<?xml version="1.0" encoding="UTF-8"?>
<pdt_trace version="2" application="p" created="2026-01-01T00:00:00Z">
  <machine name="{host}" timebase_hz="{hz}"/>
  <trace_file href="{host}.{pid}.trace"/>
  <clock kind="local" id="{clock}" source="tsc" hz="{hz}"/>
  <order granularity="{granularity}"{after}/>
  <process host="{host}" pid="{pid}" ppid="1" rank="{rank}" ranks="{ranks}" program="p" start="2026-01-01T00:00:00Z"/>
  <recording complete="yes"/>
  <threads>
{threads}  </threads>
  <pdtGroup name="PDT" id="0x00">
    <recordType name="BUFFER_FLUSH" id="0x0900" type="interval" role="none"/>
  </pdtGroup>
  <pdtGroup name="USER" id="0x20">
    <recordType name="MARK" id="0x0120" role="mark"/>
  </pdtGroup>
  <pdtGroup name="MPI" id="0x08">
    <recordType name="MPI_SEND" id="0x0108" type="interval" order="send" match="communicator @self partner tag">{fields}</recordType>
    <recordType name="MPI_SSEND" id="0x0208" type="interval" order="send" sync="yes" match="communicator @self partner tag">{fields}</recordType>
    <recordType name="MPI_RECV" id="0x0308" type="interval" order="recv" match="communicator partner @self tag">{fields}</recordType>
    <recordType name="MPI_ALLREDUCE" id="0x8008" type="interval" {meets} kind="allreduce">{member}</recordType>
    <recordType name="MPI_BCAST" id="0x8108" type="interval" {meets} kind="bcast">{member}</recordType>
  </pdtGroup>
</pdt_trace>
"""


class Run:
    """A random program; times are in ticks of true time until they are written."""

    def __init__(self, rng):
        self.rng = rng
        self.n = rng.choice([1, 2, 2, 3, 4, 6])
        self.nthreads = [rng.choice([1, 1, 2, 3]) for _ in range(self.n)]
        self.done = [[[] for _ in range(k)] for k in self.nthreads]
        self.now = [[rng.randint(0, 9) for _ in range(k)] for k in self.nthreads]
        self.queues, self.instance, self.speaker = {}, 0, {}
        self.one_thread = rng.random() < 0.8  # that sends and receives in a channel
        self.unusual = rng.random() < 0.15
        kinds = rng.choice([[self.send, self.receive], [self.send, self.receive, self.mark, self.mark], [self.meet, self.mark],
                            [self.send, self.receive, self.meet, self.mark]])
        for _ in range(rng.choice([3, 40, 300, 800])):
            rng.choice(kinds)()
        while any(self.queues.values()) and rng.random() < 0.95:
            self.receive()

    def thread(self, p, channel=None):
        if channel is None or not self.one_thread:
            return self.rng.randrange(self.nthreads[p])
        return self.speaker.setdefault((p, channel), self.rng.randrange(self.nthreads[p]))

    def step(self, p, t, least=0):
        begin = self.now[p][t] + self.rng.randint(0, 20)
        end = max(begin, least) + self.rng.randint(0, 30)
        self.now[p][t] = end
        return begin, end

    def mark(self):
        p = self.rng.randrange(self.n)
        t = self.thread(p)
        begin, end = self.step(p, t)
        self.done[p][t].append((begin if self.rng.random() < 0.3 else None, end, MARK, [end]))

    def send(self):
        p, q, tag = self.rng.randrange(self.n), self.rng.randrange(self.n), self.rng.randrange(3)
        t = self.thread(p, ("send", q, tag))
        begin, end = self.step(p, t)
        kind = SYNC if self.unusual and self.rng.random() < 0.1 else SEND
        comm = 0 if self.rng.random() < 0.02 else 1
        self.done[p][t].append((begin, end, kind, [q, tag, 8, comm, 0]))
        if comm:
            self.queues.setdefault((p, q, tag), []).append(begin)

    def receive(self):
        keys = [k for k, queue in self.queues.items() if queue]
        if not keys:
            return
        p, q, tag = self.rng.choice(keys)
        t = self.thread(q, ("recv", p, tag))
        sent = self.queues[p, q, tag].pop(0)
        begin, end = self.step(q, t, sent)
        if self.unusual and self.rng.random() < 0.1:
            begin -= 40
        self.done[q][t].append((max(begin, 0), end, RECV, [p, tag, 8, 1, 0]))

    def meet(self):
        kind = self.rng.choice([MEET, BCAST])
        root, who = self.rng.randrange(self.n), list(range(self.n))
        threads = {p: self.thread(p, "meet") for p in who}
        reached = max(self.now[p][t] for p, t in threads.items()) + self.rng.randint(0, 20)
        for p, t in threads.items():
            begin, end = self.step(p, t, reached)
            gives = 1 if kind == MEET or p == root else 0
            gets = 1 if kind == MEET or p != root else 0
            self.done[p][t].append((begin, end, kind, [root if kind == BCAST else 2**64 - 1, self.instance, gives, 1, gets]))
        self.instance += 1

    def write(self, folder):
        folder.mkdir()
        rng = self.rng
        nclocks = rng.choice([1, 2, self.n, self.n])
        gain, noise = rng.choice([0, 0, 100, 20000]), rng.choice([0, 0, 0, 5, 40])
        clocks = [(rng.randint(0, 10**6), 1 + rng.randint(-gain, gain) / 10**6) for _ in range(nclocks)]
        for p in range(self.n):
            c = min(p, nclocks - 1)
            offset, rate = clocks[c]
            host = f"h{c}" if rng.random() < 0.7 else "h"
            buffer = rng.random() < 0.2
            rows, block = [], rng.choice([2, 10, 100])

            def local(time):
                return int(10**6 + offset + time * rate) + rng.randint(0, noise)

            for t, done in enumerate(self.done[p]):
                last, records = 0, []
                for begin, end, kind, values in done:
                    stamp = max(local(end), last)
                    start = None if begin is None else min(local(begin), stamp)
                    last = stamp
                    records.append((start, stamp, kind, 1000 + t, values))
                if buffer:
                    rows += records
                    continue
                for i in range(0, len(records), block):
                    part = records[i:i + block]
                    rows.append((part[-1][1], part + [(part[-1][1], part[-1][1] + 3, FLUSH, 1000 + t, [len(part), 0, 0])]))
            rows.sort(key=lambda row: row[1] if buffer else row[0])
            records = rows if buffer else [r for _, part in rows for r in part]
            late = 0
            data = b"PDTTRACE" + struct.pack(">HHIQQ", 1, 32, 0, 2**64 - 1, 0)
            for begin, end, kind, tid, values in records:
                if kind == FLUSH:
                    late = end = max(late, end)
                data += struct.pack(">HBBHHIIQQ", 32 + 8 * len(values), 0, begin is not None, kind, len(values), tid, 0, end, begin or 0)
                data += struct.pack(f">{len(values)}Q", *values)
            named = "".join(f'    <ppe tid="{1000 + t}" name="w{t}"/>\n' for t in range(self.nthreads[p]) if rng.random() < 0.5)
            (folder / f"h.{p}.pex").write_text(DOCUMENT.format(
                host=host, hz=HZ, pid=p, clock=f"c{c}", rank=p, ranks=self.n, threads=named, fields=FIELDS, member=MEMBER, meets=MEETS,
                granularity="record" if buffer else "block", after="" if buffer else ' after="block"').replace(f"{host}.{p}.trace", f"h.{p}.trace"))
            (folder / f"h.{p}.trace").write_bytes(data)


def draw(seed, folder):
    """Lines of ways.c."""
    rng = random.Random(f"run ways {seed}")
    Run(rng).write(folder)
    lines = []
    for _ in range(3):
        drift = rng.choice([-1, -1, 60_000, 500_000, 30_000_000])
        wander = -1 if drift < 0 else rng.choice([-1, -1, 0, drift // 10])
        delta = 0 if drift >= 0 else rng.choice([0, 0, 2, 7, 400])
        lines.append(f"{folder} 0 {rng.choice([0, 0, 0, 1, 30])} {delta} {rng.choice([1, 2])} {drift} {wander}\n")
    return lines


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ways", type=pathlib.Path)
    parser.add_argument("--seeds", type=int, default=60)
    parser.add_argument("--first", type=int, default=0)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        jobs = [line for seed in range(args.first, args.first + args.seeds) for line in draw(seed, pathlib.Path(name, str(seed)))]
        done = subprocess.run([args.ways.resolve(), name], input="".join(jobs), capture_output=True, text=True)
    print(done.stdout + done.stderr, end="")
    found = re.search(r"(\d+) archives, (\d+) replayed, (\d+) with operations", done.stdout)
    least = len(jobs), len(jobs) // 2, len(jobs) // 8
    if not found or any(int(n) < want for n, want in zip(found.groups(), least)):
        print("FAULT: too few of them were read separately")
        return 1
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
