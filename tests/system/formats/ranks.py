"""Profiles of the ranks of a job, as PyTorch writes them, with the true times."""
import json
import random
from fractions import Fraction

BASE = 1_790_000_000 * 10**9


class Clock:
    def __init__(self, r):
        self.offset, self.ppb = r.randint(-50_000_000, 50_000_000), r.randint(-40_000, 40_000)

    def at(self, true):
        return BASE + true + self.offset + Fraction(true * self.ppb, 10**9)


class Job:
    """gpu: collective operations are kernels of NCCL; otherwise gloo runs them.  seq: profiles have Process Group and Seq."""

    def __init__(self, seed, ranks=4, steps=12, gpu=False, seq=False, lost=False, first_step=3):
        self.random = r = random.Random(seed)
        self.ranks = [f"rank{i}" for i in range(ranks)]
        self.clocks = {name: Clock(r) for name in self.ranks}
        self.events = {name: [] for name in self.ranks}
        self.seq, self.gpu, self.correlation = seq, gpu, 100
        self.base = 0 if r.random() < 0.5 else BASE - 10**9
        if gpu:
            self.clocks |= {f"{name}.gpu{i}": Clock(r) for i, name in enumerate(self.ranks)}
        now, number = 0, 0
        for step in range(steps):
            begins = [now + r.randint(0, 300_000) for _ in self.ranks]
            for operation in r.choices(["all_reduce", "barrier", "all_gather", "reduce_scatter", "broadcast"], k=3):
                number += 1
                enters = [t + r.randint(20_000, 2_000_000) for t in begins]
                # Each member ends after all members began, except a broadcast, which waits for its root.
                ready = max(enters) if operation != "broadcast" else enters[0]
                ends = [max(ready, e) + r.randint(1_000, 400_000) for e in enters]
                for i, name in enumerate(self.ranks):
                    self.member(i, name, operation, number, enters[i], ends[i])
                begins = ends
            for i, name in enumerate(self.ranks):
                self.add(name, f"ProfilerStep#{first_step + step}", "user_annotation", now, begins[i] + 1000, 4000 + i, 1)
            now = max(begins) + 5000
        self.lost = None
        if lost:                                                    # the last operation of one rank is not in its profile
            for name in self.ranks[1:2]:
                mine = [e for e in self.events[name] if e["name"] == "gloo:all_reduce"]
                if mine:
                    self.events[name].remove(mine[-1])

    def add(self, clock, name, category, begin, end, pid, tid, **arguments):
        local, stop = self.clocks[clock].at(begin), self.clocks[clock].at(end)
        start = int(local)
        event = {"ph": "X", "cat": category, "name": name, "pid": pid, "tid": tid, "ts": start, "dur": int(stop) - start,
                 "args": {**arguments, "true": [begin, end]}}
        self.events[clock.split(".")[0]].append(event)

    def member(self, i, rank, operation, number, begin, end):
        more = {"Process Group Name": "default_pg", "Seq": number} if self.seq else {}
        if not self.gpu:
            self.add(rank, f"gloo:{operation}", "user_annotation", begin, end, 4000 + i, 7, **more)
            return
        self.correlation += 1
        self.add(rank, "cudaLaunchKernel", "cuda_runtime", begin - self.random.randint(3_000, 10_000), begin - 1_000, 4000 + i, 2,
                 correlation=self.correlation)
        self.add(f"{rank}.gpu{i}", f"ncclDevKernel_{operation}", "kernel", begin, end, i, 7, correlation=self.correlation,
                 **{"Collective name": operation.replace("_", "", 1), **more})

    def profile(self, rank):
        r = self.random
        events = list(self.events[self.ranks[rank]])
        r.shuffle(events)
        out = []
        for e in events:
            ts, dur = e["ts"] - self.base, e["dur"]
            text = json.dumps({**e, "ts": 0, "dur": 0}).replace('"ts": 0', f'"ts": {ts // 1000}.{ts % 1000:03}')
            out.append(text.replace('"dur": 0', f'"dur": {dur // 1000}.{dur % 1000:03}'))
        out.append(json.dumps({"ph": "M", "name": "process_name", "pid": 4000 + rank, "tid": 0, "args": {"name": "python"}}))
        base = f'"baseTimeNanoseconds": {self.base},' if self.base else ""
        return (f'{{"schemaVersion": 1, {base} "distributedInfo": {{"backend": "gloo", "rank": {rank}, "world_size": '
                f'{len(self.ranks)}}},\n"traceEvents": [\n' + ",\n".join(out) + '\n]}\n')
