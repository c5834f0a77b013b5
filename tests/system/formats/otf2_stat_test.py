#!/usr/bin/env python3
"""cellstat of OTF2 archives, against what otf2-print says of their messages, nodes and collective operations.

Usage: otf2_stat_test.py CELLSTAT OTF2GEN CELLSYNC

Archives that OTF2GEN writes: random messages of drawn lengths, in communicators whose ranks are others than the
world's, between ranks on drawn nodes; and regions of MPI that wait, or do not, at known stamps.
Without otf2-print this is skipped, and says so.
"""
import collections
import csv
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "oracle"))
import started  # noqa: E402

CELLSTAT, OTF2GEN, CELLSYNC = (pathlib.Path(p).resolve() for p in sys.argv[1:4])
ALLREDUCE = 11
faults = []


def expect(good, what):
    if not good:
        faults.append(what)
        print("FAULT:", what)


def run(*words):
    done = started.run([str(w) for w in words], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{words}: exit {done.returncode}: {done.stderr}")
    return done.stdout


def generate(folder, lines):
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([OTF2GEN, folder], input="\n".join(lines) + "\n", text=True, check=True)
    return folder / "traces.otf2"


def sheets(anchor, verb, *options):
    """The tables of a verb, as rows by column."""
    text = run(CELLSTAT, verb, "-q", anchor, "--format=csv", *options)
    return [list(csv.DictReader(part.splitlines())) for part in text.split("\n\n")]


def places(anchor):
    """Name of a location -> name of its node, or None, as otf2-print has the definitions."""
    nodes, processes, found = {}, {}, {}
    for line in run("otf2-print", "-G", anchor).splitlines():
        kind, number = (line.split() + ["", ""])[:2]
        name = re.search(r'Name: "([^"]*)"', line)
        above = re.search(r'(?:Parent|Group): "[^"]*" <(\d+)>', line)
        above = above[1] if above else None
        if kind == "SYSTEM_TREE_NODE":
            nodes[number] = (re.search(r'Class: "([^"]*)"', line)[1], name[1], above)
        elif kind == "LOCATION_GROUP":
            processes[number] = above
        elif kind == "LOCATION":
            at = processes[above]
            while at is not None and nodes[at][0] != "node":
                at = nodes[at][2]
            found[name[1]] = nodes[at][1] if at is not None else None
    return found


def messages(anchor):
    """(sender, receiver, bytes) of each send, by the names of locations; those of receives must be the same."""
    ends = {"SEND": [], "RECV": []}
    name = {}
    for line in run("otf2-print", "-G", anchor).splitlines():
        found = re.match(r'LOCATION +(\d+) +Name: "([^"]*)"', line)
        if found:
            name[found[1]] = found[2]
    for line in run("otf2-print", anchor).splitlines():
        found = re.match(r'MPI_I?(SEND|RECV) +(\d+) +\d+ .*?(?:Sender|Receiver): \d+ \("([^"]*)".*Length: (\d+)', line)
        if found:
            pair = (name[found[2]], found[3])
            ends[found[1]].append((*(pair if found[1] == "SEND" else pair[::-1]), int(found[4])))
    expect(sorted(ends["SEND"]) == sorted(ends["RECV"]), f"{anchor}: other sends than receives")
    return ends["SEND"]


def program(rng):
    """Lines of a random program: every message is received, and there is one before all others, both ways."""
    n = rng.randrange(3, 7)
    nodes = [rng.choice((None, 0, 1, 2)) for _ in range(n)]
    lines = ["resolution 1000000", "node 9 machine all", "node 0 node one 9", "node 1 node two 9", "node 2 rack r 9",
             "node 3 node three 2"]
    lines += [f"process {r} {[0, 1, 3][at] if at is not None else 9} Rank%20{r}" for r, at in enumerate(nodes)]
    lines += [f"location {r} {r} R{r}.0" for r in range(n)]
    lines += ["region 0 MPI_Recv", "world " + " ".join(map(str, range(n))), "comm 0 WORLD " + " ".join(map(str, range(n)))]
    turned = list(range(n))
    rng.shuffle(turned)
    part = turned[:rng.randrange(2, n + 1)]
    lines.append("comm 5 part " + " ".join(map(str, part)))
    events = {r: [] for r in range(n)}
    clock = 10
    drawn = [(0, a, b) for a in range(n) for b in range(n) if a != b]
    drawn += [rng.choice(((0, *rng.sample(range(n), 2)), (5, *rng.sample(range(len(part)), 2))))
              for _ in range(rng.randrange(40))]
    for comm, a, b in drawn:
        ranks = range(n) if comm == 0 else part
        size, clock, tag, kind = rng.choice((0, 8, 100, 4096, 1 << 40)), clock + 10, rng.randrange(3), rng.random()
        if kind < 0.5:
            events[ranks[a]].append(f"{clock} send {comm} {b} {tag} {size}")
            events[ranks[b]] += [f"{clock + 1} enter 0", f"{clock + 3} recv {comm} {a} {tag} {size}", f"{clock + 4} leave 0"]
        else:
            events[ranks[a]].append(f"{clock} isend {comm} {b} {tag} {clock} {size}")
            events[ranks[b]] += [f"{clock} post {clock}", f"{clock + 4} irecv {comm} {a} {tag} {clock} {size}"]
    for r in range(n):
        events[r] += [f"{clock + 10} begin", f"{clock + 20 + r} end {ALLREDUCE} 0 -1 24 48"]
        lines += [f"at {r}", *events[r]]
    return lines


def check(anchor):
    sent = messages(anchor)
    node = places(anchor)
    pairs, classes, unmatched = sheets(anchor, "comm")
    want, by_node, where = collections.Counter(), collections.Counter(), collections.Counter()
    for a, b, size in sent:
        here, there = node[a], node[b]
        kind = "unknown" if here is None or there is None else "same node" if here == there else "between nodes"
        for counts, key in ((want, (a, b)), (where, kind),
                            (by_node, (f"node {here}" if here else a, f"node {there}" if there else b))):
            counts[key, "count"] += 1
            counts[key, "bytes"] += size
    for what, rows, keys, expected in (("pairs", pairs, ("sender", "receiver"), want),
                                       ("nodes", sheets(anchor, "comm", "--group=node")[0], ("sender", "receiver"), by_node),
                                       ("classes", classes, ("class",), where)):
        found = {}
        for row in rows:
            key = tuple(row[k] for k in keys) if len(keys) > 1 else row[keys[0]]
            found.update({(key, "count"): int(row["count"]), (key, "bytes"): int(row["bytes"])})
        expect(found == expected, f"{anchor}: {what} are {found}, otf2-print has {dict(expected)}")
    expect(unmatched[0] == {"what": "message", "sends": "0", "receives": "0"}, f"{anchor}: unmatched {unmatched}")
    sizes = collections.Counter()
    for row in sheets(anchor, "latency")[0]:
        sizes[int(row["bytes"])] += int(row["messages"])
    expect(sizes == collections.Counter(size for _, _, size in sent), f"{anchor}: latency knows sizes {sizes}")
    heavy = sheets(anchor, "comm", "--heavy=1/2")[0]
    most = max(want[pair, "bytes"] for pair, what in want if what == "bytes")
    expect(len(heavy) == sum(2 * want[pair, "bytes"] >= most for pair, what in want if what == "bytes"),
           f"{anchor}: heavy pairs {heavy}")
    return len(sent)


def values(anchor):
    """What rows and slices hold of an event, against otf2-print; ranks are those of the world."""
    text = run(CELLSYNC, "-q", anchor, "-o", "-")
    ours = sorted((row["thread"], int(row["time"]), row["event"], row["values"])
                  for row in csv.DictReader(line for line in text.splitlines() if not line.startswith("#")))
    theirs, names = [], {}
    for line in run("otf2-print", "-G", anchor).splitlines():
        found = re.match(r'LOCATION +(\d+) +Name: "([^"]*)"', line)
        if found:
            names[found[1]] = found[2]
    for line in run("otf2-print", anchor).splitlines():
        found = re.match(r"(MPI_\w+|LEAVE) +(\d+) +(\d+) +(.*)", line)
        if not found or found[1] == "MPI_COLLECTIVE_BEGIN":
            continue
        if found[1] == "LEAVE":
            theirs.append((names[found[2]], int(found[3]), re.search(r'Region: "([^"]*)"', found[4])[1], ""))
            continue
        said = dict(re.findall(r'(\w[\w ]*): (\w+(?: \("[^"]*"[^)]*\))?|"[^"]*" <\d+>)', found[4]))
        event, text = found[1], ""
        comm = re.search(r"<(\d+)>", said.get("Communicator", "<>"))
        peer = re.search(r'"R(\d+)\.', said.get("Sender", said.get("Receiver", "")))
        if "Length" in said:
            text = f"partner={peer[1]} tag={said['Tag']} bytes={said['Length']} communicator={comm[1]}"
        elif "Operation" in said:
            event = "MPI_" + said["Operation"]
            text = f"sent={said['Sent']} received={said['Received']} communicator={comm[1]}"
        theirs.append((names[found[2]], int(found[3]), event, text))
    expect(ours == sorted(theirs), f"{anchor}: values are {set(ours) ^ set(theirs)}")


def late(tmp):
    """By one clock, how late senders were: a receive that waits began with its call, unless a request may have been
    posted after that, which then got the earlier message."""
    head = ["resolution 1000000", "node 0 node one", "process 0 0 a", "process 1 0 b", "location 0 0 R0.0",
            "location 1 1 R1.0", "region 0 MPI_Recv", "world 0 1", "comm 0 WORLD 0 1"]
    for name, events, want in (
            ("called", ["at 0", "50 send 0 1 7 100", "at 1", "20 enter 0", "60 recv 0 0 7 100", "61 leave 0"],
             {100: ("10", "30")}),
            ("sends before", ["at 0", "50 send 0 1 7 100", "90 recv 0 1 7 8", "at 1", "20 enter 0", "21 send 0 0 7 8",
                              "60 recv 0 0 7 100", "61 leave 0"], {8: ("69", "0"), 100: ("10", "30")}),
            ("not called", ["at 0", "50 send 0 1 7 100", "at 1", "20 enter 0", "30 mark", "60 recv 0 0 7 100"],
             {100: ("10", "0")}),
            ("posted at once", ["at 0", "30 send 0 1 7 200", "31 send 0 1 7 100", "at 1", "20 post 5", "20 enter 0",
                                "60 recv 0 0 7 100", "61 leave 0", "70 irecv 0 0 7 5 200"],
             {100: ("29", "0"), 200: ("40", "10")})):
        anchor = generate(tmp / "late", head + events)
        found = {int(row["bytes"]): (row["least_ticks"], row["late_sender_ticks"])
                 for row in sheets(anchor, "latency", "--clock-per=node")[0]}
        expect(found == want, f"{name}: {found}, want {want}")


BLOCKS = [f"MPI_{name}{c}" for c in ("", "_c") for name in (
    "Send Bsend Ssend Rsend Recv Mrecv Sendrecv Sendrecv_replace Probe Mprobe Wait Waitall Waitany Waitsome").split()]
OTHERS = ["MPI_Isend", "MPI_Irecv", "MPI_Test", "MPI_Iprobe", "MPI_Recv_init", "MPI_Comm_split"]
REGIONS = BLOCKS + OTHERS + ["main", "MPI_Barrier"]
MAIN, BARRIER = REGIONS.index("main"), REGIONS.index("MPI_Barrier")


def calls_of(rng, rank, n):
    """Of a process within main: (name, enter, leave) of what it calls, (begin, end) of its barrier, and its lines."""
    clock = rng.randrange(1, 60)
    lines, calls = [f"{clock} enter {MAIN}"], [("main", clock)]
    partner = rank ^ 1
    for i in range(rng.randrange(1, 12)):
        name = ("MPI_Recv" if rank & 1 else "MPI_Send") if i == 0 else rng.choice(BLOCKS + OTHERS)
        enter = clock = clock + rng.randrange(30)
        lines.append(f"{clock} enter {REGIONS.index(name)}")
        if i == 0 and partner < n:  # it is the first event, and all are sent before any is there
            clock = 200 + rank % 2 * 100 + rng.randrange(50)
            lines.append(f"{clock} {'recv' if rank & 1 else 'send'} 0 {partner} 7 100")
        clock += rng.randrange(40)
        lines.append(f"{clock} leave {REGIONS.index(name)}")
        calls.append((name, enter, clock))
    enter, begin, end = (1500 + rng.randrange(100), 1600 + rng.randrange(100), 1700 + rng.randrange(100))
    leave, clock = 1800 + rng.randrange(50), 1850 + rng.randrange(100)
    lines += [f"{enter} enter {BARRIER}", f"{begin} begin", f"{end} end 0 0 -1 0 0", f"{leave} leave {BARRIER}",
              f"{clock} leave {MAIN}"]
    return [(*calls[0], clock), *calls[1:], ("MPI_Barrier", enter, leave)], (begin, end), lines


def waits(tmp):
    """By one clock: states, sync and profile of regions that wait, to the tick.  Neither entering a region nor that a
    collective operation begins is a record, and before the first record nothing is counted in states."""
    rng, early = random.Random(18), 0
    for i in range(40):
        n = rng.randrange(2, 6)
        lines = ["resolution 1000000", "node 0 node one", "world " + " ".join(map(str, range(n)))]
        lines += [f"process {r} 0 p{r}" for r in range(n)] + [f"location {r} {r} R{r}.0" for r in range(n)]
        lines += [f"region {k} {name}" for k, name in enumerate(REGIONS)] + ["comm 0 WORLD " + " ".join(map(str, range(n)))]
        drawn = [calls_of(rng, r, n) for r in range(n)]
        for r, (_, _, own) in enumerate(drawn):
            lines += [f"at {r}", *own]
        anchor = generate(tmp / "waits", lines)
        start = min(int(line.split()[0]) for _, _, own in drawn for line in own if not re.search(" (enter|begin)", line))
        routines, total = collections.Counter(), collections.Counter()
        states = {row["name"]: row for row in sheets(anchor, "states", "--clock-per=node")[0]}
        for r, (calls, (begin, end), own) in enumerate(drawn):
            for name, enter, leave in calls:
                routines[name, "calls"] += 1
                routines[name, "time"] += leave - enter
                total["count"] += name in BLOCKS
                total["time"] += (leave - enter) * (name in BLOCKS)
            early += sum(enter < start < leave for name, enter, leave in calls if name in BLOCKS)
            message = sum(max(leave, start) - max(enter, start) for name, enter, leave in calls if name in BLOCKS)
            found = {key: states[f"R{r}.0"][f"{key}_ticks"] for key in ("blocked_message", "blocked_barrier", "blocked")}
            want = {"blocked_message": str(message), "blocked_barrier": str(end - begin), "blocked": str(message + end - begin)}
            expect(found == want, f"waits {i}: states of R{r}.0 {found}, want {want}")
            times = {key: int(states[f"R{r}.0"][f"{key}_ticks"]) for key in ("user", "absent")}
            expect(times["user"] >= 0 and times["absent"] >= 0, f"waits {i}: R{r}.0 {times}")
        rows = {row["class"]: (int(row["count"]), int(row["time_ticks"])) for row in sheets(anchor, "sync", "--clock-per=node")[0]}
        want = {"message": (total["count"], total["time"]), "barrier": (n, sum(e - b for _, (b, e), _ in drawn))}
        expect(rows == want, f"waits {i}: sync {rows}, want {want}")
        rows = {}
        for row in sheets(anchor, "profile", "--clock-per=node")[0]:
            rows[row["routine"], "calls"], rows[row["routine"], "time"] = int(row["calls"]), int(row["cumulative_ticks"])
        expect(rows == dict(routines), f"waits {i}: profile differs by {set(rows.items()) ^ set(routines.items())}")
    expect(early > 10, f"only {early} waits began before the first record")


def again(tmp):
    """A synchronized archive is solved again with the drift and the delta of its facts, and an option overrides each."""
    lines = ["resolution 1000000000", "node 0 machine m", "node 1 machine n", "process 0 0 r0", "process 1 1 r1"]
    lines += ["location 0 0 t0", "location 1 1 t1", "region 0 main", "world 0 1", "comm 0 WORLD 0 1"]
    lines += ["at 0", "0 send 0 1 1", "5000000 recv 0 1 2", "at 1", "2000000 recv 0 0 1", "3000000 send 0 0 2"]
    anchor, out = generate(tmp / "again", lines), tmp / "synced"
    run(CELLSYNC, "-q", anchor, "--drift=50", "--delta=7", "--latency=9", "-o", out)
    for words, want in (((), ("no clock runs more than 50 ppm", "within 7 ns", "less than 9 ns")),
                        (("--drift=60",), ("no clock runs more than 60 ppm", "within 7 ns", "less than 9 ns")),
                        (("--delta=5", "--latency=0"), ("no clock runs more than 50 ppm", "within 5 ns"))):
        conditions = run(CELLSTAT, "latency", "-q", out, *words)
        expect(all(part in conditions for part in want), f"again, {words}: {conditions}")
        expect(("no message took" in conditions) == (len(want) == 3), f"again, {words}: {conditions}")


def main():
    if not shutil.which("otf2-print"):
        print("SKIPPED: otf2-print is not installed")
        return 77
    with tempfile.TemporaryDirectory() as name:
        rng, n = random.Random(16), 0
        late(pathlib.Path(name))
        waits(pathlib.Path(name))
        again(pathlib.Path(name))
        for i in range(12):
            anchor = generate(pathlib.Path(name) / f"run{i}", program(rng))
            n += check(anchor)
            if i < 4:
                values(anchor)
        print("messages as otf2-print has them:", n)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
