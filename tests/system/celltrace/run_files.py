"""The files of a run, read as cellsync-run(5) describes them, by nothing of cellsync."""
import pathlib
import struct
import xml.etree.ElementTree as xml

FLUSH = 0x0900


class Record:
    def __init__(self, data, at):
        size, self.core, self.flags, self.id, n, self.thread, self.pc, self.time, self.begin = struct.unpack_from(
            ">HBBHHIIQQ", data, at)
        assert size == 32 + 8 * n and self.core == 0 and self.flags <= 1, (size, n, self.core, self.flags)
        self.size, self.values = size, struct.unpack_from(f">{n}Q", data, at + 32)


def records_of(data, at, end, shared=False):
    """Whole records up to a size of 0, the end or one that is torn, and where they end; in a shared page those after holes, too."""
    out = []
    while at + 32 <= end:
        size, flags = struct.unpack_from(">HxB", data, at)
        if (size == 0 and not shared) or at + size > end:
            break
        if size and not (shared and flags & 0x80):
            out.append(Record(data, at))
        at += size or 8
    return out, at


class Process:
    """What one process left."""

    def __init__(self, pex):
        self.pex, self.root = pex, xml.parse(pex).getroot()
        self.recording = self.root.find("recording").attrib
        self.types = {int(t.get("id"), 16): t for t in self.root.iter("recordType")}
        trace = pex.with_suffix(".trace").read_bytes()
        assert trace[:16] == b"PDTTRACE" + struct.pack(">HHI", 1, 32, 0), trace[:16]
        self.said = struct.unpack_from(">Q", trace, 16)[0]
        self.records, end = records_of(trace, 32, len(trace))
        self.torn = len(trace) - end
        self.one_buffer = self.root.find("order").get("granularity") == "record"
        self.written = list(self.records)
        self.check_blocks()
        live = pex.with_suffix(".live")
        self.has_live = live.exists()
        if self.has_live:
            self.take_live(live.read_bytes())
        unnamed = {r.id for r in self.records} - self.types.keys()
        assert not unnamed, (pex, unnamed)

    def check_blocks(self):
        """Each block is of one thread, counted right; the rest is a torn block, whose page is live."""
        block, self.flushed, last = [], set(), 0
        for i, record in enumerate(self.records):
            if record.id != FLUSH:
                assert self.one_buffer or not block or block[0].thread == record.thread
                block.append(record)
                continue
            assert record.values[0] == len(block) and record.flags == 1 and record.begin <= record.time
            assert all(a.time <= b.time for a, b in zip(block, block[1:])), "stamps go back"
            self.flushed.add(record.values[2])
            block, last = [], i + 1
        if self.one_buffer:
            assert all(a.time <= b.time for a, b in zip(self.records, self.records[1:])), "stamps of one buffer go back"
        self.records = self.records[:last]

    def take_live(self, live):
        magic, word, page_bytes, slot_bytes, *_, shared = struct.unpack_from(">8s8Q", live)
        assert magic == b"PDTPAGES" and word >> 48 == 1 and shared == self.one_buffer
        pages = []
        for at in range(word & (1 << 48) - 1, len(live), slot_bytes):
            state, thread, number, lost = struct.unpack_from(">IIQQ", live, at)
            if state in (1, 2) and number not in self.flushed:
                pages.append((number, records_of(live, at + 64, at + 64 + page_bytes, shared)[0]))
        for _, records in sorted(pages, key=lambda page: page[0]):
            self.records += records

    def of(self, name):
        ids = {i for i, t in self.types.items() if t.get("name") == name}
        return [r for r in self.records if r.id in ids]


def processes(run):
    return [Process(pex) for pex in sorted(pathlib.Path(run).glob("*.pex"))]
