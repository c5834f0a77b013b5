"""Objects of the library: each is freed once, after all that rests on it, whatever Python drops first."""
from __future__ import annotations

import collections
import os
import threading
import weakref
from typing import Callable, Optional

from .errors import Error


class Turns:
    """The lock of a trace.  `with turns:` around each call of the library that is of it.

    What Python's collector finds is freed by the thread that has the lock, or the next one that gives it back: a collector
    that waited for it could wait for ever.

    A fork copies the lock, but not the thread that holds it.  If another thread was in a call, the library's objects are
    half changed in the child, and their own threads are missing: there they are neither used nor freed."""

    _all: weakref.WeakSet[Turns] = weakref.WeakSet()

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._dropped: collections.deque[Handle] = collections.deque()
        self._cursors: weakref.WeakSet[Handle] = weakref.WeakSet()
        self.lost = False
        Turns._all.add(self)

    @staticmethod
    def _forked() -> None:
        """In the child of a fork, whose only thread this is."""
        for turns in list(Turns._all):
            if turns._lock.acquire(blocking=False):
                turns._lock.release()
            else:
                turns._lock = threading.RLock()
                turns.lost = True
            turns.lost = turns.lost or any(cursor.pointer is not None for cursor in turns._cursors)

    def read_by(self, cursor: "Handle") -> None:
        """A reader that stays between calls; the library may have a thread at work for it."""
        self._cursors.add(cursor)

    def __enter__(self) -> None:
        if self.lost:
            raise Error("another thread was using this trace, or its events were being read, when this process was forked: "
                        "open it again in this process")
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()
        self._settle()

    def drop(self, handle: "Handle") -> None:
        """Free it as soon as no other call is under way; does not wait."""
        self._dropped.append(handle)
        self._settle()

    def _settle(self) -> None:
        while self._dropped and not self.lost and self._lock.acquire(blocking=False):
            try:
                while self._dropped:
                    self._dropped.popleft().close()
            except IndexError:  # another one was quicker
                pass
            finally:
                self._lock.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=Turns._forked)


class Handle:
    """A pointer of the library, and what it rests on: its parent is freed after it."""

    def __init__(self, pointer: int, free: Callable[[int], None], parent: Optional["Handle"] = None) -> None:
        self.pointer: Optional[int] = pointer
        self.parent = parent
        self._free = free
        self._users = 0
        self._closed = False
        if parent is not None:
            parent._users += 1

    def close(self) -> None:
        """It is needed no more; it goes when nothing that rests on it is left."""
        self._closed = True
        self._settle()

    def _settle(self) -> None:
        if not self._closed or self._users or self.pointer is None:
            return
        pointer, self.pointer = self.pointer, None
        self._free(pointer)
        if self.parent is not None:
            self.parent._users -= 1
            self.parent._settle()


class Owner:
    """What users hold: closed by close(), by the end of a with block, or when it is dropped."""

    def __init__(self, handle: Handle, turns: Turns, parent: Optional["Owner"] = None) -> None:
        self._handle = handle
        self._turns = turns
        self._parents_closed = (lambda: False) if parent is None else parent._is_closed
        self._finalizer = weakref.finalize(self, turns.drop, handle)
        self._finalizer.atexit = False

    def _is_closed(self) -> bool:
        return not self._finalizer.alive or self._parents_closed()

    @property
    def closed(self) -> bool:
        """Whether it, or what it is of, has been closed."""
        return self._is_closed()

    def close(self) -> None:
        """Give back what it holds; may be called again."""
        if self._turns.lost:
            self._finalizer.detach()
            return
        with self._turns:
            if self._finalizer.detach() is not None:
                self._handle.close()

    def _drop(self) -> None:
        """Close it without waiting for calls of others: then it goes after them."""
        self._finalizer()

    def __enter__(self):
        self._open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(self) -> int:
        """Its pointer; ValueError once it is closed."""
        if self._is_closed() or self._handle.pointer is None:
            raise ValueError(f"the {type(self).__name__.lower()} is closed")
        return self._handle.pointer
