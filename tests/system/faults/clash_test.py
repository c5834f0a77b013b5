"""Twenty writers and five readers of one name, and outputs that are links to each other.

    clash_test.py CELLSYNC TESTDATA [SECONDS]

Writers write other traces, in other layouts, onto one x.pex, and then onto one x.ctf, all at a time: none fails, what is left at
the end is one of theirs, whole, and nothing is beside it.  Readers meanwhile always read a whole one.  Of two outputs of one
run of which one is a link to the other's place, each has what it is to have, or the run is refused and changes nothing.
"""
import itertools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "oracle"))
import started  # noqa: E402

WRITERS, READERS = 20, 5
TRACES = ["switches", "stragglers", "plain", "jitter", "embedded"]
LAYOUTS = [[], ["--compress=1"], ["--embed"], [], []]
LEAST_ROUNDS = 3


class Failed(Exception):
    pass


def run(command, folder, **more):
    return started.run(command, cwd=folder, capture_output=True, timeout=120, **more)


def files(folder):
    return {str(p.relative_to(folder)): os.readlink(p) if p.is_symlink() else p.read_bytes() if p.is_file() else None
            for p in sorted(folder.rglob("*"))}


def write_at_once(cellsync, data, folder, output, layouts):
    """Each trace by several writers."""
    jobs = [subprocess.Popen([cellsync, "-q", data / f"samples/{TRACES[i % 5]}.pex", "-o", output, *layouts[i % 3]],
                             cwd=folder, stderr=subprocess.PIPE) for i in range(WRITERS)]
    for job in jobs:
        error = job.communicate(timeout=300)[1]
        if job.returncode != 0:
            raise Failed(f"a writer of {output}: {error.decode()}")


def clash_of_pairs(cellsync, data, folder, seconds):
    made, ended = [0, 0], threading.Event()
    faults = []

    def read():
        while not ended.is_set():
            result = run([cellsync, "--check", "-q", "x.pex"], folder)
            made[1] += 1
            if result.returncode != 0 and not (b"x.pex: No such file" in result.stderr and made[0] == 0):
                faults.append(result.stderr.decode())

    readers = [threading.Thread(target=read) for _ in range(READERS)]
    for reader in readers:
        reader.start()
    begin = time.monotonic()
    try:
        while made[0] < LEAST_ROUNDS or time.monotonic() < begin + seconds:
            write_at_once(cellsync, data, folder, "x.pex", LAYOUTS)
            made[0] += 1
            found = set(files(folder))
            records = {name for name in found if re.fullmatch(r"x\.[0-9a-f]{8}\.trace(\.gz)?", name)}
            href = re.search(rb' href="([^"]*)"', (folder / "x.pex").read_bytes().partition(b"\0")[0])
            if found - records != {"x.pex"} or records != ({href[1].decode()} if href else set()):
                raise Failed(f"beside x.pex, which names {href}: {sorted(found)}")
            proof = run([cellsync, "--check", "-q", "x.pex"], folder)
            if proof.returncode != 0:
                raise Failed(f"what stands in the end: {proof.stderr.decode()}")
    finally:
        ended.set()
        for reader in readers:
            reader.join()
    if faults:
        raise Failed(f"{len(faults)} of {made[1]} reads: {sorted(set(faults))[:5]}")
    print(f"{made[0]} rounds of {WRITERS} writers of one .pex, and {made[1]} reads: all whole")


def clash_of_folders(cellsync, data, folder):
    wanted = []
    for trace in TRACES:
        if run([cellsync, "-q", data / f"samples/{trace}.pex", "-o", "one.ctf"], folder).returncode != 0:
            raise Failed(f"{trace} as CTF")
        wanted.append(files(folder / "one.ctf"))
        shutil.rmtree(folder / "one.ctf")
    for fresh in (True, True, False, False):
        if fresh:
            shutil.rmtree(folder / "x.ctf", ignore_errors=True)
        write_at_once(cellsync, data, folder, "x.ctf", [[]] * 5)
        if files(folder / "x.ctf") not in wanted or set(os.listdir(folder)) != {"x.ctf"}:
            raise Failed(f"x.ctf is that of none, or something is beside it: {sorted(files(folder))}")
    print(f"4 rounds of {WRITERS} writers of one CTF: all whole")


# How an output is asked for, and under which name.
OUTPUTS = [("-o", "a.csv"), ("-o", "a.json"), ("-o", "a.pex"), ("-o", "a.ctf"), ("-r", "b.txt"), ("-r", "b.html"), ("--graph", "c.dot")]


def is_whole(folder, name):
    """A sign of what each is at its begin."""
    path = folder / name
    if name.endswith(".ctf"):
        return path.is_dir() and (path / "metadata").read_bytes().startswith(b"/* CTF")
    begins = {".csv": b"thread,", ".json": b"{", ".pex": b"<?xml", ".txt": b"trace ", ".html": b"<!DOCTYPE", ".dot": b"digraph",
              ".gv": b"graph"}
    return path.read_bytes().startswith(begins[path.suffix]) or (path.suffix == ".dot" and b"graph" in path.read_bytes()[:200])


def try_links(cellsync, data, folder):
    """Each pair, one being a link to the other's name, whether something stands there or not."""
    refused = good = 0
    for (first, second), old, reverse in itertools.product(itertools.combinations(OUTPUTS, 2), (False, True), (False, True)):
        if first[0] == second[0]:
            continue
        shutil.rmtree(folder)
        folder.mkdir()
        link, target = (first[1], second[1]) if reverse else (second[1], first[1])
        if old:
            (folder / target).write_bytes(b"old\n")
        os.symlink(target, folder / link)
        before = files(folder)
        command = [cellsync, "-q", data / "samples/plain.pex"]
        for option, name in (first, second):
            command += [f"--graph={name}"] if option == "--graph" else [option, name]
        result = run(command, folder)
        if result.returncode == 0:
            good += 1
            if not is_whole(folder, first[1]) or not is_whole(folder, second[1]):
                raise Failed(f"{link} -> {target}, {command[3:]}: one has overwritten the other")
        else:
            refused += 1
            if result.returncode not in (1, 2) or files(folder) != before:
                raise Failed(f"{link} -> {target}, {command[3:]}: {result.stderr.decode()}: {sorted(files(folder))}")
    print(f"{refused + good} pairs of outputs as links to each other: {refused} refused, {good} whole")
    if refused == 0:
        raise Failed("none is refused")


def main():
    cellsync, data = (pathlib.Path(p).resolve() for p in sys.argv[1:3])
    seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 5
    with tempfile.TemporaryDirectory() as tmp:
        folders = [pathlib.Path(tmp) / name for name in ("pairs", "folders", "links")]
        for folder in folders:
            folder.mkdir()
        try:
            clash_of_pairs(cellsync, data, folders[0], seconds)
            clash_of_folders(cellsync, data, folders[1])
            try_links(cellsync, data, folders[2])
        except Failed as failure:
            print("FAILED:", failure)
            return 1
    return 0


sys.exit(main())
