"""Offline clock synchronization of event traces, with exact bounds: libcellsync for Python.

    import cellsync

    with cellsync.open("trace.csv") as trace, trace.synchronize() as solution:
        for thread in solution.threads:
            print(thread.name, thread.offset_ticks, thread.earliest_ticks, thread.latest_ticks)
        frame = solution.events().to_pandas()

The questions of cellstat(1) are methods of a solution: states(), concurrency(), profile(), calls(), comm(), latency(),
waits(), timeline(), overview() and before().

Times are ticks of the trace's timebase (Trace.timebase_hz), whole numbers.  What the figures mean is in
cellsync-model(7), what files look like in pex(5), cellsync-csv(5), cellsync-output(5), and cellsync-json(5);
libcellsync(3) and its headers are what this module calls.  Arrays are numpy's and frames pandas' where these are installed; without them all is there as lists.

Threads of Python: each trace has a lock, which every call on it, and on what comes from it, holds.  So any thread may
call anything; calls on one trace take turns, those on different traces run side by side, since the library is called
without Python's own lock.
"""
from __future__ import annotations

from ._c import lib as _lib
from .analysis import Before, Section, Sheets
from .errors import CheckError, Error, FileError, InfeasibleError, InputError, MemoryLimitError, UsageError
from .solution import Bound, Constraint, Drift, Solution, Thread
from .table import Table
from .trace import Proof, Trace, check, new, open, set_max_memory

__version__ = _lib.csy_version().decode()

__all__ = ["Before", "Bound", "CheckError", "Constraint", "Drift", "Error", "FileError", "InfeasibleError", "InputError",
           "MemoryLimitError", "Proof", "Section", "Sheets", "Solution", "Table", "Thread", "Trace", "UsageError", "check", "new",
           "open", "set_max_memory"]
