"""Events of a solution as columns, many at a time."""
from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping, Sequence
from ctypes import byref, c_size_t, c_uint64, c_void_p
from typing import Any, Optional

from . import _c, words
from .errors import call
from .handles import Handle, Owner
from .table import Table, numpy

COLUMNS = ("record", "thread", "local_ticks", "global_ticks", "name")
# Of csy_decoded; a track that is none becomes -1.
TYPES = {"record": "int64", "thread": "int64", "track": "int64", "local_ticks": "int64", "global_ticks": "int64",
         "local_begin_ticks": "int64", "global_begin_ticks": "int64", "interval": "bool", "name": "object", "id": "int64",
         "core": "int64", "tid": "int64"}
NO_TRACK = (1 << 32) - 1
BATCH = 4096  # what the library decodes at a time best


class Cursor(Owner):
    """A place in the events of a solution."""

    def __init__(self, solution: Owner) -> None:
        pointer = c_void_p()
        with solution._turns:
            call(_c.lib.csy_events_open, solution._open(), byref(pointer))
            super().__init__(Handle(pointer.value, _c.lib.csy_events_free, solution._handle), solution._turns, solution)
            self._turns.read_by(self._handle)


def _dtype() -> Any:
    """csy_decoded for numpy."""
    formats = {1: "u1", 2: "u2", 4: "u4", 8: "u8"}
    names = [name for name, _ in _c.csy_decoded._fields_]
    fields = [getattr(_c.csy_decoded, name) for name in names]
    return numpy.dtype({"names": names, "formats": [
        formats[field.size].replace("u", "i") if name.endswith("_ticks") else formats[field.size]
        for name, field in zip(names, fields)], "offsets": [field.offset for field in fields],
        "itemsize": ctypes.sizeof(_c.csy_decoded)})


class Reader:
    """Which columns and fields of a solution's events are asked for, and how they are made; labels are what indexes mean."""

    def __init__(self, solution: Owner, columns: Sequence[str], fields: Sequence[str],
                 labels: Mapping[str, Sequence[str]]) -> None:
        for name in columns:
            if name not in TYPES:
                raise ValueError(f"column {name!r}: expected some of {', '.join(TYPES)}")
        for name in fields:
            if name in columns:
                raise ValueError(f"field {name!r}: there is a column of that name")
        self.solution = solution
        self.columns = tuple(dict.fromkeys(columns))
        self.fields = tuple(dict.fromkeys(fields))
        self.labels = {name: names for name, names in labels.items() if name in self.columns}
        self._places: dict[tuple[int, int], list[Optional[int]]] = {}

    def table(self, parts: list[dict[str, Any]]) -> Table:
        """Parts one after the other."""
        out: dict[str, Any] = {}
        for name in (*self.columns, *self.fields):
            kind = TYPES[name] if name in self.columns else "object"
            if numpy is None:
                out[name] = [value for part in parts for value in part[name]]
            else:
                out[name] = numpy.concatenate([part[name] for part in parts]) if parts else numpy.empty(0, kind)
        return Table(out, self.labels)

    def batches(self, size: int, start: int, stop: int) -> Iterator[Table]:
        """The events of records start to stop, up to size of them at a time."""
        if start >= stop:
            return
        buffer = (_c.csy_decoded * min(BATCH, size))()
        got = c_size_t()
        cursor = Cursor(self.solution)
        try:
            with cursor._turns:
                if start:
                    call(_c.lib.csy_events_seek, cursor._open(), start)
            while start < stop:
                parts: list[dict[str, Any]] = []
                wanted = min(size, stop - start)
                while wanted:
                    with cursor._turns:  # until all that it points to is copied
                        events = cursor._open()
                        call(_c.lib.csy_events_read, events, buffer, min(wanted, len(buffer)), byref(got))
                        if got.value == 0:
                            stop = start  # fewer than there were
                            break
                        parts.append(self._part(events, buffer, got.value))
                    wanted -= got.value
                    start += got.value
                if parts:
                    yield self.table(parts)
        finally:
            cursor._drop()  # who drops this generator shall not wait

    def _part(self, events: int, buffer: Any, got: int) -> dict[str, Any]:
        out: dict[str, Any] = {}
        rows = None if numpy is None else numpy.frombuffer(buffer, _dtype(), got)
        for name in self.columns:
            if name == "name":
                out[name] = _names(buffer, rows, got)
            elif rows is None:
                values = [getattr(buffer[i], name) for i in range(got)]
                out[name] = [-1 if value == NO_TRACK else value for value in values] if name == "track" else values
            else:
                out[name] = rows[name].astype(TYPES[name])
                if name == "track":
                    out[name][out[name] == NO_TRACK] = -1
        for index, name in enumerate(self.fields):
            out[name] = _objects([self._field(events, buffer[i], index) for i in range(got)])
        return out

    def _field(self, events: int, event: _c.csy_decoded, index: int) -> Any:
        """What one event has in the field at this index of those that are asked for."""
        kind = (event.id, event.nfields)
        if kind not in self._places:
            there = [words.text(_c.lib.csy_events_field_name(events, event.id, i)) for i in range(event.nfields)]
            self._places[kind] = [there.index(name) if name in there else None for name in self.fields]
        place = self._places[kind][index]
        if place is None:
            return None
        if event.values:
            return c_uint64.from_address(event.values + 8 * place).value
        text = _c.csy_text.from_address(event.texts + ctypes.sizeof(_c.csy_text) * place)
        return _text(text.bytes, text.size)


def _objects(values: list) -> Any:
    if numpy is None:
        return values
    out = numpy.empty(len(values), "object")
    out[:] = values
    return out


def _text(address: Optional[int], size: int) -> str:
    return words.text(ctypes.string_at(address, size)) if address and size else ""


def _names(buffer: Any, rows: Any, got: int) -> Any:
    """Names of events; those of a .pex are few, at few addresses."""
    if rows is None:
        return [_text(buffer[i].name, buffer[i].name_size) for i in range(got)]
    pointers, first, inverse = numpy.unique(rows["name"], return_index=True, return_inverse=True)
    sizes = rows["name_size"]
    if (sizes[first][inverse] != sizes).any():  # one begins where another one does
        return _objects([_text(int(p), int(n)) for p, n in zip(rows["name"], sizes)])
    return _objects([_text(int(p), int(sizes[f])) for p, f in zip(pointers, first)])[inverse]
