"""Counts the progress of every library version of a run, and estimates the time that is left."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum

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
    asking = 2
    identifying = 3
    finished = 4


@dataclass
class VersionProgress:
    """Holds the progress of one version.

    Attributes:
        step: The step it is at.
        calls: Answered calls, and all calls, of the conversation that goes on.
        functions: Functions that are identified, and all functions.
    """

    step: Step = Step.waiting
    calls: tuple[int, int] = (0, 0)
    functions: tuple[int, int] = (0, 0)

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
        self._weights, self._clock, self._began = dict(weights), clock, clock()
        self._versions = {name: VersionProgress() for name in weights}
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
            self._weights.setdefault(name, 1.0)
            entered = step > version.step
            version.step = max(step, version.step)
            version.calls = calls or version.calls
            version.functions = functions or version.functions
            return entered

    def of(self, name: Name) -> VersionProgress:
        """Return how far a version is."""
        return self._versions[name]

    def at_work(self) -> dict[Name, VersionProgress]:
        """Return how far each version is that was begun and is not finished."""
        with self._lock:
            return {n: v for n, v in self._versions.items() if Step.waiting < v.step < Step.finished}

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
            total = sum(self._weights.values())
            done = sum(self._weights[name] * version.share for name, version in self._versions.items())
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
