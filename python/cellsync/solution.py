"""Solutions: offsets, bounds, events and what a trace says of its program."""
from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from ctypes import POINTER, byref, c_char_p, c_int, c_int64, c_size_t, c_void_p, create_string_buffer
from fractions import Fraction
from html import escape
from typing import Any, NamedTuple, Optional, Union

from . import _c, words
from .analysis import Analysed, Before, Sheets, limit
from .errors import call
from .events import COLUMNS, Reader
from .handles import Handle
from .opened import Opened
from .table import HTML_ROWS, Table, column, html_table
from .words import Path

NO_OFFSET = NO_LOWER = _c.INT64_MIN
NO_UPPER = _c.INT64_MAX
NO_RECORD = (1 << 64) - 1  # CSY_NO_RECORD
NO_DRIFT = -1  # CSY_NO_DRIFT
STEPS_TEXT_MAX = 960


class Thread(NamedTuple):
    """A clock of a solution: global time is offset_ticks + local time.

    earliest_ticks and latest_ticks are the least and the greatest offset that the bounds allow; None where there is no limit, and
    offset_ticks is None with Lamport's methods, which move each record by itself.  members are the threads of a CSV that run on
    it.  context and spe are None where the trace does not say them."""

    index: int
    name: str
    kind: str
    context: Optional[int]
    spe: Optional[int]
    first_record: int
    records: int
    offset_ticks: Optional[int]
    earliest_ticks: Optional[int]
    latest_ticks: Optional[int]
    members: tuple[str, ...]


class Bound(NamedTuple):
    """lower_ticks <= g[s] - g[t] <= upper_ticks, both attained; None where there is no limit.

    error_ticks is upper less lower, event_error_ticks how far the time between events of the two can be off."""

    lower_ticks: Optional[int]
    upper_ticks: Optional[int]
    error_ticks: Optional[int]
    event_error_ticks: Optional[int]


class Constraint(NamedTuple):
    """One of a witness: record_s of thread s comes before record_t of thread t; places are offsets or lines."""

    s: str
    t: str
    record_s: int
    record_t: int
    place_s: int
    place_t: int
    time_s: int
    time_t: int
    weight_ticks: int
    steps: str


class Explanation(NamedTuple):
    """Rates within drift_ppb parts of 10^9, constant to within wander_ppb of them (None: they may change), and timestamps good to
    delta ticks, or at least so much, explain the trace; options are those of cellsync(1), None if no clocks run so far apart.
    For constant rates, example_ppb fits for the clock of index example_clock, below 0 if it runs faster than the reference; None
    for other rows, and if all rates are 0."""

    drift_ppb: int
    wander_ppb: Optional[int]
    delta: Fraction
    at_least: bool
    plausible: bool
    options: Optional[str]
    example_clock: Optional[int]
    example_ppb: Optional[int]


class Drift(NamedTuple):
    """How clocks drift, and the errors of records against the reference, in ticks, without what delta adds for stamps.

    max_event_error_ticks is the greatest error of the time between any two events, with what delta adds.

    clocks is a table with a row for each thread: whether it is bounded, the least and greatest rate against the
    reference's clock in parts of 10^9, and the greatest and mean error of its records."""

    rate_ppb: int
    wander_ppb: int
    records: int
    max_error_ticks: Fraction
    mean_error_ticks: Fraction
    clocks: Table
    max_event_error_ticks: Fraction
    mean_event_error_ticks: Fraction


def _finite(ticks: int, none: int) -> Optional[int]:
    return None if ticks == none else ticks


def _fine(time: _c.csy_fine) -> Fraction:
    return time.ticks + Fraction(time.billionths, 10**9)


def _plain(value: Any) -> Any:
    """A structure of figures as a dict, fractions as such."""
    if isinstance(value, _c.csy_fraction):
        return Fraction(value.num, value.den) if value.den else Fraction(0)
    if isinstance(value, _c.Structure):
        return {name: _plain(getattr(value, name)) for name, _ in value._fields_}
    return value


def witness_of(sync: c_void_p) -> tuple[Constraint, ...]:
    """The cycle of constraints that proves a contradiction; empty where there is none."""
    found = _c.lib.csy_sync_witness(sync)
    if not found:
        return ()

    def name(index: int) -> str:
        return words.text(_c.lib.csy_sync_thread(sync, index).contents.name)

    def steps(edge: _c.csy_witness_edge) -> str:
        return words.text(_c.lib.csy_steps_text(edge, create_string_buffer(STEPS_TEXT_MAX)))
    edges = [found.contents.edges[i] for i in range(found.contents.length)]
    return tuple(Constraint(name(e.s), name(e.t), e.record_s, e.record_t, e.place_s, e.place_t, e.time_s, e.time_t,
                            e.weight_ticks, steps(e)) for e in edges)


class Solution(Analysed):
    """What Trace.synchronize() finds.  To be closed, or used as `with`; closing the trace closes it, too."""

    def __init__(self, trace: Opened, pointer: int) -> None:
        super().__init__(Handle(pointer, _c.lib.csy_sync_free, trace._handle), trace._turns, trace)
        self.trace = trace
        self._threads: Optional[tuple[Thread, ...]] = None

    def __repr__(self) -> str:
        if self.closed:
            return "<cellsync.Solution closed>"
        return f"<cellsync.Solution of {self.trace.name!r}: {self.records} records, {len(self.threads)} threads>"

    def _repr_html_(self) -> str:
        """For notebooks: the clocks with the limits of their offsets, the warnings, and the conditions."""
        names = ("thread", "records", "offset_ticks", "earliest_ticks", "latest_ticks")
        with self._turns:
            if self.closed:
                return escape(repr(self))
            rows = [[getattr(thread, {"thread": "name"}.get(name, name)) for name in names] for thread in self.threads]
            notes = [("warning", text) for text in self.warnings] + [("bounds hold if", text) for text in self.conditions]
            about = "".join(f"<li>{key}: {escape(text)}</li>" for key, text in notes)
            return f"<p>{escape(repr(self))}</p>\n{html_table(names, rows[:HTML_ROWS], len(rows))}\n<ul>{about}</ul>"

    # What was found.

    @property
    def records(self) -> int:
        """How many records the trace has."""
        with self._turns:
            return _c.lib.csy_sync_records(self._open())

    @property
    def threads(self) -> tuple[Thread, ...]:
        """All clocks, in the order of their first records; their places are the indexes that tables have."""
        with self._turns:
            sync = self._open()
            if self._threads is None:
                self._threads = tuple(self._thread(i, _c.lib.csy_sync_thread(sync, i).contents)
                                      for i in range(_c.lib.csy_sync_nthreads(sync)))
            return self._threads

    @staticmethod
    def _thread(index: int, thread: _c.csy_thread) -> Thread:
        return Thread(index, words.text(thread.name), ("ppe", "spe")[thread.kind],
                      thread.context if thread.context >= 0 else None, thread.spe if thread.spe < (1 << 64) - 1 else None,
                      thread.first_record, thread.records, _finite(thread.offset_ticks, NO_OFFSET),
                      _finite(thread.earliest_ticks, NO_LOWER), _finite(thread.latest_ticks, NO_UPPER),
                      tuple(words.text(thread.members[i]) for i in range(thread.nmembers)))

    @property
    def tracks(self) -> tuple[tuple[str, int], ...]:
        """The threads of a CSV, (name, index of its clock): those of the column "track" of events()."""
        with self._turns:
            sync = self._open()
            found = [_c.lib.csy_sync_track(sync, i).contents for i in range(_c.lib.csy_sync_ntracks(sync))]
            return tuple((words.text(track.name), track.thread) for track in found)

    @property
    def reference(self) -> Thread:
        """The clock whose bounds to all others threads have."""
        with self._turns:
            return self.threads[_c.lib.csy_sync_reference(self._open())]

    @property
    def summary(self) -> dict[str, Any]:
        """Statistics over pairs of threads, as csy_summary in cellsync.h names them."""
        with self._turns:
            return _plain(_c.lib.csy_sync_summary(self._open()).contents)

    @property
    def imprecision(self) -> dict[str, Any]:
        """What was taken for how imprecise stamps are, and what it did to the order: csy_imprecision."""
        with self._turns:
            found = _plain(_c.lib.csy_sync_imprecision(self._open()).contents)
        found["relax"] = words.word("relax", found["relax"])
        return found

    @property
    def delta(self) -> Fraction:
        """Stamps are good to +-delta ticks."""
        return self.imprecision["delta"]

    @property
    def premise(self) -> Optional[str]:
        """What is assumed of rates and timestamps because neither drift nor delta says it; None if nothing is."""
        with self._turns:
            text = _c.lib.csy_sync_premise(self._open(), create_string_buffer(400))
            return text and words.text(text)

    @property
    def delta_floor(self) -> Fraction:
        """The least delta that was allowed, in ticks."""
        with self._turns:
            return _plain(_c.lib.csy_sync_delta_floor(self._open()))

    @property
    def witness(self) -> tuple[Constraint, ...]:
        """The cycle of constraints that asks for delta; empty where delta is 0."""
        with self._turns:
            return witness_of(self._open())

    @property
    def drift(self) -> Optional[Drift]:
        """None if all clocks run at one rate."""
        with self._turns:
            found = _c.lib.csy_sync_drift(self._open())
            if not found:
                return None
            drift = found.contents
            clocks = [drift.clocks[i] for i in range(drift.nclocks)]
            table = Table({
                "thread": column(list(range(len(clocks))), "int64"),
                "bounded": column([c.bounded for c in clocks], "bool"),
                "least_ppb": column([c.least_ppb for c in clocks], "int64"),
                "greatest_ppb": column([c.greatest_ppb for c in clocks], "int64"),
                "max_error_ticks": column([_fine(c.max_error) for c in clocks], "object"),
                "mean_error_ticks": column([_fine(c.mean_error) for c in clocks], "object"),
                "max_record": column([c.max_record for c in clocks], "int64"),
            }, {"thread": self._names()})
            return Drift(drift.rate_ppb, drift.wander_ppb, drift.records, _fine(drift.max_error),
                         _fine(drift.mean_error), table, _fine(drift.max_event_error), _fine(drift.mean_event_error))

    def drift_pairs(self, *, walks: bool = False) -> Table:
        """Errors of the time between each two clocks that drift, at 64 moments of the trace: best, median, and worst.

        worst_event_ticks also has what delta adds, and worst_moment_ticks is the global time of the worst error.  Pairs that do not
        bound each other have None.  With walks the errors are found by walks between the clocks, of at most 256 clocks, although
        that may take seconds; otherwise only if it is fast, or they are sums of errors to the reference, which are greater."""
        found = []
        with self._turns:
            sync, pair = self._open(), _c.csy_drift_pair()
            threads = _c.lib.csy_sync_nthreads(sync)
            for s in range(threads):
                for t in range(s + 1, threads):
                    call(_c.lib.csy_sync_drift_pair, sync, s, t, walks, byref(pair))
                    times = [_fine(time) if pair.bounded else None for time in (pair.best, pair.median, pair.worst, pair.worst_event)]
                    found.append((s, t, pair.bounded, pair.by_walks, *times, pair.worst_moment_ticks))
        kinds = {"s": "int64", "t": "int64", "bounded": "bool", "by_walks": "bool", "best_error_ticks": "object",
                 "median_error_ticks": "object", "worst_error_ticks": "object", "worst_event_ticks": "object",
                 "worst_moment_ticks": "int64"}
        values = list(zip(*found)) or [()] * len(kinds)
        labels = self._names()
        return Table({name: column(list(of), kind) for (name, kind), of in zip(kinds.items(), values)}, {"s": labels, "t": labels})

    @property
    def explanations(self) -> list[Explanation]:
        """Limits of rates and timestamps that would explain why order and clocks contradict each other; empty if they do not."""
        diagnosis = POINTER(_c.csy_diagnosis)()
        with self._turns:
            call(_c.lib.csy_sync_diagnose, self._open(), byref(diagnosis))
            fits = [diagnosis.contents.fits[i] for i in range(diagnosis.contents.nfits)] if diagnosis else []
            return [Explanation(fit.drift_ppb, None if fit.wander_ppb == NO_DRIFT else fit.wander_ppb, _plain(fit.delta),
                                fit.at_least, fit.plausible, fit.options.decode() if fit.options else None,
                                fit.example_clock if fit.example_ppb else None, fit.example_ppb or None) for fit in fits]

    @property
    def warnings(self) -> list[str]:
        """What may make the bounds false, in words: that delta was found and not given, that gaps were assumed ...

        What they rest on beside that is in conditions."""
        return self._caveats(False)

    @property
    def conditions(self) -> list[str]:
        """What the bounds rest on, in words: that stamps are as good as delta says and, where neither the trace nor an option says
        so, that all clocks run at one rate, and step at the same instants; and where a channel has several messages, that all of them
        were recorded at both ends.  Options are named as cellsync(1) has them: drift, and delta="1/2"."""
        return self._caveats(True)

    def _caveats(self, conditions: bool) -> list[str]:
        found: list[str] = []
        with self._turns:
            sync, at, caveat = self._open(), c_size_t(), _c.csy_caveat()
            while _c.lib.csy_sync_next_caveat(sync, byref(at), byref(caveat)):
                if caveat.condition == conditions:
                    found.append(caveat.text.decode("utf-8", "backslashreplace"))
        return found

    # Bounds.

    def _names(self) -> list[str]:
        return [thread.name for thread in self.threads]

    def thread(self, name: Union[str, int, Thread]) -> Thread:
        """The thread of a name, or of an index; UsageError, with a name that is near, where there is none."""
        if isinstance(name, Thread):
            name = name.index
        if isinstance(name, str):
            encoded, out = words.encode(name), c_size_t()
            with self._turns:
                call(_c.lib.csy_sync_find_thread, self._open(), encoded, len(encoded), byref(out))
            name = out.value
        threads = self.threads
        if not 0 <= name < len(threads):
            raise IndexError(f"thread {name}: there are {len(threads)}")
        return threads[name]

    def bound(self, s: Union[str, int, Thread], t: Union[str, int, Thread]) -> Bound:
        """The bound of g[s] - g[t], threads being names or indexes."""
        first, second = self.thread(s).index, self.thread(t).index
        with self._turns:
            lower, upper, error, event = self._bound(self._open(), first, second)
        return Bound(_finite(lower, NO_LOWER), _finite(upper, NO_UPPER), _finite(error, -1), _finite(event, -1))

    def _bound(self, sync: int, s: int, t: int) -> tuple[int, int, int, int]:
        lower, upper, error = c_int64(), c_int64(), c_int64()
        call(_c.lib.csy_sync_bounds, sync, s, t, byref(lower), byref(upper), byref(error))
        return lower.value, upper.value, error.value, _c.lib.csy_sync_event_error(sync, error.value)

    def bounds(self, pairs: str = "all", threads: Optional[Sequence[Union[str, int, Thread]]] = None) -> Table:
        """Bounds of many pairs: columns s, t, lower_ticks, upper_ticks, error_ticks, event_error_ticks.

        pairs is "all", each pair once, or "reference", those of the reference with another one; of threads, or of all.  Limits
        that are not there have the values of cellsync.h (INT64_MIN, INT64_MAX, and -1 of errors): Table.rows() and to_pandas()
        have none there.  It takes time and memory for T (T-1) / 2 pairs.
        """
        if pairs not in ("all", "reference"):
            raise ValueError(f"pairs={pairs!r}: expected one of all, reference")
        chosen = range(len(self.threads)) if threads is None else sorted({self.thread(t).index for t in threads})
        found = []
        with self._turns:
            sync = self._open()
            if pairs == "reference":
                reference = _c.lib.csy_sync_reference(sync)
                wanted = [(reference, t) for t in chosen if t != reference]
            else:
                wanted = [(s, t) for s in chosen for t in chosen if s < t]
            for s, t in wanted:
                found.append((s, t, *self._bound(sync, s, t)))
        names = ("s", "t", "lower_ticks", "upper_ticks", "error_ticks", "event_error_ticks")
        values = list(zip(*found)) or [()] * len(names)
        labels = self._names()
        return Table({name: column(list(of), "int64") for name, of in zip(names, values)}, {"s": labels, "t": labels},
                     {"lower_ticks": NO_LOWER, "upper_ticks": NO_UPPER, "error_ticks": -1, "event_error_ticks": -1})

    def errors(self) -> Any:
        """The error bounds of all pairs as a matrix, T x T ticks: how far each difference of offsets can be off; -1: no limit."""
        threads = len(self.threads)
        rows = [[0] * threads for _ in range(threads)]
        table = self.bounds()
        for s, t, error in zip(table["s"], table["t"], table["error_ticks"]):
            rows[s][t] = rows[t][s] = int(error)
        return column(rows, "int64")

    # Events.

    def batches(self, size: int = 65536, *, columns: Sequence[str] = COLUMNS, fields: Sequence[str] = (), start: int = 0,
                stop: Optional[int] = None) -> Iterator[Table]:
        """The events of records start to stop, as tables of up to size rows: memory goes with size alone.

        columns are some of record, thread, track, local_ticks, global_ticks, local_begin_ticks, global_begin_ticks,
        interval, name, id, core, tid; thread and track are indexes.  fields are names of what records say besides, of a
        .pex numbers, of a CSV the texts of its columns; None where an event does not have it.
        """
        if size < 1:
            raise ValueError(f"size={size!r}: expected 1 or more")
        start, stop, _ = slice(start, stop).indices(self.records)
        return self._reader(columns, fields).batches(size, start, stop)

    def events(self, *, columns: Sequence[str] = COLUMNS, fields: Sequence[str] = (), start: int = 0,
               stop: Optional[int] = None) -> Table:
        """The same in one table.  A column takes 8 bytes an event, names and fields more."""
        return next(self.batches(max(1, self.records), columns=columns, fields=fields, start=start, stop=stop), None) or \
            self._reader(columns, fields).table([])

    def _reader(self, columns: Sequence[str], fields: Sequence[str]) -> Reader:
        return Reader(self, columns, fields, {"thread": self._names(), "track": [name for name, _ in self.tracks]})

    # What the trace says of the program: the rest is in analysis.py.

    def _timebase_hz(self) -> int:
        return self.trace.timebase_hz

    def before(self, a: Union[int, tuple], b: Union[int, tuple]) -> Before:
        """Whether moment a was before moment b, and by how much: `cellstat order`.  The range is of the time of a less that of
        b, so below 0 where a was before; `cellstat order` says it without the sign.

        A moment is the position of a record as an int, 100 for what cellstat(1) calls #100, or a tuple (thread, ticks): what a
        clock showed, unwrapped, its thread by name or index."""
        verdict, distance = c_int(), _c.csy_range()
        with self._turns:
            call(_c.lib.csy_sync_before, self._open(), byref(self._moment_of(a)), byref(self._moment_of(b)), byref(verdict),
                 byref(distance))
        return Before(words.word("verdict", verdict.value), distance.estimate, limit(distance.lo), limit(distance.hi),
                      words.word("range", distance.kind))

    def order_table(self, a: Union[int, tuple], b: Union[int, tuple]) -> Sheets:
        """The same as the sheet "order", of one row, with names, clocks and times of both: `cellstat order --format=csv`.

        Its column order is "before", "after", "same" or "unknown", and by the time of b less that of a, with its range."""
        out = c_void_p()
        with self._turns:
            sync = self._open()
            moments = (_c.csy_instant * 2)(self._moment_of(a), self._moment_of(b))
            names = (c_char_p * 2)(*[self._moment_name(moment) for moment in moments])
            try:
                call(_c.lib.csy_sync_order_table, sync, names, moments, byref(out))
                return self._sheets(sync, out)
            finally:
                _c.lib.csy_analysis_free(out)

    def _moment_name(self, moment: _c.csy_instant) -> bytes:
        """As cellstat(1) names it."""
        if moment.record != NO_RECORD:
            return words.encode(f"#{moment.record}")
        return words.encode(f"{self.thread(moment.thread).name}@{moment.local_ticks}")

    def _moment_of(self, moment: Union[int, tuple]) -> _c.csy_instant:
        if isinstance(moment, tuple) and len(moment) == 2:
            thread, ticks = moment
            return _c.csy_instant(self.thread(thread).index, words.whole(words.exact(ticks, "ticks"), "ticks", "ticks"), NO_RECORD)
        try:
            moment = operator.index(moment)
        except TypeError:
            raise TypeError(f"{moment!r}: expected the position of a record, such as 100, or (thread, ticks)") from None
        if not 0 <= moment < self.records:
            raise IndexError(f"record {moment}: there are {self.records}")
        event = self.events(columns=("thread", "local_ticks"), start=moment, stop=moment + 1)
        return _c.csy_instant(int(event["thread"][0]), int(event["local_ticks"][0]), moment)

    # Output.

    def write(self, path: Path, *, format: Optional[str] = None, compress_level: Optional[int] = None, embed: bool = False,
              window: Optional[str] = None, only: Optional[str] = None, csv_header: str = "comment", csv_time: str = "ticks",
              json_args: str = "all", link: bool = False, ranges: bool = False) -> None:
        """Write the synchronized trace, as cellsync -o does: the format by the suffix, or as format says ("csv", "pex",
        "json", "ctf", "pftrace", "otf2", "pcap", "pcapng").  On failure nothing is left, and old files stand.

        csv_header is "comment" or "bare", without comments, csv_time "ticks", "seconds", "both" or "date", json_args "all", "short" or "none"; with link
        event files of OTF2 may be hard links.  ranges adds the earliest and latest times of events (CSV, JSON,
        Perfetto)."""
        lib = _c.lib
        output = c_void_p()
        with self._turns:
            sync, trace = self._open(), self.trace._open()
            call(lib.csy_output_new, byref(output))
            try:
                if format is not None:
                    call(lib.csy_output_set_format, output, words.value("format", format))
                if compress_level is not None:
                    call(lib.csy_output_set_compress_level, output, compress_level)
                if window is not None:
                    call(lib.csy_output_set_window, output, words.encode(window))
                if only is not None:
                    call(lib.csy_output_set_only, output, words.encode(only))
                call(lib.csy_output_set_embed, output, embed)
                call(lib.csy_output_set_link, output, link)
                call(lib.csy_output_set_csv_header, output, words.value("csv_header", csv_header))
                call(lib.csy_output_set_csv_time, output, words.value("csv_time", csv_time))
                call(lib.csy_output_set_ranges, output, ranges)
                call(lib.csy_output_set_json_args, output, words.value("json_args", json_args))
                call(lib.csy_trace_check_outputs, trace, None, words.path(path), output, None)
                call(lib.csy_sync_write_trace, sync, words.path(path), output)
            finally:
                lib.csy_output_free(output)

    def report(self, path: Path, *, format: Optional[str] = None, pairs: str = "auto") -> None:
        """Write the report of the bounds, as cellsync -r does: by the suffix, or as format says ("text", "csv", "json",
        "html", "tex", "md")."""
        lib = _c.lib
        encoded = words.path(path)
        chosen = c_int()
        with self._turns:
            sync, trace = self._open(), self.trace._open()
            if format is None:
                call(lib.csy_report_format_of, encoded, byref(chosen))
            else:
                chosen.value = words.value("report_format", format)
            call(lib.csy_trace_check_outputs, trace, None, None, None, encoded)
            call(lib.csy_sync_write_report, sync, encoded, chosen, words.value("pairs", pairs))

    def write_clocks(self, path: Path) -> None:
        """Write what puts clocks in global time, as CSV: a row a clock, or of clocks that drift a row a knot."""
        with self._turns:
            call(_c.lib.csy_sync_write_clocks, self._open(), words.path(path))
