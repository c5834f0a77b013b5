#!/usr/bin/env python3
"""A program that uftrace records: every row of its report is cellstat's, by calls, total and self.

Usage: uftrace_test.py CELLSTAT MANUAL

Threads, recursion of one function and of two, and names of C++; compiled by -pg and by -finstrument-functions.  The
recording becomes a CSV by the script in cellsync-recipes(7), which is taken from there.  Where uftrace is not
installed, or cannot record, this is skipped, and says so.
"""
import csv
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

CELLSTAT, MANUAL = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
UNITS = {"us": 1000, "ms": 1000**2, "s": 1000**3}
THREADS = 3

PROGRAM = """
#include <pthread.h>
#include <unistd.h>

#define KEPT __attribute__((noinline))

namespace work {
struct number {
    volatile long value;
    KEPT number operator+(int more) const { number sum = {value + more}; return sum; }
};
}

static volatile long sum;

static KEPT void leaf(int n) { for (int i = 0; i < n; i++) sum = sum + i; }
static KEPT void stem(int n) { leaf(n); leaf(3 * n); }
static KEPT int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static KEPT int odd(int n);
static KEPT int even(int n) { leaf(n); return n == 0 ? 1 : odd(n - 1); }
static KEPT int odd(int n) { leaf(n); return n == 0 ? 0 : even(n - 1); }

static KEPT void *run(void *arg)
{
    long n = (long)arg;
    for (int i = 0; i < 40; i++) {
        stem(100 * (i % 7));
        sum = sum + fib(4 + i % 5) + even(i % 9);
    }
    usleep(1000 * n);
    return arg;
}

int main()
{
    pthread_t threads[THREADS];
    work::number zero = {0};
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, run, (void *)(i + 1));
    run((void *)2);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return (zero + 1).value != 1;
}
"""


def script():
    """The example of the manual that begins with uftrace, as a shell script."""
    for block in re.findall(r"^\.Bd -literal\n(.*?)^\.Ed", MANUAL.read_text(), re.MULTILINE | re.DOTALL):
        if block.startswith("uftrace record"):
            return block.replace("\\e", "\\").replace("\\(ha", "^")
    raise SystemExit("the manual has no example of uftrace")


def report(folder):
    """By function: calls, and the texts of total and self."""
    done = subprocess.run(["uftrace", "report", "-d", "run", "--no-pager", "--color=no"], cwd=folder, check=True,
                          capture_output=True, text=True)
    rows = {}
    for line in done.stdout.splitlines()[2:]:
        total, total_unit, own, own_unit, calls, name = line.split(None, 5)
        rows[name] = (int(calls), (total, total_unit), (own, own_unit))
    return rows


def shown(ticks, unit):
    """As uftrace shows it: three digits after the point, cut off."""
    thousandths = ticks * 1000 // UNITS[unit]
    return f"{thousandths // 1000}.{thousandths % 1000:03}", unit


def profile(folder):
    done = subprocess.run([CELLSTAT, "profile", "-q", "run.csv", "--top=0", "--format=csv"], cwd=folder, check=True,
                          capture_output=True, text=True)
    return {row["routine"]: row for row in csv.DictReader(done.stdout.split("\n\n")[0].splitlines())}


def check(folder):
    theirs, ours = report(folder), profile(folder)
    faults = [f"{name}: a row of one alone" for name in theirs.keys() ^ ours.keys()]
    for name in theirs.keys() & ours.keys():
        row, (calls, total, own) = ours[name], theirs[name]
        found = (int(row["calls"]), shown(int(row["cumulative_ticks"]), total[1]),
                 shown(int(row["direct_ticks"]), own[1]))
        if found != (calls, total, own):
            faults.append(f"{name}: {found} and not {theirs[name]}")
    for name, least in (("leaf", 80 * (THREADS + 1)), ("fib", 1000), ("odd", 100), ("run", THREADS + 1),
                        ("work::number::operator+", 1)):
        if name not in theirs or theirs[name][0] < least:
            faults.append(f"{name}: uftrace recorded less than the program does")
    print(f"{len(theirs)} rows, {sum(row[0] for row in theirs.values())} calls")
    return faults


def main():
    compiler = shutil.which("g++") or shutil.which("clang++")
    if not shutil.which("uftrace") or not compiler:
        print("SKIPPED: programs recorded by uftrace, since not installed:", "uftrace" if compiler else "a compiler of C++")
        return 0
    faults = []
    with tempfile.TemporaryDirectory() as name:
        tmp = pathlib.Path(name).resolve()
        (tmp / "program.cpp").write_text(PROGRAM)
        for option in ("-pg", "-finstrument-functions"):
            shutil.rmtree(tmp / "run", ignore_errors=True)
            subprocess.run([compiler, "-O1", option, f"-DTHREADS={THREADS}", "program.cpp", "-o", "program", "-lpthread"],
                           cwd=tmp, check=True)
            done = subprocess.run(["bash", "-c", "set -e -o pipefail\n" + script()], cwd=tmp, capture_output=True,
                                  text=True, env={**os.environ, "PATH": f"{CELLSTAT.parent}:{os.environ['PATH']}"})
            if not (tmp / "run" / "info").exists():
                print("SKIPPED: uftrace recorded nothing:", done.stderr[-400:])
                return 0
            if done.returncode != 0:
                raise SystemExit(f"the manual's example: {done.stderr}")
            faults += [f"{option}: {fault}" for fault in check(tmp)]
    for fault in faults:
        print("FAULT:", fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
