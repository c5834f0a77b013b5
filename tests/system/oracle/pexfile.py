"""Trace files as the oracle sees them: .pex/.trace (plain, gzip, embedded), CSV, and the undo of a synced .pex.

Written from the description of the format, pex(5), alone; it shares no code with cellsync.

A .pex is an XML document whose trace_file element names the file of records, or has no href: then one NUL byte and
the records follow the document. The records, gzipped or not, are a 32 byte header (or longer), and

    offset 0  u16 size   2 u8 core   3 u8 flags   4 u16 event id   6 u16 n   8 u32 thread   12 u32 pc
          16  stamps: PPE u64 time, begin; SPE u32 decr, decr_begin; either i64 time, begin once GLOBAL_TIME is set
              n u64 values, then bytes up to size

all big-endian. Everything is held in memory; malformed files raise ValueError or struct.error.
"""

import dataclasses
import gzip
import os
import re
import struct
import xml.etree.ElementTree as ET
import zlib
from dataclasses import dataclass, field

PPE, SPE = 0, 1
INTERVAL = 1
GLOBAL_TIME = 1
UNKNOWN_COUNT = 2**64 - 1
WRAP = 2**32
SWITCH_IN, SWITCH_OUT = 0x0100, 0x0200

FILE_HEADER = struct.Struct(">8sHHIQQ")
RECORD_HEADER = struct.Struct(">HBBHHII")
STAMPS = {"ppe": struct.Struct(">QQ"), "spe": struct.Struct(">II"), "global": struct.Struct(">qq")}


# --------------------------------------------------------------------------------------------------- records

@dataclass
class Record:
    """One record; time and begin are the stamps as they stand in the file (an SPE's decr and decr_begin)."""
    core: int
    event: int
    thread: int
    time: int
    begin: int = 0
    flags: int = 0
    pc: int = 0
    values: tuple = ()
    extra: bytes = b""


@dataclass
class TraceFile:
    """The records and what the file header says besides."""
    records: list
    flags: int = 0
    extra_header: bytes = b""
    count: int = None           # as the header says; None where it says "unknown"


def stamps_of(core, is_global):
    """The layout of the two stamps of a record."""
    if is_global:
        return STAMPS["global"]
    return STAMPS["ppe"] if core == PPE else STAMPS["spe"]


def pack_record(record, is_global=False):
    """The bytes of one record."""
    stamps = stamps_of(record.core, is_global).pack(record.time, record.begin)
    body = stamps + struct.pack(f">{len(record.values)}Q", *record.values) + record.extra
    return RECORD_HEADER.pack(RECORD_HEADER.size + len(body), record.core, record.flags, record.event,
                              len(record.values), record.thread, record.pc) + body


def unpack_record(data, at, is_global):
    """The record at offset at, and the offset of the next one."""
    size, core, flags, event, n, thread, pc = RECORD_HEADER.unpack_from(data, at)
    if size % 8 or at + size > len(data):
        raise ValueError(f"record at {at}: size {size}")
    stamps = stamps_of(core, is_global)
    time, begin = stamps.unpack_from(data, at + RECORD_HEADER.size)
    values_at = at + RECORD_HEADER.size + stamps.size
    values = struct.unpack_from(f">{n}Q", data, values_at)
    extra = bytes(data[values_at + 8 * n:at + size])
    return Record(core, event, thread, time, begin, flags, pc, values, extra), at + size


def pack_records(records, is_global=False):
    """The bytes of all records: what original_crc32 is taken over."""
    return b"".join(pack_record(r, is_global) for r in records)


def pack_trace(trace, count=True):
    """The bytes of a .trace; count=False writes the count as unknown."""
    number = len(trace.records) if count else UNKNOWN_COUNT
    header = FILE_HEADER.pack(b"PDTTRACE", 1, FILE_HEADER.size + len(trace.extra_header), trace.flags, number, 0)
    return header + trace.extra_header + pack_records(trace.records, bool(trace.flags & GLOBAL_TIME))


def unpack_trace(data):
    """The TraceFile in the bytes of an uncompressed .trace."""
    magic, version, header_size, flags, count, zero = FILE_HEADER.unpack_from(data)
    if (magic, version, zero) != (b"PDTTRACE", 1, 0) or header_size % 8:
        raise ValueError("not a version 1 trace")
    trace = TraceFile([], flags, bytes(data[FILE_HEADER.size:header_size]),
                      None if count == UNKNOWN_COUNT else count)
    at = header_size
    while at < len(data):
        record, at = unpack_record(data, at, bool(flags & GLOBAL_TIME))
        trace.records.append(record)
    if trace.count not in (None, len(trace.records)):
        raise ValueError(f"header says {trace.count} records, file has {len(trace.records)}")
    return trace


def record_offsets(data):
    """The file offset of every record in the bytes of an uncompressed .trace."""
    at = FILE_HEADER.unpack_from(data)[2]
    offsets = []
    while at < len(data):
        offsets.append(at)
        at += struct.unpack_from(">H", data, at)[0]
    return offsets


# ------------------------------------------------------------------------------------------------------ .pex

@dataclass
class Pex:
    """A .pex with its records."""
    root: ET.Element
    trace: TraceFile
    embedded: bool

    @property
    def timebase_hz(self):
        return number(self.root.find("machine").get("timebase_hz"))

    @property
    def clock_kind(self):
        return attribute(self.root, "clock", "kind", "local")

    @property
    def switch_kind(self):
        return attribute(self.root, "switch_source", "kind", "switch_log")

    @property
    def event_names(self):
        """Event id -> name, from the recordType elements."""
        return {number(e.get("id")): e.get("name") for e in self.root.iter("recordType")}


def number(text):
    """A number of an attribute: decimal, or hexadecimal after 0x."""
    return int(text, 16) if text.lower().startswith("0x") else int(text)


def attribute(root, element, name, default):
    """An attribute of an optional child of the root."""
    found = root.find(element)
    return default if found is None else found.get(name, default)


def parse_document(document):
    """The root of an XML document, comments inside it included."""
    parser = ET.XMLParser(target=ET.TreeBuilder(insert_comments=True))
    parser.feed(document)
    return parser.close()


def parse_pex(data, folder):
    """The Pex in the bytes of a .pex that stands in a folder."""
    document, nul, rest = data.partition(b"\0")
    root = parse_document(document)
    href = root.find("trace_file").get("href")
    if href is not None:
        with open(os.path.join(folder, *href.split("/")), "rb") as file:
            rest = file.read()
    elif not nul:
        raise ValueError("neither an href nor embedded records")
    if attribute(root, "trace_file", "compression", "none") == "gzip":
        rest = gzip.decompress(rest)
    pex = Pex(root, unpack_trace(rest), href is None)
    if (pex.clock_kind == "global") != bool(pex.trace.flags & GLOBAL_TIME):
        raise ValueError("clock kind and GLOBAL_TIME disagree")
    return pex


def read_pex(path):
    """The Pex of a file."""
    with open(path, "rb") as file:
        return parse_pex(file.read(), os.path.dirname(path))


def compress(data, cuts=()):
    """Gzip with one member a piece between the cuts."""
    edges = [0, *sorted(cuts), len(data)]
    return b"".join(gzip.compress(data[a:b], mtime=0) for a, b in zip(edges, edges[1:]))


def write_pex(path, document, records, href=None):
    """Write a .pex: the records (as they shall be, gzipped or not) after it, or to href beside it."""
    with open(path, "wb") as file:
        file.write(document if href else document + b"\0" + records)
    if href:
        target = os.path.join(os.path.dirname(path), *href.split("/"))
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "wb") as file:
            file.write(records)


# ------------------------------------------------------------------------------------- undo of a synced .pex

@dataclass
class Table:
    """The synchronization element: its attributes, the ppe_thread's (or None) and the live_intervals' in order."""
    attributes: dict
    ppe: dict
    intervals: list

    def interval_of(self, context, position):
        """The interval of a context's record: the last of that context to begin at or before it."""
        begun = [i for i in self.intervals
                 if number(i["ctx"]) == context and number(i["first_record"]) <= position]
        return max(begun, key=lambda i: number(i["first_record"]))


def synchronization(pex):
    """The table of a synced .pex."""
    element = pex.root.findall("synchronization")[-1]
    ppe = element.find("ppe_thread")
    return Table(dict(element.attrib), None if ppe is None else dict(ppe.attrib),
                 [dict(e.attrib) for e in element.findall("live_interval")])


def undo_ppe(record):
    """The original of a PPE record: the same bits, read as unsigned."""
    return dataclasses.replace(record, time=record.time % 2**64, begin=record.begin % 2**64)


def undo_spe(record, interval):
    """The original of an SPE record, from its interval's line of the table."""
    local = record.time - number(interval["offset"])
    decr = (number(interval["decr_first"]) - local) % WRAP
    if record.flags & INTERVAL:
        begin = (decr + record.time - record.begin) % WRAP
    else:
        begin = record.begin % WRAP
    return dataclasses.replace(record, time=decr, begin=begin)


def undo(pex, table):
    """The original records of a synced .pex, by its table only."""
    return [undo_ppe(r) if r.core == PPE else undo_spe(r, table.interval_of(r.thread, position))
            for position, r in enumerate(pex.trace.records)]


def crc32(data):
    """A CRC-32 as the table prints it."""
    return f"0x{zlib.crc32(data):08x}"


# ------------------------------------------------------------------------------------------------------- CSV

@dataclass
class CsvTrace:
    """A CSV trace: raw lines (with their line ends) and the parsed fields of each row."""
    comments: list
    header: bytes
    names: list
    raw_rows: list
    timebase_hz: int = 10**9
    timebase_assumed: bool = True
    rows: list = field(default_factory=list)    # one dict a row, column name -> text


def split_rows(data):
    """Raw rows with their line ends; a line end inside quotes belongs to the row."""
    rows, start, quoted = [], 0, False
    for at, byte in enumerate(data):
        if byte == ord('"'):
            quoted = not quoted
        elif byte == ord("\n") and not quoted:
            rows.append(data[start:at + 1])
            start = at + 1
    return rows + ([data[start:]] if start < len(data) else [])


def line_end(row):
    """The line end of a raw row; empty for a last line without one."""
    return re.search(rb"\r?\n?\Z", row).group()


def raw_fields(row):
    """The fields of a raw row as they stand, quotes included."""
    body = row[:len(row) - len(line_end(row))]
    fields, start, quoted = [], 0, False
    for at, byte in enumerate(body):
        if byte == ord('"'):
            quoted = not quoted
        elif byte == ord(",") and not quoted:
            fields.append(body[start:at])
            start = at + 1
    return fields + [body[start:]]


def unquote(raw):
    """The text of a raw field."""
    text = raw.decode("utf-8", "surrogateescape")
    return text[1:-1].replace('""', '"') if text.startswith('"') else text


def quote(text, always=False):
    """A field as RFC 4180 wants it."""
    if always or re.search(r'[",\r\n]', text):
        return '"' + text.replace('"', '""') + '"'
    return text


def fields_of(row):
    """The texts of the fields of a raw row."""
    return [unquote(f) for f in raw_fields(row)]


def parse_csv(data):
    """The CsvTrace in the bytes of a file."""
    comments = []
    while data.startswith(b"#"):
        comment, end, data = data.partition(b"\n")
        comments.append(comment + end)
    header, *rows = split_rows(data)
    trace = CsvTrace(comments, header, fields_of(header), rows)
    for comment in comments:
        match = re.match(rb"#\s*timebase_hz=(\d+)\s*\Z", comment)
        if match:
            trace.timebase_hz = int(match.group(1))
            trace.timebase_assumed = False
    trace.rows = [dict(zip(trace.names, fields_of(row))) for row in rows]
    return trace


def read_csv(path):
    """The CsvTrace of a file."""
    with open(path, "rb") as file:
        return parse_csv(file.read())


def with_column(row, at, text):
    """A raw row with its field number at replaced by text, or with text as one more last field."""
    fields = raw_fields(row)
    fields[at:at + 1] = [text.encode()]
    return b",".join(fields) + line_end(row)


def csv_original(trace):
    """The bytes of a CSV trace without what synchronizing has added to it, or would replace."""
    added = ("global_time", "global_time_s", "global_begin", "global_begin_s")
    kept = [i for i, name in enumerate(trace.names) if name not in added]
    lines = [b",".join(raw_fields(row)[i] for i in kept) + line_end(row) for row in [trace.header] + trace.raw_rows]
    data = b"".join([c for c in trace.comments if not c.startswith((b"# cellsync ", b"# cellsync-warning: "))] + lines)
    return data if data.endswith(b"\n") else data + line_end(trace.header)


def csv_with_global_time(trace, times, facts):
    """The bytes that a CSV trace must be carried to: the lines of facts, every byte of it, and the column global_time.

    A last line without a line end gets that of the header.
    """
    has_column = "global_time" in trace.names
    at = trace.names.index("global_time") if has_column else len(trace.names)
    header = trace.header if has_column else with_column(trace.header, at, "global_time")
    rows = [with_column(row, at, str(time)) for row, time in zip(trace.raw_rows, times)]
    added = [line.encode() + line_end(trace.header) for line in facts.split("\n")]
    data = b"".join(added + trace.comments + [header] + rows)
    return data if data.endswith(b"\n") else data + line_end(trace.header)
