"""What the library refuses, as exceptions: a class for each kind, the text is the library's own."""
from __future__ import annotations

from . import _c


class Error(Exception):
    """What all of them are.  str(error) says what went wrong, with the file and the offset or line."""


class InputError(Error, ValueError):
    """The input is malformed, or breaks a documented limit."""


class FileError(Error, OSError):
    """A file cannot be opened, read, written or renamed."""

    def __str__(self) -> str:
        return str(self.args[0])


class MemoryLimitError(Error, MemoryError):
    """There is no memory, or not within set_max_memory."""


class UsageError(Error, ValueError):
    """Options do not fit the trace, or one another."""


class InfeasibleError(Error):
    """The order of the records contradicts the clocks, and relax="none" refuses that.

    witness is a cycle of constraints that proves it."""

    witness: tuple = ()


class CheckError(Error):
    """check: a guarantee does not hold."""


_KINDS: dict[int, type[Error]] = {
    _c.INPUT: InputError, _c.IO: FileError, _c.MEMORY: MemoryLimitError, _c.USAGE: UsageError,
    _c.INFEASIBLE: InfeasibleError, _c.CHECK: CheckError,
}


def of(status: int, error: _c.csy_error) -> Error:
    """The exception for a status, with the text of *error* as people read it."""
    text = _c.lib.csy_unescape(error.text).decode("utf-8", "backslashreplace")
    return _KINDS.get(status, Error)(text)


def call(function, *arguments) -> None:
    """Call a function of the library that fills an error as its last parameter; raise what it says."""
    error = _c.csy_error()
    status = function(*arguments, error)
    if status != _c.OK:
        raise of(status, error)
