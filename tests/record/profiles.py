#!/usr/bin/env python3
"""Record the profiles of a training job of 4 ranks by PyTorch and gloo: testdata/torch4.

Usage: profiles.py OUT     OUT gets rank0.json.gz to rank3.json.gz

Each profile counts from its own begin.  The truth is the machine's monotonic clock: events "mark N" begin when it shows
N nanoseconds, or a little later.
"""
import gzip
import json
import os
import pathlib
import subprocess
import sys
import time

RANKS, STEPS, WARM = 4, 40, 3


def train(rank, out):
    import torch
    from torch import distributed, nn
    from torch.autograd.profiler import profile, record_function
    torch.set_num_threads(1)
    torch.manual_seed(1)
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29511")
    distributed.init_process_group("gloo", rank=rank, world_size=RANKS)
    model = nn.parallel.DistributedDataParallel(nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 8)))
    optimizer = torch.optim.SGD(model.parameters(), 0.01)

    def step():
        model(torch.randn(32, 64)).pow(2).sum().backward()
        optimizer.step()
        optimizer.zero_grad()
        distributed.all_reduce(torch.ones(4))
    for _ in range(WARM):
        step()
    distributed.barrier()
    time.sleep(rank * 0.13)
    with profile(use_kineto=False) as profiled:
        for number in range(STEPS):
            with record_function(f"ProfilerStep#{number}"):
                with record_function(f"mark {time.monotonic_ns()}"):
                    pass
                step()
    profiled.export_chrome_trace(str(out / f"rank{rank}.json"))
    distributed.destroy_process_group()


def main(out):
    out.mkdir(exist_ok=True)
    ranks = [subprocess.Popen([sys.executable, __file__, str(out), str(rank)]) for rank in range(RANKS)]
    if any([rank.wait() for rank in ranks]):
        sys.exit("FAIL: a rank failed")
    for rank in range(RANKS):
        path = out / f"rank{rank}.json"
        found = json.loads(path.read_text())
        events = found["traceEvents"] if isinstance(found, dict) else found
        # What orders clocks, and the truth; other operations of the model would be most of the file.  A PyTorch without Kineto
        # writes a text for pid; Kineto writes the number of the process.
        kept = [{**event, "pid": rank} for event in events if event.get("name", "").startswith(("ProfilerStep", "mark ", "gloo:"))]
        text = json.dumps({"traceEvents": kept}, separators=(",", ":"))
        with open(f"{path}.gz", "wb") as file, gzip.GzipFile("", "wb", 9, file, 0) as packed:
            packed.write(text.encode())
        path.unlink()


if __name__ == "__main__":
    if len(sys.argv) > 2:
        train(int(sys.argv[2]), pathlib.Path(sys.argv[1]))
    else:
        main(pathlib.Path(sys.argv[1]))
