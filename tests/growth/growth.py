"""How time and memory grow: families of inputs at n, 2n and 4n, against what cellsync-model(7) says in Limits.

    growth.py CELLSYNC PEAK [NAME...]

A family grows linearly unless the manual says otherwise; its exponents are the logarithm of the ratio of 4n to 2n, less what the
least trace takes, and fail where they are above the manual's by more than what measuring lets vary. Time is instructions,
where `perf stat` counts them, else the least user time of several runs. Exit status 1: a family grows faster than the manual says.
"""

import math
import os
import random
import resource
import shutil
import struct
import subprocess
import sys
import tempfile

RUNS = 3
TIME_SLACK, MEMORY_SLACK = 0.45, 0.3
LEAST_SECONDS, LEAST_MIB = 0.03, 2        # below these nothing can be said to have grown


# ------------------------------------------------------------------------------------------------------ inputs

def csv(rows):
    """A CSV trace of (thread, time)."""
    return "thread,time\n" + "".join(f"{thread},{time}\n" for thread, time in rows)


def ppe(time, event=0x300, context=None):
    """A record of the PPE; what starts a context, or waits for it, began a tick before."""
    if context is None:
        return struct.pack(">HBBHHIIQQ", 32, 0, 0, event, 0, 1, 0, time, 0)
    return struct.pack(">HBBHHIIQQQ", 40, 0, 1, event, 1, 1, 0, time, time - 1, context)


def spe(context, decr):
    return struct.pack(">HBBHHIIII", 24, 1, 0, 0x503, 0, context, 0, decr % 2**32, 0)


def pex(records, more="", version=1):
    """An embedded .pex."""
    document = f'<pdt_trace version="{version}"><machine timebase_hz="14318000"/><trace_file/>{more}</pdt_trace>'
    header = b"PDTTRACE" + struct.pack(">HHIQQ", 1, 32, 0, len(records), 0)
    return document.encode() + b"\0" + header + b"".join(records)


def few_records():
    return [ppe(1000), spe(1, 5000), ppe(2000)]


def rows(n):
    return csv((f"t{i % 10}", i) for i in range(n))


def records(n):
    return pex([ppe(i) if i % 8 == 0 else spe(i % 8, -i) for i in range(n)])


def blocks(n, late=0):
    """Threads that give their rows to a buffer, eight at a time; or with stamps, of two threads every other block late."""
    made = ["# order=partial\nthread,time,buffer,block,flush\n"]
    for i in range(n // 8):
        start = 8 * i + (late if i % 20 in (3, 14) else 0)
        made += [f"t{i % 10},{start + k},s,{i // 10},{start + 7 if late and k == 7 else ''}\n" for k in range(8)]
    return "".join(made)


def block_records(n, contexts=8):
    """Contexts that give their records to the buffer, eight at a time, between what starts them and what waits for them."""
    lives = range(1, contexts + 1)
    made = [ppe(2, 0x500, c) for c in lives]
    made += [spe(i % contexts + 1, -(8 * i + k)) for i in range(n // 8) for k in range(8)]
    made += [ppe(n + 9, 0x600, c) for c in lives]
    return pex(made, '<order granularity="block"/>', version=2)


def relay(n):
    """Threads that follow one another, beside one that speaks throughout."""
    return csv(row for i in range(n) for row in (("hub", 4 * i), (f"t{i}", 4 * i + 1), ("hub", 4 * i + 2), (f"t{i}", 4 * i + 3)))


def chain(n):
    """Threads that follow one another, and none that speaks throughout."""
    return csv(row for i in range(n) for row in ((f"t{i}", 10 * i), (f"t{max(i - 1, 0)}", 10 * i + 5)))


def crowd(n, back):
    """Threads that are live at once; one steps back."""
    return csv([(f"t{i}", 0) for i in range(n)] + [("t0", back)] + [(f"t{i}", 0) for i in range(n)])


def meeting(n):
    """Threads that are live at once and meet at random."""
    rng = random.Random(1)
    spoken = [(f"t{rng.randrange(n)}", n + k) for k in range(20 * n)]
    return csv([(f"t{i}", i) for i in range(n)] + spoken + [(f"t{i}", 21 * n + i) for i in range(n)])


def contradictions(n):
    """What the paper's relaxation takes a step for each of."""
    return csv(row for i in range(n - 1) for row in ((i, 0), (i + 1, 0), (i, -(i + 1) * 10)))


def gaps(n, contexts=120):
    """Gaps that only rule 2 of unwrapping can bound."""
    made, now = [ppe(0)] + [spe(c, 0) for c in range(contexts)], 0
    for gap in range(n):
        now += 2**31 - 1
        made += [spe(0, -now), spe(1 + gap % (contexts - 1), -now)]
    return pex(made + [ppe(now + 10)])


def operations(n, threads=4, ppm=500):
    """Rows of threads that operate together: all enter and leave, the others one's and one the others', or half of them; the
    clock of each gains on that of the one before it."""
    made = ["# order=partial\nthread,begin,time,enter,leave\n"]
    for i in range(n):
        thread, operation = i % threads, i // threads
        gain, kind, root = 1 + thread * ppm / 1e6, operation % 5, operation // 5 % threads
        begin = 10000 * operation + (1 + 7 * operation + 3 * thread) % 4000
        some = kind < 4 or 2 * thread < threads
        enter = f"g{operation}" if some and (kind != 1 or thread == root) and (kind != 2 or thread != root) else ""
        leave = f"g{operation}" if some and (kind != 1 or thread != root) and (kind != 2 or thread == root) else ""
        made.append(f"t{thread},{int(begin * gain)},{int((10000 * operation + 4000 + thread) * gain)},{enter},{leave}\n")
    return "".join(made)


def archive(n):
    """What otf2runs, beside PEAK, makes an archive of: messages of clocks that drift apart."""
    return ["ring", "4", str(n), "2000"]


# Name, what it is, n, the exponents of time and of memory, options; OUT is a folder for outputs.
FAMILIES = [
    ("rows", rows, 1000000, 1, 0, []),
    ("rows-out", rows, 300000, 1, 0, ["-o", "OUT/x.csv"]),
    ("rows-json", rows, 100000, 1, 0, ["-o", "OUT/x.json"]),
    ("records", records, 8000000, 1, 0, []),
    ("records-out", records, 1000000, 1, 0, ["-o", "OUT/x.pex"]),
    ("records-ctf", records, 300000, 1, 0, ["-o", "OUT/ctf", "--to=ctf"]),
    ("blocks", blocks, 300000, 1, 0, []),
    ("block-records", block_records, 300000, 1, 0, []),
    ("blocks-late", lambda n: blocks(n, 60), 300000, 1, 0, []),
    ("imprecise", lambda n: csv((f"t{i % 10}", i - i % 7 * (i % 3)) for i in range(n)), 100000, 1, 0, []),
    ("marks", lambda n: pex(few_records(), "".join(f"<!--live intervals {i}-->" for i in range(n))), 50000, 1, 1, ["-o", "OUT/m.pex"]),
    ("same-marks", lambda n: pex(few_records(), "<!--live intervals-->" * n), 50000, 1, 1, ["-o", "OUT/m.pex"]),
    ("elements", lambda n: pex(few_records(), '<a b="1">c</a>' * n), 50000, 1, 1, ["-o", "OUT/m.pex"]),
    ("relay", relay, 20000, 1, 1, []),
    ("relay-pages", relay, 10000, 1, 1, ["-r", "OUT/x.html"]),
    ("chain", chain, 2000, 2, 1, []),
    ("all-pairs", relay, 300, 2, 2, ["-r", "OUT/x.json", "--pairs=all"]),
    ("rule2-gaps", gaps, 50000, 1, 1, []),
    ("strict-gaps", lambda n: gaps(n, 3), 1000, 2, 1, ["--unwrap=strict"]),
    ("crowd", lambda n: crowd(n, 0), 500, 3, 2, []),
    ("crowd-back", lambda n: crowd(n, -1), 300, 3, 2, []),
    ("meeting-sweep", meeting, 200, 3, 2, ["--engine=sweep"]),
    ("meeting", meeting, 600, 3, 2, []),
    ("meeting-lsq", meeting, 200, 3, 2, ["--method=lsq"]),
    ("operations", operations, 50000, 1, 1, []),
    ("operations-drift", operations, 50000, 1, 1, ["--drift=50"]),
    ("paper", contradictions, 60, 4, 2, ["--relax=paper"]),
    ("archive", archive, 400000, 1, 0.2, []),    # constraints of a drift that would be enough
    ("archive-drift", archive, 400000, 1, 0, ["--drift=50"]),
]


# --------------------------------------------------------------------------------------------------- measuring

def counts_instructions():
    """Whether perf counts them here."""
    try:
        done = subprocess.run(["perf", "stat", "-x,", "-e", "instructions:u", "true"], capture_output=True, text=True, check=False)
        return done.returncode == 0 and done.stderr.split(",")[0].isdigit()
    except OSError:
        return False


def run(command, seconds_only):
    """What a run takes: giga-instructions or seconds, and MiB."""
    prefix = [] if seconds_only else ["perf", "stat", "-x,", "-e", "instructions:u"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(prefix + command, capture_output=True, text=True, check=False)
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    if done.returncode:
        sys.exit(f"{' '.join(command)}: exit status {done.returncode}: {done.stderr[:300]}")
    took = seconds if seconds_only else int(done.stderr.splitlines()[-1].split(",")[0]) / 1e9
    return took, int(done.stdout.splitlines()[-1]) / 1024


def otf2runs(programs):
    """Not there without libotf2."""
    return os.path.join(os.path.dirname(programs[0]), "otf2runs")


def measure(programs, folder, family, n, seconds_only):
    """The least of several runs; programs is PEAK and CELLSYNC."""
    made, options, path = family[1](n), family[-1], os.path.join(folder, "in")
    if isinstance(made, list):
        path = os.path.join(folder, "archive")
        shutil.rmtree(path, ignore_errors=True)
        subprocess.run([otf2runs(programs), path, *made], check=True)
        path = os.path.join(path, "traces.otf2")
    else:
        with open(path, "wb") as file:
            file.write(made.encode() if isinstance(made, str) else made)
    out = os.path.join(folder, "out")
    os.makedirs(out, exist_ok=True)
    command = [*programs, "-q", path, "--threads=1"] + [option.replace("OUT", out) for option in options]
    found = [run(command, seconds_only) for _ in range(RUNS if seconds_only else 1)]
    return min(t for t, _ in found), min(m for _, m in found)


def exponent(two, four, least):
    """Of the growth from 2n to 4n; 0 where 4n takes hardly more than nothing."""
    return 0.0 if four < least else math.log2(four / max(two, least / 4))


def main():
    """Measures the families, or those that are named."""
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    programs, names = [os.path.abspath(sys.argv[2]), os.path.abspath(sys.argv[1])], sys.argv[3:]
    unknown = set(names) - {family[0] for family in FAMILIES}
    if unknown:
        sys.exit(f"growth.py: unknown family {', '.join(sorted(unknown))}")
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    seconds_only = not counts_instructions()
    unit = "s" if seconds_only else "Gi"
    print(f"{'family':14} {'n':>7}  {'n':>7} {'2n':>7} {'4n':>7} {unit:>2}  grows  may   {'n':>6} {'2n':>6} {'4n':>6} MiB  grows  may")
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        base = measure(programs, folder, ("", rows, 0, 0, 0, []), 10, seconds_only)
        for family in FAMILIES:
            name, _, n, time_may, memory_may, _ = family
            if (names and name not in names) or (family[1] is archive and not os.path.exists(otf2runs(programs))):
                continue
            found = [measure(programs, folder, family, k * n, seconds_only) for k in (1, 2, 4)]
            time, memory = ([max(f[i] - base[i], 0) for f in found] for i in (0, 1))
            time_grows = exponent(time[1], time[2], LEAST_SECONDS)
            memory_grows = exponent(memory[1], memory[2], LEAST_MIB)
            bad = time_grows > time_may + TIME_SLACK or memory_grows > memory_may + MEMORY_SLACK
            failed += bad
            print(f"{name:14} {n:7}  {time[0]:7.3f} {time[1]:7.3f} {time[2]:7.3f}     {time_grows:5.2f} {time_may:4}   "
                  f"{memory[0]:6.1f} {memory[1]:6.1f} {memory[2]:6.1f}      {memory_grows:5.2f} {memory_may:4}{'  FAILS' if bad else ''}",
                  flush=True)
    if failed:
        sys.exit(f"{failed} families grow faster than the manual says")


if __name__ == "__main__":
    main()
