"""Temporary folders that are removed even if the process that made them was killed: by the next one that makes one."""

from __future__ import annotations

import fcntl
import os
import signal
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from recsys_metric_audit.audit.remove_tree import remove_tree

PREFIX = "recsys-audit-"
_LOCK = "lock"
_USUAL, _MEMORY = Path("/tmp"), Path("/dev/shm")
_SECONDS_TO_LOCK = 60.0
"""Spares younger folders: another process may have made one and not locked it yet."""


class ScratchFolder:
    """Makes a temporary folder and locks it: as long as its process lives, no other process removes it."""

    def __init__(self, place: Path | None = None) -> None:
        """Remove the folders of processes that ended without doing so, and make a folder.

        Args:
            place: the folder to make it in; None for the one of temporary files.
        """
        remove_abandoned()
        self.path = Path(tempfile.mkdtemp(prefix=PREFIX, dir=place))
        self._lock = os.open(self.path / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(self._lock, fcntl.LOCK_EX)

    def remove(self) -> None:
        """Remove the folder with everything in it; an interrupt meanwhile is no reason to leave half of it."""
        with _uninterrupted():
            remove_tree(self.path)
            os.close(self._lock)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Hold back Ctrl-C and the like; what came meanwhile is raised at the end."""
    if threading.current_thread() is not threading.main_thread():
        yield  # interrupts are raised in the main thread only
        return
    held: list[int] = []
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    handled = {number: handler for number, handler in handlers.items() if callable(handler)}
    for number in handled:
        signal.signal(number, lambda number, _: held.append(number))
    try:
        yield
    finally:
        for number, handler in handled.items():
            signal.signal(number, handler)
        if held:
            signal.raise_signal(held[0])


def place_in_memory() -> Path | None:
    """Return a folder of files that are kept in memory, where many small ones are written ten times as fast.

    None where there is none, or where temporary files belong in a folder that somebody chose.
    """
    if Path(tempfile.gettempdir()) != _USUAL or not os.access(_MEMORY, os.R_OK | os.W_OK | os.X_OK):
        return None
    return _MEMORY


@contextmanager
def scratch_folder(place: Path | None = None) -> Iterator[Path]:
    """Provide a temporary folder, in ``place`` if that is named, and remove it at the end."""
    folder = ScratchFolder(place)
    try:
        yield folder.path
    finally:
        folder.remove()


def remove_abandoned() -> None:
    """Remove the folders whose process has ended: their lock is free. Folders of other users are left alone."""
    places = filter(None, (Path(tempfile.gettempdir()), place_in_memory()))
    for folder in (folder for place in places for folder in place.glob(f"{PREFIX}*")):
        try:
            old = time.time() - folder.stat().st_mtime > _SECONDS_TO_LOCK
            if old and folder.stat().st_uid == os.getuid() and _is_unlocked(folder / _LOCK):
                remove_tree(folder)
        except OSError:
            continue  # another process removed it meanwhile


def _is_unlocked(lock: Path) -> bool:
    if not lock.exists():
        return True
    with lock.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
