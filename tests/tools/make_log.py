#!/usr/bin/env python3
"""Writes a log of Dursun's profiler (cellsync-run(5), EVENT LOGS) from lines on standard input.

Usage: make_log.py FILE [little] [pages] [end]

A line has a type (number or name), its begin and its end, and fields as name=value: enx, exx, flag, peer, bytes, count,
datatype, tag, comm. Times are in ticks of 1 ms or, with the suffix s, in seconds as any double, such as nans or -1s.
"""
import struct
import sys

TYPES = ("PROFILE_START PROFILE_STOP E X MPI_SEND MPI_RECV MPI_ALLREDUCE MPI_REDUCE MPI_BARRIER MPI_BCAST MFC_PUT "
         "MFC_PUT64 MFC_GET64 MFC_PUT32 MFC_GET32").split()
DATA = "peer bytes count datatype tag comm".split()
HZ = 1000
SLOTS = 64


def seconds(text):
    return float(text[:-1]) if text.endswith("s") else float(text) / HZ


def record(line, order, end):
    kind, begin, stop, *rest = line.split()
    fields = {"enx": 0, "exx": 0, "flag": 1} | dict.fromkeys(DATA, 0)
    fields |= {key: int(value, 0) for key, value in (field.split("=") for field in rest)}
    kind = TYPES.index(kind) if kind in TYPES else int(kind, 0)
    begin, stop = seconds(begin), seconds(stop)
    return struct.pack(order + "ddI4xQQh6x8i", stop if end else begin, stop - begin, kind, fields["enx"],
                       fields["exx"], fields["flag"], *(fields[name] for name in DATA), 0, 0)


def main(path, *words):
    order = "<" if "little" in words else ">"
    records = [record(line, order, "end" in words) for line in sys.stdin if line.strip()]
    with open(path, "wb") as out:
        if "pages" not in words:
            out.write(b"".join(records))
            return
        for first in range(0, len(records), SLOTS):
            page = b"".join(records[first:first + SLOTS])
            out.write(b"\x7f" * 16 + page + bytes(SLOTS * 80 - len(page)))


if __name__ == "__main__":
    main(*sys.argv[1:])
