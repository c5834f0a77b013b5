"""What a trace says of its program: the questions of cellstat(1), as tables whose figures have ranges."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from ctypes import POINTER, byref, c_size_t, c_void_p, create_string_buffer
from typing import Any, NamedTuple, Optional, Union

from . import _c, words
from .errors import call
from .handles import Owner
from .table import Table, column
from .words import Number, Path

WARNING_TEXT_MAX = 400
TIMELINE_BINS = 2000


class Sheets(dict[str, Table]):
    """The tables of an analysis, by their names.

    Columns are those that cellstat writes as CSV: where figures have ranges, NAME_lo_ticks and NAME_hi_ticks are beside
    NAME_ticks, what the figure is at least and at most with any offsets that the order of the records allows; None where
    there is no limit, or none is known; and NAME_kind, at the end, is the kind of each of these ranges.  kind says what is true of all ranges: "clock" (figures are by one clock each,
    and have none), "exact" (both ends are attained), "star" (no figure is outside, by each clock's bound to the reference
    alone), "proven" (no figure is outside; some may be exact, or stars) or "unknown" (some are).  conditions are what all figures rest on, in words."""

    def __init__(self, tables: Mapping[str, Table], kind: str, conditions: Sequence[str]) -> None:
        super().__init__(tables)
        self.kind = kind
        self.conditions = tuple(conditions)


class Before(NamedTuple):
    """Whether one moment was before another: "yes", "no" (it was at the same time, or after it) or "unknown", if the records
    allow either; and the time of the first less that of the second, with its range.  None: there is no limit."""

    verdict: str
    estimate_ticks: int
    least_ticks: Optional[int]
    greatest_ticks: Optional[int]
    kind: str


class Section(NamedTuple):
    """A part of the trace that an event is, or that is between two: a window that each question takes, and its ends in ticks
    of estimated global time after the first record."""

    window: str
    begin_ticks: int
    end_ticks: int


def limit(ticks: int) -> Optional[int]:
    """An end of a range, which may be none."""
    return None if ticks in (_c.INT64_MIN, _c.INT64_MAX) else ticks


def _table(sheet: _c.csy_sheet) -> Table:
    """A table of an analysis, with the columns that cellstat writes as CSV; copies all that it takes."""
    columns: dict[str, Any] = {}
    kinds: dict[str, Any] = {}
    unknown = words.value("range", "unknown")
    for index in range(sheet.ncolumns):
        of = sheet.columns[index]
        name, kind = words.text(of.name), words.word("column", of.kind)
        unit = "" if kind in ("text", "count") else f"_{kind}"
        values = [sheet.values[row * sheet.ncolumns + index] for row in range(sheet.nrows)]
        if kind == "text":
            columns[name] = column([None if v.none else words.text(v.text) for v in values], "object")
            continue
        columns[f"{name}{unit}"] = _numbers([None if v.none else v.range.estimate for v in values])
        if of.ranged:
            for end in ("lo", "hi"):
                columns[f"{name}_{end}{unit}"] = _numbers([
                    None if v.none or v.range.kind == unknown else limit(getattr(v.range, end)) for v in values])
            kinds[f"{name}_kind"] = column([None if v.none else words.word("range", v.range.kind) for v in values], "object")
    return Table({**columns, **kinds})


def _numbers(values: list[Optional[int]]) -> Any:
    """Those without a figure hold None; numpy has no integer for that."""
    return column(values, "object" if None in values else "int64")


def _count(number: int, what: str) -> int:
    """A number for the library's unsigned ones."""
    if not 0 <= number < 1 << 63:
        raise ValueError(f"{what}={number!r}: out of range")
    return int(number)


def _name(name: Optional[str]) -> Optional[bytes]:
    return None if name is None else words.encode(name)


class Analysed(Owner):
    """What can be asked of a solution besides its clocks.

    Each question takes documents that say what events mean (meaning, paths; cellsync-events(5), MEANING), which go before what the trace
    says itself, and ranges: "exact", the best that are known; "star", by each clock's bound to the reference alone, wider but
    quick however many clocks there are; or "none".  Other arguments are the options of cellstat(1), and columns are told
    there.  Each returns Sheets, which hold nothing of the library."""

    def _timebase_hz(self) -> int:
        raise NotImplementedError

    def _analyse(self, function: Any, meaning: Sequence[Path], ranges: str, *arguments: Any,
                 topology: Optional[tuple[int, int]] = None, symbols: Optional[Path] = None, sort: str = "",
                 top: int = 0) -> Sheets:
        lib = _c.lib
        known, out = c_void_p(), c_void_p()
        with self._turns:
            sync = self._open()
            lib.csy_sync_set_ranges(sync, words.value("ranges", ranges))
            call(lib.csy_meaning_new, byref(known))
            try:
                for path in meaning:
                    call(lib.csy_meaning_add_file, known, words.path(path))
                if symbols is not None:
                    call(lib.csy_meaning_set_symbols, known, words.path(symbols))
                if topology is not None:
                    call(lib.csy_meaning_set_topology, known, *[_count(n, "topology") for n in topology])
                call(function, sync, known, *arguments, byref(out))
                if sort:
                    call(lib.csy_analysis_sort, out, words.encode(sort), _count(top, "top"))
                return self._sheets(sync, out)
            finally:
                lib.csy_analysis_free(out)
                lib.csy_meaning_free(known)

    @staticmethod
    def _sheets(sync: int, analysis: c_void_p) -> Sheets:
        lib = _c.lib
        sheets = [lib.csy_analysis_sheet(analysis, i).contents for i in range(lib.csy_analysis_nsheets(analysis))]
        conditions: list[str] = []
        text = create_string_buffer(WARNING_TEXT_MAX)
        while (said := lib.csy_analysis_condition(analysis, sync, len(conditions), text)) is not None:
            conditions.append(said.decode("utf-8", "backslashreplace"))
        return Sheets({words.text(sheet.name): _table(sheet) for sheet in sheets},
                      words.word("range", lib.csy_analysis_kind(analysis)), conditions)

    def _ticks(self, time: Number, what: str) -> int:
        return words.whole(words.ticks(time, self._timebase_hz(), what), what, "ticks")

    def states(self, meaning: Sequence[Path] = (), *, pairs: bool = False, levels: bool = True, joint: bool = False,
               units: str = "auto", actors: Optional[str] = None, window: Optional[str] = None,
               ranges: str = "exact") -> Sheets:
        """How long actors were in which state: "states", "virtual" with levels, "joint" with joint.

        With pairs there are rows of each actor on each unit, with levels how many actors executed at once, with joint how long
        which combination of states was; units are "spe", "ppe", "actors" or "auto", all, and actors patterns with commas: rows,
        units and sums of these alone; window is a part of the time ("25%..75%"), not with joint."""
        asked = _c.csy_states(pairs, levels, joint, _name(window), _name(actors), words.value("units", units))
        return self._analyse(_c.lib.csy_sync_states, meaning, ranges, byref(asked))

    def sections(self, name: str, meaning: Sequence[Path] = (), *, first: int = 0, last: int = 0) -> tuple[Section, ...]:
        """The sections of a name (cellstat(1), --section), by their begins, or the first-th to the last-th of them, from 1."""
        lib = _c.lib
        known, out, n = c_void_p(), POINTER(_c.csy_section)(), c_size_t()
        with self._turns:
            sync = self._open()
            call(lib.csy_meaning_new, byref(known))
            try:
                for path in meaning:
                    call(lib.csy_meaning_add_file, known, words.path(path))
                call(lib.csy_sync_sections, sync, known, words.encode(name), _count(first, "first"), _count(last, "last"),
                     byref(out), byref(n))
                return tuple(Section(words.text(s.window), s.begin_ticks, s.end_ticks) for s in out[:n.value])
            finally:
                lib.csy_sections_free(out)
                lib.csy_meaning_free(known)

    def concurrency(self, meaning: Sequence[Path] = (), *, units: str = "auto", actors: Optional[str] = None,
                    window: Optional[str] = None, bins: int = 0, section: Optional[str] = None, first: int = 0,
                    last: int = 0, with_idle: bool = False, speedup: int = 0, serial: Number = 0, sample: Number = 0,
                    attained: bool = False, per: str = "all", topology: Optional[tuple[int, int]] = None,
                    ranges: str = "exact") -> Sheets:
        """How long how many units were active at once: "concurrency" and "total".

        units are "auto", "spe", "ppe", "actors" or "cpu"; actors names some of these, with commas.  window is a part of the time
        ("25%..75%"), bins parts of it that are equally long, section the name of events of which the first-th to the last-th
        are looked at, each by itself.  serial and sample are times: ticks, or texts such as "10ms".  With attained
        there are also the least and the greatest times that were found to be so at some offsets.  per is "all",
        "cell" or "node", topology how many SPEs a Cell has, and Cells a node."""
        asked = _c.csy_concurrency(
            units=words.value("units", units), actors=_name(actors), window=_name(window), bins=_count(bins, "bins"),
            section=_name(section), first=_count(first, "first"), last=_count(last, "last"), with_idle=with_idle,
            speedup=_count(speedup, "speedup"), serial_ticks=self._ticks(serial, "serial"),
            sample_ticks=self._ticks(sample, "sample"), attained=attained, per=words.value("per", per))
        return self._analyse(_c.lib.csy_sync_concurrency, meaning, ranges, byref(asked), topology=topology)

    def profile(self, meaning: Sequence[Path] = (), *, per: str = "all", actors: Optional[str] = None, follow: str = "none",
                sample: Number = 0, window: Optional[str] = None, symbols: Optional[Path] = None, sort: str = "direct",
                top: int = 0, topology: Optional[tuple[int, int]] = None, ranges: str = "exact") -> Sheets:
        """What calls of routines come to: "profile", by the clocks of those who call, and "elapsed", in which a moment counts
        once; "waits", "loops", "tasks" and "task_concurrency" where there are any.

        per is "all", "actor", "unit", "cell" or "node", of which rows are (topology is how many SPEs a Cell has, and Cells a
        node); actors are patterns with commas; with follow="create" calls of tasks
        count in routines that created them.  sample is a time, ticks or a text such as "10ms": what samples so often would say
        comes last.  window is a part of the time ("25%..75%"), without follow.  symbols is a file that nm or addr2line
        printed.  sort is the name of a column, without its unit, top how many rows are kept (0: all)."""
        asked = _c.csy_profile_options(words.value("per", per), _name(actors), words.value("follow", follow),
                                        self._ticks(sample, "sample"), _name(window))
        return self._analyse(_c.lib.csy_sync_profile, meaning, ranges, byref(asked), symbols=symbols, sort=sort, top=top,
                             topology=topology)

    def calls(self, meaning: Sequence[Path] = (), *, actors: Optional[str] = None, weight: str = "count", leaves: int = 10,
              at: Union[None, int, str] = None, window: Optional[str] = None, symbols: Optional[Path] = None,
              sort: str = "time", top: int = 0, ranges: str = "exact") -> Sheets:
        """Which routines call which: "calls" and "paths", and "active", where actors are, at a moment.

        weight is "count", "time" or "bytes", by which leaves of a routine are chosen; leaves is how many of these are told one
        by one.  at is ticks or a time after the first record, a part of the time ("25%"), or a record ("#100").  window is a
        part of the time ("25%..75%"), without at."""
        kind, value = self._moment(at)
        asked = _c.csy_calls_options(actors=_name(actors), weight=words.value("weight", weight),
                                     leaves=_count(leaves, "leaves"), at=words.value("at", kind), at_value=value,
                                     window=_name(window))
        return self._analyse(_c.lib.csy_sync_calls, meaning, ranges, byref(asked), symbols=symbols, sort=sort, top=top)

    def _moment(self, at: Union[None, int, str]) -> tuple[str, int]:
        if at is None:
            return "none", 0
        if isinstance(at, str) and at.startswith("#"):
            return "record", _count(words.whole(words.exact(at[1:], "at"), "at", "records"), "at")
        if isinstance(at, str) and at.endswith("%"):
            return "ppm", words.whole(words.exact(at[:-1], "at") * 10000, "at", "millionths")
        return "ticks", self._ticks(at, "at")

    def comm(self, meaning: Sequence[Path] = (), *, group: str = "actor", by: str = "pair", heavy: Number = 0,
             templates: bool = False, actors: Optional[str] = None, window: Optional[str] = None,
             topology: Optional[tuple[int, int]] = None, ranges: str = "exact") -> Sheets:
        """Who sends whom how much: "comm", "classes", "unmatched", and "templates", the patterns that messages fit best.

        group is "actor", "cell" or "node", by "pair", "function", "datatype" or "size".  Rows have at least the part heavy of
        the bytes of the heaviest.  actors are patterns with commas: what one of these sends or receives.  window is a part of
        the time ("25%..75%"), not with templates.  topology is how many SPEs a Cell has, and Cells a node."""
        asked = _c.csy_comm_options(group=words.value("group", group), by=words.value("by", by),
                                    heavy=words.fraction(heavy, "heavy"), templates=templates, window=_name(window),
                                    actors=_name(actors))
        return self._analyse(_c.lib.csy_sync_comm, meaning, ranges, byref(asked), topology=topology)

    def latency(self, meaning: Sequence[Path] = (), *, actors: Optional[str] = None, window: Optional[str] = None,
                topology: Optional[tuple[int, int]] = None, ranges: str = "exact") -> Sheets:
        """How long messages take, by place and size: "latency", "fit", the line through them, and, for packets and spans,
        "direction"; actors are patterns with commas: what one of these sends or receives; window is a part of the time."""
        return self._analyse(_c.lib.csy_sync_latency, meaning, ranges, _name(actors), _name(window), topology=topology)

    def each_latency(self, meaning: Sequence[Path] = (), *, actors: Optional[str] = None, window: Optional[str] = None,
                     topology: Optional[tuple[int, int]] = None, ranges: str = "exact") -> Sheets:
        """The latency of each message, with its range: "messages", up to 1,000,000 rows; actors and window as for
        latency.  With a window, messages states if it was in the window."""
        return self._analyse(_c.lib.csy_sync_each_latency, meaning, ranges, _name(actors), _name(window), topology=topology)

    def waits(self, meaning: Sequence[Path] = (), *, actors: Optional[str] = None, window: Optional[str] = None,
              ranges: str = "exact") -> Sheets:
        """What actors wait for, which is `cellstat sync`: "waits", "locks" and "barriers"; actors are patterns with commas:
        waits and holds of these, and where they arrive; window is a part of the time."""
        return self._analyse(_c.lib.csy_sync_waits, meaning, ranges, _name(actors), _name(window))

    def timeline(self, meaning: Sequence[Path] = (), *, units: str = "auto", bins: int = TIMELINE_BINS,
                 actors: Optional[str] = None, window: Optional[str] = None, ranges: str = "exact") -> Sheets:
        """What actors, or those that fit patterns with commas, did in so many parts of the time, or of a window: "timeline"
        and "activity"."""
        return self._analyse(_c.lib.csy_sync_timeline, meaning, ranges, words.value("units", units), _count(bins, "bins"),
                             _name(actors), _name(window))

    def overview(self, meaning: Sequence[Path] = (), *, units: str = "auto", bins: int = TIMELINE_BINS,
                 actors: Optional[str] = None, window: Optional[str] = None, ranges: str = "exact") -> Sheets:
        """The tables of all the others that the trace has something for, and "missing", why it has no more: `cellstat
        summary`; actors are patterns with commas, window is a part of the time."""
        return self._analyse(_c.lib.csy_sync_overview, meaning, ranges, words.value("units", units), _count(bins, "bins"),
                             _name(actors), _name(window))
