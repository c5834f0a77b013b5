#!/usr/bin/env python3
"""Make testdata/demo.pex and demo.trace: eight SPE contexts share four SPEs of a QS20.

Usage: make_demo.py FOLDER. The files are always the same. Contexts take work from a queue, which a
mutex protects and the PPE fills. Each context is switched twice, and its decrementer is then
restored with an error.
"""
import pathlib
import random
import struct
import sys

HZ = 14318000
PEX = """<?xml version="1.0" encoding="UTF-8"?>
<pdt_trace version="1" application="queue" created="2008-05-01T12:00:00Z">
  <machine name="QS20" timebase_hz="14318000" ppes="1" spes="4"/>
  <trace_file href="demo.trace" compression="none"/>
  <clock kind="local"/>
  <order granularity="record"/>
  <switch_source kind="switch_log"/>
  <threads>
    <ppe tid="4711" name="main"/>
CONTEXTS  </threads>
  <pdtGroup name="GENERAL" id="0x00">
    <recordType name="SPE_SWITCH_IN" id="0x0100" type="point">
      <field name="context" type="u64"/><field name="spe" type="u64"/>
    </recordType>
    <recordType name="SPE_SWITCH_OUT" id="0x0200" type="point">
      <field name="context" type="u64"/><field name="spe" type="u64"/>
    </recordType>
  </pdtGroup>
  <pdtGroup name="LIBSYNC" id="0x03">
    <subGroup name="MUTEX">
      <recordType name="MUTEX_LOCK" id="0x0503" type="interval" stall="yes">
        <field name="lock" type="u64"/><field name="miss" type="u64"/>
      </recordType>
      <recordType name="MUTEX_UNLOCK" id="0x0703" type="point"><field name="lock" type="u64"/></recordType>
    </subGroup>
  </pdtGroup>
</pdt_trace>
"""


class Buffer:
    """The shared trace buffer, with records in the order of true time."""

    def __init__(self, rng):
        self.rng, self.records, self.now = rng, [], 61_000_000_000
        self.decr_zero = {}

    def ppe(self, event, *payload, begin=None):
        self.now += self.rng.randint(3, 60)
        stamps = struct.pack(">QQ", self.now, begin or 0)
        self.put(0, begin is not None, event, 4711, 0x10001000, stamps, payload)

    def spe(self, ctx, event, *payload, stalled=None):
        self.now += self.rng.randint(3, 60)
        decr = (self.decr_zero[ctx] - self.now) & 0xFFFFFFFF
        begin = (decr + stalled) & 0xFFFFFFFF if stalled is not None else 0
        self.put(1, stalled is not None, event, ctx, 0x2000 + 64 * ctx,
                 struct.pack(">II", decr, begin), payload)

    def put(self, core, interval, event, thread, pc, stamps, payload):
        size = 16 + len(stamps) + 8 * len(payload)
        head = struct.pack(">HBBHHII", size, core, interval, event, len(payload), thread, pc)
        self.records.append(head + stamps + struct.pack(f">{len(payload)}Q", *payload))


def switch_in(buffer, ctx, spe):
    """Load a context. The kernel restores its decrementer late, by a random time."""
    buffer.decr_zero[ctx] = buffer.decr_zero.get(ctx, buffer.rng.getrandbits(32)) - buffer.rng.randint(0, 900)
    buffer.ppe(0x0100, ctx, spe)


def run_phase(buffer, resident):
    """Let the contexts work; `resident` maps each context to its SPE."""
    for ctx, spe in resident.items():
        switch_in(buffer, ctx, spe)
    for _ in range(120):
        ctx = buffer.rng.choice(list(resident))
        if buffer.rng.random() < 0.2:
            buffer.ppe(0x0703, 1)
        buffer.spe(ctx, 0x0503, 1, buffer.rng.randint(0, 1), stalled=buffer.rng.randint(8, 400))
        buffer.spe(ctx, 0x0703, 1)
    for ctx, spe in resident.items():
        buffer.ppe(0x0200, ctx, spe)


def main(folder):
    buffer = Buffer(random.Random(2008))
    buffer.ppe(0x0300)
    for contexts in [(1, 2, 3, 4), (5, 6, 7, 8), (2, 1, 6, 5)]:
        run_phase(buffer, {ctx: spe for spe, ctx in enumerate(contexts)})
    buffer.ppe(0x0400)
    header = struct.pack(">8sHHIQQ", b"PDTTRACE", 1, 32, 0, len(buffer.records), 0)
    lines = "".join(f'    <spe ctx="{c}" tid="{4711 + c}" image="worker_spu"/>\n' for c in range(1, 9))
    (folder / "demo.trace").write_bytes(header + b"".join(buffer.records))
    (folder / "demo.pex").write_text(PEX.replace("CONTEXTS", lines))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
