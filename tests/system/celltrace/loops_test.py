#!/usr/bin/env python3
"""OpenMP loops, basic blocks and context switches, held against what the programs did.

Usage: loops_test.py CELLTRACE TRACED LOOPED BLOCKED LEAN
LOOPED, BLOCKED and LEAN may be "-", where this compiler has none; OMPT is tested where there is a clang with libomp.
"""
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from run_files import processes  # noqa: E402

CELLTRACE, TRACED = (str(pathlib.Path(p).resolve()) for p in sys.argv[1:3])
LOOPED, BLOCKED, LEAN = sys.argv[3:6]
THREADS, N, ROWS = 3, 60, 12
STATIC, DYNAMIC, GUIDED, RUNTIME = 1, 2, 3, 4


def record(folder, events, *program, said=""):
    run = pathlib.Path(folder) / f"run{len(list(pathlib.Path(folder).iterdir()))}"
    ended = subprocess.run([CELLTRACE, "-o", str(run), "-e", events, *program], capture_output=True, text=True, timeout=60)
    assert ended.returncode == 0 and (ended.stderr == said or said is None), ended
    (process,) = processes(run)
    numbers = {line.split()[0]: int(line.split()[1]) for line in ended.stdout.splitlines()}
    return process, numbers, ended.stderr


def signed(value):
    return value - 2**64 if value >= 2**63 else value


def check_program(said):
    assert said == {"sum": THREADS + 2 * sum(range(N)), "last": ROWS, "ordered": ROWS}, said


def check_regions(p, regions=5):
    """Each region lasts as long as the parts of its threads, but for what a runtime does late."""
    parallel, tasks = p.of("PARALLEL"), p.of("TASK")
    assert len(parallel) == regions and len(tasks) == regions * THREADS, (len(parallel), len(tasks))
    assert len({r.thread for r in parallel}) == 1 and {r.values[1] for r in tasks} == set(range(THREADS))
    assert len({r.thread for r in tasks}) == THREADS
    for region in parallel:
        parts = [t for t in tasks if t.values[0] == region.values[0]]
        assert len(parts) == THREADS and all(region.begin <= t.begin <= t.time for t in parts)
        own = next(t for t in parts if t.thread == region.thread)
        assert own.time <= region.time


def check_locks(p):
    """From entering to leaving no other thread is in."""
    held = []
    for thread in {r.thread for r in p.of("CRITICAL")}:
        enter = [r for r in p.of("CRITICAL") if r.thread == thread]
        leave = [r for r in p.of("CRITICAL_END") if r.thread == thread]
        assert len(enter) == len(leave) == 1 and enter[0].values == leave[0].values and enter[0].values[0]
        held.append((enter[0].time, leave[0].time))
    held.sort()
    assert len(held) == THREADS and all(a[1] <= b[0] for a, b in zip(held, held[1:])), held
    enter, leave = (sorted(r.time for r in p.of(n)) for n in ("ORDERED", "ORDERED_END"))
    assert len(enter) == len(leave) == ROWS and all(a <= b for a, b in zip(enter, leave))
    assert all(a <= b for a, b in zip(leave, enter[1:]))


def check_gomp(p):
    check_regions(p)
    check_locks(p)
    loops = {}
    for r in p.of("LOOP"):
        loops[r.values] = loops.get(r.values, 0) + 1
    assert loops == {(N, DYNAMIC): 2 * THREADS, (N // 2, GUIDED): THREADS, (N, RUNTIME): THREADS,
                     (ROWS, STATIC): THREADS, (ROWS, DYNAMIC): THREADS}, loops
    # The chunks of a loop are its iterations, each once.
    chunks = sorted((signed(r.values[0]), signed(r.values[1])) for r in p.of("CHUNK") if signed(r.values[0]) > signed(r.values[1]))
    assert sorted(i for a, b in chunks for i in range(a, b, -2)) == list(range(2, N + 1, 2)), chunks
    taken = {}
    for r in p.of("CHUNK"):
        a, b = (signed(v) for v in r.values)
        for i in range(a, b):
            taken[i] = taken.get(i, 0) + 1
    # dynamic, runtime, and the region that is a loop: 0 to N; doacross and ordered: ROWS.
    assert all(taken[i] == 3 for i in range(ROWS + 1, N)) and all(taken[i] == 5 for i in range(1, ROWS)), taken
    assert {r.values[2] for r in p.of("TASK")} == {0, 1, 3}, "of the static loop nothing is told"
    done = {r.values[0]: r for r in p.of("ADVANCE")}
    assert len(done) == ROWS and len(p.of("AWAIT")) == ROWS - 1
    for wait in p.of("AWAIT"):
        assert done[wait.values[0]].time <= wait.time and wait.begin <= wait.time
    assert len(p.of("BARRIER")) == 3 * THREADS  # of dynamic, of runtime, and the one that is written


def check_ompt(p):
    check_regions(p)
    check_locks(p)
    counts = [r.values[0] for r in p.of("LOOP")]
    assert len(counts) >= 6 * THREADS and counts.count(N) >= 3 * THREADS and counts.count(ROWS) >= 2 * THREADS, counts
    assert len(p.of("BARRIER")) >= 3 * THREADS and all(r.begin <= r.time for r in p.of("BARRIER"))
    assert len(p.of("ADVANCE")) == ROWS


def loops(folder):
    if LOOPED != "-":
        p, said, _ = record(folder, "loops", LOOPED)
        check_program(said)
        check_gomp(p)
        p, said, _ = record(folder, "none", LOOPED)
        assert not p.of("LOOP") and {p.types[r.id].get("name") for r in p.records} == {"PROGRAM_START", "PROGRAM_STOP", "BUFFER_FLUSH"}
    program = pathlib.Path(folder) / "by_clang"
    source = pathlib.Path(__file__).parent / "looped.c"
    try:
        made = subprocess.run(["clang", "-fopenmp", "-O1", "-o", program, source], capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        made = False
    if not made:
        print("OMPT is left out: there is no clang with libomp")
        return
    p, said, _ = record(folder, "loops", str(program))
    check_program(said)
    check_ompt(p)
    record(folder, "none", str(program))


def blocks(folder):
    programs = [BLOCKED] if BLOCKED != "-" else []
    for program in programs:
        p, said, _ = record(folder, "blocks", program)
        assert len(p.of("turn")) == 30 and said["sum"] == sum(range(30)) + 70
        there = {}
        for r in p.of("BLOCK"):
            assert r.size == 40 and r.pc == r.values[0] & 0xffffffff
            there[r.values[0]] = there.get(r.values[0], 0) + 1
        near = sorted(n for at, n in there.items() if said["which"] <= at < said["which"] + 200)
        assert 30 in near and 10 in near, (said, there)
        p, said, _ = record(folder, "none", program)
        assert not p.of("BLOCK") and len(p.of("turn")) == 30


def switches(folder):
    p, _, stderr = record(folder, "switches", TRACED, "spend", said=None)
    if stderr:
        assert stderr.startswith("celltrace: switches are not recorded: perf_event_open: "), stderr
        print(f"switches are left out: {stderr.strip()}")
        return
    names = {int(t.get("tid")): t.get("name") for t in p.root.iter("ppe")}
    moves = p.of("SWITCH_OUT") + p.of("SWITCH_IN") + p.of("PREEMPTED")
    assert moves and all(names[r.thread] == f"cpu{r.values[1]}" and r.thread == 2**31 + r.values[1] for r in moves)
    threads = {who.values[0]: who.thread for who in p.of("NUMBER")}
    assert {r.values[0] for r in moves} <= set(threads.values()) | {int(p.root.find("process").get("pid"))}, "others are left out"
    for kind in (2, 3):  # they sleep: out, and not since they had to
        own = sorted((r for r in moves if r.values[0] == threads[kind]), key=lambda r: r.time)
        outs = [r for r in own if p.types[r.id].get("name") == "SWITCH_OUT"]
        number = next(r for r in p.of("NUMBER") if r.thread == threads[kind])
        assert any(r.time > number.time for r in outs), kind
        # In and out by turns.
        kinds = [p.types[r.id].get("name") == "SWITCH_IN" for r in own]
        assert all(a != b for a, b in zip(kinds, kinds[1:])), own
    hz = int(p.root.find("clock").get("hz"))
    slept = sorted((r for r in moves if r.values[0] == threads[2]), key=lambda r: r.time)
    longest = max(b.time - a.time for a, b in zip(slept, slept[1:])) if len(slept) > 1 else 0
    assert longest >= hz * 20 // 1000, "25 ms of sleep are between out and in"
    run = pathlib.Path(folder) / "refused"
    ended = subprocess.run([CELLTRACE, "-o", str(run), "-e", "switches", "--order=buffer", "true"], capture_output=True, text=True)
    assert ended.returncode == 125 and "celltrace: --events=switches requires --order=block" in ended.stderr and not run.exists(), ended


def lean(folder):
    """A linker left the runtime out of a program that is linked with the recorder: it runs, recorded or not."""
    if LEAN == "-":
        print("skipped: programs that are linked with the recorder: this compiler has no OpenMP of GCC's")
        return
    assert "libgomp" not in subprocess.run(["readelf", "-d", LEAN], capture_output=True, text=True, check=True).stdout
    plain = subprocess.run([LEAN], capture_output=True, text=True, timeout=60)
    assert (plain.returncode, plain.stdout) == (0, "sum 4950\nrecording 0\n"), plain
    p, said, _ = record(folder, "loops", LEAN)
    assert said == {"sum": 4950, "recording": 1}, said
    assert sum(signed(r.values[1]) - signed(r.values[0]) for r in p.of("CHUNK")) == 100, p.of("CHUNK")


def main():
    cases = [loops, blocks, switches, lean]
    for case in cases:
        with tempfile.TemporaryDirectory() as folder:
            case(folder)
    print(f"{len(cases)} cases")


if __name__ == "__main__":
    main()
