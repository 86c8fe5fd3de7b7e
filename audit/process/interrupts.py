"""Turns Ctrl-C and polite kills into ``KeyboardInterrupt``, but never while modules are imported.

An exception in the middle of an import is lost, becomes another one, or leaves the lock of all imports held, so that
every thread that imports something waits for ever. What is raised waits until the import has ended.
"""

from __future__ import annotations

import signal
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
