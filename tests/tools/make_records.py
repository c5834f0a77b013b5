#!/usr/bin/env python3
"""Makes a record file of a .pex from lines of text.

Usage: make_records.py FILE.trace < LINES

Each line describes a record; # begins a comment:

    ppe TID ID TIME[,BEGIN] VALUE...    BEGIN sets the flag INTERVAL
    spe CTX ID DECR[,BEGIN] VALUE...
    in CTX TIME [TID], out CTX TIME [TID]     SPE_SWITCH_IN and SPE_SWITCH_OUT, on SPE 0

ID is hexadecimal.
"""

import struct
import sys


def record(core, thread, event, stamps, values):
    time, _, begin = stamps.partition(",")
    layout = ">QQ" if core == 0 else ">II"
    body = struct.pack(layout, int(time), int(begin or 0)) + struct.pack(f">{len(values)}Q", *values)
    return struct.pack(">HBBHHII", 16 + len(body), core, bool(begin), event, len(values), thread, 0) + body


def parse(words):
    kind, thread, *rest = words
    if kind in ("in", "out"):
        tid = int(rest[1]) if len(rest) > 1 else 0
        return record(0, tid, 0x0100 if kind == "in" else 0x0200, rest[0], [int(thread), 0])
    return record(["ppe", "spe"].index(kind), int(thread), int(rest[0], 16), rest[1],
                  [int(value, 0) for value in rest[2:]])


def main():
    lines = [line.partition("#")[0].split() for line in sys.stdin]
    records = [parse(words) for words in lines if words]
    header = struct.pack(">8sHHIQQ", b"PDTTRACE", 1, 32, 0, len(records), 0)
    with open(sys.argv[1], "wb") as out:
        out.write(header + b"".join(records))


if __name__ == "__main__":
    main()
