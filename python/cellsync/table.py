"""Tables: columns of equal length by name, as numpy arrays where numpy is installed, else as lists."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any, Optional

from . import arrow

try:
    import numpy
except ImportError:  # everything works without it, with lists
    numpy = None


class Table(Mapping):
    """Columns by name, in order.

    A column is a numpy array, or a list where there is no numpy.  Those in `labels` are indexes: labels[column][index]
    is what is meant (of a thread its name), and below 0 there is none.  Those in `nones` have a value that says that
    there is no figure: the unbounded end of a bound, say.
    """

    def __init__(self, columns: Mapping[str, Sequence], labels: Optional[Mapping[str, Sequence[str]]] = None,
                 nones: Optional[Mapping[str, int]] = None) -> None:
        self._columns = dict(columns)
        self.labels = dict(labels or {})
        self.nones = dict(nones or {})
        self.nrows = len(next(iter(self._columns.values()), ()))

    def __getitem__(self, name: str) -> Any:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        """How many columns; nrows is how many rows."""
        return len(self._columns)

    def __repr__(self) -> str:
        return f"<Table of {self.nrows} rows: {', '.join(self)}>"

    def rows(self) -> Iterator[tuple]:
        """Row by row, as Python has numbers and texts: labels for indexes, None where there is no figure."""
        def plain(name: str) -> Sequence:
            column = self[name]
            values = column.tolist() if hasattr(column, "tolist") else column
            if name in self.labels:
                label = self.labels[name]
                return [label[v] if v >= 0 else None for v in values]
            if name in self.nones:
                return [None if v == self.nones[name] else v for v in values]
            return values
        return zip(*[plain(name) for name in self])

    def _repr_html_(self) -> str:
        """For notebooks: the first rows."""
        shown = Table({name: self[name][:HTML_ROWS] for name in self}, self.labels, self.nones)
        return html_table(list(self), list(shown.rows()), self.nrows)

    def _stream(self) -> arrow.ArrowArrayStream:
        return arrow.make_stream([(name, self[name], unique(self.labels[name]) if name in self.labels else None,
                                   self.nones.get(name)) for name in self], self.nrows)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The table for pyarrow.table(), polars.DataFrame() and others, copied: indexes become dictionaries of their labels,
        figures that are not there nulls, and fractions decimals."""
        return arrow.stream_capsule(self._stream())

    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[Any, Any]:
        """The same as one batch, for pyarrow.record_batch()."""
        return arrow.array_capsules(self._stream())

    def __arrow_c_schema__(self) -> Any:
        """The names and types of its columns."""
        return arrow.array_capsules(self._stream())[0]

    def to_pandas(self) -> Any:
        """A pandas.DataFrame: columns of indexes become categories, figures that are not there <NA>."""
        import pandas

        def series(name: str) -> Any:
            column = self[name]
            if name in self.labels:
                return pandas.Categorical.from_codes(column, unique(self.labels[name]))
            if name in self.nones:
                none = self.nones[name]
                return pandas.array([None if v == none else v for v in column], dtype="Int64")
            if any(v is None for v in column) and all(v is None or isinstance(v, int) for v in column):
                return pandas.array(list(column), dtype="Int64" if all(
                    v is None or v < 1 << 63 for v in column) else "UInt64")
            return column
        return pandas.DataFrame({name: series(name) for name in self})


HTML_ROWS = 20


def html_table(names: Sequence[str], rows: Sequence[Sequence], nrows: int) -> str:
    """A table of HTML with these rows, of nrows; a cell is its text, nothing if it is None."""
    def line(cell: str, values: Sequence) -> str:
        return "<tr>" + "".join(f"<{cell}>{'' if v is None else escape(str(v))}</{cell}>" for v in values) + "</tr>"
    more = [f"<p>{nrows - len(rows)} more rows</p>"] if nrows > len(rows) else []
    return "\n".join(["<table>", line("th", names), *(line("td", row) for row in rows), "</table>", *more])


def unique(names: Sequence[str]) -> list[str]:
    """The names, told apart by their numbers where several are alike: categories must differ."""
    seen = set()
    out = []
    for index, name in enumerate(names):
        while name in seen:
            name = f"{name} ({index})"
        seen.add(name)
        out.append(name)
    return out


def column(values: list, kind: str) -> Any:
    """A column of these values: kind is a numpy type, "int64" or "object" say."""
    return values if numpy is None else numpy.array(values, dtype=kind)
