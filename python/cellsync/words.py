"""Words for the library's enumerations, and what options may be given as."""
from __future__ import annotations

import os
from ctypes import byref
from fractions import Fraction
from typing import Optional, Union

from . import _c

Path = Union[str, bytes, "os.PathLike[str]"]
Number = Union[int, float, str, Fraction]

# kind -> (how its constants begin, word -> value); headers.py holds them to the headers.
WORDS: dict[str, tuple[str, dict[str, int]]] = {
    "format": ("CSY_FORMAT_", {"auto": 0, "pex": 1, "csv": 2, "json": 3, "ctf": 4, "pftrace": 5, "otf2": 6, "pcap": 7, "pcapng": 8, "otlp": 9, "jaeger": 10, "zipkin": 11, "tar": 12}),
    "spans": ("CSY_SPANS_", {"sound": 0, "nested": 1}),
    "clock_per": ("CSY_CLOCK_PER_", {"auto": 0, "process": 1, "node": 2, "location": 3}),
    "time_unit": ("CSY_TIME_", {"auto": 0, "ticks": 1, "s": 2, "ms": 3, "us": 4, "ns": 5}),
    "relax": ("CSY_RELAX_", {"exact": 0, "paper": 1, "none": 2, "given": 3}),
    "engine": ("CSY_ENGINE_", {"auto": 0, "sweep": 1, "dense": 2}),
    "method": ("CSY_METHOD_", {"bhh": 0, "lamport": 1, "lamport-clock": 2, "lsq": 3, "ntp": 4, "ends": 5}),
    "unwrap": ("CSY_UNWRAP_", {"assume": 0, "strict": 1}),
    "center": ("CSY_CENTER_", {"reference": 0, "local": 1}),
    "statistics": ("CSY_STATISTICS_", {"auto": 0, "all": 1}),
    "report_format": ("CSY_REPORT_", {"text": 0, "csv": 1, "json": 2, "html": 3, "tex": 4, "md": 8}),
    "csv_header": ("CSY_CSV_", {"comment": 0, "bare": 1}),
    "csv_time": ("CSY_CSV_", {"ticks": 0, "seconds": 1, "both": 2, "date": 3}),
    "json_args": ("CSY_JSON_", {"all": 0, "short": 1, "none": 2}),
    "pairs": ("CSY_PAIRS_", {"auto": 0, "all": 1, "live": 2, "reference": 3, "none": 4, "met": 5}),
    "range": ("CSY_RANGE_", {"exact": 0, "proven": 1, "star": 2, "clock": 3, "unknown": 4}),
    "ranges": ("CSY_RANGES_", {"exact": 0, "star": 1, "none": 2}),
    "verdict": ("CSY_BEFORE_", {"no": 0, "yes": 1, "unknown": 2}),
    "units": ("CSY_UNITS_", {"auto": 0, "spe": 1, "ppe": 2, "actors": 3, "cpu": 4}),
    "per": ("CSY_PER_", {"all": 0, "actor": 1, "unit": 2, "cell": 3, "node": 4}),
    "follow": ("CSY_FOLLOW_", {"none": 0, "create": 1}),
    "weight": ("CSY_WEIGHT_", {"count": 0, "time": 1, "bytes": 2}),
    "at": ("CSY_AT_", {"none": 0, "ticks": 1, "ppm": 2, "record": 3}),
    "group": ("CSY_GROUP_", {"actor": 0, "cell": 1, "node": 2}),
    "by": ("CSY_COMM_", {"pair": 0, "function": 1, "datatype": 2, "size": 3}),
    "column": ("CSY_COLUMN_", {"text": 0, "count": 1, "ticks": 2, "microticks": 3, "ppm": 4, "s": 5, "ms": 6, "us": 7,
                               "ns": 8}),
}


def value(kind: str, word: str) -> int:
    """The value of a word; ValueError with all words for another one."""
    words = WORDS[kind][1]
    if word not in words:
        raise ValueError(f"{kind}={word!r}: expected one of {', '.join(words)}")
    return words[word]


def word(kind: str, number: int) -> str:
    """The word of a value."""
    for text, known in WORDS[kind][1].items():
        if known == number:
            return text
    return str(number)


def text(name: Optional[bytes]) -> str:
    """A name as the library has it; what is no UTF-8 comes back as it was from encode()."""
    return (name or b"").decode("utf-8", "surrogateescape")


def encode(name: str) -> bytes:
    """A name for the library."""
    encoded = name.encode("utf-8", "surrogateescape")
    if b"\0" in encoded:
        raise ValueError(f"{name!r}: a name cannot have a NUL")
    return encoded


def path(name: Path) -> bytes:
    """A path for the library."""
    encoded = os.fsencode(name)
    if b"\0" in encoded:
        raise ValueError(f"{name!r}: a path cannot have a NUL")
    return encoded


def exact(number: Number, what: str) -> Fraction:
    """A number exactly; a float as it is printed, 0.1 as 1/10."""
    try:
        return Fraction(str(number) if isinstance(number, float) else number)
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"{what}={number!r}: not a number") from None
    except TypeError:
        raise TypeError(f"{what}={number!r}: expected a number, or a text") from None


def fraction(number: Number, what: str) -> _c.csy_fraction:
    """For the library, whose fractions have 64 bits above and below."""
    ratio = exact(number, what)
    if not (_c.INT64_MIN <= ratio.numerator <= _c.INT64_MAX and ratio.denominator <= _c.INT64_MAX):
        raise ValueError(f"{what}={number!r}: out of range")
    return _c.csy_fraction(ratio.numerator, ratio.denominator)


def ticks(time: Number, timebase_hz: int, what: str) -> _c.csy_fraction:
    """A time, in ticks or as text with its unit ("1.5us"), in ticks of a timebase."""
    if not isinstance(time, str):
        return fraction(time, what)
    out = _c.csy_fraction()
    if not _c.lib.csy_time_parse(encode(time), timebase_hz, byref(out)):
        raise ValueError(f"{what}={time!r}: expected ticks, or a time such as '1.5us', of 64 bits")
    return out


def whole(number: Union[Fraction, _c.csy_fraction], what: str, unit: str) -> int:
    """A whole number of 64 bits."""
    ratio = Fraction(number.num, number.den) if isinstance(number, _c.csy_fraction) else number
    if ratio.denominator != 1:
        raise ValueError(f"{what}: {ratio} is no whole number of {unit}")
    if not _c.INT64_MIN <= ratio.numerator <= _c.INT64_MAX:
        raise ValueError(f"{what}: {ratio} {unit} are out of range")
    return ratio.numerator


def ppb(ppm: Number, what: str) -> int:
    """Parts of 10^9 of parts in a million."""
    return whole(exact(ppm, what) * 1000, what, "parts in 10^9")
