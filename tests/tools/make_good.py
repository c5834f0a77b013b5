#!/usr/bin/env python3
"""Makes the good .pex inputs of the CLI tests, each with a special property.

    make_good.py FOLDER       writes all files; testdata/good contains the result
"""

import struct
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from make_bad import (GOOD, PPE, SPE, SWITCH_IN, SWITCH_OUT,  # noqa: E402
                      document, gzip_member, header, pair, ppe, record)

HZ = 14318000
INTERVAL = 1


def spe(context, decr, *values, event=0x0505, begin=0, flags=0):
    return record(SPE, event, context, struct.pack(">II", decr, begin), values, flags)


def tick(time):
    """Returns a record of the PPE that only has a time."""
    return ppe(0x0105, time)


def padded(data, tail):
    """Returns the record with `tail` after its payload."""
    return struct.pack(">H", len(data) + len(tail)) + data[2:] + tail


def switch_in(time, context, on):
    return ppe(SWITCH_IN, time, context, on)


def switch_out(time, context, on):
    return ppe(SWITCH_OUT, time, context, on)


def trace(*records):
    return header(len(records)) + b"".join(records)


# The example of cellsync-model(7): T1 is the PPE, and T2 and T3 are contexts 2 and 3. Local times of a live
# interval start at 0, so the offset of T3 is higher by 3, because its first event is at 3.
PAPER = trace(tick(0), spe(2, 1000), spe(3, 2000), tick(10), tick(16), spe(3, 1993), spe(2, 990))

# All kinds of contents that cellsync copies, and an unknown number of records.
RICH_XML = """<?xml version='1.0'?>
<?pdt keep this?>
<!-- before the root -->
<pdt_trace version="0x1" application="rich &amp; &quot;full&quot;" xmlns:x="urn:extra" x:y="z">
  <machine timebase_hz="14318000" name="QS20" ppes="2" spes="16"/>
\t<trace_file   href = 'rich.trace' note="kept"/>
  <clock kind="local" note="kept, too"/>
  <order granularity="record"/>
  <switch_source kind="switch_log"/>
  <threads><ppe tid="4711" name="h\u00e9l\u00e8ne"/><spe ctx="1" tid="4711" image="rich_spu"/></threads>
  <x:extra><![CDATA[<kept> & kept]]> &#65;&#xe9;</x:extra>
  <pdtGroup name="LIBSYNC" id="0x03">
    <subGroup name="MUTEX">
      <recordType name="MUTEX_LOCK" id="0x0503" type="interval" stall="yes"/>
      <recordType name="WAIT, &quot;long&quot;" id="1539" type="interval"/>
    </subGroup>
  </pdtGroup>
</pdt_trace>
<!-- behind the root -->
"""
RICH = (header(2**64 - 1, size=40) + b"EXTRA!!!" +
        ppe(0x0300, 1000) +
        switch_in(1010, 1, 3) +
        spe(1, 100, 4096, 2**64 - 1, event=0x0503, begin=160, flags=INTERVAL) +
        record(PPE, 0x0603, 4712, struct.pack(">QQ", 1100, 1050), (), INTERVAL) +
        padded(spe(1, 2**32 - 20, 7, begin=0xdeadbeef), b"\xffbehind\0") +      # 120 ticks later, past zero
        switch_out(1200, 1, 3) +
        spe(2, 7000) +
        ppe(0x0703, 1300) +
        spe(2, 6900, event=0x0503, begin=6899, flags=INTERVAL) +                # a begin after the end
        ppe(0x0400, 1400))

HOUR = 3600 * HZ

TRACES = {
    "paper": PAPER,
    "back-one": trace(tick(1000), tick(1010), tick(1009), tick(1020)),
    "back-hours": trace(tick(9 * HOUR), tick(9 * HOUR + 10), tick(4 * HOUR), tick(4 * HOUR + 20)),
    # 5 ticks pass between two records of the PPE, but 7 ticks between the SPE records among them.
    "infeasible": trace(tick(1000), spe(1, 5000), spe(1, 4993), tick(1005)),
    # Constraints of three threads form a cycle, because two records are out of place.
    "infeasible-3": trace(tick(1000), spe(1, 5000), spe(2, 7000), tick(1010), tick(1050),
                          spe(1, 4985), spe(1, 4900), spe(2, 6980), spe(2, 6960), tick(1055)),
    # pex(5), Live intervals: IN r r OUT r r IN r OUT r r
    "six": trace(switch_in(1000, 1, 0), spe(1, 5000), spe(1, 4990), switch_out(1100, 1, 0), spe(1, 4890), spe(1, 4880),
                 switch_in(1200, 1, 7), spe(1, 4790), switch_out(1300, 1, 7), spe(1, 4690), spe(1, 4680), tick(1400)),
    "lost-out": trace(switch_in(1000, 1, 0), spe(1, 5000), switch_in(2000, 1, 4), spe(1, 4000), switch_out(3000, 1, 4)),
    "lost-in": trace(switch_in(1000, 1, 0), spe(1, 5000), switch_out(2000, 1, 0), switch_out(3000, 1, 0)),
    "straggler": trace(switch_in(1000, 1, 0), spe(1, 5000), switch_out(2000, 1, 0), spe(1, 4000), tick(3000)),
    "split": trace(switch_in(1000, 1, 0), spe(1, 5000), spe(1, 40000000), switch_out(2000, 1, 0)),
    "assumed": trace(tick(1000), spe(1, 5000), spe(1, 4000)),
    "unbounded": trace(tick(1000), spe(1, 5000), tick(2000), spe(2, 7000)),
    # Two occurrences of each warning.
    "warnings": trace(switch_in(1000, 1, 0), spe(1, 5000), switch_in(2000, 1, 4), spe(1, 4000),
                      switch_in(2500, 1, 4), spe(1, 3500), spe(1, 50000000), spe(1, 90000000),
                      switch_out(3000, 1, 4), spe(1, 3000), spe(1, 2990), switch_out(3050, 1, 0),
                      switch_out(3050, 1, 0), tick(3100), tick(3099), tick(3098),
                      spe(2, 7000), spe(2, 6999), spe(2, 6998), spe(3, 8000)),
}


README = """Good inputs of the CLI tests, each with something to say of it, made by tests/tools/make_good.py.
paper.pex is the known answer of cellsync-model(7).
"""


def files():
    """Returns a dictionary from the names of all files to their contents."""
    packed = document(trace_file='<trace_file compression="gzip"/>').encode() + b" \n\t\0" + gzip_member(GOOD)
    out = {"README": README, "rich.pex": RICH_XML, "rich.trace": RICH,
           **pair("gzip", gzip_member(GOOD[:100]) + gzip_member(GOOD[100:]), compression="gzip"),
           "embedded.pex": document(trace_file="<trace_file/>").encode() + b"\0" + GOOD,
           "embedded-gzip.pex": packed}
    for name, data in TRACES.items():
        out.update(pair(name, data))
    return {name: data if isinstance(data, bytes) else data.encode() for name, data in out.items()}


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: make_good.py FOLDER")
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files().items():
        (folder / name).write_bytes(data)


if __name__ == "__main__":
    main()
