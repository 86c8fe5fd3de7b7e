"""Lets one process build an environment at a time; the others wait for it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def exclusive(place: Path, progress: Callable[[str], None]) -> Iterator[int]:
    """Hold the lock on `place` and yield its file descriptor: a child that inherits it holds the lock if we die."""
    import fcntl  # missing on Windows, for which no lock is accepted

    with place.with_name(f"{place.name}.lock").open("w") as file:
        reported = False
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if not reported:
                    progress("waiting for another process that builds it")
                reported = True
                time.sleep(0.2)
        yield file.fileno()
