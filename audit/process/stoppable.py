"""Makes threads end that compute: ``Stopped`` is raised in them from outside, as Ctrl-C is in the main thread.

A search looks at no flag: it may compute for minutes before it asks the library again.
"""

from __future__ import annotations

import ctypes
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from recsys_metric_audit.audit.process.interrupts import is_importing

_GRACE, _AGAIN, _IMPORTS = 0.3, 1.0, 0.02
"""Seconds until threads that did not end by themselves are made to, until they are again, and that an import gets."""


class Stopped(BaseException):
    """Ends the work of a thread early; no handler of ordinary errors takes it for one of its own."""


class StoppableThreads:
    """Knows which threads work, and makes them end.

    Attributes:
        stopping: Set once they are to end; threads that wait for a process look at it.
    """

    def __init__(self) -> None:
        self.stopping = threading.Event()
        self._lock = threading.Lock()
        self._working: set[int] = set()

    @contextmanager
    def working(self) -> Iterator[None]:
        """Let the block be ended anywhere: what has to be tidied up afterwards stands outside.

        Raises:
            Stopped: if the threads are to end.
        """
        own = threading.get_ident()
        with self._lock:
            self._working.add(own)
        try:
            if self.stopping.is_set():
                raise Stopped
            yield
        finally:
            with self._lock:
                self._working.discard(own)

    def stop(self, *end_processes: Callable[[], None]) -> None:
        """Make all threads that work end: now, and again until none works. Does not wait for them.

        Args:
            end_processes: Each ends processes that threads may be waiting for.
        """
        self.stopping.set()
        # In a thread of its own: a second interrupt of the main thread changes nothing.
        threading.Thread(target=self._end_working, args=(end_processes,), daemon=True).start()

    def _end_working(self, end_processes: Sequence[Callable[[], None]]) -> None:
        wait = _GRACE
        while True:
            for end in end_processes:
                end()
            time.sleep(wait)
            with self._lock:  # a thread that has left its block is not hit any more
                if not self._working:
                    return
                in_imports = [each for each in self._working if not _raise_in(each)]
            wait = _IMPORTS if in_imports else _AGAIN


def _raise_in(thread: int) -> bool:
    """Raise ``Stopped`` in a thread, at its next step in Python; return False if it is importing a module."""
    if is_importing(sys._current_frames().get(thread)):  # as for signals: an import that breaks off harms others
        return False
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(Stopped))
    return True
