"""Progress where there is no terminal, as in the log of a CI job: a few plain lines for each library version."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from recsys_metric_audit.audit.cli.progress.found_in_words import finished_in_words, numbers_in_words
from recsys_metric_audit.audit.cli.progress.progress_bars import step_words
from recsys_metric_audit.audit.cli.progress.progress_tally import ProgressTally, Step
from recsys_metric_audit.reports.model.result import Finding
from recsys_metric_audit.reports.wording.formatting import printable


class ProgressLines:
    """Prints a line when a version starts to be built, one when it is asked, and one or two when it is finished.

    In between :meth:`still` says that work goes on.
    """

    def __init__(self, console: Console, tally: ProgressTally) -> None:
        self._console, self._tally = console, tally

    def building(self, library: str, version: str, message: str) -> None:
        """Print that the environment is being built, once."""
        if self._tally.advance((library, version), Step.building):
            self._print(f"{library} {version}: building its environment ({message})")

    def asking(self, library: str, version: str, done: int, total: int) -> None:
        """Print that the version is being asked, once."""
        if self._tally.advance((library, version), Step.asking, calls=(done, total)):
            self._print(f"{library} {version}: asking ({total:,} calls)")

    def identifying(self, library: str, version: str, done: int, total: int) -> None:
        """Print nothing, unless the version was not asked because all its answers were there."""
        name = library, version
        asked = self._tally.of(name).step >= Step.asking
        if self._tally.advance(name, Step.identifying, functions=(done, total)) and not asked:
            self._print(f"{library} {version}: identifying {total} functions by earlier answers")

    def finished(self, library: str, version: str, status: str, seconds: float, findings: Sequence[Finding]) -> None:
        """Print how the version ended, what was found, how many are finished, and the time that the rest will take."""
        self._tally.advance((library, version), Step.finished)
        ended = finished_in_words(library, version, status, seconds, findings)
        self._print(f"{ended} ({self._tally.summary()})")
        if numbers := numbers_in_words(findings):
            self._print(f"  {numbers}")

    def still(self, passed: float) -> None:
        """Print that work goes on, and what each version is at."""
        told = [f"{' '.join(name)} ({step_words(each)})" for name, each in self._tally.at_work().items()]
        ready = "computing our own values" if self._tally.finished == self._tally.total else "preparing"
        self._print(f"{passed:.0f} s: {'; '.join(told) or ready}")

    def _print(self, line: str) -> None:
        self._console.print(Text(printable(line).replace("\n", " ")), soft_wrap=True)
