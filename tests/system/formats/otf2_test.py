#!/usr/bin/env python3
"""OTF2 archives, against what is known of them by other means.

Usage: otf2_test.py CELLSYNC OTF2GEN

Archives that OTF2GEN writes: known answers; random programs with clocks that are off by what was drawn, which the
bounds must contain and, as a search over all pairs of records finds, be as tight as they can be; every error.  What
otf2-print says of an archive is compared with our CSV, and programs that EZTrace records under MPICH are
synchronized; without these programs that part is skipped, and says so.
"""
import collections
import csv
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

import perfetto_test
import started

FORMATS = pathlib.Path(__file__).resolve().parent
BARRIER, BCAST, GATHER, ALLTOALLV, ALLREDUCE, REDUCE, SCAN = 0, 1, 2, 9, 11, 12, 14
INF = float("inf")
# By their own names, since Open MPI may have the plain ones.
MPICH = {name: shutil.which(f"{name}.mpich") or name for name in ("mpicc", "mpirun")}
CELLSYNC, OTF2GEN = (pathlib.Path(p).resolve() for p in sys.argv[1:3])
faults = []


def expect(good, what):
    if not good:
        faults.append(what)
        print("FAULT:", what)


def run(*words, cwd=None, code=0):
    done = started.run([str(w) for w in words], cwd=cwd, capture_output=True, text=True)
    if done.returncode != code:
        raise SystemExit(f"{words}: exit {done.returncode}, want {code}: {done.stderr}")
    return done


def generate(folder, lines):
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([OTF2GEN, folder], input="\n".join(lines) + "\n", text=True, check=True)
    return folder / "traces.otf2"


def world(n, threads=1, resolution=10**9):
    """n ranks on two nodes, of so many threads each; rank r's locations are r, 1000 + r, ..."""
    lines = [f"resolution {resolution}", "node 0 node one", "node 1 node two"]
    lines += [f"process {r} {r % 2} Rank%20{r}" for r in range(n)]
    lines += [f"location {1000 * t + r} {r} R{r}.{t}" for t in range(threads) for r in range(n)]
    lines += ["region 0 main", "region 1 inner", "world " + " ".join(map(str, range(n)))]
    return lines + ["comm 0 MPI_COMM_WORLD " + " ".join(map(str, range(n)))]


def report(anchor, *options):
    done = run(CELLSYNC, "-q", anchor, "-r", "-", "--report-format=json", *options)
    return json.loads(done.stdout)


def bounds(anchor, *options):
    """(earliest, latest) of each clock, relative to the reference; None where there is none."""
    found = {}
    for thread in report(anchor, *options)["threads"]:
        found[thread["name"]] = thread
    return found


def between(anchor, a, b, *options):
    """[least, greatest] of g[a] - g[b]."""
    found = bounds(anchor, f"--reference={a}", *options)
    tau = found[a]["offset_ticks"]
    low, high = found[b]["earliest_ticks"], found[b]["latest_ticks"]
    return (None if high is None else tau - high, None if low is None else tau - low)


def known_answers(tmp):
    send = ["at 0", "10 send 0 1 7", "at 1", "100 recv 0 0 7"]
    back = ["at 0", "10 send 0 1 7", "30 recv 0 1 8", "at 1", "100 recv 0 0 7", "105 send 0 0 8"]
    cases = [
        ("a message", world(2) + send, (None, 91)),
        ("there and back", world(2) + back, (74, 91)),
        ("raw stamps", world(2) + ["at 0", "offset 0 5000", "offset 9 5000"] + back, (74, 91)),
        # The receive that was posted first got the first message, though it completed last.
        ("posting", world(2) + ["at 0", "10 isend 0 1 7 1", "90 isend 0 1 7 2",
                                "at 1", "20 post 5", "21 post 6", "200 irecv 0 0 7 6", "300 irecv 0 0 7 5"],
         (None, 111)),
        # Whatever a request got that never completed, those posted later got the first message, or later ones.
        ("a lost request", world(2) + ["at 0", "10 send 0 1 7", "90 send 0 1 7", "95 send 0 1 7",
                                       "at 1", "20 post 9", "21 post 5", "22 post 6", "200 irecv 0 0 7 6",
                                       "300 irecv 0 0 7 5"], (None, 111)),
        ("a cancelled one", world(2) + ["at 0", "10 send 0 1 7", "90 send 0 1 7", "at 1", "20 post 9", "21 post 5",
                                        "22 post 6", "23 cancel 9", "200 irecv 0 0 7 6", "300 irecv 0 0 7 5"],
         (None, 111)),
        # Two threads send: the k-th earliest send is before the k-th earliest completion.
        ("threads", world(2, 2) + ["at 0", "50 send 0 1 7", "at 1000", "10 send 0 1 7", "at 1",
                                   "100 recv 0 0 7", "at 1001", "120 recv 0 0 7"], (None, 71)),
        ("a send was missed", world(2) + back + ["at 0", "40 send 0 1 9", "at 1", "110 recv 0 0 9", "120 recv 0 0 9"],
         (74, 91)),
        ("a barrier", world(2) + ["at 0", "10 begin", f"50 end {BARRIER} 0 -1 0 0", "at 1", "100 begin",
                                  f"160 end {BARRIER} 0 -1 0 0"], (49, 151)),
        ("a rank is missing", world(3) + ["at 0", "10 begin", f"50 end {BARRIER} 0 -1 0 0", "at 1", "100 begin",
                                          f"160 end {BARRIER} 0 -1 0 0"], (49, 151)),
        ("a rank of a hub is missing", world(4) + ["at 0", "10 begin", f"50 end {BARRIER} 0 -1 0 0", "at 1", "100 begin",
                                                   f"160 end {BARRIER} 0 -1 0 0", "at 2", "0 begin",
                                                   f"1000 end {BARRIER} 0 -1 0 0"], (49, 151)),
        ("a broadcast", world(2) + ["at 0", "10 begin", f"50 end {BCAST} 0 0 8 8", "at 1", "100 begin",
                                    f"160 end {BCAST} 0 0 8 8"], (None, 151)),
        ("a reduction", world(2) + ["at 0", "10 begin", f"50 end {REDUCE} 0 0 8 8", "at 1", "100 begin",
                                    f"160 end {REDUCE} 0 0 8 8"], (49, None)),
        ("no bytes", world(2) + ["at 0", "10 begin", f"50 end {ALLREDUCE} 0 -1 8 0", "at 1", "100 begin",
                                 f"160 end {ALLREDUCE} 0 -1 0 8"], (None, 151)),
        ("a scan", world(2) + ["at 0", "10 begin", f"50 end {SCAN} 0 -1 8 8", "at 1", "100 begin",
                               f"160 end {SCAN} 0 -1 8 8"], (None, 151)),
        ("who sent to whom", world(2) + ["at 0", "10 begin", f"50 end {ALLTOALLV} 0 -1 8 8", "at 1", "100 begin",
                                         f"160 end {ALLTOALLV} 0 -1 8 8"], (None, None)),
        # Operations that do not wait are counted as they began: the second one ends first.
        ("requests", world(2) + ["at 0", "10 request 1", "20 request 2", f"40 complete {ALLREDUCE} 0 -1 8 8 2",
                                 f"50 complete {BARRIER} 0 -1 0 0 1", "at 1", "100 request 1", "110 request 2",
                                 f"150 complete {BARRIER} 0 -1 0 0 1", f"170 complete {ALLREDUCE} 0 -1 8 8 2"],
         (69, 141)),
        # The one that never completed may have been the barrier.
        ("a lost operation", world(2) + back + ["at 0", "40 request 3", "42 request 4", f"50 complete {BARRIER} 0 -1 0 0 4",
                                                "at 1", "110 request 3", f"111 complete {BARRIER} 0 -1 0 0 3"],
         (74, 91)),
        ("they differ", world(2) + back + ["at 0", "40 begin", f"50 end {ALLREDUCE} 0 -1 8 8", "at 1", "200 begin",
                                           f"260 end {BARRIER} 0 -1 0 0"], (74, 91)),
        # Communicators of two ranks of three, whose rank 0 is another one.
        ("ranks", world(3) + ["comm 3 pair 2 1", "at 2", "10 send 3 1 7", "at 1", "100 recv 3 0 7", "105 send 3 0 8",
                              "at 2", "30 recv 3 1 8"], None),
    ]
    for name, lines, want in cases:
        anchor = generate(tmp / "known", lines)
        if want:
            got = between(anchor, "Rank 0", "Rank 1")
            expect(got == want, f"{name}: g[0] - g[1] in {got}, want {want}")
        else:
            got = between(anchor, "Rank 2", "Rank 1")
            expect(got == (74, 91), f"{name}: g[2] - g[1] in {got}, want (74, 91)")
    anchor = generate(tmp / "known", world(3) + ["at 0", "10 send 0 1 7", "at 1", "100 recv 0 0 7", "105 send 0 2 7",
                                                 "at 2", "20 recv 0 1 7"])
    expect(set(bounds(anchor)) == {"Rank 0", "Rank 1", "Rank 2"}, "a clock a process")
    expect(set(bounds(anchor, "--clock-per=node")) == {"one", "two"}, "a clock a node")
    expect(set(bounds(anchor, "--clock-per=location")) == {"R0.0", "R1.0", "R2.0"}, "a clock a location")
    print("known answers:", len(cases))


def rates(tmp):
    """Clocks of several hosts: every output says that equal rates are assumed, and what 100 ppm come to, unless drift is allowed for."""
    there, back = ["at 0", "10 send 0 1 7", "3000010 recv 0 1 8"], ["at 1", "100 recv 0 0 7", "3000000 send 0 0 8"]
    anchor = generate(tmp / "rates", world(2) + there + back)
    want = "bounds assume that the clocks of all 2 hosts run at equal rates; a difference of 100 ppm, which is common between crystals, " \
        "adds up to 300 ns in this trace; pass --drift=101 to allow for this difference"
    said = run(CELLSYNC, anchor, "-r", tmp / "rates.txt").stderr
    expect(said == f"cellsync: warning: {anchor}: {want}\n", f"several hosts: {said}")
    expect(f"\nwarning     {want}\n" in (tmp / "rates.txt").read_text(), "several hosts: text")
    expect(report(anchor)["warnings"] == [want], "several hosts: JSON")
    for name, options in (("rates.json", ["-o"]), ("rates.pftrace", ["-o"]), ("rates.ctf", ["-o"]), ("rates.html", ["-r"]),
                          ("rates.dot", ["--graph-of=bounds", "--graph"])):
        run(CELLSYNC, "-q", anchor, *options, tmp / name)
        written = tmp / name / "metadata" if name.endswith("ctf") else tmp / name
        expect(want.encode() in written.read_bytes(), f"several hosts: {name}")
    stat = run(CELLSYNC.with_name("cellstat"), "latency", anchor)
    expect(want in stat.stdout and want in stat.stderr, "several hosts: cellstat")
    for what, lines, options in (("drift is allowed for", world(2) + there + back, ["--drift=101"]),
                                 ("one host", [line.replace("process 1 1", "process 1 0") for line in world(2)] + there + back, []),
                                 ("below a tick", world(2) + [line.replace("30000", "96") for line in there + back], []),
                                 ("no bounds", world(2) + there + back, ["--method=lamport"])):
        found = report(generate(tmp / "rates", lines), *options)["warnings"]
        expect(not any("equal rates" in text for text in found), f"{what}: {found}")


def accelerators(tmp):
    """A GPU has a clock of its own, which its tracer converted: a condition in every output, unless each location has a clock."""
    there, back = ["at 0", "10 send 0 1 7", "200 recv 0 1 8"], ["at 1", "100 recv 0 0 7", "105 send 0 0 8"]
    gpus = [f"accelerator {50 + gpu} 0 0 GPU%20{gpu}" for gpu in range(2)] + [f"location {900 + gpu} {50 + gpu} S{gpu}" for gpu in range(2)]
    said = ["the tracer converted the timestamps of 1 accelerator location to the clock of its process without error; if not, pass "
            "--clock-per=location", "the tracer converted the timestamps of 2 accelerator locations to the clocks of their processes "
            "without error; if not, pass --clock-per=location"]
    lines = world(2)
    for n, want in ((1, said[0]), (2, said[1])):
        anchor = generate(tmp / "gpus", lines + gpus[:n] + gpus[2:2 + n] + there + back +
                          [line for gpu in range(n) for line in (f"at {900 + gpu}", "20 enter 1", "30 leave 1")])
        expect(report(anchor)["conditions"][1:] == [want], f"accelerators: JSON: {report(anchor)['conditions']}")
        expect(not any("accelerator" in text for text in report(anchor, "--clock-per=location")["conditions"]), "accelerators: own clocks")
    for name, options in (("gpus.txt", ["-r"]), ("gpus.html", ["-r"]), ("gpus.json", ["-o"]), ("gpus.pftrace", ["-o"]), ("gpus.dot", ["--graph-of=bounds", "--graph"])):
        run(CELLSYNC, "-q", anchor, *options, tmp / name)
        expect(want.encode() in (tmp / name).read_bytes(), f"accelerators: {name}")
    row = run(CELLSYNC, "-q", anchor, "--table", "-r", "-", "--report-format=csv").stdout.splitlines()[1]
    expect(row.endswith("stamps converted"), f"accelerators: table: {row}")
    expect(want in run(CELLSYNC.with_name("cellstat"), "latency", anchor).stdout, "accelerators: cellstat")


class Program:
    """A random run of ranks whose clocks are off; what it records, and which record is before which."""

    def __init__(self, rng):
        self.n = rng.randint(2, 4)
        self.offset = [rng.randint(-1000, 1000) for _ in range(self.n)]
        self.lines = [[] for _ in range(self.n)]
        self.points = []    # (rank, local time) of each begin or end that matters
        self.edges = []     # pairs of points
        self.free = [1000] * self.n
        self.last = [None] * self.n
        for _ in range(rng.randint(4, 14)):
            rng.choice([self.message, self.message, self.exchange, self.collective])(rng)

    def point(self, rank, at):
        """Records come one after the other."""
        self.points.append((rank, at + self.offset[rank]))
        p = len(self.points) - 1
        if self.last[rank] is not None:
            self.edges.append((self.last[rank], p))
        self.last[rank] = p
        return p

    def local(self, rank, at):
        return at + self.offset[rank]

    def step(self, rng, rank, after=0):
        self.free[rank] = max(self.free[rank], after) + rng.randint(1, 40)
        return self.free[rank]

    def message(self, rng):
        a, b = rng.sample(range(self.n), 2)
        sent = self.step(rng, a)
        p = self.point(a, sent)
        self.lines[a].append(f"{self.local(a, sent)} send 0 {b} 1")
        got = self.step(rng, b, sent)
        self.lines[b].append(f"{self.local(b, got)} recv 0 {a} 1")
        self.edges.append((p, self.point(b, got)))

    def exchange(self, rng):
        """Several messages, received by requests that complete in another order than they were posted."""
        a, b = rng.sample(range(self.n), 2)
        k = rng.randint(2, 4)
        requests = rng.sample(range(1, 9), k)
        for r in requests:
            at = self.step(rng, b)
            self.lines[b].append(f"{self.local(b, at)} post {r}")
        sends = []
        for r in requests:
            at = self.step(rng, a)
            self.lines[a].append(f"{self.local(a, at)} isend 0 {b} 2 {r}")
            sends.append(self.point(a, at))
        done = list(range(k))
        rng.shuffle(done)
        for i in done:
            at = self.step(rng, b, self.free[a])
            self.lines[b].append(f"{self.local(b, at)} irecv 0 {a} 2 {requests[i]}")
            self.edges.append((sends[i], self.point(b, at)))

    def collective(self, rng):
        kind = rng.choice([BARRIER, BCAST, GATHER, ALLREDUCE, SCAN])
        root = rng.randrange(self.n) if kind in (BCAST, GATHER) else -1
        ranks = range(self.n)
        begun = {r: self.step(rng, r) for r in ranks}
        begins = {r: self.point(r, begun[r]) for r in ranks}
        for r in ranks:
            done = self.step(rng, r, max(begun.values()))
            end = self.point(r, done)
            self.lines[r] += [f"{self.local(r, begun[r])} begin",
                              f"{self.local(r, done)} end {kind} 0 {root} {0 if kind == BARRIER else 8} 8"]
            for s in ranks:
                before = {BARRIER: True, ALLREDUCE: True, BCAST: s == root and r != root,
                          GATHER: r == root and s != root, SCAN: s <= r}[kind]
                if before and s != r:
                    self.edges.append((begins[s], end))

    def write(self):
        lines = world(self.n)
        for r in range(self.n):
            lines += [f"at {r}", f"0 mark"] + self.lines[r]
        return lines

    def limits(self):
        """Greatest g[s] - g[t], by all pairs of points of which one is before the other; 2 delta is 1."""
        count = len(self.points)
        after = [[] for _ in range(count)]
        for p, q in self.edges:
            after[p].append(q)
        w = [[0 if s == t else INF for t in range(self.n)] for s in range(self.n)]
        for p in range(count):
            seen, rest = {p}, [p]
            while rest:
                for q in after[rest.pop()]:
                    if q not in seen:
                        seen.add(q)
                        rest.append(q)
            s, low = self.points[p]
            for q in seen - {p}:
                t, high = self.points[q]
                if s != t:
                    w[s][t] = min(w[s][t], high - low + 1)
        for k in range(self.n):
            for s in range(self.n):
                for t in range(self.n):
                    w[s][t] = min(w[s][t], w[s][k] + w[k][t])
        return w


def random_programs(tmp, runs):
    rng = random.Random(16)
    for i in range(runs):
        program = Program(rng)
        if len({r for r, _ in program.points}) < 2:
            continue
        anchor = generate(tmp / "random", program.write())
        w = program.limits()
        found = bounds(anchor, "--reference=Rank 0")
        g = [found[f"Rank {r}"]["offset_ticks"] for r in range(program.n)]
        for r in range(1, program.n):
            thread = found[f"Rank {r}"]
            low, high = thread["earliest_ticks"], thread["latest_ticks"]
            want_low = None if w[0][r] == INF else g[0] - w[0][r]
            want_high = None if w[r][0] == INF else g[0] + w[r][0]
            expect((low, high) == (want_low, want_high),
                   f"run {i}: rank {r} in {(low, high)}, want {(want_low, want_high)}")
            true = g[0] + program.offset[0] - program.offset[r]
            expect((low is None or low <= true) and (high is None or true <= high), f"run {i}: truth outside")
    print("random programs:", runs)


def printed(anchor):
    """What otf2-print says: (location, raw time, name) of each event that is one of ours."""
    events, stacks, begins = [], {}, {}
    done = run("otf2-print", anchor)
    for line in done.stdout.splitlines():
        found = re.match(r"([A-Z_]+) +(\d+) +(\d+)  ?(.*)", line)
        if not found:
            continue
        kind, location, time, rest = found[1], found[2], int(found[3]), found[4]
        name = kind
        begin = None
        if kind == "ENTER":
            stacks.setdefault(location, []).append(time)
            continue
        if kind == "MPI_COLLECTIVE_BEGIN":
            begins[location] = time
            continue
        if kind == "LEAVE":
            name = re.search(r'Region: "([^"]*)"', rest)[1]
            begin = stacks[location].pop()
        elif kind == "MPI_COLLECTIVE_END":
            name = "MPI_" + re.search(r"Operation: (\w+)", rest)[1]
            begin = begins[location]
        events.append((location, time, name, begin))
    return events


def compare_printed(anchor, thread_of):
    """Our CSV has the same events, by their raw stamps; only without ClockOffset records may that be compared."""
    done = run(CELLSYNC, "-q", anchor, "-o", "-")
    rows = csv.DictReader(line for line in done.stdout.splitlines() if not line.startswith("#"))
    ours = sorted((row["thread"], int(row["time"]), row["event"], row["begin"]) for row in rows)
    theirs = sorted((thread_of[location], time, name, "" if begin is None else str(begin))
                    for location, time, name, begin in printed(anchor))
    expect(ours == theirs, f"{anchor}: our CSV has other events than otf2-print")
    return len(ours)


def printing(tmp):
    if not shutil.which("otf2-print"):
        print("SKIPPED: otf2-print is not installed")
        return
    rng = random.Random(7)
    program = Program(rng)
    lines = []
    for line in program.write():
        lines.append(line)
        if line == "0 mark":
            lines += ["1 enter 0", "2 enter 1", "3 leave 1", "4 leave 0"]
    anchor = generate(tmp / "printed", lines)
    n = compare_printed(anchor, {str(r): f"R{r}.0" for r in range(program.n)})
    print("events as otf2-print has them:", n)


def outputs(tmp):
    """Names of regions are in every format."""
    lines = world(2) + ["at 0", "5 enter 0", "10 send 0 1 7", "12 leave 0", "at 1", "90 enter 0", "100 recv 0 0 7"]
    anchor = generate(tmp / "outputs", lines)
    run(CELLSYNC, "-q", anchor, "-o", tmp / "o.json")
    document = json.loads((tmp / "o.json").read_text())
    names = [event["name"] for event in document["traceEvents"]]
    expect(names.count("main") >= 2, "regions are in JSON")
    expect("MPI_SEND" in names and "MPI_RECV" in names, "messages are in JSON")
    sends = [event["args"]["values"] for event in document["traceEvents"] if event["name"] == "MPI_SEND" and "args" in event]
    expect("partner=1 tag=7 bytes=8 communicator=0" in sends, f"lengths of messages are in JSON: {sends}")
    run(CELLSYNC, "-q", anchor, "-o", tmp / "o.pftrace")
    expect(b"main" in (tmp / "o.pftrace").read_bytes(), "regions are in a Perfetto trace")
    run(CELLSYNC, "-q", anchor, "-o", tmp / "o", "--to=ctf")
    expect(any(b"main" in path.read_bytes() for path in (tmp / "o").iterdir()), "regions are in CTF")
    rows = [line for line in run(CELLSYNC, "-q", anchor, "-o", "-").stdout.splitlines() if ",main," in line]
    expect(len(rows) == 2 and rows[1].startswith("R1.0,100,") and rows[1].split(",")[6:8] == ["90", ""],
           f"a region that is not left ends with its location: {rows}")
    profile = run(str(pathlib.Path(CELLSYNC).with_name("cellstat")), "profile", anchor, "-q", "--format=csv").stdout
    expect(re.search(r"^main,(?:[^,]*,){2}2,", profile, re.M), f"regions are calls of routines: {profile}")
    done = run(CELLSYNC, anchor, "-o", tmp / "o.pex", code=2)
    expect(done.stderr == f"cellsync: {anchor}: an OTF2 archive cannot be written as .pex; "
           "write a CSV instead\n", f"no .pex: {done.stderr}")
    for workers in ("--threads=1", "--threads=2"):
        run(CELLSYNC, "-q", anchor, "-o", tmp / f"w{workers[-1]}.json", workers)
    expect((tmp / "w1.json").read_bytes() == (tmp / "w2.json").read_bytes(), "the same bytes by two workers")


def viewers(tmp):
    """babeltrace2, and whatever reads trace events or Perfetto's, see the events of our CSV by the names of regions."""
    rng = random.Random(9)
    program = Program(rng)
    lines = []
    for line in program.write():
        lines += [line] + ["1 enter 0", "2 enter 1", "3 leave 1", "4 leave 0"] * (line == "0 mark")
    regions = ["region 0 std::map<int,%20f>::at()", 'region 1 "quoted"%20\\\\and%20é']
    anchor = generate(tmp / "viewers", [next((r for r in regions if line.startswith(r[:9])), line) for line in lines])
    for name in ("v.csv", "v.json", "v.pftrace"):
        run(CELLSYNC, "-q", anchor, "-o", tmp / name)
    text = (tmp / "v.csv").read_text()
    rows = list(csv.DictReader(line for line in text.splitlines() if not line.startswith("#")))
    want = collections.Counter((row["thread"], row["event"], int(row["global_begin"] or row["global_time"]),
                                int(row["global_time"]), bool(row["begin"])) for row in rows)
    expect({name for _, name, *_ in want} >= {"std::map<int, f>::at()", '"quoted" \\\\and é'}, f"names of regions: {want}")
    document = json.loads((tmp / "v.json").read_text())
    threads = {event["tid"]: event["args"]["name"] for event in document["traceEvents"] if event["name"] == "thread_name"}
    got = collections.Counter((threads[event["tid"]], event["name"], event["args"].get("begin_ticks", event["args"]["ticks"]),
                               event["args"]["ticks"], event["ph"] == "X")
                              for event in document["traceEvents"] if event.get("cat") == "row")
    expect(got == want, f"events in JSON: {got - want}, want {want - got}")
    if shutil.which("protoc"):
        packets = subprocess.run(["protoc", "--decode=perfetto.protos.Trace", f"-I{FORMATS}", FORMATS / "perfetto.proto"],
                                 stdin=open(tmp / "v.pftrace", "rb"), capture_output=True, check=True).stdout.decode()
        slices = perfetto_test.Viewer(perfetto_test.parse(packets)["packet"]).drawn()[0]
        got = collections.Counter(name for _, _, _, category, name, _ in slices if category == "row")
        names = collections.Counter()
        for (_, name, _, _, interval), count in want.items():
            names[name] += count * interval
        expect(got == +names, f"slices of Perfetto: {got}, want {names}")
    else:
        print("SKIPPED: slices of Perfetto, since protoc is not installed")
    if not shutil.which("babeltrace2"):
        print("SKIPPED: CTF, since babeltrace2 is not installed")
        return
    run(CELLSYNC, "-q", anchor, "-o", tmp / "v", "--to=ctf")
    done = run("babeltrace2", "--clock-cycles", "--no-delta", "--fields=all", "--names=all", tmp / "v")
    got = collections.Counter()
    for name, fields in re.findall(r"trace = , , name = (.*), stream\.packet.*stream\.event\.context = \{ (.*?) \}, ",
                                   done.stdout):
        found = dict(re.findall(r'(\w+) = ("[^"]*"|-?\d+)', fields))
        end, interval = int(found["global"]), found["interval"] == "1"
        got[found["thread"][1:-1], name, int(found["begin"]) if interval else end, end, interval] += name != "clock"
    expect(+got == want, f"events that babeltrace2 reads: {+got - want}, want {want - got}")
    print("events as viewers have them:", len(rows))


def refused(anchor, want, *options, code=1):
    done = run(CELLSYNC, "-q", anchor, *options, code=code)
    expect(done.stderr == f"cellsync: {want}\n", f"want {want!r}, got {done.stderr!r}")


def salvaged(tmp):
    """A location ends at its first bad chunk; the others are there."""
    many = 60000
    lines = world(3) + ["at 0", "10 send 0 1 7", "30 recv 0 1 8", "at 1", "100 recv 0 0 7", "105 send 0 0 8", "at 2"]
    anchor = generate(tmp / "cut", lines + [f"{i} mark" for i in range(many)])
    event_file = tmp / "cut" / "traces" / "2.evt"
    whole = bytearray(event_file.read_bytes())
    chunk = 256 * 1024
    whole[chunk:chunk + 16] = b"\xff" * 16
    event_file.write_bytes(whole)
    done = run(CELLSYNC, "-q", anchor, code=1)
    found = re.fullmatch(re.escape(f"cellsync: {event_file}: event ") + r"(\d+): offset 262144: this is not a chunk header \(see "
                         r"--salvage\)\n", done.stderr)
    expect(found and 1000 < int(found[1]) < many, f"a bad chunk: {done.stderr!r}")
    done = run(CELLSYNC, anchor, "--salvage", "-r", tmp / "cut.json")
    expect(f"event {found[1]}: offset 262144: this is not a chunk header" in done.stderr, f"--salvage says where it ends: {done.stderr!r}")
    expect("(see --salvage)" not in done.stderr, f"it does not ask for what is given: {done.stderr!r}")
    threads = json.loads((tmp / "cut.json").read_text())["threads"]
    expect([t["records"] for t in threads] == [2, 2, int(found[1])], f"what is salvaged: {threads}")
    definitions = tmp / "cut" / "traces" / "2.def"
    definitions.write_bytes(b"\xff" * 64)
    done = run(CELLSYNC, anchor, "--salvage", "-r", tmp / "cut.json")
    expect(f"{definitions}: the definitions of the archive cannot be read" in done.stderr, f"the file is named: {done.stderr!r}")
    threads = json.loads((tmp / "cut.json").read_text())["threads"]
    expect([t["records"] for t in threads] == [2, 2], f"without a location's definitions: {threads}")


def cut_off(tmp):
    """A file that ends anywhere: what is salvaged are the events before that, however it is read, each time the same."""
    rng = random.Random(12)
    many, chunk = 30000, 256 * 1024
    lines = world(2) + ["at 0", "5 recv 1 0 8", "10 send 1 0 7", "at 1", "4 send 0 0 8", "11 recv 0 0 7"]
    for count in (40, many):
        anchor = generate(tmp / "ends", lines + [f"{12 + i} mark" for i in range(count)])
        event_file = tmp / "ends" / "traces" / "1.evt"
        whole = event_file.read_bytes()
        expect((len(whole) > chunk) == (count == many) and whole[-1] == 1, f"as libotf2 writes: {len(whole)} {whole[-9:]}")
        sizes = [rng.randrange(1, len(whole)) for _ in range(6)] + [len(whole) - n for n in (1, 2, 3, 20)] + [17, 18]
        last = 0
        for size in sorted(sizes + [chunk, chunk + 1, chunk + 18] * (count == many)):
            event_file.write_bytes(whole[:size])
            refusal = run(CELLSYNC, "-q", anchor, code=1).stderr
            found = re.fullmatch(re.escape(f"cellsync: {event_file}: event ") + r"(\d+): the file was cut off \(see --salvage\)\n",
                                 refusal)
            expect(found and last <= int(found[1]) <= count + 2, f"cut off at {size} after {last}: {refusal!r}")
            last = int(found[1])
            for options in ([], ["--drift=50"]):
                json_file = tmp / "ends.json"
                done = started.run([CELLSYNC, anchor, "--salvage", "-r", json_file, *options], capture_output=True, text=True)
                if last < 2:  # nothing orders the clocks
                    continue
                expect(done.returncode == 0 and f"event {last}: the file was cut off" in done.stderr, f"{size}: {done}")
                threads = json.loads(json_file.read_text())["threads"]
                expect([t["records"] for t in threads] == [2, last], f"whole at {size}: {last} {threads}")
        expect(last == count + 2, f"all events, and no end: {last}")
        for size in (chunk + 18, chunk + 1000, len(whole) - 1) if count == many else ():
            event_file.write_bytes(whole[:size])
            told = run(CELLSYNC, "-q", anchor, code=1).stderr
            for number in (0, 2**40):
                event_file.write_bytes(whole[:10] + number.to_bytes(8, "little") + whole[18:size])
                expect(run(CELLSYNC, "-q", anchor, code=1).stderr == told, f"a chunk that says it has {number} events: {told}")


def errors(tmp):
    good = world(2) + ["at 0"] + [f"{10 + i} send 0 1 7" for i in range(9)] + ["at 1"] + \
        [f"{100 + i} recv 0 0 7" for i in range(9)]
    folder = tmp / "bad"
    anchor = generate(folder, good)
    told = [run(CELLSYNC, "-q", path, "-r", "-", "--report-format=csv").stdout for path in (anchor, folder)]
    expect(told[0] == told[1] and told[0].count("\n") > 1, f"a folder is read by its traces.otf2: {told}")
    event_file = folder / "traces" / "1.evt"
    whole = event_file.read_bytes()
    event_file.write_bytes(b"\xff" * 64 + whole[64:])
    refused(anchor, f"{event_file}: event 0: offset 0: this is not a chunk header (see --salvage)")
    event_file.write_bytes(whole)
    definitions = folder / "traces" / "1.def"
    definitions.write_bytes(b"\xff" * 64)
    refused(anchor, f"{definitions}: the definitions of the archive cannot be read: offset 0: this is not a chunk header (see --salvage)")
    definitions.unlink()
    event_file.unlink()
    refused(anchor, f"{event_file}: the events of R1.0 cannot be read: No such file or directory (see --salvage)")
    salvaged(tmp)
    cut_off(tmp)
    anchor.write_bytes(b"nothing\n")
    refused(anchor, f"{anchor}: this anchor file cannot be read: this is not an anchor file")
    anchor = generate(folder, good)
    whole = anchor.read_bytes()
    anchor.write_bytes(whole[:12] + (1 << 25).to_bytes(8, "little") + whole[20:])
    refused(anchor, f"{anchor}: the chunks of the archive have 33554432 and 262144 bytes, expected at most 2^24")
    anchor = generate(folder, good)
    shutil.rmtree(folder / "traces")
    refused(anchor, f"{folder}/traces/0.evt: the events of R0.0 cannot be read: No such file or directory (see --salvage)")
    refused(anchor, f"{anchor}: the archive has no messages between its 2 clocks and no collective operations, "
            "so the clocks cannot be compared; found 0 sends, 0 completed receives, and 0 posted receives", "--salvage")
    anchor = generate(folder, good)
    (folder / "traces.def").unlink()
    done = run(CELLSYNC, "-q", anchor, code=1)
    expect(done.stderr.startswith(f"cellsync: {anchor}: ") and done.stderr.count("\n") == 1, done.stderr)
    refused(generate(folder, world(2, resolution=0) + good[len(world(2)):]),
            f"{anchor}: the clocks of the archive have 0 ticks per second, expected 1 to 2^63 - 1")
    refused(generate(folder, ["resolution 1000"]), f"{anchor}: the archive has no locations")
    refused(generate(folder, world(2) + ["at 0", "10 isend 0 1 7 1", "at 1", "20 post 5"]),
            f"{anchor}: the archive has no messages between its 2 clocks and no collective operations, "
            "so the clocks cannot be compared; found 1 sends, 0 completed receives, and 1 posted receives (EZTrace 2.0 does not record the completion of MPI_Irecv; celltrace and Score-P do)")
    refused(generate(folder, world(2) + ["at 0", "9223372036854775808 send 0 1 7"]),
            f"{folder}/traces/0.evt: event 0: the timestamp is 2^63 ticks or more")
    done = started.run([CELLSYNC, "--from=otf2", "-"], input="x", capture_output=True, text=True)
    expect(done.returncode == 2 and done.stderr == "cellsync: -: an OTF2 archive consists of several files; give the name of its anchor file, NAME.otf2\n", done.stderr)
    plain = tmp / "plain.csv"
    plain.write_text("thread,time\na,1\n")
    refused(plain, f"{plain}: --clock-per requires an OTF2 archive", "--clock-per=node", code=2)


def hostile(tmp):
    """Files that libotf2 must not see: it would write or read beyond its memory, go deeper and deeper, or wait."""
    good = world(2) + ["at 0", "10 send 0 1 7", "at 1", "100 recv 0 0 7"]
    folder = tmp / "hostile"
    anchor = generate(folder, good)
    traces, definitions, events = folder / "traces", folder / "traces.def", folder / "traces" / "0.evt"
    whole = {path: path.read_bytes() for path in (anchor, definitions, events)}

    def changed(path, bad, want):
        path.write_bytes(bad)
        refused(anchor, f"{want}")
        path.write_bytes(whole[path])

    # A group of 2^24 members and more: libotf2 reads 128 MiB beyond its chunk.
    old = whole[definitions]
    at = old.index(bytes([18]), old.index(b"world\0"))
    group = bytes([18, 14, 1, 0, 0, 0, 4, 1, 4, 0, 1, 0, 0, 0, 0, 0])
    changed(definitions, old[:at] + group + old[at:], f"{anchor}: the definitions of the archive cannot be read: offset {at}: "
            "a field goes beyond the end of its record")
    # 2^31 + 1 properties: libotf2 makes room for one.
    old = whole[anchor]
    count = old.index(b"\0\0\0", 46) + 3
    changed(anchor, old[:count] + (2**31 + 1).to_bytes(4, "little") + b"A::B\0x\0" * 9 + old[count + 4:],
            f"{anchor}: this anchor file cannot be read: the archive has more than 1024 properties")
    changed(anchor, old[:28] + b"\3" + old[29:],
            f"{anchor}: this anchor file cannot be read: the events of the archive are not in plain files")
    changed(anchor, old[:29] + b"\2" + old[30:], f"{anchor}: this anchor file cannot be read: the files of the archive are compressed")
    # Attributes of no event, one after the other: libotf2 calls itself for each.
    old = whole[events]
    changed(events, old[:18] + b"\6\1\0" * 60000 + old[18:],
            f"{events}: event 0: offset 21: no event follows its attributes (see --salvage)")
    changed(events, old[:27] + b"\6\5\4\xff\xff\xff\x7f" + old[27:],
            f"{events}: event 0: offset 27: an event has more than 1024 attributes (see --salvage)")
    # Opening a pipe would wait for a writer.
    local = traces / "1.def"
    local.unlink()
    os.mkfifo(local)
    refused(anchor, f"{local}: the definitions of the archive cannot be read: offset 0: this is not a regular file (see --salvage)")
    local.unlink()
    run(CELLSYNC, "-q", anchor, "-r", "/dev/null")


def mutations(tmp, runs):
    """Files with other bytes: no crash, and where it is refused one line says why."""
    rng = random.Random(3)
    folder = tmp / "mutated"
    refusals = 0
    anchor = generate(folder, Program(rng).write())
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    whole = {path: path.read_bytes() for path in files}
    for i in range(runs):
        path = rng.choice(files)
        bad = bytearray(whole[path])
        for _ in range(rng.randint(1, 4)):
            bad[rng.randrange(len(bad))] = rng.randrange(256)
        path.write_bytes(bad[:rng.randint(0, len(bad))] if rng.random() < 0.3 else bad)
        done = started.run([CELLSYNC, "-q", anchor, "-r", "/dev/null", "--max-memory=1G"], capture_output=True,
                           text=True, timeout=60)
        refusals += done.returncode != 0
        expect(done.returncode in (0, 1, 3), f"mutation {i} of {path.name}: exit {done.returncode}: {done.stderr}")
        expect(done.returncode != 1 or done.stderr.count("\n") == 1, f"mutation {i}: {done.stderr!r}")
        path.write_bytes(whole[path])
    print(f"mutations: {runs}, of which {refusals} were refused")


RING = """
#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, size, x = 0, y = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    for (int i = 0; i < 5; i++) {
        if (rank == 0)
            MPI_Send(&x, 1, MPI_INT, next, 7, MPI_COMM_WORLD);
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank != 0)
            MPI_Send(&x, 1, MPI_INT, next, 7, MPI_COMM_WORLD);
    }
    for (int i = 0; i < 5; i++) { /* a stencil: to the left and to the right */
        MPI_Send(&x, 1, MPI_INT, next, 1, MPI_COMM_WORLD);
        MPI_Send(&x, 1, MPI_INT, before, 2, MPI_COMM_WORLD);
        MPI_Recv(&y, 1, MPI_INT, before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&y, 1, MPI_INT, next, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""


def eztrace(tmp, ranks=4):
    missing = [program for program in ("mpicc", "mpirun", "eztrace") if not shutil.which(MPICH.get(program, program))]
    if missing:
        print("SKIPPED: a program recorded by EZTrace under MPICH, since not installed:", *missing)
        return
    (tmp / "ring.c").write_text(RING)
    run(MPICH["mpicc"], "ring.c", "-o", "ring", cwd=tmp)
    done = subprocess.run(["timeout", "100", MPICH["mpirun"], "-n", str(ranks), "eztrace", "-t", "mpich", "./ring"], cwd=tmp,
                          capture_output=True, text=True)
    anchor = tmp / "ring_trace" / "eztrace_log.otf2"
    if done.returncode != 0 or not anchor.exists():
        print("SKIPPED: EZTrace recorded nothing:", done.stderr[-400:])
        return
    found = report(anchor)
    expect(found["matched"]["messages"] == 5 * ranks + 10 * ranks, f"messages of a ring: {found['matched']}")
    expect(found["delta"]["ticks"] == "1/2" and found["delta"]["largest_inversion_ticks"] <= 1,
           f"receives before their sends: {found['delta']}")
    print("recorded by EZTrace:", found["matched"]["messages"], "messages;",
          compare_printed(anchor, {str(536870911 * r): f"P#{r}T#0" for r in range(ranks)}), "events")


def main():
    with tempfile.TemporaryDirectory() as name:
        tmp = pathlib.Path(name).resolve()
        known_answers(tmp)
        rates(tmp)
        accelerators(tmp)
        random_programs(tmp, 60)
        printing(tmp)
        outputs(tmp)
        viewers(tmp)
        errors(tmp)
        hostile(tmp)
        mutations(tmp, 150)
        eztrace(tmp)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
