"""Records as they mean something: who does what, by the names of events and of what they hold.

Written from the descriptions alone, cellsync-events(5) and the list of names that need no description; it shares no code with
cellsync.
"""

import bisect
import collections
import csv
import os
import re
import sys
import xml.etree.ElementTree as ET
from dataclasses import dataclass, field

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import pexfile  # noqa: E402

# Roles by name, with what values are called where no document says it, and the class of what is waited for.
VOCABULARY = {
    "MUTEX_LOCK": ("acquire", "mutex", ("lock", "miss")),
    "MUTEX_UNLOCK": ("release", "mutex", ("lock",)),
    "MFC_GET": ("transfer", "dma", ("bytes", "tag")), "MFC_PUT": ("transfer", "dma", ("bytes", "tag")),
    "MFC_GET32": ("transfer", "dma", ()), "MFC_PUT32": ("transfer", "dma", ()),
    "MFC_GET64": ("transfer", "dma", ()), "MFC_PUT64": ("transfer", "dma", ()),
    "MFC_READ_TAG_STATUS": ("wait", "dma", ("tag",)),
    "SPU_READ_IN_MBOX": ("wait", "mailbox", ()),
    "SPU_WRITE_OUT_MBOX": ("wait", "mailbox", ("interrupting",)),
    "SPE_OUT_MBOX_READ": ("wait", "mailbox", ("ctx",)),
    "SPE_IN_MBOX_WRITE": ("post", "mailbox", ("ctx",)),
    "BARRIER": ("barrier", "barrier", ()),
    "SPE_CONTEXT_CREATE": ("create", None, ("ctx",)),
    "SPE_CONTEXT_RUN": ("wait", "task", ("ctx",)),
    "SPE_THREAD_START": ("start", None, ("ctx",)), "SPE_THREAD_STOP": ("stop", None, ("ctx",)),
    "SPE_SWITCH_IN": ("in", None, ("ctx", "spe")), "SPE_SWITCH_OUT": ("out", None, ("ctx", "spe")),
    "E": ("enter", None, ("enx", "exx")), "X": ("exit", None, ("enx", "exx")),
    "ENTER": ("enter", None, ()), "EXIT": ("exit", None, ()),
    "MPI_SEND": ("send", "message", ("peer", "tag", "bytes")),
    "MPI_SSEND": ("send", "message", ("peer", "tag", "bytes")),
    "MPI_RECV": ("recv", "message", ("peer", "tag", "bytes")),
    "MPI_BARRIER": ("collective", "barrier", ("round",)), "MPI_BCAST": ("collective", "message", ()),
    "MPI_REDUCE": ("collective", "message", ()), "MPI_ALLREDUCE": ("collective", "message", ()),
}
FIELD_ROLES = {"enx": "routine", "exx": "caller", "partner": "partner", "peer": "partner", "bytes": "bytes",
               "tag": "tag", "communicator": "comm", "lock": "object", "miss": "miss", "ctx": "task", "spe": "spe"}


@dataclass
class Meaning:
    """What records of a type mean."""
    role: str = "mark"
    cls: str = None
    fields: tuple = ()              # names of the values
    roles: dict = field(default_factory=dict)   # name of a field -> its role
    routine: str = None
    state: str = None
    stalls: bool = False            # of a call: it waits


@dataclass
class Record:
    """One record; local times by the clock, global ones as they are placed."""
    clock: str
    actor: str
    spe: bool
    name: str
    time: int
    begin: int = None               # of an interval
    what: dict = field(default_factory=dict)    # role of a field -> its value
    meaning: Meaning = None
    at: int = None
    begun: int = None


@dataclass
class Trace:
    """Records in the order of the buffer, or of each location, and the names of functions."""
    records: list
    symbols: list                   # (at, size, name), sorted
    ranks: dict                     # rank -> actor

    def place(self, offsets):
        """Let global times be local ones plus the offset of the clock."""
        for record in self.records:
            record.at = record.time + offsets[record.clock]
            if record.begin is not None:
                record.begun = record.begin + offsets[record.clock]

    def function(self, value):
        """The name of a function, by an address or a name."""
        if not isinstance(value, int):
            return value
        i = bisect.bisect_right(self.symbols, (value, float("inf"))) - 1
        if i >= 0 and self.symbols[i][0] <= value < self.symbols[i][0] + self.symbols[i][1]:
            return self.symbols[i][2]
        return f"0x{value:08x}"


# ------------------------------------------------------------------------------------------------------ reading

def meanings_of(root):
    """What a document says of its types, by name, and what the vocabulary does of the others."""
    meanings = {name: Meaning(role, cls, fields, {f: FIELD_ROLES.get(f, f) for f in fields})
                for name, (role, cls, fields) in VOCABULARY.items()}
    for element in root.iter("recordType") if root is not None else ():
        name, fields = element.get("name"), element.findall("field")
        default = meanings.get(name, Meaning("wait", "other") if element.get("stall") == "yes" else Meaning())
        names = tuple(f.get("name") for f in fields) or default.fields
        roles = {f: FIELD_ROLES.get(f, f) for f in names}
        roles.update({f.get("name"): f.get("role") for f in fields if f.get("role")})
        block = element.get("block") or re.sub("_(ENTRY|ENTER|BEGIN|EXIT|LEAVE|END)$", "", name)
        meanings[name] = Meaning(element.get("role", default.role), element.get("class", default.cls), names, roles,
                                 element.get("routine", block), element.get("state"))
        meanings[name].stalls = meanings[name].role == "call" and element.get("stall") == "yes"
    return meanings


def symbols_of(root):
    """The functions that a document names."""
    return sorted((pexfile.number(e.get("at")), pexfile.number(e.get("size")), e.get("name"))
                  for e in (root.iter("symbol") if root is not None else ()))


def ranks_of(root):
    """Rank -> actor, as a document says; else a rank is the actor of that number."""
    return {int(e.get("rank")): f"spe{e.get('ctx')}" for e in (root.iter() if root is not None else ())
            if e.get("rank") is not None and e.get("ctx") is not None}


def number_or_text(text):
    """A value as it is written."""
    return pexfile.number(text) if re.fullmatch("-?[0-9]+|0x[0-9a-f]+", text) else text


def values_of(text, meaning):
    """What the column values holds: by position, or as NAME=VALUE."""
    words = text.split()
    pairs = [word.split("=") if "=" in word else (name, word)
             for name, word in zip(list(meaning.fields) + [""] * len(words), words)]
    return {meaning.roles.get(name, FIELD_ROLES.get(name, name)): number_or_text(value) for name, value in pairs}


def read_csv(path, document=None):
    """A CSV, with what a .pex that it was made of says of its types, functions and ranks; placed, if it has global
    times."""
    root = None
    if document is not None:
        with open(document, "rb") as file:
            root = ET.fromstring(file.read().partition(b"\0")[0])
    meanings, records = meanings_of(root), []
    with open(path, newline="") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        for row in rows:
            name = row.get("event") or ""
            kind = meanings.get(name, Meaning())
            what = values_of(row.get("values") or "", kind)
            what.update({key: number_or_text(row[key]) for key in ("routine", "partner", "bytes", "tag", "object")
                         if row.get(key)})
            core, tid = row.get("core"), row.get("tid")
            actor = f"{core}{tid}" if tid else row.get("location") or row["thread"]
            begin = int(row["begin"]) if row.get("begin") else None
            record = Record(row.get("clock") or row["thread"], actor, core != "ppe" and not actor.startswith("ppe"),
                            name, int(row["time"]), begin, what, kind)
            if row.get("global_time"):
                record.at = int(row["global_time"])
                record.begun = None if begin is None else record.at - record.time + begin
            records.append(record)
    return Trace(records, symbols_of(root), ranks_of(root))


def read_pex(path):
    """A synchronized .pex."""
    pex = pexfile.read_pex(path)
    table, meanings, names = pexfile.synchronization(pex), meanings_of(pex.root), dict(pex.event_names)
    names.update({pexfile.SWITCH_IN: "SPE_SWITCH_IN", pexfile.SWITCH_OUT: "SPE_SWITCH_OUT"})
    starts = {pexfile.number(i["first_record"]): i for i in table.intervals}
    records, clocks, counts = [], {}, collections.Counter()
    for position, r in enumerate(pex.trace.records):
        spe, offset, clock = r.core == pexfile.SPE, 0, "ppe"
        if spe and position in starts:
            counts[r.thread] += 1
            clocks[r.thread] = (f"spe{r.thread}.{counts[r.thread]}", pexfile.number(starts[position]["offset"]))
        if spe:
            clock, offset = clocks[r.thread]
        kind = meanings.get(names.get(r.event), Meaning())
        what = {kind.roles.get(f, f): v for f, v in zip(kind.fields, r.values)}
        begin = r.begin if r.flags & pexfile.INTERVAL else None
        records.append(Record(clock, f"{'spe' if spe else 'ppe'}{r.thread}", spe, names.get(r.event, ""),
                              r.time - offset, None if begin is None else begin - offset, what, kind, r.time, begin))
    return Trace(records, symbols_of(pex.root), ranks_of(pex.root))
