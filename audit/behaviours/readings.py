"""What was heard of one function, as experiments read it: one reading a scene, and whether two are the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from audit.behaviours.case_changes import old_user
from audit.behaviours.scenes import APART, ORDINARY, TOGETHER
from audit.observations.observation import Tolerance
from audit.process.protocol import Crashed, Errored, Measured, NotOffered, Outcome, TimedOut, Unaskable


@dataclass(frozen=True)
class Refused:
    """The library answered with an error; ``how`` is ``raises``, ``crashes``, ``times_out`` or ``not_offered``."""

    how: str
    words: str


@dataclass(frozen=True)
class Reading:
    """What it returned: its mean, where it gives one, and per-user values by user, where it gives those.

    ``rows`` counts the per-user values as they came, repeated users included.
    """

    mean: float | None
    users: Mapping[int, float] | None
    rows: int = 0

    @property
    def number(self) -> float | None:
        """The mean, or the one user's value where it gives no mean; None where there are several."""
        if self.mean is not None or self.users is None:
            return self.mean
        return next(iter(self.users.values()), float("nan")) if self.rows <= 1 else None

    def __str__(self) -> str:
        if self.number is not None:
            return f"{self.number:.6g}"
        values = ", ".join(f"{user}: {value:.6g}" for user, value in sorted((self.users or {}).items()))
        return f"{{{values}}}"


Heard = Reading | Refused | None


def reading(outcome: Outcome | None) -> Heard:
    """An outcome as a reading, or as a refusal in the library's words; None for what was never asked."""
    match outcome:
        case Measured(mean, users, values):
            by_user = None
            if users is not None and values is not None:
                by_user = dict(zip(users.tolist(), values.tolist(), strict=True))
            return Reading(mean, by_user, 0 if values is None else len(values))
        case Errored(error, message):
            return Refused("raises", f"{error}: {_first_line(message)}" if message.strip() else error)
        case NotOffered(why) | Unaskable(why):
            return Refused("not_offered", _first_line(why))
        case Crashed(code, _, asked):
            return Refused("crashes", f"exit code {code}") if asked else None
        case TimedOut(seconds, asked):
            return Refused("times_out", f"no answer within {seconds:g} s") if asked else None
        case _:
            return None


def _first_line(text: str) -> str:
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return line if len(line) <= 160 else line[:159] + "…"


def same(one: Reading, other: Reading, tolerance: Tolerance) -> bool:
    """Whether both are equal up to the tolerance: the means where both give one, and every user's value."""
    if (one.mean is None) != (other.mean is None) or (one.users is None) != (other.users is None):
        return False
    if one.mean is not None and other.mean is not None and not _close(tolerance, one.mean, other.mean):
        return False
    if one.users is None or other.users is None:
        return True
    if one.users.keys() != other.users.keys() or one.rows != other.rows:
        return False
    return all(_close(tolerance, value, other.users[user]) for user, value in one.users.items())


def _close(tolerance: Tolerance, one: float, other: float) -> bool:
    return bool(tolerance.close(np.array([one]), np.array([other]))[0])


_APART = frozenset(scene.name for scene in APART)
_RENAMED = "users renamed"


def as_before(heard: Heard) -> Heard:
    """A reading by the users' old ids, after they were renamed."""
    if isinstance(heard, Reading) and heard.users is not None:
        return replace(heard, users={old_user(user): value for user, value in heard.users.items()})
    return heard


Scenes = Mapping[str, Mapping[int | None, tuple[Outcome, ...]]]
"""Answers of one function by scene, cut-off and repetition."""


@dataclass(frozen=True, eq=False)
class View:
    """One function's answers: to the probes, to the scenes, and to some probes in a process of ``other_seed``.

    ``has_k`` tells whether it takes a cut-off.
    """

    probes: Mapping[str, Outcome]
    scenes: Scenes
    tolerance: Tolerance
    has_k: bool = True
    other_seed: Mapping[str, Outcome] = field(default_factory=dict)

    def at(self, name: str, k: int | None = None) -> Heard:
        """The reading of a scene (at its first cut-off, or at ``k``) or of a probe.

        A change that was not asked alone reads as the scene of many changes together, in which it was.
        """
        if name in self.probes:
            return reading(self.probes[name])
        if self.with_others(name):
            heard = self.at(TOGETHER, k)
            return heard if name == _RENAMED else as_before(heard)
        asked = self.scenes.get(name, {})
        cut = k if k in asked else next(iter(asked), None)
        return reading(asked[cut][0]) if cut in asked and k in (None, cut) else None

    def with_others(self, name: str) -> bool:
        """Whether a change was asked together with others and not alone."""
        return name in _APART and name not in self.scenes and TOGETHER in self.scenes

    @property
    def moved_together(self) -> bool:
        """Whether the scene of many changes has another answer than the ordinary one, so that each is asked alone."""
        before, after = self.at(ORDINARY), as_before(self.at(TOGETHER))
        if isinstance(before, Reading) and isinstance(after, Reading):
            return not self.same(before, after)
        return isinstance(before, Reading) and after is not None

    def repeats(self, name: str) -> list[Heard]:
        """The readings of every repetition of a scene."""
        return [reading(outcome) for outcomes in self.scenes.get(name, {}).values() for outcome in outcomes]

    def seeded(self, name: str) -> Heard:
        """The reading of a probe in the process of another hash seed."""
        return reading(self.other_seed.get(name))

    def same(self, one: Reading, other: Reading) -> bool:
        """Whether two readings are equal up to the tolerance of what this function returns."""
        return same(one, other, self.tolerance)
