#!/usr/bin/python3
"""torch_ranks.py FOLDER: record profiles of two ranks of a PyTorch job on this machine, by gloo.

FOLDER gets rank0.json.gz and rank1.json.gz, as PyTorch wrote them. Both ranks read one kernel clock, so their true offset
is 0; tests move the profiles by known amounts. The autograd profiler writes times since the begin of the trace, so each
profile also has marks, whose names are CLOCK_REALTIME in ns just before they begin; the recorder notes that clock just
after, too. truth.json has what adds to the times of each file to give that clock: a number from least_ns to greatest_ns.
Needs Debian's python3-torch, which Debian's own Python finds.
"""
import gzip
import json
import os
import sys
import tempfile
import time
from pathlib import Path

import torch
import torch.distributed as dist
import torch.multiprocessing as processes
from torch.autograd.profiler import profile, record_function

RANKS, STEPS = 2, 16


def run(rank, folder):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29513")
    torch.set_num_threads(1)
    dist.init_process_group("gloo", rank=rank, world_size=RANKS)
    model = torch.nn.parallel.DistributedDataParallel(torch.nn.Sequential(torch.nn.Linear(16, 32), torch.nn.Linear(32, 4)))
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    small, after = torch.ones(4), []
    for _ in range(3):                                              # connections and buckets are made before
        model(torch.randn(8, 16)).sum().backward()
    dist.barrier()
    time.sleep(0.13 * rank)                                         # the profiles begin at different times
    with profile(use_kineto=False) as recorded:
        for step in range(STEPS):
            with record_function(f"ProfilerStep#{step}"):
                with record_function(f"mark {time.time_ns()}"):
                    after.append(time.time_ns())
                model(torch.randn(8, 16)).pow(2).sum().backward()
                optimizer.step()
                optimizer.zero_grad()
                dist.broadcast(small, src=step % RANKS)
                dist.all_reduce(small)
                time.sleep(0.002 * ((step + rank) % 3))
    recorded.export_chrome_trace(f"{folder}/rank{rank}.json")
    Path(f"{folder}/after{rank}.json").write_text(json.dumps(after))
    dist.destroy_process_group()


def main():
    out = Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    truth = {"recorded": f"{time.strftime('%Y-%m-%d')}, PyTorch {torch.__version__}, gloo", "ranks": []}
    with tempfile.TemporaryDirectory() as folder:
        processes.spawn(run, (folder,), RANKS)
        for rank in range(RANKS):
            text = Path(f"{folder}/rank{rank}.json").read_bytes()
            events = json.loads(text)
            events = events if isinstance(events, list) else events["traceEvents"]
            marks = sorted((int(e["name"].split()[1]), round(e["ts"] * 1000)) for e in events if e["name"].startswith("mark "))
            after = json.loads(Path(f"{folder}/after{rank}.json").read_text())
            # Times are whole microseconds, rounded down.
            truth["ranks"].append({"least_ns": max(before - ts - 1000 for before, ts in marks),
                                   "greatest_ns": min(behind - ts for behind, (_, ts) in zip(after, marks))})
            with gzip.GzipFile(out / f"rank{rank}.json.gz", "wb", 9, mtime=0) as file:
                file.write(text)
    (out / "truth.json").write_text(json.dumps(truth) + "\n")


if __name__ == "__main__":
    main()
