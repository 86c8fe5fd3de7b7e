"""Ends what computes: Ctrl-C and polite kills become ``KeyboardInterrupt``, and threads get ``Stopped`` from outside.

Never while modules are imported: an exception in the middle of an import is lost, becomes another one, or leaves the
lock of all imports held, so that every thread that imports something waits for ever. What is raised waits until the
import has ended. A search looks at no flag: it may compute for minutes before it asks the library again.
"""

from __future__ import annotations

import ctypes
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

_IMPORT_SYSTEM = "<frozen importlib"
_SECONDS = 0.02
"""Time after which a signal that came during an import is looked at again."""


def listen() -> None:
    """Let SIGINT, SIGTERM, SIGHUP and SIGQUIT interrupt the main thread, but for those that it was told to ignore."""
    # A polite kill ends as Ctrl-C does: children are stopped, nothing half-written stays.
    signal.signal(signal.SIGTERM, interrupt)
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, interrupt)
    # So does a terminal that is closed, unless it was told (nohup) that this shall go on.
    for number in (getattr(signal, name) for name in ("SIGHUP", "SIGQUIT") if hasattr(signal, name)):  # not on Windows
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, interrupt)


def interrupt(number: int, frame: FrameType | None) -> None:
    """Raise ``KeyboardInterrupt``, or come back in a moment if `frame` is part of an import."""
    if is_importing(frame) and hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, interrupt)
        signal.setitimer(signal.ITIMER_REAL, _SECONDS)
        return
    raise KeyboardInterrupt


def is_importing(frame: FrameType | None) -> bool:
    """Return True if a frame, or one that called it, is of the import system."""
    while frame is not None:
        if frame.f_code.co_filename.startswith(_IMPORT_SYSTEM):
            return True
        frame = frame.f_back
    return False


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
