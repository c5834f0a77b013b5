#!/usr/bin/env python3
"""Programs that EZTrace records under MPICH, against the truth.

Usage: otf2_eztrace_test.py CELLSYNC

A ring, a stencil, a halo exchange and an all-to-all of 4 and 8 ranks, in one recording each.  EZTrace starts the clock of
each rank at a moment of its own.  The program reads the machine's clock before and after each of its calls, and so what
a rank's clock is off is known as well as the shortest of these: the bounds must contain it.  Without MPICH and EZTrace
this is skipped, and says so.
"""
import csv
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

CELLSYNC = pathlib.Path(sys.argv[1]).resolve()
ROUNDS = 2
# MPICH's, since Open MPI may have the plain names.
MPICC, MPIRUN = (shutil.which(f"{name}.mpich") or name for name in ("mpicc", "mpirun"))
faults = []

PROGRAM = """
#include <mpi.h>
#include <stdio.h>
#include <time.h>

static long long before[4096], after[4096];
static const char *names[4096];
static int ncalls;

static long long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

#define CALL(f, ...) \\
    (names[ncalls] = #f, before[ncalls] = now(), f(__VA_ARGS__), after[ncalls++] = now())
#define WORLD MPI_COMM_WORLD

static int rank, size, x, y[16];

static void send(int to, int tag)
{
    CALL(MPI_Send, &x, 1, MPI_INT, to, tag, WORLD);
}

static void receive(int from, int tag)
{
    CALL(MPI_Recv, y, 16, MPI_INT, from, tag, WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int all[64] = {0}, got[64];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &size);
    int next = (rank + 1) % size, last = (rank + size - 1) % size;
    for (int i = 0; i < 2; i++) { /* a ring */
        if (rank == 0)
            send(next, 7);
        receive(MPI_ANY_SOURCE, 7);
        if (rank != 0)
            send(next, 7);
    }
    for (int i = 0; i < 2; i++) { /* a stencil: to the left and to the right */
        send(next, 1);
        send(last, 2);
        receive(last, 1);
        receive(next, 2);
    }
    int row = rank / 2 * 2, column = rank % 2; /* a halo: of a torus of two columns */
    int others[3] = {row + 1 - column, (row + 2) % size + column, (row + size - 2) % size + column};
    for (int i = 0; i < 2; i++) {
        MPI_Request requests[3];
        MPI_Status statuses[3];
        for (int k = 0; k < 3; k++)
            CALL(MPI_Isend, all, 16, MPI_INT, others[k], 10 + k, WORLD, &requests[k]);
        receive(others[0], 10);
        receive(others[1], 12);
        receive(others[2], 11);
        CALL(MPI_Waitall, 3, requests, statuses);
    }
    for (int i = 0; i < 2; i++)
        CALL(MPI_Alltoall, all, 1, MPI_INT, got, 1, MPI_INT, WORLD);
    CALL(MPI_Allreduce, &x, y, 1, MPI_INT, MPI_SUM, WORLD);
    char name[32];
    snprintf(name, sizeof name, "truth.%d", rank);
    FILE *file = fopen(name, "w");
    for (int i = 0; i < ncalls; i++)
        fprintf(file, "%s %lld %lld\\n", names[i], before[i], after[i]);
    fclose(file);
    MPI_Finalize();
    return 0;
}
"""

POSTED = """
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, x = 0, y;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 5; i++) {
        MPI_Request requests[2];
        MPI_Status statuses[2];
        MPI_Irecv(&y, 1, MPI_INT, (rank + size - 1) % size, 7, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(&x, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, statuses);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""


def expect(good, what):
    if not good:
        faults.append(what)
        print("FAULT:", what)


def cellsync(*words):
    done = subprocess.run([CELLSYNC, "-q", *map(str, words)], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{words}: exit {done.returncode}: {done.stderr}")
    return done.stdout


def rows_of(anchor):
    """(global time, local time, name, local begin) of each rank's events, in their order."""
    ranks = {}
    lines = (line for line in cellsync(anchor, "-o", "-").splitlines() if not line.startswith("#"))
    for row in csv.DictReader(lines):
        begin = int(row["begin"]) if row["begin"] else None
        ranks.setdefault(row["clock"], []).append((int(row["global_time"]), int(row["time"]), row["event"], begin))
    return ranks


def truth_of(folder, rank, rows):
    """The least and the greatest that the machine's clock can be ahead of this rank's."""
    calls = [line.split() for line in (folder / f"truth.{rank}").read_text().splitlines()]
    regions = [row for row in rows if row[2] in {call[0] for call in calls}]
    regions.sort(key=lambda row: row[3])
    expect([row[2] for row in regions] == [call[0] for call in calls], f"rank {rank}: other calls than were made")
    low = max(int(before) - begin for (_, before, _), (_, _, _, begin) in zip(calls, regions))
    high = min(int(after) - end for (_, _, after), (_, end, _, _) in zip(calls, regions))
    expect(low <= high, f"rank {rank}: its clock is not that of the machine, moved: {low} to {high}")
    return low, high


def calls_of(rank, size):
    """The sends and receives of PROGRAM: (True, to, tag) or (False, from, tag)."""
    after, last = (rank + 1) % size, (rank + size - 1) % size
    row, column = rank // 2 * 2, rank % 2
    others = [row + 1 - column, (row + 2) % size + column, (row + size - 2) % size + column]
    ring = [(False, last, 7), (True, after, 7)]
    stencil = [(True, after, 1), (True, last, 2), (False, last, 1), (False, after, 2)]
    halo = [(True, others[k], 10 + k) for k in range(3)] + [(False, others[0], 10), (False, others[1], 12), (False, others[2], 11)]
    return ROUNDS * (ring[::-1] if rank == 0 else ring) + ROUNDS * stencil + ROUNDS * halo


def check_messages(rows):
    """Every receive is after its send in the CSV's global times: the k-th of two ranks and a tag."""
    ends = ({}, {})
    for rank in range(len(rows)):
        events = [row for row in rows[f"P#{rank}"] if row[2] in ("MPI_SEND", "MPI_ISEND", "MPI_RECV")]
        calls = calls_of(rank, len(rows))
        expect([row[2] != "MPI_RECV" for row in events] == [call[0] for call in calls], f"rank {rank}: its messages")
        for (sends, other, tag), row in zip(calls, events):
            key = (rank, other, tag) if sends else (other, rank, tag)
            ends[sends].setdefault(key, []).append(row[0])
    expect(ends[0].keys() == ends[1].keys(), "sends and receives differ")
    for key, received in ends[0].items():
        expect(all(a <= b for a, b in zip(ends[1][key], received)), f"{key} was received before it was sent")


def check(folder, ranks):
    anchor = folder / "program_trace" / "eztrace_log.otf2"
    report = json.loads(cellsync(anchor, "-r", "-", "--report-format=json", "--reference=P#0"))
    matched, violations = report["matched"], report["violations"]
    # A ring sends one a rank and round, a stencil two, a halo three.
    expect(matched["messages"] == 6 * ROUNDS * ranks, f"{ranks} ranks: messages {matched}")
    expect((matched["groups"], matched["enters"], matched["leaves"]) == (ROUNDS + 1, (ROUNDS + 1) * ranks,
                                                                         (ROUNDS + 1) * ranks), f"all to all: {matched}")
    expect(matched["left_out"] == [], f"{ranks} ranks: left out {matched['left_out']}")
    expect(violations["messages"] == matched["messages"] and violations["ours"] == {"count": 0, "largest_ticks": 0},
           f"{ranks} ranks: received before sent {violations}")
    expect(violations["tracer"] is None and report["tracer"]["readings"] == 0, f"EZTrace says nothing of clocks: {violations}")
    expect(report["delta"]["inversions"] == 0 and report["delta"]["ticks"] == "1/2", f"{ranks} ranks: {report['delta']}")
    rows = rows_of(anchor)
    check_messages(rows)
    truth = {f"P#{r}": truth_of(folder, r, rows[f"P#{r}"]) for r in range(ranks)}
    zero, within, wide = truth["P#0"], 0, []
    base = next(t["offset_ticks"] for t in report["threads"] if t["name"] == "P#0")
    for thread in report["threads"]:
        if thread["name"] == "P#0":
            continue
        own = truth[thread["name"]]
        low, high = base + own[0] - zero[1], base + own[1] - zero[0]
        least, most = thread["earliest_ticks"], thread["latest_ticks"]
        expect(least is not None and most is not None, f"{thread['name']} is not bounded")
        expect(least <= high and low <= most, f"{thread['name']}: {least} to {most}, but the truth is in {low} to {high}")
        within += least <= low and high <= most
        wide.append((most - least, high - low))
    return (f"{ranks} ranks: {matched['messages']} messages, by raw stamps {violations['raw']['count']} received before sent; "
            f"bounds {min(w for w, _ in wide)} to {max(w for w, _ in wide)} ns, truth known to "
            f"{min(t for _, t in wide)} to {max(t for _, t in wide)} ns, all of it in {within} of {ranks - 1} bounds")


def check_posted(folder):
    """Of a receive that is posted EZTrace records nothing else, not even from whom: its message orders nothing, and is told."""
    anchor = folder / "posted_trace" / "eztrace_log.otf2"
    done = subprocess.run([CELLSYNC, anchor, "-r", "-", "--report-format=json"], capture_output=True, text=True)
    expect(done.returncode == 0, done.stderr)
    expect("20 of 20 sends and 0 of 0 receives have no counterpart, so they give no order; EZTrace" in done.stderr, done.stderr)
    matched = json.loads(done.stdout)["matched"]
    expect((matched["messages"], matched["groups"]) == (0, 1), f"posted: {matched}")


def record(tmp, name, ranks):
    """False where EZTrace has recorded nothing."""
    folder = tmp / f"{name}.{ranks}"
    folder.mkdir()
    done = subprocess.run(["timeout", "100", MPIRUN, "-n", str(ranks), "eztrace", "-t", "mpich", tmp / name],
                          cwd=folder, capture_output=True, text=True)
    if done.returncode == 0 and (folder / f"{name}_trace" / "eztrace_log.otf2").exists():
        return True
    print("SKIPPED: EZTrace recorded nothing:", done.stderr[-400:])
    return False


def main():
    missing = [program for program in (MPICC, MPIRUN, "eztrace") if not shutil.which(program)]
    if missing:
        print("SKIPPED: programs recorded by EZTrace under MPICH, since not installed:", *missing)
        return 0
    with tempfile.TemporaryDirectory() as name:
        tmp = pathlib.Path(name).resolve()
        for program, text in (("program", PROGRAM), ("posted", POSTED)):
            (tmp / f"{program}.c").write_text(text)
            subprocess.run([MPICC, "-O", f"{program}.c", "-o", program], cwd=tmp, check=True)
        for ranks in (4, 8):
            if record(tmp, "program", ranks):
                print(check(tmp / f"program.{ranks}", ranks))
        if record(tmp, "posted", 4):
            check_posted(tmp / "posted.4")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
