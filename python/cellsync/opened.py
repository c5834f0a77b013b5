"""What can be asked of a trace before it is synchronized."""
from __future__ import annotations

from . import _c, words
from .handles import Handle, Owner, Turns


class Opened(Owner):
    """A trace that can be read several times: cellsync.Trace, which synchronizes it."""

    def __init__(self, pointer: int) -> None:
        super().__init__(Handle(pointer, _c.lib.csy_trace_free), Turns())

    @property
    def name(self) -> str:
        """Its path as it was given, or the name that new() had."""
        with self._turns:
            return words.text(_c.lib.csy_trace_name(self._open()))

    @property
    def machine(self) -> str:
        """What the trace says of the machine, or ""."""
        with self._turns:
            return words.text(_c.lib.csy_trace_machine(self._open()))

    @property
    def timebase_hz(self) -> int:
        """How many ticks a second has."""
        with self._turns:
            return _c.lib.csy_trace_timebase_hz(self._open())

    @property
    def synchronized(self) -> bool:
        """Whether it is synchronized already, so that read_solution() has something to read."""
        with self._turns:
            return _c.lib.csy_trace_has_solution(self._open())

    @property
    def warnings(self) -> list[str]:
        """What about the file should be told to its user; a pass over it may add some."""
        found: list[str] = []
        with self._turns:
            while (text := _c.lib.csy_trace_warning(self._open(), len(found))) is not None:
                found.append(_c.lib.csy_unescape(text).decode("utf-8", "backslashreplace"))
        return found
