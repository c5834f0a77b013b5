#!/usr/bin/env python3
"""Arrows of messages in trace events and Perfetto traces, against the messages that were drawn.

Usage: flows_test.py CELLSYNC [OTF2GEN]

Random traces in partial order; sends that were posted in another order than they stand in the file; ends without
others; and OTF2 archives whose receives complete in another order than they were posted.  Every message must have one
arrow, from its send to its receive, and nothing else.
"""
import csv
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

CELLSYNC = pathlib.Path(sys.argv[1]).resolve()
OTF2GEN = pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else None
PROTO = pathlib.Path(__file__).resolve().parent / "perfetto.proto"
faults = []


def expect(good, what):
    if not good:
        faults.append(what)
        print("FAULT:", what)


def run(*words):
    done = subprocess.run([CELLSYNC, "-q", *map(str, words)], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{words}: exit {done.returncode}: {done.stderr}")
    return done.stdout


def arrows(path):
    """(ts of the begin, ts of the end) of each arrow of a JSON, in thousandths."""
    ends = ({}, {})
    for event in json.loads(path.read_text(), parse_float=lambda text: round(float(text) * 1000))["traceEvents"]:
        if event["ph"] in "sf":
            expect(event["id"] not in ends[event["ph"] == "f"], f"{path}: {event['id']} twice")
            expect(event["cat"] == "message" and (event["ph"] == "s" or event["bp"] == "e"), f"{path}: {event}")
            ends[event["ph"] == "f"][event["id"]] = event["ts"]
    expect(ends[0].keys() == ends[1].keys(), f"{path}: arrows without an end, or a begin")
    return sorted((ts, ends[1].get(key)) for key, ts in ends[0].items())


def flows(path):
    """The same of a Perfetto trace: numbers of the events' records."""
    done = subprocess.run(["protoc", "--decode=perfetto.protos.Trace", f"--proto_path={PROTO.parent}", PROTO.name],
                          stdin=open(path, "rb"), capture_output=True, text=True, check=True)
    ends, packet = ({}, {}), []
    for line in done.stdout.splitlines() + ["packet {"]:
        if line == "packet {":
            record = None
            for i, word in enumerate(packet):
                if word == "name_iid: 1" and "uint_value" in packet[i + 1]:    # NOTE_RECORD
                    record = int(packet[i + 1].split()[1])
                    break
            for word in packet:
                key, _, value = word.partition(": ")
                if key in ("flow_ids", "terminating_flow_ids"):
                    expect(value not in ends[key != "flow_ids"], f"{path}: flow {value} twice")
                    ends[key != "flow_ids"][value] = record
            packet = []
        packet.append(line.strip())
    expect(ends[0].keys() == ends[1].keys(), f"{path}: flows without an end, or a begin")
    return sorted((record, ends[1].get(key)) for key, record in ends[0].items())


def draw(rng, alone):
    """Rows of a CSV, and (row, row) of each message: the k-th send of a channel in posting order with its k-th receive."""
    clocks = [rng.randint(-900, 900) for _ in range(3)]
    now, rows, sends, receives = [5000] * 3, [], {}, {}
    for _ in range(rng.randint(3, 14)):
        a, b = rng.sample(range(3), 2)
        channel, k = f"{a}>{b}", rng.randint(1, 3)
        # Sends that overlap stand in the file as they end; they were posted as they begin.
        begins = [now[a] + i * 3 + 1 for i in range(k)]
        if not alone:
            rng.shuffle(begins)
        for i, begin in enumerate(begins):
            sends.setdefault(channel, []).append((begin + clocks[a], len(rows)))
            rows.append([f"t{a}", now[a] + 20 + i + clocks[a], channel, "", begin + clocks[a], ""])
        now[a] += 20 + k
        for i in range(k - (rng.random() < 0.05)):
            now[b] = max(now[b], now[a]) + rng.randint(1, 9)
            receives.setdefault(channel, []).append((now[b] + clocks[b], len(rows)))
            rows.append([f"t{b}", now[b] + clocks[b], "", channel, "", ""])
    if not alone:
        rows += [["t0", now[0] + 90000, "", "", "", "g"], ["t1", now[1] + 90000, "", "", "", "h"]]
    pairs = []
    for channel, own in sends.items():
        if len(own) == len(receives.get(channel, [])):  # others are left out
            pairs += [(s, r) for (_, s), (_, r) in zip(sorted(own), receives[channel])]
    return rows, pairs


def check_csv(tmp, rng, i):
    rows, pairs = draw(rng, i % 2 == 0)
    path = tmp / "m.csv"
    path.write_text("# order=partial\n# timebase_hz=1000000000\nthread,time,send,recv,begin,enter\n"
                    + "".join(",".join(map(str, row)) + "\n" for row in rows))
    run(path, "-o", tmp / "out.csv")
    with open(tmp / "out.csv") as file:
        table = list(csv.DictReader(line for line in file if not line.startswith("#")))
    run(path, "-o", tmp / "out.json")
    shown = [(int(row["global_time"]), int(row["global_begin"] or row["global_time"])) for row in table]
    base = min(begin for _, begin in shown)
    want = sorted((shown[s][1] - base, shown[r][0] - base) for s, r in pairs)
    got = arrows(tmp / "out.json")
    expect(got == want, f"trace {i}: arrows {got}, want {want}")
    if shutil.which("protoc") and i < 6:
        run(path, "-o", tmp / "out.pftrace")
        expect(flows(tmp / "out.pftrace") == sorted(pairs), f"trace {i}: flows {flows(tmp / 'out.pftrace')}, want {sorted(pairs)}")


def check_otf2(tmp):
    """Receives that complete in another order than they were posted, and threads of which it is not known."""
    lines = ["resolution 1000000000", "node 0 node one"] + [f"process {r} 0 Rank%20{r}" for r in (0, 1)]
    lines += ["location 0 0 R0", "location 1 1 R1", "location 2 1 R2", "region 0 MPI_Wait", "world 0 1", "comm 0 MPI_COMM_WORLD 0 1",
              "at 0", "10 isend 0 1 7 1", "20 isend 0 1 7 2", "30 send 0 1 8", "40 send 0 1 9",
              "at 1", "100 post 5", "110 post 6", "115 enter 0", "120 irecv 0 0 7 6", "130 irecv 0 0 7 5", "135 leave 0",
              "140 recv 0 0 8", "at 2", "150 recv 0 0 9", "160 recv 0 0 9"]
    folder = tmp / "otf2"
    subprocess.run([OTF2GEN, folder], input="\n".join(lines) + "\n", text=True, check=True)
    run(folder / "traces.otf2", "-o", tmp / "o.json")
    threads = {t["name"]: t["offset_ticks"] for t in
               json.loads(run(folder / "traces.otf2", "-r", "-", "--report-format=json"))["threads"]}
    there, here = threads["Rank 0"], threads["Rank 1"]
    base = json.loads((tmp / "o.json").read_text())["otherData"]["base_ticks"]
    want = [(10 + there, 130 + here), (20 + there, 120 + here), (30 + there, 140 + here)]
    got = arrows(tmp / "o.json")
    expect(got == sorted((a - base, b - base) for a, b in want), f"OTF2: arrows {got}, want {want} less {base}")
    for workers in (1, 2):
        run(folder / "traces.otf2", "-o", tmp / f"{workers}.pftrace", f"--threads={workers}")
    expect((tmp / "1.pftrace").read_bytes() == (tmp / "2.pftrace").read_bytes(), "by two workers other bytes")


def main():
    rng = random.Random(47)
    if not shutil.which("protoc"):
        print("SKIPPED: Perfetto traces, since protoc is not installed")
    with tempfile.TemporaryDirectory() as name:
        tmp = pathlib.Path(name)
        for i in range(20):
            check_csv(tmp, rng, i)
        if OTF2GEN:
            check_otf2(tmp)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
