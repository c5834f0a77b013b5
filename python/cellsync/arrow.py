"""Tables for other libraries in memory, by the Arrow PyCapsule interface: pyarrow.table(table), polars.DataFrame(table).

The library makes the structs and releases them.  A callback of ctypes could not: where it runs while an exception is on its
way, as when a consumer fails, Python loses the exception and may crash.  For the same reason capsules have no destructor;
a struct that nobody took is released when the next one is made, after its capsule has gone.
"""
from __future__ import annotations

import sys
import threading
from array import array
from collections.abc import Sequence
from ctypes import (CFUNCTYPE, POINTER, Structure, byref, c_char_p, c_int, c_int64, c_void_p, pointer, py_object,
                    pythonapi)
from fractions import Fraction
from typing import Any, Optional

from . import _c
from .errors import call

RELEASE = CFUNCTYPE(None, c_void_p)


class ArrowSchema(Structure):
    _fields_ = [("format", c_char_p), ("name", c_char_p), ("metadata", c_char_p), ("flags", c_int64), ("n_children", c_int64),
                ("children", c_void_p), ("dictionary", c_void_p), ("release", RELEASE), ("private_data", c_void_p)]


class ArrowArray(Structure):
    _fields_ = [("length", c_int64), ("null_count", c_int64), ("offset", c_int64), ("n_buffers", c_int64),
                ("n_children", c_int64), ("buffers", c_void_p), ("children", c_void_p), ("dictionary", c_void_p),
                ("release", RELEASE), ("private_data", c_void_p)]


class ArrowArrayStream(Structure):
    _fields_ = [("get_schema", CFUNCTYPE(c_int, c_void_p, c_void_p)), ("get_next", CFUNCTYPE(c_int, c_void_p, c_void_p)),
                ("get_last_error", CFUNCTYPE(c_char_p, c_void_p)), ("release", RELEASE), ("private_data", c_void_p)]


NAMES = {ArrowSchema: b"arrow_schema", ArrowArray: b"arrow_array", ArrowArrayStream: b"arrow_array_stream"}
_new_capsule = pythonapi.PyCapsule_New
_new_capsule.restype, _new_capsule.argtypes = py_object, [c_void_p, c_char_p, c_void_p]
_lock = threading.Lock()
_structs: list[tuple[Any, Optional[Structure]]] = []  # capsules, and where they point to


def _references(entry: tuple) -> int:
    return sys.getrefcount(entry[0])


_UNUSED = _references((object(), None))


def _capsule(struct: Structure) -> Any:
    """A capsule of a struct, which lives as long as the capsule."""
    with _lock:
        for entry in [entry for entry in _structs if _references(entry) <= _UNUSED]:
            _structs.remove(entry)
            release(entry[1])
        capsule = _new_capsule(byref(struct), NAMES[type(struct)], None)
        _structs.append((capsule, struct))
    return capsule


def release(struct: Any) -> None:
    """Release a struct that nobody took."""
    if struct.release:
        struct.release(byref(struct))


def _bits(flags: Sequence[bool]) -> bytes:
    return bytes(sum(1 << k for k, flag in enumerate(flags[i:i + 8]) if flag) for i in range(0, len(flags), 8))


def _text(values: Sequence[Optional[str]]) -> tuple[bytes, bytes, bytes]:
    """Format, ends, and bytes; what is no UTF-8 becomes U+FFFD."""
    texts = [b"" if v is None else v.encode("utf-8", "surrogateescape").decode("utf-8", "replace").encode() for v in values]
    ends, end = [0], 0
    for text in texts:
        end += len(text)
        ends.append(end)
    large = end > (1 << 31) - 1
    return b"U" if large else b"u", array("q" if large else "i", ends).tobytes(), b"".join(texts)


def _numbers(values: Sequence[Any]) -> Optional[tuple[bytes, bytes]]:
    """Format and values of numbers, None among them; None if these are others.  Fractions become decimals, if that is exact."""
    kinds = {type(v) for v in values if v is not None}
    plain = [0 if v is None else v for v in values]
    if kinds <= {int}:
        least, greatest = min(plain, default=0), max(plain, default=0)
        if _c.INT64_MIN <= least and greatest <= _c.INT64_MAX:
            return b"l", array("q", plain).tobytes()
        return (b"L", array("Q", plain).tobytes()) if 0 <= least and greatest < 1 << 64 else None
    if kinds == {bool}:
        return b"b", _bits(plain)
    if kinds <= {int, float}:
        return b"g", array("d", plain).tobytes()
    if kinds <= {int, Fraction}:
        billionths = [v * 10**9 for v in plain]
        if all(v.denominator == 1 and abs(v) < 10**38 for v in billionths):
            return b"d:38,9", b"".join(int(v).to_bytes(16, sys.byteorder, signed=True) for v in billionths)
    return None


def _column(name: str, column: Any, labels: Optional[Sequence[str]], none: Optional[int]) -> _c.csy_arrow_column:
    values = column.tolist() if hasattr(column, "tolist") else column
    out = _c.csy_arrow_column(name=name.encode())
    if labels is not None:
        there = [v >= 0 for v in values]
        out.format, out.values = b"i", array("i", [max(v, 0) for v in values]).tobytes()
        out.values_bytes = 4 * len(values)
        of = _c.csy_arrow_column(name=b"")
        _fill(of, *_text(labels))
        out.dictionary, out.dictionary_rows = pointer(of), len(labels)
    else:
        values = [None if v == none else v for v in values] if none is not None else values
        there = [v is not None for v in values]
        _fill(out, *(_numbers(values) or _text([v if v is None else str(v) for v in values])))
    out.nulls = there.count(False)
    if out.nulls:
        out.valid = _bits(there)
    return out


def _fill(column: _c.csy_arrow_column, format: bytes, values: bytes, text: Optional[bytes] = None) -> None:
    column.format, column.values, column.values_bytes = format, values, len(values)
    if text is not None:
        column.text, column.text_bytes = text, len(text)


def make_stream(columns: Sequence[tuple[str, Any, Optional[Sequence[str]], Optional[int]]], nrows: int) -> ArrowArrayStream:
    """A stream of one batch; columns are names, values, labels, and the value that says that there is none."""
    made = [_column(*column) for column in columns]
    stream = ArrowArrayStream()
    call(_c.lib.csy_arrow_stream, (_c.csy_arrow_column * len(made))(*made), len(made), nrows, byref(stream))
    return stream


def stream_capsule(stream: ArrowArrayStream) -> Any:
    return _capsule(stream)


def array_capsules(stream: ArrowArrayStream) -> tuple[Any, Any]:
    """The schema and the batch of a stream, which ends."""
    schema, batch = ArrowSchema(), ArrowArray()
    failed = stream.get_schema(byref(stream), byref(schema)) or stream.get_next(byref(stream), byref(batch))
    release(stream)
    if failed:
        release(schema)
        raise MemoryError
    return _capsule(schema), _capsule(batch)
