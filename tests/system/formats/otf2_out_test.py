#!/usr/bin/env python3
"""OTF2 archives that are written: cellsync(1), OTF2 archives.

Usage: otf2_out_test.py CELLSYNC OTF2GEN

What otf2-print, which applies ClockOffset records, says of the archive that goes in, once its own ones are left out, and
of the one that comes out differs by the offset of each location alone, as the JSON report has it.
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
import zlib

CELLSYNC, OTF2GEN = (pathlib.Path(p).resolve() for p in sys.argv[1:3])
faults = []


def expect(good, what):
    if not good:
        faults.append(what)
        print("FAULT:", what)


def run(*words, cwd=None, code=0):
    done = subprocess.run([str(w) for w in words], cwd=cwd, capture_output=True, text=True)
    if done.returncode != code:
        raise SystemExit(f"{words}: exit {done.returncode}, want {code}: {done.stderr}")
    return done


def generate(folder, lines):
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([OTF2GEN, folder], input="\n".join(lines) + "\n", text=True, check=True)
    return folder / "traces.otf2"


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


def differ_by_offsets(tmp, raw, out, threads):
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
        least = differ_by_offsets(tmp, raw, out, sorted(threads, key=lambda t: t["name"]))
        expect(least == 0, f"archive {i}: begins at {least}")
        for name, data in files(tmp / "in").items():
            if name.endswith(".evt") or name == "traces.def":
                expect((out / name).read_bytes() == data, f"archive {i}: {name} is another one")
        crc = 0
        for r in range(n):
            crc = zlib.crc32((out / f"traces/{7 * r}.evt").read_bytes(), crc)
        expect(f"0x{crc:08x}".encode() in (out / "traces.otf2").read_bytes(), f"archive {i}: its CRC-32")
        run(CELLSYNC, "-q", out / "traces.otf2", "-o", again)
        expect(files(out) == files(again), f"archive {i}: a second run writes other bytes")
        run(CELLSYNC, "-q", anchor, "-o", out, "--link")   # replaced
        expect(files(out) == files(again), f"archive {i}: with --link")
        expect(all(os.stat(out / f"traces/{7 * r}.evt").st_nlink == 2 for r in range(n)), "--link makes links")
        expect(set(files(out)) == set(files(tmp / "in")), f"archive {i}: {set(files(out))}")
        shutil.rmtree(out)
        shutil.rmtree(again)
    print("archives: 4")


def refused(anchor, want, *options, code=2):
    done = run(CELLSYNC, "-q", anchor, *options, code=code)
    expect(done.stderr == f"cellsync: {want}\n", f"want {want!r}, got {done.stderr!r}")


def refusals(tmp):
    folder = tmp / "refused"
    folder.mkdir()
    anchor = generate(tmp / "in", world(2) + ring(2, [0, 50]))
    out = folder / "out"
    before = set(folder.iterdir())
    only = f"{anchor}: an OTF2 archive has offsets of clocks, and no times of events by themselves, which"
    refused(anchor, f"{only} --monotonic gives; write CSV, JSON or CTF", "-o", out, "--monotonic")
    refused(anchor, f"{only} this method gives; write CSV, JSON or CTF", "-o", out, "--method=lamport")
    refused(anchor, f"{out}: OTF2 is not compressed", "-o", out, "--compress")
    refused(anchor, f"{out}: only CSV, JSON, Perfetto traces and CTF can be a part of a trace", "-o", out, "--window=0..9")
    refused(anchor, f"{tmp / 'x.csv'}: only an OTF2 archive has event files to link", "-o", tmp / "x.csv", "--link")
    refused(anchor, "-: an OTF2 archive is a folder, which cannot be piped", "-o", "-", "--to=otf2")
    refused(anchor, f"{tmp / 'in'}: it is the folder of the trace itself", "-o", tmp / "in", code=1)
    csv = tmp / "plain.csv"
    csv.write_text("thread,time\na,1\nb,2\n")
    refused(csv, f"{csv}: only of an OTF2 archive one can be made; write CSV, JSON or CTF", "-o", out, "--to=otf2")
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
        refused(anchor, f"{out}: it is a folder that holds more than an OTF2 archive", "-o", out, code=1)
        expect(files(out) == kept, f"{name} is kept")
    (out / "more.otf2").unlink()
    run(CELLSYNC, "-q", anchor, "-o", f"{out}/")
    expect(files(out) == good, "a slash may follow")
    shutil.rmtree(out)
    out.mkdir()
    run(CELLSYNC, "-q", anchor, "-o", out)
    expect(files(out) == good, "an empty folder is replaced")
    out.joinpath("x").symlink_to("traces")
    refused(anchor, f"{out}: it is a folder that holds more than an OTF2 archive", "-o", out, code=1)
    print("refusals are told")


def main():
    with tempfile.TemporaryDirectory() as name:
        tmp = pathlib.Path(name).resolve()
        archives(tmp)
        refusals(tmp)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
