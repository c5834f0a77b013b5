#!/usr/bin/env python3
"""Runs of MPI programs under the recorder, held against what they say of their messages and what was hidden of their
clocks.

Usage: mpi_test.py CELLSYNC CELLTRACE MPI_TRACED mpich|openmpi MPIRUN [--runs=N --ranks=N]
--runs: so many runs of random scenarios, each by a truth of its own
PATIENT in the environment: a library that ranks preload, so that they wait without spinning
"""
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "celltrace"))
from run_files import processes  # noqa: E402
from run_truth import check_knots  # noqa: E402

if not sys.argv[5].startswith("/"):
    print(f"skipped: {sys.argv[5]}: there is no mpirun of {sys.argv[4]}")
    sys.exit(77)
CELLSYNC, CELLTRACE, TRACED, MPIRUN = (str(pathlib.Path(sys.argv[i]).absolute()) for i in (1, 2, 3, 5))
RUNS, RANKS = (next((int(a.split("=")[1]) for a in sys.argv if a.startswith(f"--{name}=")), 0) for name in ("runs", "ranks"))
FORTRAN = pathlib.Path(__file__).resolve().with_name("mpi_fortran.F90")
OPEN_MPI = sys.argv[4] == "openmpi"
WAITING = dict(os.environ, OMPI_MCA_btl_base_warn_component_unused="0", LD_PRELOAD=os.environ.get("PATIENT", ""))
MESSAGES = ["ring", "stencil", "nonblocking", "kinds", "persistent", "wildcard"]
# An instance of each of 17 operations, twice, for two roots; less those that order nothing.
OPERATIONS, UNORDERED = 17, 2


def record(run, ranks, *words, options=("-e", "mpi"), program=TRACED, wrapper=(), **more):
    shutil.rmtree(run, ignore_errors=True)
    command = [MPIRUN, *(("--allow-run-as-root", "--oversubscribe") if OPEN_MPI else ()), "-n", str(ranks),
               CELLTRACE, "-o", str(run), *options, *wrapper, program, *words]
    ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=200,
                           env=dict(WAITING, **more))
    assert ended.returncode == 0, (command, ended)
    return ended.stderr


def cellsync(*words):
    ended = subprocess.run([CELLSYNC, *map(str, words)], capture_output=True, text=True, timeout=200)
    assert ended.returncode == 0 and not ended.stderr, (words, ended)


def attribute(process, record, name):
    return process.types[record.id].get(name) or ""


def channels(run):
    """By thread's name what each send and each receive is of: (from, serial), in the order of the records."""
    sent, got = {}, {}
    for p in processes(run):
        rank = int(p.root.find("process").get("rank") or -1)
        threads = {}
        for r in p.records:
            threads.setdefault(r.thread, []).append(r)
        for thread, records in threads.items():
            name = f"{p.pex.stem}/{thread}"
            marks = {n: [r.values for r in records if p.types[r.id].get("name") == n] for n in ("SENT", "GOT")}
            calls = {order: [r for r in records if attribute(p, r, "order") == order and r.values[3]]
                     for order in ("send", "recv")}
            if not calls["send"] and not calls["recv"]:
                continue
            sent[name] = [(rank, serial) for _, serial in marks["SENT"]]
            got[name] = list(marks["GOT"])
            partners = {order: [r.values[0] for r in calls[order]] for order in calls}
            assert partners["recv"] == [source for source, _ in marks["GOT"]], (name, partners["recv"], marks["GOT"])
            assert all(r.values[2] == 8 for r in calls["send"] + calls["recv"])
    return sent, got


def arrows(path):
    """The messages of a JSON trace: pairs of (thread, which of its sends), (thread, which of its receives)."""
    threads, counts, ends = {}, {}, {}
    for event in json.load(open(path))["traceEvents"]:
        where = (event["pid"], event.get("tid"))
        if event["name"] == "thread_name":
            threads[where] = event["args"]["name"]
        elif event["ph"] in "sf":
            ends.setdefault(event["id"], {})[event["ph"]] = counts.setdefault((where, "ends"), [])[-1]
        elif event["ph"] in "Xib" and "args" in event:
            values = event["args"].get("values", "").split()
            said = event["name"].startswith("MPI_") and len(values) == 5 and values[3] != "0"
            role = "recv" if event["name"] in RECEIVES else "send" if event["name"] in SENDS else ""
            if said and role:
                n = counts[where, role] = counts.get((where, role), -1) + 1
                counts.setdefault((where, "ends"), []).append((threads[where], n))
    assert all(set(e) == {"s", "f"} for e in ends.values())
    return [(e["s"], e["f"]) for e in ends.values()]


SENDS, RECEIVES = set(), set()


def check(run, ranks, recorded=True):
    """Each message that is matched is the one that it was, each that was is matched, and clocks are within bounds."""
    every = processes(run)
    found = [p for p in every if p.root.find("process").get("rank")]  # the others have become these
    assert {p.recording["complete"] for p in every if p not in found} <= {"exec"}
    assert sorted(int(p.root.find("process").get("rank")) for p in found) == list(range(ranks))
    assert {p.root.find("process").get("ranks") for p in found} == {str(ranks)}
    assert all(p.recording["complete"] == "yes" and p.recording["lost"] == "0" for p in found)
    for p in found:
        for t in p.types.values():
            {"send": SENDS, "recv": RECEIVES}.get(t.get("order"), set()).add(t.get("name"))
    hz = int(found[0].root.find("clock").get("hz"))
    cellsync(run, "-q", "--drift=250", "--clocks", f"{run}.clocks.csv", "-r", f"{run}.report.json")
    cellsync(run, "-q", "--drift=250", "-o", f"{run}.json")
    report = json.load(open(f"{run}.report.json"))
    sent, got = channels(run)
    pairs = arrows(f"{run}.json")
    for (sender, i), (receiver, k) in pairs:
        assert sent[sender][i] == tuple(got[receiver][k]), (sender, i, sent[sender][i], receiver, k, got[receiver][k])
    total = sum(map(len, sent.values()))
    assert not recorded or len(pairs) == total == report["matched"]["messages"], (len(pairs), total, report["matched"])
    return report, check_knots(run, hz, f"{run}.clocks.csv", report["reference"]) / hz * 1e6


def all_kinds(folder):
    run = pathlib.Path(folder) / "run"
    record(run, 4, *MESSAGES, "collectives", "communicators", options=("-e", "mpi", "--skew=1000000000,100"))
    report, _ = check(run, 4)
    matched = report["matched"]
    # Synchronous sends, whose receives must have begun, are the odd ones of `nonblocking` no more: those wait later.
    assert matched["synchronous"] == 4, matched
    assert not matched["left_out"], matched["left_out"]
    # collectives: 2 roots, 2 ways; communicators: of dup, 2 halves (with all but scans, whose ranks go down), merged,
    # created twice, later, dup again; and a barrier before each scenario.
    scenarios = len(MESSAGES) + 2 + 2  # two barriers in kinds
    want = scenarios + 4 * (OPERATIONS - UNORDERED) + 1 + 2 * (1 + OPERATIONS - UNORDERED - 2) + 1 + 2 + 1 + 1
    assert matched["groups"] == want, (matched, want)
    # Barriers of MPI_COMM_SELF in different processes are not one barrier.
    assert all(row["group"] != "0" for row in sheets("sync", run)["barriers"])


def eight(folder):
    """Eight processes, with threads' events, too; the program is started by another one that is no program of MPI."""
    run = pathlib.Path(folder) / "run"
    # MPICH's threads take locks of UCX when they have ended.
    record(run, 8, "ring", options=("-e", "mpi,threads,sync", "--skew=1000000,50"), wrapper=("env",))
    check(run, 8)


def stopped(folder):
    """What follows messages that were not recorded is not matched with others' receives."""
    run = pathlib.Path(folder) / "run"
    record(run, 4, "ring", "stop", options=("-e", "mpi", "--skew=1000000,50"))
    report, _ = check(run, 4, recorded=False)
    assert report["matched"]["left_out"], report["matched"]


def one_clock(folder):
    """Without a skew all are on one clock, and no message is received before it is sent."""
    run = pathlib.Path(folder) / "run"
    record(run, 2, "ring", "collectives")
    cellsync(run, "-q", "-o", f"{run}.csv", "-r", f"{run}.json")
    report = json.load(open(f"{run}.json"))
    assert report["matched"]["messages"] == 20 and report["violations"]["raw"]["count"] == 0, report
    assert len(report["threads"]) == 1
    calls(run, {"MPI_IBARRIER", "MPI_ISCAN", "MPI_SEND", "MPI_RECV", "MPI_ALLREDUCE", "MPI_WAIT"})


def calls(run, some):
    """Calls are what the program called, also where it waited: that something is done is none."""
    found = {row["routine"]: [row["calls"], row["cumulative_ticks"]["estimate"]] for row in sheets("profile", run, "--top=0")["profile"]}
    assert found.keys() >= some | {"MPI_INIT", "MPI_FINALIZE"} and not any(name.endswith("DONE") for name in found), found
    want = {}
    for p in processes(run):
        for r in p.records:
            name = attribute(p, r, "name")
            if name.startswith("MPI_") and not name.endswith("DONE") and r.flags & 1:
                total = want.setdefault(name, [0, 0])
                total[0] += 1
                total[1] += r.time - r.begin
    assert found == want, (found, want)


def tutorial(folder):
    """The program and the commands of the tutorial print as many lines as it shows; what was hidden is found."""
    top = pathlib.Path(__file__).parents[3]
    text = (top / "doc/tutorial.md").read_text()
    folder = pathlib.Path(folder)
    (folder / "doc").symlink_to(top / "doc")
    block = re.search(r"^\t\$ mpicc doc/examples/mpi/heat.c (?:.*\n\t)*.*\n", text, re.M)[0].replace("\t", "")
    compiler = shutil.which("mpicc.mpich") or shutil.which("mpicc")
    for name, target in (("mpicc", compiler), ("mpirun", MPIRUN), ("cellsync", CELLSYNC), ("celltrace", CELLTRACE)):
        (folder / name).write_text(f'#!/bin/sh\nexec {target} "$@"\n')
        (folder / name).chmod(0o755)
    for command, shown in re.findall(r"^\$ (.*)\n((?:[^$].*\n)*)", block, re.M):
        done = subprocess.run(["timeout", "100", "sh", "-ec", f'PATH="$0:$PATH"\n{command}', folder], cwd=folder,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, env=WAITING)
        assert done.returncode == 0 and done.stdout.count("\n") == shown.count("\n"), (command, done)
    run = folder / "run"
    hz = int(processes(run)[0].root.find("clock").get("hz"))
    cellsync(run, "-q", "--clocks", folder / "clocks.csv", "-r", folder / "report.json")
    report = json.load(open(folder / "report.json"))
    check_knots(run, hz, folder / "clocks.csv", report["reference"])
    assert report["matched"]["messages"] == 1200 and report["violations"]["raw"]["count"] > 0, report
    assert report["violations"]["ours"]["largest_ticks"] <= 1, report["violations"]
    told(run)


def sheets(verb, trace, *options):
    cellstat = pathlib.Path(CELLSYNC).with_name("cellstat")
    done = subprocess.run([str(cellstat), verb, str(trace), "-q", *options, "--format=json"], capture_output=True,
                          text=True, check=True)
    return json.loads(done.stdout)["sheets"]


def told(run):
    """What events mean is what the documents say, in the folder as in each: lengths, waits; the recorder is no unit."""
    calls(run, set())
    rows = sheets("comm", run)["comm"]
    assert len(rows) == 6 and all((row["count"], row["bytes"]) == (200, 1600) for row in rows), rows
    assert sheets("concurrency", run)["total"][0]["units"] == 4
    (sum_of_all,) = sheets("sync", run)["barriers"]
    began = sorted(r.begin for p in processes(run) for r in p.of("MPI_ALLREDUCE"))
    assert (sum_of_all["event"], sum_of_all["arrivals"], len(began)) == ("MPI_ALLREDUCE", 4, 4), sum_of_all
    told_of = {row["name"].split("/")[-1]: row for row in sheets("states", run)["states"] if row["what"] == "actor"}
    assert len(told_of) == 4, told_of
    for document in run.glob("*.pex"):
        (alone,) = (row for row in sheets("states", document)["states"] if row["what"] == "actor")
        together = told_of[alone["name"].removeprefix("tid")]
        # The rest of what is blocked depends on when the trace begins.
        waits = [row["blocked_message_ticks"]["estimate"] for row in (together, alone)]
        assert waits[0] == waits[1] > 0, (together, alone)


def hidden_begin(folder):
    """A program whose begin of MPI is not seen runs as it is, and that nothing is recorded is said."""
    run = pathlib.Path(folder) / "run"
    assert record(run, 2, "hidden", "ring").count("no calls of MPI are recorded") == 2
    assert not any(p.types[r.id].get("name").startswith("MPI_") for p in processes(run) for r in p.records)


def fortran(folder):
    """Fortran's calls, in each of its three ways, are recorded as those of C are."""
    compiler = shutil.which(f"mpifort.{sys.argv[4]}")
    if not compiler:
        print(f"skipped: programs in Fortran: there is no mpifort.{sys.argv[4]}")
        return
    folder, ranks = pathlib.Path(folder), 4
    for way in ("F08", "MODULE", "HEADER"):
        program, run = folder / way, folder / "run"
        subprocess.run([compiler, f"-D{way}", "-o", program, FORTRAN], check=True)
        # The libraries of MPI may print lines of their own.
        assert "celltrace" not in record(run, ranks, program=str(program), options=("-e", "mpi", "--skew=1000000,50")), way
        cellsync(run, "-q", "--drift=250", "--clocks", folder / "clocks.csv", "-r", folder / "report.json")
        report = json.load(open(folder / "report.json"))
        matched = report["matched"]
        assert (matched["messages"], matched["groups"], matched["left_out"]) == (15 * ranks, 3, []), (way, matched)
        hz = int(processes(run)[0].root.find("clock").get("hz"))
        check_knots(run, hz, folder / "clocks.csv", report["reference"])
        for p in processes(run):
            names = [p.types[r.id].get("name") for r in p.records]
            want = {"INIT": 1, "IRECV": 10, "ISEND": 10, "WAITANY": 10, "WAITALL": 10, "DONE": 10, "SENDRECV": 5, "BARRIER": 1,
                    "BCAST": 1, "ALLREDUCE": 1, "COMM_NEW": 1, "COMM_FREE": 1, "FINALIZE": 1}
            assert {n: names.count(f"MPI_{n}") for n in want} == want, (way, names)


def at_once(folder):
    """Threads of a process that send at once: each message is matched with its own receive."""
    run = pathlib.Path(folder) / "run"
    if "no threads" in record(run, 3, "threads", options=("-e", "mpi,threads", "--skew=1000000,50")):
        print("skipped: threads that send at once: this MPI has none")
        return
    report, _ = check(run, 3)
    assert report["matched"]["messages"] == 3 * 3 * 5, report["matched"]


def plain(folder):
    """One-sided calls, input and output are recorded as they were called, with their bytes, and say nothing of order."""
    run = pathlib.Path(folder) / "run"
    record(run, 2, "ring", "plain")
    want = [("WIN_CREATE", 8), ("WIN_FENCE", 0), ("PUT", 8), ("WIN_FENCE", 0), ("WIN_LOCK", 0), ("FETCH_AND_OP", 8),
            ("WIN_UNLOCK", 0), ("WIN_FREE", 0), ("FILE_OPEN", 0), ("FILE_WRITE_AT", 8), ("FILE_READ", 8), ("FILE_CLOSE", 0)]
    for p in processes(run):
        found = [(p.types[r.id].get("name"), r) for r in p.records]
        calls = [(name[4:], r) for name, r in found if name.startswith(("MPI_WIN_", "MPI_PUT", "MPI_FETCH", "MPI_FILE_"))]
        assert [(name, *r.values) for name, r in calls] == want, calls
        assert all(r.flags == 1 and r.begin <= r.time and not attribute(p, r, "order") for _, r in calls)
    cellsync(run, "-q", "-o", f"{run}.csv")


def many(folder):
    widths = []
    for k in range(RUNS):
        run = pathlib.Path(folder) / "run"
        random.seed(k)
        words = random.sample(MESSAGES + ["collectives", "communicators"], random.randint(1, 4))
        skew = f"--skew={random.choice([1000, 10**6, 10**9])},{random.choice([0, 10, 100])}"
        record(run, RANKS, *words, options=("-e", "mpi", skew))
        _, width = check(run, RANKS)
        widths.append(width)
        print(f"run {k}: {' '.join(words)} {skew}: the widest bound is {width:.1f} us", flush=True)
    print(f"{RUNS} runs of {RANKS} ranks, all within bounds; the widest bounds: median {sorted(widths)[RUNS // 2]:.1f} us, "
          f"greatest {max(widths):.1f} us")


def main():
    cases = [many] if RUNS else [all_kinds, stopped, one_clock, hidden_begin, fortran, at_once, plain] + ([] if OPEN_MPI else [eight, tutorial])
    for case in cases:
        with tempfile.TemporaryDirectory() as folder:
            case(folder)
    print(f"{len(cases)} cases")


if __name__ == "__main__":
    main()
