#!/usr/bin/env python3
"""Makes the bad inputs of the CLI tests: a small file, or pair of files, for each possible fault.

    make_bad.py FOLDER        writes all files; testdata/bad contains the result

Each input has only the fault that its name states. cases/bad.err contains the messages of cellsync. The program
uses only the standard library and no compression, so all machines write the same bytes.
"""

import struct
import sys
import zlib
from pathlib import Path

# ------------------------------------------------------------------------------------------------- the record file

PPE, SPE = 0, 1
SWITCH_IN, SWITCH_OUT = 0x0100, 0x0200


def header(records, magic=b"PDTTRACE", version=1, size=32, flags=0, zero=0):
    return struct.pack(">8sHHIQQ", magic, version, size, flags, records, zero)


def record(core, event, thread, stamps, values=(), flags=0, size=None, n=None):
    """Returns a record. size and n replace the correct values in its header, if they are given."""
    body = stamps + struct.pack(f">{len(values)}Q", *values)
    size = 16 + len(body) if size is None else size
    n = len(values) if n is None else n
    return struct.pack(">HBBHHII", size, core, flags, event, n, thread, 0x4a8) + body


def ppe(event, time, *values, **wrong):
    return record(PPE, event, 4711, struct.pack(">QQ", time, 0), values, **wrong)


def spe(decr, *values, **wrong):
    return record(SPE, 0x0505, 1, struct.pack(">II", decr, 0), values, **wrong)


# The good trace: three records at the offsets 32, 80, and 104; 152 bytes in total.
IN = ppe(SWITCH_IN, 1000, 1, 0)
WORK = spe(5000)
OUT = ppe(SWITCH_OUT, 2000, 1, 0)
GOOD = header(3) + IN + WORK + OUT

# The same trace with global times.
GLOBAL_WORK = record(SPE, 0x0505, 1, struct.pack(">qq", 1500, 0))
GLOBAL = header(3, flags=1) + IN + GLOBAL_WORK + OUT


def gzip_member(data, crc=None):
    """Returns a gzip member with one uncompressed block."""
    crc = zlib.crc32(data) if crc is None else crc
    return (b"\x1f\x8b\x08\0\0\0\0\0\0\xff" + struct.pack("<BHH", 1, len(data), len(data) ^ 0xffff) + data +
            struct.pack("<II", crc, len(data)))


PACKED = gzip_member(GOOD)

# ------------------------------------------------------------------------------------------------------- the .pex

DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'


def document(root='pdt_trace version="1"', machine='<machine timebase_hz="14318000"/>',
             trace_file='<trace_file href="good.trace"/>', more="", before=""):
    """Returns a short .pex as text."""
    lines = [before, f"<{root}>", machine, trace_file, more, f"</{root.split()[0]}>"]
    return DECLARATION + "".join(line + "\n" for line in lines if line)


def pair(name, trace, more="", compression="none"):
    """Returns a good .pex with this record file."""
    trace_file = f'<trace_file href="{name}.trace" compression="{compression}"/>'
    return {f"{name}.pex": document(trace_file=trace_file, more=more), f"{name}.trace": trace}


def embedded(data, trace_file="<trace_file/>"):
    return document(trace_file=trace_file).encode() + data


BOMB = """<!DOCTYPE pdt_trace [
<!ENTITY a "boom boom boom boom boom boom boom boom">
<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">
<!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;">
<!ENTITY e "&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;">
]>"""

XML = {
    "xml-empty.pex": "",
    "xml-not.pex": "This is no XML.\n",
    "xml-cut.pex": document()[:130],
    "xml-mismatch.pex": document(more="<threads></thread>"),
    "xml-deep.pex": document(more="<a>" * 300 + "</a>" * 300),
    "xml-attributes.pex": document(more="<a " + "".join(f"b{i} = '{i}'\n" for i in range(1001)) + "/>"),
    "xml-namespaces.pex": document(more="".join("<a " + "".join(f"xmlns:p{n}a{i}='u' " for i in range(251)) + ">"
                                                for n in range(4)) + "</a>" * 4),
    "xml-not-utf8.pex": document(more="<note text='caf#'/>").encode().replace(b"#", b"\xe9"),
    "xml-rest-not-euc-jp.pex": document().replace("UTF-8", "EUC-JP").encode() + b"\xff<!-- lost -->\n",
    "xml-rest-not-ascii.pex": document().replace("UTF-8", "US-ASCII").encode() + b"\xff<!-- lost -->\n",
    "xml-utf16.pex": document().replace("UTF-8", "UTF-16").encode("utf-16"),
    "xml-utf7.pex": document().replace("UTF-8", "UTF-7"),
    "xml-ebcdic.pex": document().replace("UTF-8", "IBM037").encode("cp037"),
    "xml-hz.pex": document().replace("UTF-8", "HZ"),
    "xml-encoding-unknown.pex": document().replace("UTF-8", "EBCDIC-XY"),
    "xml-dtd.pex": document(before='<!DOCTYPE pdt_trace SYSTEM "pdt.dtd">'),
    "xml-dtd-entity-bomb.pex": document(before=BOMB, more="<note>&e;</note>"),
    "xml-dtd-entity-file.pex": document(before='<!DOCTYPE pdt_trace [<!ENTITY f SYSTEM "good.trace">]>',
                                        more="<note>&f;</note>"),
    "xml-entity-undeclared.pex": document(more="<note>&nobody;</note>"),
    "xml-root.pex": document(root='svg version="1"'),
    "xml-root-escape.pex": document(root='caf\u00e9 version="1"'),
    "xml-version-3.pex": document(root='pdt_trace version="3"'),
    "xml-version-missing.pex": document(root="pdt_trace"),
    "xml-version-text.pex": document(root='pdt_trace version="one"'),
    "xml-machine-missing.pex": document(machine=""),
    "xml-timebase-missing.pex": document(machine='<machine name="QS20"/>'),
    "xml-timebase-0.pex": document(machine='<machine name="QS20" timebase_hz="0"/>'),
    "xml-timebase-negative.pex": document(machine='<machine timebase_hz="-14318000"/>'),
    "xml-timebase-beyond.pex": document(machine='<machine timebase_hz="18446744073709551616"/>'),
    "xml-timebase-text.pex": document(machine='<machine timebase_hz="14.318 MHz"/>'),
    "xml-trace_file-missing.pex": document(trace_file=""),
    "value-compression.pex": document(trace_file='<trace_file href="good.trace" compression="xz"/>'),
    "value-clock.pex": document(more='<clock kind="wall"/>'),
    "value-granularity.pex": document(more='<order granularity="buffer"/>'),
    "value-switch_source.pex": document(more='<switch_source kind="guess"/>'),
    "value-escape.pex": document(more='<clock kind="&#27;[31m&#10;caf\u00e9\\"/>'),
}

HREF = {
    f"href-{name}.pex": document(trace_file=f'<trace_file href="{href}"/>')
    for name, href in {
        "absolute": "/tmp/good.trace",
        "empty": "",
        "folder": ".",
        "itself": "href-itself.pex",
        "missing-file": "nowhere.trace",
        "missing-folder": "nowhere/good.trace",
        "parent": "../good.trace",
        "parent-inside": "a/../good.trace",
        "url": "http://localhost/good.trace",
        "url-file": "file:good.trace",
    }.items()
}

EMBEDDED = {
    "embedded-cut.pex": embedded(b"\0" + GOOD[:100]),
    "embedded-nothing.pex": embedded(b"\0"),
    "embedded-no-nul.pex": embedded(b""),
    "embedded-no-nul-records.pex": embedded(GOOD),
    "embedded-href.pex": embedded(b"\0" + GOOD, '<trace_file href="good.trace"/>'),
}

TRACE = {
    "gzip-beyond": (PACKED + b"what is this?", "gzip"),
    "gzip-block": (PACKED[:10] + b"\x07" + PACKED[11:], "gzip"),
    "gzip-crc": (gzip_member(GOOD, crc=0x12345678), "gzip"),
    "gzip-cut": (PACKED[:100], "gzip"),
    "gzip-cut-behind-records": (PACKED[:-4], "gzip"),
    "gzip-empty": (b"", "gzip"),
    "gzip-flipped-byte": (PACKED[:60] + bytes([PACKED[60] ^ 1]) + PACKED[61:], "gzip"),
    "gzip-not": (GOOD, "gzip"),
    "gzip-not-said": (PACKED, "none"),
    "gzip-record-cut": (gzip_member(GOOD[:90]), "gzip"),
    "header-empty": (b"", "none"),
    "header-magic": (header(3, magic=b"PDTTRACK") + IN + WORK + OUT, "none"),
    "header-magic-cut": (GOOD[:3], "none"),
    "header-cut": (GOOD[:20], "none"),
    "header-version": (header(3, version=2) + IN + WORK + OUT, "none"),
    "header-size-24": (header(3, size=24) + IN + WORK + OUT, "none"),
    "header-size-31": (header(3, size=31) + IN + WORK + OUT, "none"),
    "header-size-36": (header(3, size=36) + bytes(4) + IN + WORK + OUT, "none"),
    "header-size-beyond": (header(3, size=40) + b"four", "none"),
    "header-flags": (header(3, flags=0x80000002) + IN + WORK + OUT, "none"),
    "header-not-zero": (header(3, zero=1) + IN + WORK + OUT, "none"),
    "count-high": (header(4) + IN + WORK + OUT, "none"),
    "count-low": (header(2) + IN + WORK + OUT, "none"),
    "count-unknown-cut": (header(2**64 - 1) + IN + WORK + OUT[:-8], "none"),
    "no-records": (header(0), "none"),
    "no-records-unknown": (header(2**64 - 1), "none"),
    "record-beyond-file": (header(2) + IN + spe(5000, size=4096), "none"),
    "record-core-7": (header(3) + IN + record(7, 0x0505, 1, bytes(8)) + OUT, "none"),
    "record-drift": (header(2) + IN + ppe(SWITCH_OUT, 2**61, 1, 0), "none"),
    "record-flags": (header(3) + IN + spe(5000, flags=0x81) + OUT, "none"),
    "record-payload-most": (header(3) + IN + spe(5000, n=0xffff) + OUT, "none"),
    "record-payload-ppe": (header(3) + ppe(SWITCH_IN, 1000, 1, 0, n=3) + WORK + OUT, "none"),
    "record-payload-spe": (header(3) + IN + spe(5000, 7, n=2) + OUT, "none"),
    "record-size-0": (header(3) + IN + spe(5000, size=0) + OUT, "none"),
    "record-size-8": (header(3) + IN + spe(5000, size=8) + OUT, "none"),
    "record-size-28": (header(3) + IN + spe(5000, size=28) + bytes(4) + OUT, "none"),
    "record-size-65528": (header(3) + IN + spe(5000, size=65528) + OUT, "none"),
    "record-size-ppe-24": (header(3) + ppe(SWITCH_IN, 1000, 1, 0, size=24) + WORK + OUT, "none"),
    "record-time": (header(3) + IN + WORK + ppe(SWITCH_OUT, 2**63, 1, 0), "none"),
    "switch-beyond": (header(3) + ppe(SWITCH_IN, 1000, 2**32, 0) + WORK + OUT, "none"),
    "switch-no-payload": (header(3) + ppe(SWITCH_IN, 1000) + WORK + OUT, "none"),
    "switch-one-value": (header(3) + IN + WORK + ppe(SWITCH_OUT, 2000, 1), "none"),
    "trailing-bytes": (GOOD + b"four", "none"),
    "trailing-bytes-unknown": (header(2**64 - 1) + IN + WORK + OUT + b"four", "none"),
    "trailing-record": (GOOD + ppe(0x0400, 3000), "none"),
}

CLOCK = {
    **pair("clock-already-global", GLOBAL, '<clock kind="global"/>'),
    **pair("clock-global-not-flagged", GOOD, '<clock kind="global"/>'),
    **pair("clock-local-but-flagged", GLOBAL, '<clock kind="local"/>'),
    **pair("clock-missing-but-flagged", GLOBAL),
}

# ------------------------------------------------------------------------------------------------------------ CSV

FIVE = "thread,time,a,b,c\nT1,0,1,2,3\n"
TWO = "thread,time\nT1,0\nT2,5\n"

CSV = {
    "empty": "",
    "only-comments": "# timebase_hz=1000\n# nothing else\n",
    "no-rows": "thread,time\n",
    "no-time": "thread,when\nT1,0\n",
    "no-thread": "name,time\nT1,0\n",
    "two-times": "thread,time,time\nT1,0,0\n",
    "bars": "thread|time\nT1|0\n",
    "no-header": "T1,0\nT2,5\n",
    "several-threads": "host,tid,time\na,1,0\n",
    "several-times": "thread,time_us,time_ms\nT1,0,0\n",
    "begin-and-duration": "thread,time,begin,duration\nT1,0,0,0\n",
    "begin-after-time": "thread,time,begin\nT1,0,0\nT1,5,6\n",
    "begin-text": "thread,time,begin\nT1,0,never\n",
    "duration-below": "thread,time,duration\nT1,0,-1\n",
    "stamp-among-ticks": TWO + "T1,2024-05-01T12:00:00Z\n",
    "tick-among-stamps": "thread,time\nT1,2024-05-01T12:00:00Z\nT1,5\n",
    "stamp-day": "thread,time\nT1,2024-05-01T12:00:00Z\nT1,2023-02-29T12:00:00Z\n",
    "unit-finer": "thread,time_us\nT1,0.0005\n",
    "unit-text": "thread,time_s\nT1,1.5s\n",
    "unit-beyond": "thread,time_s\nT1,9223372036.854775808\n",
    "utf16": TWO.encode("utf-16"),
    "mac-line-ends": TWO.replace("\n", "\r"),
    "row-3-of-5": FIVE + "T1,1,x\n",
    "row-6-of-5": FIVE + "T1,1,2,3,4,5\n",
    "row-1-of-5": FIVE + "T1\n",
    "time-fraction": TWO + "T1,1.5\n",
    "time-beyond": TWO + "T1,99999999999999999999\n",
    "time-2^63": TWO + "T1,9223372036854775808\n",
    "time-below": TWO + "T1,-9223372036854775809\n",
    "time-text": TWO + "T1,noon\n",
    "time-empty": TWO + "T1,\n",
    "time-space": TWO + "T1,7 8\n",
    "time-sign": TWO + "T1,-\n",
    "time-hex": TWO + "T1,0x10\n",
    "time-escape": TWO.encode() + b"T1,\x1b[31m\xe9\\\n",
    "time-far": "thread,time\nT1,-9223372036854775808\nT1,9223372036854775807\n",
    "offset-far": "thread,time\nppe,9223372036854775806\nT,-9223372036854775808\nppe,9223372036854775807\n",
    "quote-in-field": TWO + 'T"1,7\n',
    "quote-behind": TWO + '"T1"x,7\n',
    "quote-open": TWO + '"T1,7\nT2,8\n',
    "quote-open-header": '"thread,time\nT1,0\n',
    "core-gpu": "thread,time,core\nT1,0,spe\nT2,0,gpu\n",
    "core-case": "thread,time,core\nT1,0,SPE\n",
    "core-of-ppe": "thread,time,core\nppe,0,spe\n",
    "thread-empty": TWO + ",7\n",
    "thread-empty-quoted": TWO + '"",7\n',
    "thread-nul": TWO + "T\0,7\n",
    "timebase-0": "# timebase_hz=0\n" + TWO,
    "timebase-text": "# a trace\n#timebase_hz = fast\n" + TWO,
    "timebase-beyond": "# timebase_hz=18446744073709551616\n" + TWO,
}

# ------------------------------------------------------------------------------------------------------------------

README = """Bad inputs, one for each thing that can be wrong, made by tests/tools/make_bad.py.
What cellsync says to each is in tests/system/cli/cases/bad.err.
good.pex is good: it is what the others would be.
"""


def files():
    """Returns a dictionary from the names of all files to their contents."""
    out = {"README": README, "good.pex": document(), "good.trace": GOOD, **XML, **HREF, **EMBEDDED, **CLOCK}
    for name, (trace, compression) in TRACE.items():
        out.update(pair(name, trace, compression=compression))
    for name, text in CSV.items():
        out[f"csv-{name}.csv"] = text
    return {name: data if isinstance(data, bytes) else data.encode() for name, data in out.items()}


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: make_bad.py FOLDER")
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files().items():
        (folder / name).write_bytes(data)


if __name__ == "__main__":
    main()
