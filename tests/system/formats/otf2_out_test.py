#!/usr/bin/env python3
"""OTF2 archives that are written: cellsync-output(5), OTF2 archives.

Usage: otf2_out_test.py CELLSYNC OTF2GEN

What otf2-print, which applies ClockOffset records, says of the archive that goes in, once its own ones are left out, and
of the one that comes out differs by the offset of each location alone, as the JSON report has it.
"""
import csv
import json
import os
import pathlib
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

from otf2_test import CELLSYNC, expect, faults, generate, run


def world(n, properties="resolution 1000000000"):
    lines = [properties, "node 0 node one"] + [f"process {r} 0 Rank%20{r}" for r in range(n)]
    lines += [f"location {7 * r} {r} R{r}" for r in range(n)]
    lines += ["region 0 main", "world " + " ".join(str(7 * r) for r in range(n))]
    return lines + ["comm 0 MPI_COMM_WORLD " + " ".join(map(str, range(n)))]


def ring(n, offsets, rounds=4, old=()):
    """A message goes round; rank r's clock is ahead by offsets[r]; old: ClockOffset records of its tracer."""
    lines, now = {r: list(old) for r in range(n)}, 1000
    for _ in range(rounds):
        for r in range(n):
            peer = (r + 1) % n
            lines[r].append(f"{now + offsets[r]} send 0 {peer} 1")
            now += random.Random(now).randint(5, 60)
            lines[peer].append(f"{now + offsets[peer]} recv 0 {r} 1")
            now += 3
    return [line for r in range(n) for line in [f"at {7 * r}"] + lines[r]]


def files(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


EVENT = re.compile(r"([A-Z_]+) +(\d+) +(\d+) (.*)")


def printed(anchor):
    """Of each location the events that otf2-print says, in their order: (name, time, rest)."""
    events = {}
    for line in run("otf2-print", anchor).stdout.splitlines():
        found = EVENT.match(line)
        if found:
            events.setdefault(int(found[2]), []).append((found[1], int(found[3]), found[4].strip()))
    return events


def differ_by_offsets(raw, out, threads):
    """raw: the archive without ClockOffset records."""
    before, after = printed(raw), printed(out / "traces.otf2")
    expect(before.keys() == after.keys() and before, f"locations: {before.keys()} {after.keys()}")
    shifts = set()
    for location, events in before.items():
        offset = threads[location // 7]["offset_ticks"]
        expect([(n, rest) for n, _, rest in events] == [(n, rest) for n, _, rest in after[location]],
               f"events of {location}")
        shifts |= {b - a - offset for (_, a, _), (_, b, _) in zip(events, after[location])}
    expect(len(shifts) == 1, f"offsets are not moved alike: {shifts}")
    return min(time for events in after.values() for _, time, _ in events)


def archives(tmp):
    """Offsets large and small, below and above 0; with and without records of the tracer."""
    rng = random.Random(5)
    for i, (reach, old) in enumerate([(30, []), (10**6, ["offset 0 77", "offset 900 -5"]), (10**15, ["offset 3 8"]),
                                      (0, [])]):
        n = rng.randint(2, 5)
        ahead = [reach + rng.randint(-reach, reach) for _ in range(n)]
        anchor = generate(tmp / "in", world(n) + ring(n, ahead, old=old))
        raw = generate(tmp / "raw", world(n) + ring(n, ahead))
        out, again = tmp / "out", tmp / "again"
        run(CELLSYNC, "-q", anchor, "-o", out, "-r", tmp / "r.json")
        threads = json.loads((tmp / "r.json").read_text())["threads"]
        least = differ_by_offsets(raw, out, sorted(threads, key=lambda t: t["name"]))
        expect(least == 0, f"archive {i}: begins at {least}")
        for name, data in files(tmp / "in").items():
            if name.endswith(".evt") or name == "traces.def":
                expect((out / name).read_bytes() == data, f"archive {i}: {name} is another one")
        crc = 0
        for r in range(n):
            crc = zlib.crc32((out / f"traces/{7 * r}.evt").read_bytes(), crc)
        expect(f"0x{crc:08x}".encode() in (out / "traces.otf2").read_bytes(), f"archive {i}: its CRC-32")
        run(CELLSYNC, "-q", out / "traces.otf2", "-o", again, "-r", tmp / "r.txt")
        told = (tmp / "r.txt").read_text()
        expect(" are within the bounds; they differ from the offsets in this report by at most 0 ns" in told, f"archive {i}: its own offsets: {told[:900]}")
        expect(files(out) == files(again), f"archive {i}: a second run writes other bytes")
        run(CELLSYNC, "-q", anchor, "-o", out, "--link")   # replaced
        expect(files(out) == files(again), f"archive {i}: with --link")
        expect(all(os.stat(out / f"traces/{7 * r}.evt").st_nlink == 2 for r in range(n)), "--link makes links")
        expect(set(files(out)) == set(files(tmp / "in")), f"archive {i}: {set(files(out))}")
        shutil.rmtree(out)
        shutil.rmtree(again)
    print("archives: 4")


def every_definition(tmp):
    """Definitions of all kinds come through: the files are those that libotf2 writes with other offsets, byte for
    byte."""
    def archive(folder, length, old, new):
        lines = world(2, f"resolution 1000000000 500 {length}") + ["every global"]
        for r, events in enumerate((["1000 enter 0", "1000 send 0 1 1", "3000 recv 0 1 1", "3000 leave 0"],
                                    ["71500 recv 0 0 1", "72500 send 0 0 1"])):
            lines += [f"at {7 * r}", "map 1"] + old[:1] + ["every local"] + old[1:] + new[r] + events
        return generate(folder, lines)

    anchor = archive(tmp / "in", 9, ["offset 0 1", "offset 88 -9"], ([], []))
    out = tmp / "every"
    run(CELLSYNC, "-q", anchor, "-o", out, "-r", tmp / "r.json")
    threads = json.loads((tmp / "r.json").read_text())["threads"]
    # The first stamp, 1000 by Rank 0, is where global time begins: 500.
    shift = 500 - 1000 - threads[0]["offset_ticks"]
    new = []
    for thread in threads:
        offset, width = thread["offset_ticks"] + shift, thread["latest_ticks"] - thread["earliest_ticks"]
        new.append([f"offset {time} {offset} {width / 2}" for time in (0, 1)])
    expect(threads[1]["latest_ticks"] > threads[1]["earliest_ticks"], "a deviation that is not 0")
    want = archive(tmp / "want", 2000, [], new)
    found = files(out)
    for name, data in files(want.parent).items():
        expect(name == "traces.otf2" or found[name] == data, f"{name} is not as libotf2 writes it")
    expect(min(time for events in printed(out / "traces.otf2").values() for _, time, _ in events) == 500, "the origin")
    # A kind that is not known: the type is the first byte of a record.
    local = tmp / "in/traces/7.def"
    whole = bytearray(local.read_bytes())
    at = whole.index(b"word") - 5
    print("definitions: all kinds", len(found))
    for kind, offset in ((None, 0), (200, at)):
        if kind:
            whole[offset] = kind
            local.write_bytes(whole)
            done = run(CELLSYNC, "-q", anchor, "-o", tmp / "unknown", code=1)
            expect(done.stderr == f"cellsync: {local}: the archive has definitions that this libotf2 does not know\n", done.stderr)
            expect(not (tmp / "unknown").exists(), "nothing is written")


def check_drifting(tmp, anchor, out):
    """--check proves a drifting archive, and finds what was changed."""
    for option in ("--drift=100", "--drift=50,5", "--drift=100 --alpha=1/3 --latency=7", "--drift=2 --clock-per=location"):
        run(CELLSYNC, "-q", anchor, *option.split(), "-o", tmp / "other")
        done = run(CELLSYNC, "--check", tmp / "other/traces.otf2")
        rate = option[len("--drift="):].split(",")[0].split()[0]
        proved = "bounds not proved with a wander" if "," in option else "every knot is at the fraction alpha of its bounds"
        expect(f"gains or loses more than {rate}.000 ppm" in done.stdout and f"  4  {proved}" in
               done.stdout.replace("the bounds are those that the events prove, ", ""), f"{option}: {done.stdout}")
    local = out / "traces/7.def"
    for path, old, new, want in (
            (out / "traces.otf2", b"drift=100", b"drift=010", r"the clock of this record gains or loses more than the drift limit in the file"),
            (out / "traces.otf2", b"alpha=1/2", b"alpha=1/3", r"the global time of this record is not at the fraction alpha of its range"),
            (out / "traces.otf2", b"drift=100", b"drift=1e0", r"the property cellsync::facts: drift is malformed")):
        whole = path.read_bytes()
        expect(old in whole, f"{old} in {path}")
        path.write_bytes(whole.replace(old, new))
        done = run(CELLSYNC, "--check", out / "traces.otf2", code=1)
        expect(re.fullmatch(f"cellsync: {re.escape(str(out))}/traces.otf2: .*{want}\n", done.stderr),
               f"want {want!r}, got {done.stderr!r}")
        path.write_bytes(whole)
    whole = local.read_bytes()
    local.write_bytes(changed(whole))
    done = run(CELLSYNC, "--check", out / "traces.otf2", code=1)
    expect("R1: the deviation of a clock offset is not half the width of the bounds of this clock" in done.stderr, done.stderr)
    local.write_bytes((out / "traces/14.def").read_bytes())
    done = run(CELLSYNC, "--check", out / "traces.otf2", code=1)
    expect("the timestamp of this event is outside the range of the clock offsets" in done.stderr, done.stderr)
    local.write_bytes(whole)


def drift(tmp):
    """Clocks that drift: what otf2-print says is where the CSV has them, to 1 tick."""
    rng = random.Random(11)
    n, rates, now = 3, [0, 40e-6, -25e-6], 10**6
    lines = {r: [] for r in range(n)}
    for _ in range(150):
        a, b = rng.sample(range(n), 2)
        for r, what in ((a, f"send 0 {b} 1"), (b, f"recv 0 {a} 1")):
            lines[r].append(f"{int((now + 10**5 * r) * (1 + rates[r]))} {what}")
            now += rng.randint(200, 60000)
    anchor = generate(tmp / "in", world(n) + [line for r in range(n) for line in [f"at {7 * r}"] + lines[r]])
    out, rows = tmp / "drifting", tmp / "rows.csv"
    run(CELLSYNC, "-q", anchor, "--drift=100", "-o", out)
    run(CELLSYNC, "-q", anchor, "--drift=100", "-o", rows)
    placed = {}
    for row in csv.DictReader(line for line in rows.read_text().splitlines() if not line.startswith("#")):
        placed.setdefault(7 * int(row["thread"][1:]), []).append(int(row["global_time"]))
    after = printed(out / "traces.otf2")
    first = min(time for events in after.values() for _, time, _ in events)
    shift = first - min(min(times) for times in placed.values())
    far = [time - want - shift for location, times in placed.items()
           for (_, time, _), want in zip(after[location], times)]
    expect(len(far) == 300 and max(map(abs, far)) <= 1 and first == 0, f"of a clock that drifts: {set(far)}")
    # Without kinks it would be off by far more.
    expect(max(map(max, placed.values())) * 40e-6 > 100, "the drift shows")
    run(CELLSYNC, "-q", out / "traces.otf2", "--drift=100", "-o", tmp / "again")
    expect(files(out) == files(tmp / "again"), "a second run writes other bytes")
    check_drifting(tmp, anchor, out)
    shutil.rmtree(tmp / "again")
    print("drift: kinks are where the CSV has them,", len(far), "events")


def checks(tmp):
    """--check proves what was written, and finds what was changed."""
    anchor = generate(tmp / "in", world(3) + ring(3, [0, 500, 90]))
    out = tmp / "checked"
    for options in ([], ["--alpha=1/3"], ["--reference=Rank 2"], ["--relax=none"], ["--delta=2"], ["--latency=3"],
                    ["--clock-per=node"], ["--clock-per=location"]):
        if options != ["--clock-per=node"]:
            run(CELLSYNC, "-q", anchor, "-o", out, *options)
            done = run(CELLSYNC, "--check", out / "traces.otf2")
            expect("the event files have CRC-32 0x" in done.stdout, f"{options}: {done.stdout}")
    run(CELLSYNC, "-q", anchor, "-o", out)
    whole = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    other = (out / "traces/14.def").read_bytes()
    first = out / "traces/0.def"

    def found(path, data, want):
        path.write_bytes(data)
        done = run(CELLSYNC, "--check", out / "traces.otf2", code=1)
        expect(re.fullmatch(f"cellsync: {re.escape(str(out))}/traces.otf2: {want}\n", done.stderr),
               f"want {want!r}, got {done.stderr!r}")
        path.write_bytes(whole[path])

    def edit(path, old, new):
        expect(len(old) == len(new) and old in whole[path], f"{old} in {path}")
        return path, whole[path].replace(old, new)

    events, top = out / "traces/7.evt", out / "traces.otf2"
    found(events, whole[events][:-9] + b"\0" + whole[events][-8:], "the event files have CRC-32 0x.*, but the property cellsync::crc is 0x.*: a file has changed")
    found(first, other, "the smallest global time differs from the one in the properties of the archive")
    found(out / "traces/7.def", other, ".*the global time of this record is before an event that precedes it, by more than delta allows")
    deviation = whole[first][-10:-2]
    found(out / "traces/7.def", changed(whole[out / "traces/7.def"]),
          "R1: the deviation of a clock offset is not half the width of the bounds of this clock")
    expect(deviation == struct.pack("<d", 0.0) or sys.byteorder == "big", "the reference has deviation 0")
    found(*edit(top, b"alpha=1/2", b"alpha=1/3"), ".*the offset of this thread is not at the fraction alpha of its bounds")
    found(*edit(top, b"delta=1/2", b"delta=3/2"), "the property cellsync::facts: added_ticks is not 2 delta rounded up")
    found(*edit(top, b"reference=Rank%200", b"reference=Rank%209"), "no thread has the name of the reference")
    found(*edit(top, b"CELLSYNC::FACTS", b"CELLSYNC::FACTZ"), "the archive was not synchronized by cellsync: the properties cellsync::facts and cellsync::crc are missing")
    found(*edit(top, b"CELLSYNC::CRC\x000x", b"CELLSYNC::CRC\x000y"), "the property cellsync::facts: original_crc32 is "
          "missing or malformed")
    run(CELLSYNC, "-q", anchor, "-o", out, "--method=lsq")
    done = run(CELLSYNC, "--check", out / "traces.otf2", code=1)
    expect("synchronized with --method=lsq, but only results of --method=bhh can be checked" in done.stderr, done.stderr)
    print("checks: what is changed is found")


def beside(tmp):
    """A CSV of an archive is proved beside that; what was changed is found."""
    anchor = generate(tmp / "in", world(3) + ring(3, [0, 500, 90]))
    out = tmp / "beside.csv"
    for option in ("", "--clock-per=location", "--clock-per=process --alpha=1/3 --csv-time=both", "--drift=50", "--drift=50,5"):
        run(CELLSYNC, "-q", anchor, *option.split(), "-o", out)
        done = run(CELLSYNC, "--check", f"--original={anchor}", out)
        expect(f"its rows are the events of {anchor}\n" in done.stdout and " on 24 records of 3 threads\n" in done.stdout,
               f"{option}: {done.stdout}")
    run(CELLSYNC, "-q", anchor, "-o", out)
    whole = out.read_text().splitlines(keepends=True)
    other = generate(tmp / "other_in", world(3) + ring(3, [0, 501, 90]))

    def moved(line):
        fields = line.split(",")
        return ",".join(fields[:2] + [str(int(fields[2]) + 1000)] + fields[3:])

    for lines, original, want in (
            (whole[:-1], anchor, f"the file has 23 rows, but {anchor} has more events"),
            (whole + whole[-1:], anchor, f"line 29: this row follows the last event of {anchor}"),
            ([line.replace("MPI_SEND", "SEND") for line in whole], anchor, f"line [56]: the event of this event differs from {anchor}"),
            ([line.replace("R1,", "R2,") for line in whole], anchor, f"line 13: the thread of this event differs from {anchor}"),
            (whole, other, f"line 13: the time of this event differs from {other}"),
            ([moved(line) if line.startswith("R1,") else line for line in whole], anchor,
             "record [0-9]*: the global time of this record is before an event that precedes it, by more than delta allows"),
            (whole[:8] + [moved(whole[8])] + whole[9:], anchor,
             "record 4: the global time of this row is not its local time plus the offset of its thread"),
            ([whole[0].replace("alpha=1/2", "alpha=1/3")] + whole[1:], anchor, ".*the offset of this thread is not at the fraction alpha of its bounds")):
        out.write_text("".join(lines))
        done = run(CELLSYNC, "--check", f"--original={original}", out, code=1)
        expect(re.fullmatch(f"cellsync: {out}: {want}\n", done.stderr), f"want {want!r}, got {done.stderr!r}")
    for path, original in ((out, tmp / "plain.csv"), (anchor, anchor)):
        (tmp / "plain.csv").write_text("thread,time\na,1\n")
        run(CELLSYNC, "--check", f"--original={original}", path, code=2)
    print("beside: a CSV is proved by the archive that it was made of")


def changed(local):
    """A .def whose last record has another deviation, which is in front of two bytes that end the file."""
    made = bytearray(local)
    made[-4] ^= 1
    return bytes(made)


def refused(anchor, want, *options, code=2):
    done = run(CELLSYNC, "-q", anchor, *options, code=code)
    expect(done.stderr == f"cellsync: {want}\n", f"want {want!r}, got {done.stderr!r}")


def refusals(tmp):
    folder = tmp / "refused"
    folder.mkdir()
    anchor = generate(tmp / "in", world(2) + ring(2, [0, 50]))
    out = folder / "out"
    before = set(folder.iterdir())
    only = f"{anchor}: an OTF2 archive stores only clock offsets, but"
    refused(anchor, f"{only} --monotonic moves events individually; write CSV, JSON, or CTF", "-o", out, "--monotonic")
    refused(anchor, f"{only} this method moves events individually; write CSV, JSON, or CTF", "-o", out, "--method=lamport")
    refused(anchor, f"{out}: --compress excludes --to=otf2", "-o", out, "--compress")
    refused(anchor, f"{out}: a part of a trace can be written only as CSV, JSON (--to=chrome), Perfetto trace, or CTF", "-o", out, "--window=0..9")
    refused(anchor, f"{tmp / 'x.csv'}: --link requires --to=otf2", "-o", tmp / "x.csv", "--link")
    refused(anchor, "-: an OTF2 archive is a folder, so it cannot be written to standard output", "-o", "-", "--to=otf2")
    refused(anchor, f"{tmp / 'in'}: this is the folder of the input trace; name another folder", "-o", tmp / "in", code=1)
    csv = tmp / "plain.csv"
    csv.write_text("thread,time\na,1\nb,2\n")
    refused(csv, f"{csv}: only an OTF2 archive can be written as OTF2; write CSV, JSON, or CTF", "-o", out, "--to=otf2")
    expect(set(folder.iterdir()) == before, "what is refused leaves nothing")
    # Folders with more than an archive stay; others are replaced.
    run(CELLSYNC, "-q", anchor, "-o", out)
    good = files(out)
    for name in ("notes", "traces/notes", "traces/7.txt", "traces/0.evt/x", "more.otf2"):
        shutil.rmtree(out)
        run(CELLSYNC, "-q", anchor, "-o", out)
        if name.count("/") == 2:
            (out / "traces/0.evt").unlink()
            (out / "traces/0.evt").mkdir()
        (out / name).write_bytes(b"mine")
        kept = files(out)
        refused(anchor, f"{out}: this folder contains more than an OTF2 archive; name a new folder", "-o", out, code=1)
        expect(files(out) == kept, f"{name} is kept")
    (out / "more.otf2").unlink()
    run(CELLSYNC, "-q", anchor, "-o", f"{out}/")
    expect(files(out) == good, "a slash may follow")
    shutil.rmtree(out)
    out.mkdir()
    run(CELLSYNC, "-q", anchor, "-o", out)
    expect(files(out) == good, "an empty folder is replaced")
    out.joinpath("x").symlink_to("traces")
    refused(anchor, f"{out}: this folder contains more than an OTF2 archive; name a new folder", "-o", out, code=1)
    print("refusals are told")


def widest(tmp):
    """Regions that were entered 2^63 ticks before they are left, of a clock that is to be moved against the other one."""
    last = 2**63 - 1
    out = tmp / "widest"
    for moved, code in ((0, 0), (1, 1), (-1, 1)):
        lines = ["at 0", "0 enter 0", f"{last - 900} send 0 1 7", f"{last - 680 + moved} recv 0 1 8", f"{last} leave 0",
                 "at 7", "0 enter 0", f"{last - 800 - moved} recv 0 0 7", f"{last - 780} send 0 0 8", f"{last} leave 0"]
        anchor = generate(tmp / "wide", world(2) + lines)
        done = run(CELLSYNC, "-q", anchor, "-o", out, "--reference=Rank 0", code=code)
        expect(done.stderr == code * f"cellsync: {anchor}: the global times span 2^63 ticks or more\n", done.stderr)
    times = [time for events in printed(out / "traces.otf2").values() for _, time, _ in events]
    expect((min(times), max(times)) == (0, last), f"the widest span there is: {min(times)} to {max(times)}")


def demo(tmp):
    """The commands of the tutorial print as many lines as it shows, and no receive is before its send."""
    missing = [program for program in ("mpicc", "mpirun", "eztrace") if not shutil.which(program)]
    if missing:
        print("SKIPPED: the MPI demo of the tutorial, since not installed:", *missing)
        return
    top = pathlib.Path(__file__).resolve().parents[3]
    block = re.search(r"^\t\$ mpicc testdata/ring.c (?:.*\n\t)*.*\n", (top / "doc/tutorial.md").read_text(), re.M)[0]
    block = block.replace("\t", "")
    folder = tmp / "demo"
    folder.mkdir()
    (folder / "testdata").symlink_to(top / "testdata")
    (folder / "cellsync").symlink_to(CELLSYNC)
    for program in ("mpicc", "mpirun"):  # MPICH's, where Open MPI has these names; it looks for its parts beside itself
        if shutil.which(f"{program}.mpich"):
            (folder / program).write_text(f'#!/bin/sh\nexec {program}.mpich "$@"\n')
            (folder / program).chmod(0o755)
    for command, shown in re.findall(r"^\$ (.*)\n((?:[^$].*\n)*)", block, re.M):
        done = subprocess.run(["timeout", "100", "sh", "-ec", f'PATH="$0:$PATH"\n{command}', folder], cwd=folder,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True)
        # The libraries of MPICH may print lines of their own.
        same = command.startswith("mpirun ") or done.stdout.count("\n") == shown.count("\n")
        expect(done.returncode == 0 and same,
               f"tutorial: {command}: exit {done.returncode}: {done.stdout}{done.stderr}")
        if done.returncode != 0:
            return
    early = []
    for anchor in ("ring_trace/eztrace_log.otf2", "synced/eztrace_log.otf2"):
        sent, got = {}, {}
        for location, events in printed(folder / anchor).items():
            rank = location // 536870911
            sent[rank] = [time for name, time, _ in events if name == "MPI_SEND"]
            got[rank] = [time for name, time, _ in events if name == "MPI_RECV"]
        early.append([s - r for rank in range(4) for s, r in zip(sent[rank], got[(rank + 1) % 4])])
    expect(len(early[1]) == 20 and max(early[1]) <= 1, f"receives before sends: {early[1]}")
    print("tutorial: receives before their sends:", *(f"{sum(e > 1 for e in early[i])} of 20" for i in (0, 1)))


def main():
    with tempfile.TemporaryDirectory() as name:
        tmp = pathlib.Path(name).resolve()
        archives(tmp)
        every_definition(tmp)
        drift(tmp)
        checks(tmp)
        beside(tmp)
        refusals(tmp)
        widest(tmp)
        demo(tmp)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
