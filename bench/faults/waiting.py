"""Time that processes waited for a core: on a busy machine it says nothing of the tool."""

from __future__ import annotations

from pathlib import Path

import psutil


def waited(number: int) -> float:
    """Return the seconds that the threads of a process and of all that it started have waited for a core, added up.

    Processes that have ended, and systems that do not count it, add nothing.
    """
    try:
        process = psutil.Process(number)
        every = [process, *process.children(recursive=True)]
    except psutil.Error:
        return 0.0
    return sum(_delay(file) for each in every for file in Path(f"/proc/{each.pid}/task").glob("*/schedstat"))


def waited_here() -> float:
    """Return the seconds that the thread that asks has waited for a core."""
    return _delay(Path("/proc/thread-self/schedstat"))


def _delay(file: Path) -> float:
    """Return the second number of the file, in seconds: nanoseconds on the queue of a core."""
    try:
        return int(file.read_text().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0.0
