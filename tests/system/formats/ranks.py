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
    """gpu: collective operations are kernels of NCCL; otherwise gloo runs them.  seq: profiles have Process Group and Seq.
    rooted: all collective operations have roots, and calls wait for the GPU; see add_waits(). With seq, odd seeds have two
    groups of one name.
    wrong: what the profiles state falsely: "direction" of operations with a root, the "root", or the "stream" of a call that waits.
    """

    def __init__(self, seed, ranks=4, steps=12, gpu=False, seq=False, lost=False, first_step=3, rooted=False,
                 wrong=None):
        self.random = r = random.Random(seed)
        self.ranks = [f"rank{i}" for i in range(ranks)]
        self.clocks = {name: Clock(r) for name in self.ranks}
        self.events = {name: [] for name in self.ranks}
        self.seq, self.gpu, self.correlation, self.wrong, self.rooted = seq, gpu, 100, wrong, rooted
        self.base = 0 if r.random() < 0.5 else BASE - 10**9
        if gpu:
            self.clocks |= {f"{name}.gpu{i}": Clock(r) for i, name in enumerate(self.ranks)}
        self.groups = [[0, 1], [2, 3]] if rooted and seq and seed % 2 else [list(range(ranks))]
        self.free = [{7: 0, 13: 0} for _ in self.ranks]
        now, number = 0, 0
        for step in range(steps):
            begins = [now + r.randint(0, 300_000) for _ in self.ranks]
            some = ["all_reduce", "barrier", "all_gather", "reduce_scatter", "broadcast"]
            if rooted:
                some = ["broadcast", "reduce", "scatter", "gather", "all_to_all"] + ["all_reduce"] * (len(self.groups) - 1)
            for operation in r.choices(some, k=3):
                number += 1
                for group in self.groups:
                    self.operate(group, operation, number, begins)
            if rooted:
                for i, name in enumerate(self.ranks):
                    begins[i] = self.add_waits(i, name, begins[i] + 5000)
            for i, name in enumerate(self.ranks):
                self.add(name, f"ProfilerStep#{first_step + step}", "user_annotation", now, begins[i] + 1000, 4000 + i, 1)
            now = max(begins) + 5000
        self.lost = None
        if lost:                                                    # the last operation of one rank is not in its profile
            for name in self.ranks[1:2]:
                mine = [e for e in self.events[name] if e["name"] == "gloo:all_reduce"]
                if mine:
                    self.events[name].remove(mine[-1])

    def operate(self, group, operation, number, begins):
        """An operation of these ranks; begins: when each of all ranks is ready, and then when it has ended."""
        r, n = self.random, len(group)
        enters = [begins[i] + r.randint(20_000, 2_000_000) for i in group]
        root = r.randrange(n)
        empty = self.rooted and r.random() < 0.1                    # an operation on no elements waits for nobody
        # Each member ends after all members began; if there is a root, it waits for the others, or they for it.
        to_root = [max(enters) if i == root else 0 for i in range(n)]
        ready = {"broadcast": [enters[root]] * n, "scatter": [enters[root]] * n, "reduce": to_root, "gather": to_root,
                 "all_to_all": [0] * n}.get(operation, [max(enters)] * n)
        for k, i in enumerate(group):
            begins[i] = max(0 if empty else ready[k], enters[k]) + r.randint(1_000, 400_000)
            self.member(i, self.ranks[i], operation, number, enters[k], begins[i], root, empty, group)

    def add(self, clock, name, category, begin, end, pid, tid, **arguments):
        local, stop = self.clocks[clock].at(begin), self.clocks[clock].at(end)
        start = int(local)
        event = {"ph": "X", "cat": category, "name": name, "pid": pid, "tid": tid, "ts": start, "dur": int(stop) - start,
                 "args": {**arguments, "true": [begin, end]}}
        self.events[clock.split(".")[0]].append(event)

    def member(self, i, rank, operation, number, begin, end, root, empty, group):
        more = {"Process Group Name": "default_pg", "Seq": number} if self.seq else {}
        if not self.gpu:
            self.add(rank, f"gloo:{operation}", "user_annotation", begin, end, 4000 + i, 7, **more)
            return
        swapped = {"broadcast": "reduce", "reduce": "broadcast", "scatter": "gather", "gather": "scatter"}
        named = swapped.get(operation, operation) if self.wrong == "direction" else operation
        more["Collective name"] = named.replace("_", "", 1)
        if self.rooted:
            more |= {"In msg nelems": 0 if empty else 64, "Out msg nelems": 0 if empty else 64,
                     "Process Group Ranks": str(group)}
        self.correlation += 1
        launch = begin - self.random.randint(3_000, 10_000)
        if self.rooted:
            # The kernel has the id of this record, which has the root; of other operations it has the member's own rank.
            if self.wrong == "root":
                root = (root + 1) % len(group)
            self.add(rank, "record_param_comms", "cpu_op", launch - 100, launch - 10, 4000 + i, 2, **more,
                     **{"External id": 7000 + self.correlation, "Rank": root if operation in swapped else group.index(i)})
            more["External id"] = 7000 + self.correlation
        self.add(rank, "cudaLaunchKernel", "cuda_runtime", launch, begin - 1_000, 4000 + i, 2, correlation=self.correlation)
        self.add(f"{rank}.gpu{i}", f"ncclDevKernel_{operation}", "kernel", begin, end, i, 7, correlation=self.correlation, **more)

    def add_waits(self, i, rank, now):
        """Kernels on two streams, and calls that wait for one of them, for both, for an event, or for a copy: the end of it all."""
        r, pid, gpu = self.random, 4000 + i, f"{rank}.gpu{i}"
        free = self.free[i]                                         # when a stream has done its work

        def call(name, begin, end, thread, **more):
            self.correlation += 1
            self.add(rank, name, "cuda_runtime", begin, end, pid, thread, correlation=self.correlation, **more)
            return self.correlation

        def launch(stream, thread, begin, name="cudaLaunchKernel", kind="kernel", label="gemm"):
            start = max(begin + r.randint(500, 5_000), free[stream])
            free[stream] = start + r.choice([2_000, 50_000, 3_000_000])
            number = call(name, begin, free[stream] + 700 if kind == "gpu_memcpy" else begin + 400, thread)
            self.add(gpu, label, kind, start, free[stream], i, stream, device=i, context=1, stream=stream, correlation=number)
            return free[stream] + 800 if kind == "gpu_memcpy" else begin + 500

        def wait(kind, stream, begin, until, **more):
            end = max(begin + 200, until + r.randint(100, 2_000))
            number = call({"Stream Sync": "cudaStreamSynchronize", "Event Sync": "cudaEventSynchronize"}.get(
                kind, "cudaDeviceSynchronize"), begin, end, 2)
            shown = {7: 13, 13: 7}.get(stream, stream) if self.wrong == "stream" else stream
            # CUPTI stamps this record with the clock of the CPU, on the track of the GPU; a flow leads there.
            self.add(rank, kind, "cuda_sync", begin, end, i, shown, cuda_sync_kind=kind, device=i, context=1, stream=shown,
                     correlation=number, **more)
            for phase, clock, where in (("s", rank, pid), ("f", rank, i)):
                self.add(clock, "ac2g", "ac2g", begin, begin, where, 2)
                del self.events[rank][-1]["dur"]
                self.events[rank][-1] |= {"ph": phase, "id": number}
            return end + 300

        for _ in range(r.randint(1, 3)):
            for _ in range(r.randint(0, 3)):
                now = launch(r.choice([7, 13]), 2, now)
            what, stream = r.choice(["stream", "device", "event", "copy", "graph", "other"]), r.choice([7, 13])
            if what == "stream":
                now = wait("Stream Sync", stream, now, free[stream])
            elif what == "device":
                now = wait("Context Sync", -1, now, max(free.values()))
            elif what == "event":                                   # work after the record of the event is not waited for
                done, number = free[stream], call("cudaEventRecord", now, now + 100, 2)
                now = launch(stream, 2, now + 200)
                now = wait("Event Sync", -1, now, done, wait_on_stream=stream if self.wrong != "stream" else 20 - stream,
                           wait_on_cuda_event_record_corr_id=number)
            elif what == "copy":
                now = launch(stream, 2, now, "cudaMemcpyAsync", "gpu_memcpy", "Memcpy DtoH (Device -> Pageable)")
            elif what == "graph":                                   # its kernels run on a stream of the graph, not on what they show
                number = call("cudaGraphLaunch", now, now + 300, 2)
                for label, kind in (("in a graph", "kernel"), ("Memcpy DtoH (Device -> Pageable)", "gpu_memcpy")):
                    self.add(gpu, label, kind, now + 900, now + 4_000_000, i, stream, device=i, context=1, stream=stream,
                             correlation=number)
                now = wait("Stream Sync", stream, now + 400, free[stream])
            else:                                                   # another thread launches while this one waits
                begin, done = now, free[stream]
                now = wait("Stream Sync", stream, now, done)
                launch(stream, 3, begin + 50)
        return now

    def profile(self, rank):
        r = self.random
        events = list(self.events[self.ranks[rank]])
        r.shuffle(events)
        out = []
        for e in events:
            ts, dur = e["ts"] - self.base, e.get("dur", 0)
            text = json.dumps({**e, "ts": 0}).replace('"ts": 0', f'"ts": {ts // 1000}.{ts % 1000:03}')
            text = text.replace(f'"dur": {dur},', '"dur": 0,')
            out.append(text.replace('"dur": 0', f'"dur": {dur // 1000}.{dur % 1000:03}'))
        out.append(json.dumps({"ph": "M", "name": "process_name", "pid": 4000 + rank, "tid": 0, "args": {"name": "python"}}))
        base = f'"baseTimeNanoseconds": {self.base},' if self.base else ""
        return (f'{{"schemaVersion": 1, {base} "distributedInfo": {{"backend": "gloo", "rank": {rank}, "world_size": '
                f'{len(self.ranks)}}},\n"traceEvents": [\n' + ",\n".join(out) + '\n]}\n')
