"""What is seen while an audit runs: moving lines on a terminal, plain ones elsewhere. All of it on stderr."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.text import Text

from reports.wording.formatting import printable

_PAUSE = 10.0  # seconds between two plain lines about the asks of one library


class Watching(Protocol):
    """Hears from worker threads what each library version is at."""

    def building(self, library: str, version: str, message: str) -> None:
        """Its environment is being built; ``message`` says at what step."""

    def asking(self, library: str, version: str, done: int, total: int) -> None:
        """It has answered ``done`` of ``total`` asks."""

    def finished(self, library: str, version: str, status: str, seconds: float) -> None:
        """It is through, with this library status, after so many seconds."""


@contextmanager
def watch(console: Console, total: int) -> Iterator[Watching]:
    """Show what ``total`` library versions are at, for as long as the block runs."""
    if not console.is_terminal:
        yield Lines(console, total)
        return
    spinner, bar = SpinnerColumn(), BarColumn(bar_width=24)
    name, words = TextColumn("{task.description}", markup=False), TextColumn("{task.fields[at]}", markup=False)
    with Progress(spinner, name, bar, words, TimeElapsedColumn(), console=console, transient=True) as bars:
        yield Bars(bars, total)


class Lines:
    """One line for each step of a build, for the asks every few seconds, and at the end of each library."""

    def __init__(self, console: Console, total: int) -> None:
        self._console, self._total = console, total
        self._through = 0
        self._told: dict[tuple[str, str], float] = {}
        self._lock = threading.Lock()

    def building(self, library: str, version: str, message: str) -> None:
        """Print the step."""
        self._print(f"{library} {version}: environment: {message}")

    def asking(self, library: str, version: str, done: int, total: int) -> None:
        """Print the count, unless that was done a moment ago; the last one always."""
        now = time.monotonic()
        with self._lock:
            if done < total and now - self._told.get((library, version), -_PAUSE) < _PAUSE:
                return
            self._told[library, version] = now
        self._print(f"{library} {version}: {_count(done, total)}")

    def finished(self, library: str, version: str, status: str, seconds: float) -> None:
        """Print the end, and how many are through."""
        with self._lock:
            self._through += 1
            through = self._through
        self._print(f"{_ending(library, version, status, seconds)}  ({through} of {self._total})")

    def _print(self, line: str) -> None:
        self._console.print(Text(printable(line)), soft_wrap=True)


class Bars:
    """A moving line for each library version at work; those that are through stay above as plain lines."""

    def __init__(self, bars: Progress, total: int) -> None:
        self._bars = bars
        self._whole = bars.add_task("all libraries", total=total, at=f"0 of {total}")
        self._total, self._through = total, 0
        self._tasks: dict[tuple[str, str], TaskID] = {}
        self._lock = threading.Lock()

    def building(self, library: str, version: str, message: str) -> None:
        """Show the step; how long it takes is not known."""
        self._bars.update(self._task(library, version), total=None, at=printable(message))

    def asking(self, library: str, version: str, done: int, total: int) -> None:
        """Move the bar."""
        self._bars.update(self._task(library, version), completed=done, total=total, at=_count(done, total))

    def finished(self, library: str, version: str, status: str, seconds: float) -> None:
        """Put the line above the moving ones."""
        task = self._task(library, version)
        with self._lock:
            self._through += 1
            del self._tasks[library, version]
            self._bars.remove_task(task)
            self._bars.update(self._whole, completed=self._through, at=f"{self._through} of {self._total}")
        self._bars.console.print(Text(printable(_ending(library, version, status, seconds))))

    def _task(self, library: str, version: str) -> TaskID:
        with self._lock:
            if (library, version) not in self._tasks:
                name = printable(f"{library} {version}")
                self._tasks[library, version] = self._bars.add_task(name, total=None, at="")
            return self._tasks[library, version]


def _count(done: int, total: int) -> str:
    # What follows the last ask takes a while too, and is silent.
    return f"{done:,} of {total:,} asks" + (", identifying" if done >= total else "")


def _ending(library: str, version: str, status: str, seconds: float) -> str:
    return f"{library} {version}: {status} in {seconds:.1f} s"
