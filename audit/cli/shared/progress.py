"""Shows the progress of an audit on stderr: bars on a terminal, a few lines in a log, and what was found."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import IntEnum

from rich.console import Console
from rich.progress import BarColumn, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars
from rich.text import Text

from recsys_metric_audit.audit.cli.shared.inputs import check_workers
from recsys_metric_audit.audit.cli.shared.output import heartbeat, make_console
from recsys_metric_audit.audit.cli.shared.recorded_answers import RecordedAnswers
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
from recsys_metric_audit.audit.pins.pin_drift import audit_for_pins
from recsys_metric_audit.audit.process.protocol import Limits
from recsys_metric_audit.audit.run import Progress
from recsys_metric_audit.audit.run.request import READY
from recsys_metric_audit.audit.sources.checkout import Checkouts
from recsys_metric_audit.reports.model.result import Finding, Result
from recsys_metric_audit.reports.wording.formatting import printable, rounded
from recsys_metric_audit.reports.wording.labels import PAPER_METRICS, count, metric_title
from recsys_metric_audit.reports.wording.meanings import headlines

_WORDS = {
    "agrees": "canonical",
    "variant": "another documented formula",
    "undocumented": "an undocumented one",
    "ambiguous": "several fit",
    "unexplained": "no formula fits",
    "unstable": "not reproducible",
}
"""Names each verdict, in the order in which they are told."""
_WHOSE = {"agrees": "by the canonical formula", "variant": "by another formula", "undocumented": "by another formula"}
"""Says what gave a number, for the verdicts that name one formula."""
_NOT_IDENTIFIED = "by a formula that is not identified"


def numbers_in_words(findings: Sequence[Finding]) -> str:
    """Return the values of the paper's metrics at the first cut-off, sorted by whose formula gave them; maybe empty.

    Like a row of Table 1, which is printed when all versions are finished.
    """
    k = next((each.k for each in findings if each.k is not None), None)
    heads = {each.metric: each for each in headlines(each for each in findings if each.k in (k, None))}
    told: dict[str, list[str]] = {whose: [] for whose in (*_WHOSE.values(), _NOT_IDENTIFIED)}
    for metric in PAPER_METRICS:
        head = heads.get(metric)
        if head is not None and head.value is not None and head.verdict is not None:
            number = f"{metric_title(metric)} {rounded(head.value)}"
            told[_WHOSE.get(head.verdict, _NOT_IDENTIFIED)].append(number)
    parts = [f"{', '.join(numbers)} {whose}" for whose, numbers in told.items() if numbers]
    return f"{'' if k is None else f'at k = {k}: '}{'; '.join(parts)}" if parts else ""


def finished_in_words(library: str, version: str, status: str, seconds: float, findings: Iterable[Finding]) -> str:
    """Return how the audit of a version ended, how long it took, and what was found, if there is anything."""
    found = found_in_words(findings)
    return f"{library} {version}: {status} in {seconds:.1f} s{f'; {found}' if found else ''}"


def ending_in_words(
    library: str, version: str, status: str, seconds: float, findings: Sequence[Finding],
    recorded: RecordedAnswers | None,
) -> list[str]:  # fmt: skip
    """Return how the audit of a version ended, in lines: as recorded, otherwise, or what was found.

    Args:
        library: The library.
        version: The version.
        status: How it ended.
        seconds: How long it took.
        findings: What was found.
        recorded: The recorded findings that were printed before, if any were.
    """
    if recorded is None or not recorded.has(library, version):
        numbers = numbers_in_words(findings)
        return [finished_in_words(library, version, status, seconds, findings), *([f"  {numbers}"] if numbers else [])]
    name = f"{library} {version}"
    if status != "audited":
        return [f"? {name}: {status} in {seconds:.1f} s: what was recorded is not verified"]
    if changes := recorded.changes(library, version, findings):
        return [f"! {name}: not as recorded, in {seconds:.1f} s", *(f"    {each}" for each in changes)]
    as_recorded = recorded.functions(library, version)
    others = {each.function for each in findings} - as_recorded
    more = f", {len(others)} not recorded" if others else ""
    return [f"✓ {name}: {count(len(as_recorded), 'function')} as recorded{more}, in {seconds:.1f} s"]


def found_in_words(findings: Iterable[Finding]) -> str:
    """Return the number of functions, and how many have each verdict; those that were not measured come last.

    Empty without findings. Only the last finding of a function counts: its verdict is one at every cut-off.
    """
    by_function = {each.function: each for each in findings}
    if not by_function:
        return ""
    counts = Counter(each.verdict for each in by_function.values())
    told = [f"{counts[verdict]} {words}" for verdict, words in _WORDS.items() if counts[verdict]]  # type: ignore[index]
    told += [f"{counts[None]} not measured"] if counts[None] else []
    return f"{count(len(by_function), 'function')}: {', '.join(told)}"


Name = tuple[str, str]
"""Library and version."""

_ASKING_SHARE = 0.5
"""The part of a version's time that the initial questions are assumed to take; identification takes the rest."""
_FIRST_ESTIMATE = 0.05
"""No time is estimated before this part of all work is done: too little is known."""


class Step(IntEnum):
    """The steps of a version's audit, in their order; one may be skipped."""

    waiting = 0
    building = 1
    built = 2
    asking = 3
    identifying = 4
    finished = 5


@dataclass
class VersionProgress:
    """Holds the progress of one version.

    Attributes:
        step: The step it is at.
        calls: Answered calls, and all calls, of the conversation that goes on.
        functions: Functions that are identified, and all functions.
        weight: The amount of its work, in any unit.
    """

    step: Step = Step.waiting
    calls: tuple[int, int] = (0, 0)
    functions: tuple[int, int] = (0, 0)
    weight: float = 1.0

    @property
    def share(self) -> float:
        """Return the part of the version's work that is done, from 0 to 1."""
        match self.step:
            case Step.finished:
                return 1.0
            case Step.identifying:
                return _ASKING_SHARE + (1 - _ASKING_SHARE) * _part(self.functions)
            case Step.asking:
                return _ASKING_SHARE * _part(self.calls)
        return 0.0


def _part(counted: tuple[int, int]) -> float:
    done, total = counted
    return done / total if total else 0.0


class ProgressTally:
    """Counts what is done of all versions of a run; may be told from several threads.

    Args:
        weights: the amount of work of each version, in any unit: the number of its functions.
        clock: returns the time in seconds.
    """

    def __init__(self, weights: Mapping[Name, float], clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._began = clock, clock()
        self._versions = {name: VersionProgress(weight=weight) for name, weight in weights.items()}
        self._lock = threading.Lock()

    def advance(
        self, name: Name, step: Step, *, calls: tuple[int, int] | None = None, functions: tuple[int, int] | None = None
    ) -> bool:
        """Enter what a version reports.

        Args:
            name: the version.
            step: the step to which the report belongs; a version never goes back to an earlier step.
            calls: answered calls and all calls, if the report says so.
            functions: identified functions and all functions, if the report says so.

        Returns:
            True if the version has just entered this step.
        """
        with self._lock:
            version = self._versions.setdefault(name, VersionProgress())
            entered = step > version.step
            version.step = max(step, version.step)
            version.calls = calls or version.calls
            version.functions = functions or version.functions
            return entered

    def of(self, name: Name) -> VersionProgress:
        """Return how far a version is."""
        return self._versions[name]

    def at_work(self) -> dict[Name, VersionProgress]:
        """Return how far each version is that was begun, is not finished, and does not wait to be asked."""
        with self._lock:
            return {n: v for n, v in self._versions.items() if v.step in (Step.building, Step.asking, Step.identifying)}

    @property
    def total(self) -> int:
        """Return the number of versions."""
        return len(self._versions)

    @property
    def finished(self) -> int:
        """Return the number of versions that are finished."""
        return sum(version.step is Step.finished for version in self._versions.values())

    def seconds_left(self) -> float | None:
        """Return how long the rest takes if it goes on as before; None if too little is done to tell."""
        with self._lock:
            total = sum(each.weight for each in self._versions.values())
            done = sum(each.weight * each.share for each in self._versions.values())
        if done < _FIRST_ESTIMATE * total or not done:
            return None
        return (self._clock() - self._began) * (total - done) / done

    def summary(self) -> str:
        """Return how many versions are finished, and the time that is probably left, in words."""
        left = self.seconds_left()
        words = f"{self.finished} of {self.total}"
        return words if left is None or self.finished == self.total else f"{words}, {time_left(left)}"


def time_left(seconds: float) -> str:
    """Return an estimated time in words, as coarse as such an estimate is: ``about 40 s left``."""
    if seconds < 60:
        return f"about {max(10, 10 * round(seconds / 10)):.0f} s left"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"about {minutes} min left"
    return f"about {minutes // 60} h {minutes % 60:02} min left"


def make_bars(console: Console) -> Bars:
    """Return an empty display of bars; they disappear when it is left."""
    name, words = TextColumn("{task.description}", markup=False), TextColumn("{task.fields[words]}", markup=False)
    columns = SpinnerColumn(), name, BarColumn(bar_width=24), words, TimeElapsedColumn()
    return Bars(*columns, console=console, transient=True)


class ProgressBars:
    """Shows a bar for each version at work; of a finished version a plain line or two stay above the bars."""

    def __init__(self, bars: Bars, tally: ProgressTally, recorded: RecordedAnswers | None = None) -> None:
        self._bars, self._tally, self._recorded = bars, tally, recorded
        self._all = bars.add_task("all libraries", total=tally.total, words=tally.summary())
        self._tasks: dict[Name, TaskID] = {}
        self._lock = threading.Lock()

    def building(self, library: str, version: str, message: str) -> None:
        """Show the step of the build; how long it takes is not known."""
        self._tally.advance((library, version), Step.built if message == READY else Step.building)
        words = message if message == READY else f"building: {message}"
        self._bars.update(self._task((library, version)), total=None, words=printable(words))

    def asking(self, library: str, version: str, done: int, total: int) -> None:
        """Move the bar of the version, and the bar of all versions."""
        self._tally.advance((library, version), Step.asking, calls=(done, total))
        self._show((library, version))

    def identifying(self, library: str, version: str, done: int, total: int) -> None:
        """Move the bar of the version, and the bar of all versions."""
        self._tally.advance((library, version), Step.identifying, functions=(done, total))
        self._show((library, version))

    def finished(self, library: str, version: str, status: str, seconds: float, findings: Sequence[Finding]) -> None:
        """Replace the bar of the version by plain lines above all bars."""
        self._tally.advance((library, version), Step.finished)
        task = self._task((library, version))
        with self._lock:
            del self._tasks[library, version]
            self._bars.remove_task(task)
        self._show_all()
        for line in ending_in_words(library, version, status, seconds, findings, self._recorded):
            self._bars.console.print(Text(printable(line)))

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


class ProgressLines:
    """Prints a line when a version starts to be built, and a line or a few when it is finished.

    In between :meth:`still` says that work goes on.
    """

    def __init__(self, console: Console, tally: ProgressTally, recorded: RecordedAnswers | None = None) -> None:
        self._console, self._tally, self._recorded = console, tally, recorded

    def building(self, library: str, version: str, message: str) -> None:
        """Print that the environment is being built, once."""
        if message == READY:
            self._tally.advance((library, version), Step.built)
        elif self._tally.advance((library, version), Step.building):
            self._print(f"{library} {version}: building its environment ({message})")

    def asking(self, library: str, version: str, done: int, total: int) -> None:
        """Print nothing: :meth:`still` says how many calls are answered."""
        self._tally.advance((library, version), Step.asking, calls=(done, total))

    def identifying(self, library: str, version: str, done: int, total: int) -> None:
        """Print nothing: :meth:`still` says how many functions are identified."""
        self._tally.advance((library, version), Step.identifying, functions=(done, total))

    def finished(self, library: str, version: str, status: str, seconds: float, findings: Sequence[Finding]) -> None:
        """Print how the version ended, how many are finished, and the time that the rest will take."""
        self._tally.advance((library, version), Step.finished)
        first, *others = ending_in_words(library, version, status, seconds, findings, self._recorded)
        self._print(f"{first} ({self._tally.summary()})")
        for line in others:
            self._print(line)

    def still(self, passed: float) -> None:
        """Print that work goes on, and what each version is at."""
        told = [f"{' '.join(name)} ({step_words(each)})" for name, each in self._tally.at_work().items()]
        ready = "computing our own values" if self._tally.finished == self._tally.total else "preparing"
        self._print(f"{passed:.0f} s: {'; '.join(told) or ready}")

    def _print(self, line: str) -> None:
        self._console.print(Text(printable(line).replace("\n", " ")), soft_wrap=True)


@contextmanager
def watch(
    console: Console, chosen: Sequence[tuple[Manifest, Version]], recorded: RecordedAnswers | None = None
) -> Iterator[Progress]:
    """Show how far an audit is for as long as the block runs: bars on a terminal, else a few lines.

    Args:
        console: where to; the one of stderr.
        chosen: the library versions that are audited.
        recorded: recorded findings, which were printed: of each version it is said whether it answers so today.
    """
    tally = ProgressTally(
        {(manifest.name, version.version): max(1, len(manifest.functions_of(version))) for manifest, version in chosen}
    )
    if not console.is_terminal:
        lines = ProgressLines(console, tally, recorded)
        with heartbeat(lines.still):
            yield lines
        return
    with make_bars(console) as bars:
        yield ProgressBars(bars, tally, recorded)


def audit_with_progress(
    chosen: Sequence[tuple[Manifest, Version]], jobs: int | None, timeout: float, sources: Checkouts | None = None
) -> Result:
    """Audit library versions on the data of the pins.

    Args:
        chosen: the versions.
        jobs: how many are audited at a time; None for the number of CPU cores.
        timeout: seconds that one call may take.
        sources: the folders that the user gave, by library and version.

    Raises:
        UserError: if `jobs` or `timeout` is not above 0.
    """
    workers = check_workers(jobs, timeout)
    with watch(make_console(stderr=True), chosen) as progress:
        return audit_for_pins(chosen, workers, Limits(seconds=timeout), progress, sources or {})
