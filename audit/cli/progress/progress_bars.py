"""Progress on a terminal: a moving bar for every library version at work, and one for all of them."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.text import Text

from recsys_metric_audit.audit.cli.progress.found_in_words import finished_in_words, numbers_in_words
from recsys_metric_audit.audit.cli.progress.progress_tally import Name, ProgressTally, Step, VersionProgress
from recsys_metric_audit.reports.model.result import Finding
from recsys_metric_audit.reports.wording.formatting import printable


def make_bars(console: Console) -> Progress:
    """Return an empty display of bars; they disappear when it is left."""
    name, words = TextColumn("{task.description}", markup=False), TextColumn("{task.fields[words]}", markup=False)
    columns = SpinnerColumn(), name, BarColumn(bar_width=24), words, TimeElapsedColumn()
    return Progress(*columns, console=console, transient=True)


class ProgressBars:
    """Shows a bar for each version at work; of a finished version a plain line or two stay above the bars."""

    def __init__(self, bars: Progress, tally: ProgressTally) -> None:
        self._bars, self._tally = bars, tally
        self._all = bars.add_task("all libraries", total=tally.total, words=tally.summary())
        self._tasks: dict[Name, TaskID] = {}
        self._lock = threading.Lock()

    def building(self, library: str, version: str, message: str) -> None:
        """Show the step of the build; how long it takes is not known."""
        self._tally.advance((library, version), Step.building)
        self._bars.update(self._task((library, version)), total=None, words=printable(f"building: {message}"))

    def asking(self, library: str, version: str, done: int, total: int) -> None:
        """Move the bar of the version, and the bar of all versions."""
        self._tally.advance((library, version), Step.asking, calls=(done, total))
        self._show((library, version))

    def identifying(self, library: str, version: str, done: int, total: int) -> None:
        """Move the bar of the version, and the bar of all versions."""
        self._tally.advance((library, version), Step.identifying, functions=(done, total))
        self._show((library, version))

    def finished(self, library: str, version: str, status: str, seconds: float, findings: Sequence[Finding]) -> None:
        """Replace the bar of the version by a plain line above all bars, and its numbers by a second one."""
        self._tally.advance((library, version), Step.finished)
        task = self._task((library, version))
        with self._lock:
            del self._tasks[library, version]
            self._bars.remove_task(task)
        self._show_all()
        self._bars.console.print(Text(printable(finished_in_words(library, version, status, seconds, findings))))
        if numbers := numbers_in_words(findings):
            self._bars.console.print(Text(printable(f"  {numbers}")))

    def _show(self, name: Name) -> None:
        progress = self._tally.of(name)
        done, total = progress.functions if progress.step is Step.identifying else progress.calls
        self._bars.update(self._task(name), completed=done, total=total, words=step_words(progress))
        self._show_all()

    def _show_all(self) -> None:
        self._bars.update(self._all, completed=self._tally.finished, words=self._tally.summary())

    def _task(self, name: Name) -> TaskID:
        with self._lock:
            if name not in self._tasks:
                self._tasks[name] = self._bars.add_task(printable(" ".join(name)), total=None, words="")
            return self._tasks[name]


def step_words(progress: VersionProgress) -> str:
    """Return what a version is at: calls while it is asked at first, functions while they are identified."""
    answered, calls = progress.calls
    if progress.step is Step.building:
        return "building"
    if progress.step is not Step.identifying:
        return f"asking: {answered:,} of {calls:,} calls"
    done, total = progress.functions
    further = f", asking further ({answered:,} of {calls:,} calls)" if answered < calls else ""
    return f"identifying: {done} of {total} functions done{further}"
