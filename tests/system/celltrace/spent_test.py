#!/usr/bin/env python3
"""How long threads of a run were in which state, held against what the system told the threads themselves.

Usage: spent_test.py CELLSTAT TRACED
"""
import collections
import csv
import fractions
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

from run_files import processes

CELLSTAT, TRACED = (str(pathlib.Path(p).resolve()) for p in sys.argv[1:3])
STATES = ("user", "system", "overhead", "switch", "ready", "blocked", "idle", "absent")
MS = 10**6


def sheets(trace, verb="states", *options):
    """The tables of states, as rows by column."""
    text = subprocess.run([CELLSTAT, verb, str(trace), "-q", "--format=csv", *options], check=True, capture_output=True,
                          text=True, timeout=120).stdout
    return [list(csv.DictReader(part.splitlines())) for part in text.split("\n\n")]


def spend(run, settings):
    """Run it; by thread its kind, and user, system, ready and blocked time in ns, by itself; and how long the thread that
    never ends was blocked.  None: the kernel tells no switches."""
    ended = subprocess.run([TRACED, "spend"], env=dict(os.environ, CELLTRACE=f"{settings}run={run}"), check=True,
                           capture_output=True, text=True, timeout=60)
    if "switches are not recorded" in ended.stderr:
        return None
    *lines, (_, stays, paused) = (line.split() for line in ended.stdout.splitlines())
    return {int(tid): (int(kind), 1000 * int(user), 1000 * int(system), int(ready), int(blocked))
            for kind, tid, user, system, ready, blocked in lines}, (int(stays), int(paused))


def delta_of(trace, *options):
    """Ticks that timestamps may be off by."""
    text = subprocess.run([pathlib.Path(CELLSTAT).with_name("cellsync"), "-q", str(trace), "--report-format=json", *options],
                          check=True, capture_output=True, text=True, timeout=60).stdout
    return fractions.Fraction(json.loads(text)["delta"]["ticks"])


def near(got, want, more, what):
    """What is told later may be more, by what the thread has done since."""
    assert want - MS // 100 <= got <= want + more, (what, got, want)


def says_of_sleep(trace):
    """Whether concurrency says that a thread that sleeps, or lacks a CPU, is active; states says it of its levels, too."""
    says = []
    for verb, of in ("concurrency", ""), ("states", "the number of executing threads comes from events: "):
        text = subprocess.run([CELLSTAT, verb, str(trace), "-q"], check=True, capture_output=True, text=True, timeout=60)
        says.append(f"assumes: {of}a thread that waits without an event, as in sleep, or that lacks a CPU, counts" in text.stdout)
    assert says[0] == says[1], says
    return says[0]


def states_of(trace, hz):
    """The rows of actors by thread id, in ns."""
    rows = {}
    for row in sheets(trace)[0]:
        if row["what"] == "actor":
            tid = int(row["name"].rpartition("/")[2].removeprefix("tid"))
            rows[tid] = {state: int(row[f"{state}_ticks"]) * 10**9 // hz for state in STATES}
    return rows


def check(trace, said, stays, paused, hz, span):
    """A trace that the system's counters are in: a run, or the .pex of its process."""
    rows = states_of(trace, hz)
    kinds = {kind: tid for tid, (kind, *_) in said.items()}
    assert set(rows) - set(said) == {stays, min(rows)}, rows  # main is the first
    for tid, (kind, user, system, ready, blocked) in said.items():
        row = rows[tid]
        # The thread may have waited for a CPU after its timer had started: then it was blocked for less than its sleep.
        assert row["blocked"] >= blocked - MS // 100, (kind, row, blocked)
        # The system divides CPU time between both by clock ticks, of which one may have come meanwhile.
        near(row["user"] + row["system"], user + system, 3 * MS, (kind, row))
        assert abs(row["user"] - user) <= 8 * MS and abs(row["system"] - system) <= 8 * MS, (kind, row, user, system)
        assert ready < 0 or row["ready"] >= ready - 10, (kind, row, ready)
        assert row["overhead"] == row["switch"] == row["idle"] == 0
        # It is in one state at a time, each rounded down; a thread that is created is there.  Only what the system
        # counts by its clock ticks may be more than there was, and then nothing is left in which it would be blocked.
        over = sum(row.values()) - span
        assert -len(row) <= over <= (0 if row["blocked"] else 8 * MS), (kind, row, span)
    works, asks, sleeps = (rows[kinds[n]] for n in range(3))
    assert min(row["user"] + row["system"] for row in (works, asks)) >= 25 * MS - 10**4, (works, asks)
    assert sum(sleeps[state] for state in ("blocked", "ready", "user", "system")) >= 25 * MS - 10**4, sleeps
    assert sleeps["user"] + sleeps["system"] < 10 * MS, sleeps
    assert rows[stays]["blocked"] >= max(paused - MS // 100, 20 * MS) and rows[stays]["absent"] < span, (rows[stays], paused)
    return rows


def spent(folder):
    """User, system, ready and blocked time of threads without any switch being recorded."""
    for order in ("block", "buffer"):
        run = pathlib.Path(folder) / order
        said, (stays, paused) = spend(run, f"order={order};")
        assert len(said) == 3
        hz = int((run / "clock").read_text().split()[-1])
        (table, levels) = sheets(run)
        (whole,) = (row for row in table if row["what"] == "all")
        span = (int(levels[0]["time_ticks"]) + int(levels[1]["at_least_ticks"])) * 10**9 // hz
        rows = check(run, said, stays, paused, hz, span)
        # The time with a thread executing is at least that of each, and at most that of all.
        executing = [row["user"] + row["system"] for row in rows.values()]
        low, estimate, high = (int(whole[f"virtual{end}_ticks"]) * 10**9 // hz for end in ("_lo", "", "_hi"))
        assert max(executing) - 1000 <= low <= estimate <= high <= min(span, sum(executing)) + 1000, (whole, executing)
        (pex,) = run.glob("*.pex")
        check(pex, said, stays, paused, hz, span)
        assert says_of_sleep(run)
        lacks_calls(run)
        same_actors(run)


def untold(folder):
    """Of a thread that recorded its start and its end alone it is not known what it did; of the others all is told."""
    for events in (0, 5):
        run = pathlib.Path(folder) / f"count{events}"
        subprocess.run([TRACED, "count", "3", str(events)], env=dict(os.environ, CELLTRACE=f"run={run}"), check=True, timeout=60)
        (process,) = processes(run)
        records = collections.Counter(r.thread for r in process.records if process.types[r.id].get("name") != "BUFFER_FLUSH")
        quiet = {tid for tid, n in records.items() if n <= 2}
        assert len(quiet) == (0 if events else 3) and len(records) == 4, records
        told, not_told = (collections.Counter() for _ in range(2))
        for row in sheets(run, "timeline")[1]:
            tid = int(row["name"].rpartition("/")[2].removeprefix("tid"))
            told[tid] += sum(int(row[f"{name}_ticks"]) for name in ("active", "ready", "waiting"))
            not_told[tid] += int(row.get("untold_ticks", 0))
        assert set(+not_told) == quiet and set(+told) <= set(records) - quiet and told, (told, not_told, records)
        text, page, drawing = (subprocess.run([CELLSTAT, "timeline", str(run), "-q", f"--format={kind}"], check=True, timeout=60,
                                              capture_output=True, text=True).stdout for kind in ("text", "html", "svg"))
        assert (", ? unknown\n" in text) == ('class="chip does-untold"' in page) == ("unknown<" in drawing) == bool(quiet)
        assert sum(line.endswith("|") and "?" in line for line in text.splitlines()) == len(quiet), text
        assert [kind.count('<path class="does-untold"') > 0 for kind in (page, drawing)] == 2 * [bool(quiet)]


def lacks_calls(run):
    """Of a run without calls or messages is said how they are recorded, not how events are told what they mean."""
    for verbs, said in ((("profile", "calls"), "the trace has no event that enters a routine: celltrace(1) records MPI and programs built with -finstrument-functions"),
                        (("comm", "latency"), "the trace contains no messages: celltrace(1) records the messages of an MPI program with --events=mpi")):
        for verb in verbs:
            ended = subprocess.run([CELLSTAT, verb, str(run), "-q"], capture_output=True, text=True, timeout=60)
            assert (ended.returncode, ended.stdout, ended.stderr) == (1, "", f"cellstat: {run}: {said}\n"), ended
        text = subprocess.run([CELLSTAT, "summary", str(run), "-q"], check=True, capture_output=True, text=True, timeout=60).stdout
        assert said in text, text


def same_actors(run):
    """Who is one in a run is one in its CSV: neither the recorder's own thread nor a core."""
    as_csv = run / "run.csv"
    subprocess.run([pathlib.Path(CELLSTAT).with_name("cellsync"), "-q", run, "-o", as_csv], check=True, timeout=60)
    assert "/celltrace," in as_csv.read_text()
    names, names_csv = ([row["name"] for row in sheets(trace)[0] if row["what"] == "actor"] for trace in (run, as_csv))
    assert sorted(names) == sorted(names_csv) and names, (names, names_csv)
    as_csv.unlink()


def moves_of(process):
    """The records of switches."""
    return [r for r in process.records if process.types[r.id].get("name") in ("SWITCH_OUT", "SWITCH_IN", "PREEMPTED")]


def ran_by_switches(process):
    """By thread, ticks on a core: from its first record to its last, but for when it had none."""
    out, of = {}, {}
    for r in process.records:
        name = process.types[r.id].get("name")
        if name != "BUFFER_FLUSH":
            of.setdefault(r.values[0] if r.thread >= 2**31 else r.thread, []).append((r.time, name))
    for tid, records in of.items():
        records.sort()
        has_core, out[tid] = True, 0
        for (time, name), (until, _) in zip(records, records[1:]):
            has_core = name not in ("SWITCH_OUT", "PREEMPTED") and (has_core or name == "SWITCH_IN")
            out[tid] += (until - time) * has_core
    return out


def switched(folder):
    """When threads had no core, as the kernel told; cores are no threads."""
    run = pathlib.Path(folder) / "run"
    ran = spend(run, "events=switches;")
    if ran is None:
        print("switches are left out: the kernel does not tell of them")
        return
    said, _ = ran
    hz = int((run / "clock").read_text().split()[-1])
    (process,) = processes(run)
    on_cores = ran_by_switches(process)
    for tid, (kind, user, system, *_) in said.items():  # what they say they ran, but for what interrupts took
        ran = on_cores[tid] * 10**9 // hz
        assert user + system - 5 * MS <= ran <= (user + system) * 15 // 10 + 10 * MS, (kind, user, system, ran)
    for trace in run, process.pex:
        (table, levels) = sheets(trace)
        (whole,) = (row for row in table if row["what"] == "all")
        assert not says_of_sleep(trace)
        assert set(said) < set(states_of(trace, hz)), "no thread is a core"
        ran = sum(int(row["level"]) * int(row["time_ticks"]) for row in sheets(trace, verb="concurrency")[0])
        waited = sum(on_cores.values()) - ran  # while a thread still, or again, had a core
        most = 5 * MS + sum(on_cores.values()) * 10**8 // hz  # a tenth of it, for threads that others push aside
        assert 0 <= waited * 10**9 // hz <= most, (ran, on_cores)
        cores, (total,) = sheets(trace, "concurrency", "--units=cpu")
        assert sum(int(row["level"]) * int(row["time_ticks"]) for row in cores) == sum(on_cores.values()), (cores, on_cores)
        assert int(total["units"]) == len({r.values[1] for r in moves_of(process)}), total
        assert len(levels) - 1 <= (os.cpu_count() or len(levels)), levels
        # No thread executes without a core: so what is said of all is off by what system and switches differ in.
        counted = {int(row["name"].rpartition("/")[2].removeprefix("tid")): int(row["virtual_ticks"])
                   for row in table if row["what"] == "actor"}
        # The stamps of switches may contradict the order: by delta those of what is known by events alone may be off.
        for words in (), (f"--delta={math.ceil(delta_of(trace)) + 1000}",):
            (row,) = (row for row in sheets(trace, "states", *words)[0] if row["what"] == "all")
            low, estimate, high = (int(row[f"virtual{end}_ticks"]) for end in ("_lo", "", "_hi"))
            most = sum(counted.values()) + math.ceil(delta_of(trace, *words)) * len(process.records)
            assert low <= estimate <= high <= most and max(counted.values()) <= high, (row, counted)
        differ = sum(abs(on_cores[tid] - ticks) for tid, ticks in counted.items())
        assert high - low <= waited + differ + hz // 1000, (whole, counted, on_cores, waited)
    same_actors(run)


def of_processes(folder):
    """A thread is there as long in a run as in the document of its process, whichever process ends first."""
    run = pathlib.Path(folder) / "run"
    subprocess.run(["sh", "-c", '"$0" spend; sleep 0.02 & "$0" spend & "$0" spend; wait', TRACED], check=True, timeout=60,
                   env=dict(os.environ, CELLTRACE=f"run={run}"), stdout=subprocess.DEVNULL)
    hz = int((run / "clock").read_text().split()[-1])
    whole, longer = states_of(run, hz), []
    assert len(whole) == 3 * 5
    for pex in run.glob("*.pex"):
        for tid, row in states_of(pex, hz).items():
            got = whole.pop(tid)
            # One does not end: it waits on while the recorder ends, after the last record of its process.
            if got["blocked"] > row["blocked"]:
                longer.append(tid)
                got["blocked"] = row["blocked"]
            assert {**got, "absent": 0} == {**row, "absent": 0}, (pex, tid, got, row)
            assert tid not in longer or f".{tid}." not in pex.name, "main ends with its process"
    assert not whole and len(longer) <= 3, longer


def unknown(folder):
    """A thread whose begin is not recorded is left to its events until the system is first asked."""
    run = pathlib.Path(folder) / "run"
    said, _ = spend(run, "events=none;")
    hz = int((run / "clock").read_text().split()[-1])
    rows = states_of(run, hz)
    for tid, (kind, user, system, *_) in said.items():
        # One record, and what it had spent at its end: since when is not known.
        assert sum(time for state, time in rows[tid].items() if state != "absent") == 0, (kind, rows[tid], user, system)


def main():
    for case in (spent, switched, of_processes, unknown, untold):
        with tempfile.TemporaryDirectory() as folder:
            case(folder)
    print("5 cases")


if __name__ == "__main__":
    main()
