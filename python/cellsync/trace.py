"""Traces: opened, or made of events that the program hands over."""
from __future__ import annotations

from ctypes import POINTER, byref, c_char_p, c_size_t, c_void_p
from typing import Any, Callable, Iterable, NamedTuple, Optional, Sequence, Union

from . import _c, words
from .errors import UsageError, call, of
from .opened import Opened
from .solution import Solution, witness_of
from .words import Number, Path

NO_DRIFT = -1  # CSY_NO_DRIFT
PREMISES_BY_SOURCE = 1  # CSY_PREMISES_BY_SOURCE
JOIN_ALWAYS = 1  # CSY_JOIN_ALWAYS


class Trace(Opened):
    """A trace that can be read several times.  Made by open() or new(); to be closed, or used as `with`."""

    def __repr__(self) -> str:
        return f"<cellsync.Trace {'closed' if self.closed else repr(self.name)}>"

    @property
    def files(self) -> tuple[str, ...]:
        """The files that the trace was joined of; () if it was opened by one path."""
        with self._turns:
            trace = self._open()
            return tuple(words.text(_c.lib.csy_trace_file(trace, i)) for i in range(_c.lib.csy_trace_nfiles(trace)))

    def add_thread(self, name: str, clock: Optional[str] = None) -> int:
        """A thread of a trace that new() has made; its index is for add().  Threads that share a clock name it."""
        out = c_size_t()
        with self._turns:
            call(_c.lib.csy_trace_add_thread, self._open(), words.encode(name),
                 None if clock is None else words.encode(clock), byref(out))
        return out.value

    def add(self, events: Iterable[Sequence]) -> None:
        """Add events to a trace that new() has made, in the order in which they came to the buffer that all threads share.

        Each is (thread, time), (thread, time, name) or (thread, time, name, begin): thread is an index of
        add_thread(), times are ticks by the clock of the thread, begin is where an interval begins that ends at time.
        All of them are added or, where one is refused, none.  Solutions that are there already are of the trace as it was.
        """
        given = [(*event, None, None)[:4] if 2 <= len(event) <= 4 else _refuse(event) for event in events]
        names = {name: words.encode(name) for _, _, name, _ in given if name is not None}
        array = (_c.csy_new_event * len(given))()
        for out, (thread, time, name, begin) in zip(array, given):
            for number in (time, 0 if begin is None else begin):
                if not _c.INT64_MIN <= number <= _c.INT64_MAX:
                    raise ValueError(f"{number}: a time of more than 64 bits")
            if not 0 <= thread < 1 << 63:
                raise ValueError(f"{thread}: not an index of add_thread()")
            out.thread, out.time_ticks = int(thread), int(time)
            out.interval, out.begin_ticks = begin is not None, int(begin or 0)
            if name is not None:
                out.name = names[name]
        with self._turns:
            call(_c.lib.csy_trace_add, self._open(), array, len(given))

    def synchronize(self, *, reference: Optional[str] = None, alpha: Optional[Number] = None, relax: Optional[str] = None,
                    delta: Optional[Number] = None, engine: Optional[str] = None, unwrap: Optional[str] = None,
                    max_imprecision: Optional[Number] = None, method: Optional[str] = None, monotonic: Optional[bool] = None,
                    max_adjust: Optional[Number] = None, center: Optional[str] = None, statistics: Optional[str] = None,
                    measure: Optional[bool] = None, drop: Optional[int] = None, latency: Optional[Number] = None,
                    max_latency: Optional[Number] = None, advise: Optional[int] = None, drift: Optional[Number] = None,
                    wander: Optional[Number] = None, steps: Optional[int] = None) -> Solution:
        """Find the offsets of all clocks, and their bounds.

        Options are those of cellsync(1) by the same names and words: relax is "exact", "paper" or "none", method
        "bhh", "lamport", "lamport-clock", "lsq", "ntp" or "ends", center "reference" or "local", unwrap "assume" or "strict".
        delta, max_imprecision, max_adjust, latency and max_latency are times: ticks, or texts such as "1.5us", and
        delta may be "least".  drift and wander are parts in a million; with a drift of 0 all clocks run at one rate.
        steps is how often each clock may be cut where it was set, by default 8 times for clocks that show dates in a CSV.
        Without drift or delta, the source of the trace decides what is assumed: see Solution.premise.
        If clocks drift, ranges of analyses come from the earliest and the latest possible time of each event.  InfeasibleError
        has the witness where relax is "none".
        """
        given = {name: value for name, value in locals().items() if name != "self" and value is not None}
        options = c_void_p()
        pointer = c_void_p()
        error = _c.csy_error()
        with self._turns:
            trace = self._open()
            call(_c.lib.csy_options_new, byref(options))
            try:
                for function, *arguments in _settings(given, _c.lib.csy_trace_timebase_hz(trace)):
                    call(function, options, *arguments)
                status = _c.lib.csy_trace_synchronize(trace, options, byref(pointer), error)
            finally:
                _c.lib.csy_options_free(options)
            if status != _c.OK:
                refused = of(status, error)
                if status == _c.INFEASIBLE and pointer:
                    try:
                        refused.witness = witness_of(pointer)
                    finally:
                        _c.lib.csy_sync_free(pointer)
                raise refused
            return Solution(self, pointer.value)

    def read_solution(self) -> Solution:
        """The solution that a synchronized trace has already.  Nothing is proved by that: see check()."""
        pointer = c_void_p()
        with self._turns:
            call(_c.lib.csy_trace_read_solution, self._open(), byref(pointer))
            return Solution(self, pointer.value)


def _refuse(event: Sequence) -> tuple:
    raise ValueError(f"{event!r}: an event has a thread and a time, and may have a name and a begin")


def _settings(given: dict[str, Any], timebase_hz: int) -> Iterable[tuple]:
    """(setter, value...) for what synchronize() was given."""
    lib = _c.lib
    yield lib.csy_options_set_premises, PREMISES_BY_SOURCE
    for name, value in given.items():
        setter: Callable = getattr(lib, f"csy_options_set_{name}", None) or lib.csy_options_set_drift
        if name in ("relax", "engine", "unwrap", "method", "center", "statistics"):
            yield setter, words.value(name, value)
        elif name in ("monotonic", "measure"):
            yield setter, bool(value)
        elif name in ("drop", "advise", "steps"):
            if not 0 <= value < 1 << 63:
                raise ValueError(f"{name}={value!r}: out of range")
            yield setter, int(value)
        elif name in ("max_imprecision", "max_adjust", "latency", "max_latency"):
            yield setter, words.whole(words.ticks(value, timebase_hz, name), name, "ticks")
        elif name == "reference":
            yield setter, words.encode(value)
        elif name == "alpha":
            yield setter, words.fraction(value, name)
        elif name == "delta" and value == "least":
            if given.get("relax", "exact") != "exact":
                raise ValueError(f"relax={given['relax']!r} and delta='least' exclude each other")
            yield lib.csy_options_set_relax, words.value("relax", "exact")
        elif name == "delta":
            yield setter, words.ticks(value, timebase_hz, name)
            if "relax" not in given:
                yield lib.csy_options_set_relax, words.value("relax", "given")
        elif name == "drift":
            ppb, wander = words.ppb(value, name), given.get("wander")
            if ppb == 0:
                yield setter, NO_DRIFT, NO_DRIFT
            else:
                yield setter, ppb, NO_DRIFT if wander is None else words.ppb(wander, "wander")
        elif "drift" not in given:
            raise ValueError("wander is for clocks that drift: give drift, too")


def _input(format: Optional[str], time_unit: Optional[str], columns: Optional[str], clock_per: Optional[str],
           counter_bits: int = 0, offsets: Optional[Path] = None, spans: Optional[str] = None) -> c_void_p:
    """How a trace is to be read; the caller frees it."""
    out = c_void_p()
    call(_c.lib.csy_input_new, byref(out))
    try:
        if format is not None:
            call(_c.lib.csy_input_set_format, out, words.value("format", format))
        if time_unit is not None:
            call(_c.lib.csy_input_set_time_unit, out, words.value("time_unit", time_unit))
        if columns is not None:
            call(_c.lib.csy_input_set_columns, out, words.encode(columns))
        if counter_bits != 0:
            if not 4 <= counter_bits <= 62:
                raise ValueError(f"counter_bits={counter_bits!r}: out of range")
            call(_c.lib.csy_input_set_counter_bits, out, counter_bits)
        if clock_per is not None:
            call(_c.lib.csy_input_set_clock_per, out, words.value("clock_per", clock_per))
        if offsets is not None:
            call(_c.lib.csy_input_set_offsets, out, words.path(offsets))
        if spans is not None:
            call(_c.lib.csy_input_set_spans, out, words.value("spans", spans))
    except BaseException:
        _c.lib.csy_input_free(out)
        raise
    return out


def open(path: Union[Path, Sequence[Path]], *, format: Optional[str] = None, time_unit: Optional[str] = None, columns: Optional[str] = None,
         clock_per: Optional[str] = None, counter_bits: int = 0, workers: int = 0, salvage: bool = False,
         offsets: Optional[Path] = None, spans: Optional[str] = None, join: bool = False) -> Trace:
    """Open a trace: a .pex, a CSV, an OTF2 archive by its anchor file, spans or profiles in JSON, or the folder of celltrace(1).

    A list of paths opens several files as one trace: captures, spans, profiles, and CSV files with # order=partial or
    # order=messages.  With join, other CSV files are one trace, too.  "NAME=FILE" puts NAME/ before the names of threads and clocks.
    UsageError: the files are traces of their own.

    format, such as "csv" or "otlp", overrides the content; spans is "sound" or "nested"; time_unit and columns are of a CSV ("us",
    "thread=NAME,time=NAME"), clock_per of an archive ("process", "node", "location").  counter_bits is where the counters of a
    CSV wrap, 0 if they do not.  workers is how many threads of the system
    may work on it, 0 for one a core.  With salvage a trace that is cut off counts as far as it is whole.  offsets is a CSV of
    measured offsets between clocks.
    """
    if not 0 <= workers < 1 << 31:
        raise ValueError(f"workers={workers!r}: out of range")
    pointer = c_void_p()
    given = _input(format, time_unit, columns, clock_per, counter_bits, offsets, spans)
    try:
        if isinstance(path, (list, tuple)):
            _open_files(path, join, given, pointer)
        else:
            call(_c.lib.csy_trace_open, words.path(path), given, byref(pointer))
    finally:
        _c.lib.csy_input_free(given)
    _c.lib.csy_trace_set_workers(pointer, workers)
    _c.lib.csy_trace_set_salvage(pointer, salvage)
    return Trace(pointer.value)


def _open_files(paths: Sequence[Path], join: bool, given: c_void_p, out: c_void_p) -> None:
    operands = (c_char_p * len(paths))(*map(words.path, paths))
    if not operands:
        raise ValueError("no paths: a trace has at least one file")
    if join:
        call(_c.lib.csy_input_set_join, given, JOIN_ALWAYS)
    call(_c.lib.csy_trace_open_files, operands, len(operands), given, byref(out))
    if out:
        return
    for operand in operands:                            # one that cannot be opened says why
        single = c_void_p()
        call(_c.lib.csy_trace_open, operand, given, byref(single))
        _c.lib.csy_trace_free(single)
    raise UsageError("these files are traces of their own: open each, or pass join=True for CSV files")


def new(name: str, timebase_hz: int) -> Trace:
    """A trace without a file, of the events that Trace.add() gives it."""
    if not 0 <= timebase_hz < 1 << 64:
        raise ValueError(f"timebase_hz={timebase_hz!r}: out of range")
    pointer = c_void_p()
    call(_c.lib.csy_trace_new, words.encode(name), timebase_hz, byref(pointer))
    return Trace(pointer.value)


class Proof(NamedTuple):
    """What check() has proved: cellsync-model(7), Guarantees."""

    format: str
    records: int
    threads: int
    inversions: int
    largest_inversion_ticks: int
    allowed_inversion_ticks: int
    dropped: int
    original_crc32: int
    assumed: int


def check(path: Path, *, original: Union[Path, Sequence[Path], None] = None, format: Optional[str] = None, time_unit: Optional[str] = None,
          columns: Optional[str] = None, clock_per: Optional[str] = None, counter_bits: int = 0,
          offsets: Optional[Path] = None) -> Proof:
    """Prove what a synchronized trace promises; CheckError names the first difference.  original: the archive, logs, or run
    from which a CSV was made, or a list of the files of spans or profiles, because such a CSV does not contain the order."""
    pointer = POINTER(_c.csy_proof)()
    originals = [] if original is None else list(original) if isinstance(original, (list, tuple)) else [original]
    operands = (c_char_p * len(originals))(*map(words.path, originals))
    given = _input(format, time_unit, columns, clock_per, counter_bits, offsets)
    try:
        call(_c.lib.csy_check_files, words.path(path), operands, len(operands), given, None, None, byref(pointer))
    finally:
        _c.lib.csy_input_free(given)
    try:
        found = pointer.contents
        return Proof(words.word("format", found.format), *[getattr(found, name) for name in Proof._fields[1:]])
    finally:
        _c.lib.csy_proof_free(pointer)


def set_max_memory(size: Union[int, None]) -> None:
    """How many bytes of memory the library may take in this process from now on; None: as much as there is."""
    _c.lib.csy_set_max_memory(size or 0)
