"""Property test: messages that are thinned while they are read, against the same ones when all are kept.

    test_thin.py CELLSYNC [--seeds=N] [--first=SEED] [--jobs=N]

A trace of messages alone is thinned; a row that has a place in a buffer, the only one that has, changes nothing but
that nothing is. For every seed the reports and the explanations of both are the same, whatever the rows look like:
lost ends, latencies, begins, rows in any order, quotes, blanks, line ends, stamps that contradict one another, cycles.
On a failure the seed is printed and its trace kept; exit status 1.
"""

import argparse
import json
import os
import random
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
import started
from trials import trials


def make(rng):
    """[(thread, begin or "", time, send, recv, latency or "")]"""
    threads = [rng.choice(["p", "process number ", "r"]) + str(i) for i in range(rng.randint(2, 12))]
    offsets = {thread: rng.randint(-10**rng.choice([2, 12]), 10**6) for thread in threads}
    now, rows = dict.fromkeys(threads, 0), []
    begins, late, ties = rng.random() < 0.4, rng.random() < 0.2, rng.random() < 0.2
    long, lossy, shared = (rng.random() < 0.2 for _ in range(3))
    last = {}

    def row(thread, end, begin=None, send="", recv="", latency=""):
        now[thread] = end
        off = offsets[thread] + (rng.randint(-3, 3) if late and rng.random() < 0.05 else 0)
        rows.append((end, thread, begin - off if begins and begin is not None else "", end - off, send, recv, latency))

    for _ in range(rng.randint(1, 400)):
        source, target = rng.choice(threads), rng.choice(threads)
        channel = f"{source}>{target}".replace(" ", "_") if long else f"{threads.index(source)}>{threads.index(target)}"
        if shared and rng.random() < 0.02:
            channel = rng.choice(threads).replace(" ", "_")
        begin = max(now[source] + rng.randint(0, 9), last.get((channel, "send"), 0))
        end = begin + rng.randint(0, 5)
        last[channel, "send"] = begin
        latency = rng.choice(["", 0, 3]) if rng.random() < 0.3 else ""
        arrival = max(begin + (latency or 2) + (0 if ties else rng.randint(0, 30)), now[target])
        lost = rng.random() if lossy else 0.5
        if lost > 0.02:
            row(source, end, begin, send=channel)
        if lost < 0.98:
            if source == target:
                arrival = max(arrival, end)
            row(target, arrival, max(last.get((channel, "recv"), 0), arrival - rng.randint(0, 5)), recv=channel,
                latency=latency)
            last[channel, "recv"] = max(last.get((channel, "recv"), 0), arrival - 5)
        if rng.random() < 0.1:
            row(source, now[source] + rng.randint(0, 3))
    order = rng.random()
    if order < 0.5:
        rows.sort(key=lambda r: r[0])
    elif order < 0.7:
        rows.sort(key=lambda r: r[1])
    return begins, [r[1:] for r in rows]


def text_of(rng, begins, rows):
    """Both texts: thinned, and with a place in a buffer."""
    separator, end, seconds = rng.choice(",,;\t"), rng.choice(["\n", "\n", "\r\n"]), rng.random() < 0.2
    head = ["thread", "time_s" if seconds else "time", "send", "recv", "latency", "buffer", "note"]
    quoted = rng.random() < 0.3
    said = ["# sends=complete"] * (rng.random() < 0.5)
    texts = []
    lines = []
    for thread, begin, time, send, recv, latency in rows:
        name = f'"{thread}"' if quoted and rng.random() < 0.05 else \
            f" {thread} " if quoted and rng.random() < 0.05 else thread
        fields = [name, str(time), send, recv, str(latency), "", "x" * rng.randint(0, 9)]
        if seconds:
            fields[1] = f"{'-' if time < 0 else ''}{abs(time) // 10**6}.{abs(time) % 10**6:06}"
        if begins:
            fields.append(str(begin))
        lines.append(fields)
    begins = begins and not seconds
    for buffer in ("", "b"):
        out = ["# order=partial", *said, f"# timebase_hz={10**6}", separator.join(head + (["begin"] if begins else []))]
        for i, fields in enumerate(lines):
            fields = fields[:len(head) + begins]
            fields[5] = buffer if i == 0 else ""
            out.append(separator.join(fields))
        texts.append(end.join(out) + end)
    return texts


def run(program, *arguments):
    done = started.run([program, *arguments], capture_output=True, timeout=60, check=False)
    if b"Sanitizer" in done.stderr or b"runtime error" in done.stderr or done.returncode < 0:
        raise AssertionError(f"status {done.returncode}: {done.stderr.decode()}")
    return done


def outcome(program, trace, arguments, pair, workers):
    """All that is said of a trace but for its buffers."""
    report = trace + ".json"
    options = [f"--threads={workers}", "-q", *arguments]
    done = run(program, *options, "--pairs=all", "-r", report, trace)
    found = None
    if done.returncode == 0:
        with open(report, encoding="utf-8") as file:
            found = json.load(file)
        del found["matched"]["buffers"], found["trace"]
    explained = run(program, *options, f"--explain={pair[0]},{pair[1]}", trace)
    name = os.path.basename(trace).encode()
    return (done.returncode, done.stderr.replace(name, b"T"), found, explained.returncode,
            explained.stdout.replace(b" by buffer 'b'", b""))


def check_seed(seed, program, folder):
    rng = random.Random(f"thin {seed}")
    begins, rows = make(rng)
    if not rows:
        return "none"
    arguments = [rng.choice(["--relax=exact", "--relax=none", "--delta=0", "--delta=2"])] + \
        rng.choice([[], ["--latency=2us"], ["--engine=dense"]])
    names = list(dict.fromkeys(row[0] for row in rows))
    pair = rng.sample(names, 2) if len(names) > 1 else [names[0], names[0]]
    outcomes = []
    for i, text in enumerate(text_of(rng, begins, rows)):
        trace = os.path.join(folder, f"t{i}.csv")
        with open(trace, "w", encoding="utf-8", newline="") as out:
            out.write(text)
        outcomes.append(outcome(program, trace, arguments, pair, rng.randint(1, 2)))
    for one, other in zip(*outcomes):
        assert one == other, f"{arguments}: thinned {one}\n  all kept {other}"
    found = outcomes[0][2]
    return f"status {outcomes[0][0]}" if not found else "exact" if found["delta"]["ticks"] == "0" else "imprecise"


def run_seed(seed, program):
    with tempfile.TemporaryDirectory() as folder:
        try:
            return check_seed(seed, program, folder), None
        except Exception as error:      # whatever goes wrong belongs to this seed
            kept = os.path.join(tempfile.gettempdir(), f"thin-{seed}.csv")
            with open(os.path.join(folder, "t0.csv"), "rb") as text, open(kept, "wb") as out:
                out.write(text.read())
            return None, (f"seed {seed} failed: {type(error).__name__}: {error}\n"
                          f"  trace: {kept}; again: test_thin.py {program} --first={seed} --seeds=1")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", metavar="CELLSYNC")
    parser.add_argument("--seeds", type=int, default=trials(300))
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    program = os.path.abspath(arguments.program)
    seeds = range(arguments.first, arguments.first + arguments.seeds)
    with ThreadPoolExecutor(arguments.jobs) as pool:
        done = list(pool.map(lambda seed: run_seed(seed, program), seeds))
    failures = [text for _, text in done if text]
    print("\n".join(failures[:10]), end="\n" if failures else "")
    kinds = [kind for kind, _ in done if kind]
    print({kind: kinds.count(kind) for kind in sorted(set(kinds))})
    print(f"{len(seeds) - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
