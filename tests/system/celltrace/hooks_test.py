#!/usr/bin/env python3
"""Threads, synchronization and functions of a program that knows nothing of the recorder.

Usage: hooks_test.py CELLTRACE HOOKED
"""
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from run_files import processes  # noqa: E402

CELLTRACE, HOOKED = (str(pathlib.Path(p).resolve()) for p in sys.argv[1:3])
THREADS, ROUNDS = 3, 20
# Of a key's rounds of destructors, and those that are before the thread's last page is handed over.
LATE, LATE_RECORDED = 4, 2


def run(folder, events):
    target = pathlib.Path(folder) / f"run.{events}"
    ended = subprocess.run([CELLTRACE, "-o", str(target), "-e", events, HOOKED], capture_output=True, text=True, timeout=60)
    assert ended.returncode == 0 and ended.stderr == "", ended  # nor is anything lost
    said = {}
    for line in ended.stdout.splitlines():
        name, number = line.split()
        said.setdefault(name, []).append(int(number))
    (process,) = processes(target)
    return process, said


def check_threads(p, said):
    main = said["pid"][0]
    assert sorted(said["id"]) == sorted(r.values[0] for r in p.of("THREAD_CREATE"))
    assert sorted(said["id"]) == sorted(r.thread for r in p.of("THREAD_START")) == sorted(r.thread for r in p.of("THREAD_STOP"))
    assert said["id"] == [r.values[0] for r in p.of("THREAD_JOIN")]
    assert {r.thread for r in p.of("THREAD_CREATE") + p.of("THREAD_JOIN")} == {main}
    for stop, join in ((s, j) for s in p.of("THREAD_STOP") for j in p.of("THREAD_JOIN") if j.values[0] == s.thread):
        assert stop.time <= join.time
    for create in p.of("THREAD_CREATE"):
        (start,) = [r for r in p.of("THREAD_START") if r.thread == create.values[0]]
        assert create.begin <= start.time and create.values[1] == start.values[0]


def check_sync(p, said):
    count = {name: len(p.of(name)) for name in ("MUTEX_LOCK", "MUTEX_UNLOCK", "RWLOCK_RDLOCK", "RWLOCK_UNLOCK", "COND_WAIT",
                                                "COND_SIGNAL", "BARRIER_WAIT", "SEM_POST", "SEM_WAIT", "MUTEX_BUSY",
                                                "MUTEX_TRYLOCK", "RWLOCK_TRYWRLOCK", "COND_LOCK", "COND_UNLOCK")}
    locks = THREADS * (ROUNDS + 1) + 1
    assert said["late"] == [THREADS * LATE], said
    shared = THREADS * (ROUNDS + LATE_RECORDED)
    assert count == {"MUTEX_LOCK": locks, "MUTEX_UNLOCK": locks, "RWLOCK_RDLOCK": shared, "RWLOCK_UNLOCK": shared + 1, "COND_WAIT": said["waits"][0], "COND_SIGNAL": THREADS,
                     "BARRIER_WAIT": THREADS, "SEM_POST": THREADS, "SEM_WAIT": THREADS, "MUTEX_BUSY": 1, "MUTEX_TRYLOCK": 0,
                     "RWLOCK_TRYWRLOCK": 1, "COND_LOCK": said["waits"][0], "COND_UNLOCK": said["waits"][0]}, count
    assert all(r.flags == 1 and r.begin <= r.time and r.values == (said["mutex"][0], 0) for r in p.of("MUTEX_LOCK"))
    # Who holds the mutex: from the end of a lock to the begin of its unlock no other thread does.
    held = sorted((lock.time, unlock.begin, lock.thread) for t in {r.thread for r in p.of("MUTEX_LOCK")}
                  for lock, unlock in zip(*([r for r in p.of(n) if r.thread == t] for n in ("MUTEX_LOCK", "MUTEX_UNLOCK"))))
    if not said["waits"][0]:  # a condition gives the mutex away
        assert all(a[1] <= b[0] for a, b in zip(held, held[1:])), "two hold the mutex"
    # All are at the barrier before any leaves.
    waits = p.of("BARRIER_WAIT")
    assert max(r.begin for r in waits) <= min(r.time for r in waits)


def check_told(p, said):
    """What cellstat makes of it: how long threads waited for what, and held locks, from records as they are."""
    cellstat = pathlib.Path(CELLTRACE).with_name("cellstat")
    ended = subprocess.run([str(cellstat), "sync", str(p.pex.parent), "-q", "--format=json"], capture_output=True, text=True,
                           check=True)
    out = json.loads(ended.stdout)
    sheets = out["sheets"]
    assert not any("expected a role" in text for text in out["conditions"]), out["conditions"]
    assert {row["class"] for row in sheets["waits"]} == {"mutex", "rwlock", "barrier", "sem", "task", *["cond"][:said["waits"][0]]}
    # What is only tried for is not waited for.
    for kind, names in (("mutex", ("MUTEX_LOCK",)), ("rwlock", ("RWLOCK_RDLOCK",))):
        records = [r for name in names for r in p.of(name)]
        got = [(row["count"], row["time_ticks"]) for row in sheets["waits"] if row["class"] == kind]
        assert [sum(column) for column in zip(*got)] == [len(records), sum(r.time - r.begin for r in records)], (kind, got)
    waits = {row["class"]: row for row in sheets["waits"] if row["class"] not in ("mutex", "rwlock")}
    assert waits["barrier"]["time_ticks"] == sum(r.time - r.begin for r in p.of("BARRIER_WAIT")), waits
    begins = [r.begin for r in p.of("BARRIER_WAIT")]
    (barrier,) = sheets["barriers"]
    assert (barrier["event"], barrier["arrivals"]) == ("BARRIER_WAIT", THREADS), barrier
    assert barrier["spread_ticks"]["estimate"] == max(begins) - min(begins), (barrier, begins)
    names = {"MUTEX_LOCK": 1, "COND_LOCK": 1, "MUTEX_UNLOCK": -1, "COND_UNLOCK": -1}
    want = {}
    for thread in {r.thread for r in p.of("MUTEX_LOCK")}:
        changes = [r for r in p.records if r.thread == thread and p.types[r.id].get("name") in names]
        want[f"{p.pex.stem}/{thread}"] = (sum(names[p.types[r.id].get("name")] < 0 for r in changes),
                                          -sum(names[p.types[r.id].get("name")] * r.time for r in changes))
    found = {row["holder"]: (row["holds"], row["held_ticks"]["estimate"] if isinstance(row["held_ticks"], dict) else row["held_ticks"])
             for row in sheets["locks"] if row["object"] == f"""0x{said["mutex"][0]:08x}"""}
    assert found == want, (found, want)


def check_leaves(p):
    """Each call of the system that is no routine is a leaf, as long as it took."""
    cellstat = pathlib.Path(CELLTRACE).with_name("cellstat")
    ended = subprocess.run([str(cellstat), "calls", str(p.pex.parent), "-q", "--top=0", "--format=json"], capture_output=True,
                           text=True, check=True)
    found = {}
    for row in json.loads(ended.stdout)["sheets"]["calls"]:
        if row["kind"] == "leaf":
            total = found.setdefault(row["callee"].partition("(")[0], [0, 0])
            total[0] += row["calls"]
            total[1] += row["time_ticks"]["estimate"]
    for name in ("MUTEX_UNLOCK", "RWLOCK_UNLOCK", "MUTEX_LOCK", "BARRIER_WAIT"):
        records = p.of(name)
        assert found[name] == [len(records), sum(r.time - r.begin for r in records)], (name, found[name])


def check_functions(p, said):
    entries, exits = p.of("FUNCTION_ENTRY"), p.of("FUNCTION_EXIT")
    assert all(r.size == 40 and r.flags == 0 and r.pc for r in entries + exits)
    of_work = [r for r in entries if r.values == (said["work"][0],)]
    assert len(of_work) == THREADS * ROUNDS and not any(r.values == (said["hidden"][0],) for r in entries)
    # What is expanded in place is recorded there.
    assert len(entries) == len(exits) == 2 * len(of_work)
    for thread in {r.thread for r in entries}:
        stack = []
        for r in (r for r in p.records if r.thread == thread and r.id & 0xff == 9):
            if r.id == 0x0109:
                stack.append(r.values[0])
            else:
                assert stack.pop() == r.values[0]
        assert not stack
    program = next(i for i in p.root.iter("image") if i.get("path") == HOOKED)
    assert int(program.get("from"), 16) <= said["work"][0] < int(program.get("to"), 16)


def main():
    with tempfile.TemporaryDirectory() as folder:
        p, said = run(folder, "threads,sync,functions")
        check_threads(p, said)
        check_sync(p, said)
        check_told(p, said)
        check_leaves(p)
        check_functions(p, said)
        p, said = run(folder, "none")
        assert {p.types[r.id].get("name") for r in p.records} == {"PROGRAM_START", "PROGRAM_STOP", "BUFFER_FLUSH"}
        p, said = run(folder, "threads")
        check_threads(p, said)
        assert not p.of("MUTEX_LOCK") and not p.of("FUNCTION_ENTRY")
    print("threads, synchronization and functions are recorded")


if __name__ == "__main__":
    main()
