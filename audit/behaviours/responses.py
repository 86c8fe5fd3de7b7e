"""The responses of one function to scenarios and probes, compared, and all that its behaviours are judged from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from recsys_metric_audit.audit.behaviours.scenarios import (
    COMBINED_CHANGES,
    LISTED,
    LISTED_WORDS,
    ORDINARY,
    SEPARATE_CHANGES,
    original_user,
)
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.observation import Tolerance
from recsys_metric_audit.audit.process import protocol
from recsys_metric_audit.reference.cases import Probe
from recsys_metric_audit.reference.definitions.definition import Definition


@dataclass(frozen=True)
class Refused:
    """The function gave no value; ``how`` is ``raises``, ``crashes``, ``times_out`` or ``not_offered``."""

    how: str
    words: str


@dataclass(frozen=True)
class Returned:
    """The function returned a mean, values per user (by user id), or both; what it did not return is None.

    ``rows`` counts the per-user values as they came, repeated users included.
    """

    mean: float | None
    users: Mapping[int, float] | None
    rows: int = 0

    @property
    def number(self) -> float | None:
        """Return the mean, or the only user's value if there is no mean; None for several users without a mean."""
        if self.mean is not None or self.users is None:
            return self.mean
        return next(iter(self.users.values()), float("nan")) if self.rows <= 1 else None

    @property
    def average(self) -> float:
        """Return the mean that was returned, or that of the users' values."""
        return self.mean if self.mean is not None else float(np.mean(list((self.users or {}).values()) or [np.nan]))

    def __str__(self) -> str:
        if self.number is not None:
            return f"{self.number:.6g}"
        values = ", ".join(f"{user}: {value:.6g}" for user, value in sorted((self.users or {}).items()))
        return f"{{{values}}}"


Response = Returned | Refused | None
"""What a function responded to one call; None if it was never called."""

ScenarioOutcomes = Mapping[str, Mapping[int | None, tuple[protocol.Outcome, ...]]]
"""Outcomes of one function by scenario and cut-off: one for each repetition."""


def response_of(outcome: protocol.Outcome | None) -> Response:
    """Convert an outcome of the protocol; a refusal keeps the first line of the library's words."""
    match outcome:
        case protocol.Measured(mean, users, values):
            by_user = None
            if users is not None and values is not None:
                by_user = dict(zip(users.tolist(), values.tolist(), strict=True))
            return Returned(mean, by_user, 0 if values is None else len(values))
        case protocol.Errored(error, message):
            return Refused("raises", f"{error}: {_first_line(message)}" if message.strip() else error)
        case protocol.NotOffered(why) | protocol.Unaskable(why):
            return Refused("not_offered", _first_line(why))
        case protocol.Crashed(code, _, asked):
            return Refused("crashes", f"exit code {code}") if asked else None
        case protocol.TimedOut(seconds, asked):
            return Refused("times_out", f"no answer within {seconds:g} s") if asked else None
        case _:
            return None


def _first_line(text: str) -> str:
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return line if len(line) <= 160 else line[:159] + "…"


def same_values(one: Returned, other: Returned, tolerance: Tolerance) -> bool:
    """Return True if the means and the values of every user are equal up to ``tolerance``."""
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


def by_original_user(returned: Returned) -> Returned:
    """Return what was returned for a case with renamed users, its values by the users' original ids."""
    if returned.users is None:
        return returned
    return replace(returned, users={original_user(user): value for user, value in returned.users.items()})


_SEPARATE_NAMES = frozenset(scenario.name for scenario in SEPARATE_CHANGES)
_RENAMED = "users renamed"


@dataclass(frozen=True, eq=False)
class Responses:
    """All outcomes of one function: on probes, on scenarios, and on some probes in a process of another hash seed.

    ``has_k`` tells whether the function takes a cut-off.
    """

    probes: Mapping[str, protocol.Outcome]
    scenarios: ScenarioOutcomes
    tolerance: Tolerance
    has_k: bool = True
    other_seed: Mapping[str, protocol.Outcome] = field(default_factory=dict)

    def to(self, name: str, k: int | None = None) -> Response:
        """Return the response to a probe, or to a scenario at cut-off ``k`` (by default its first cut-off).

        A change that was not asked separately has the response to the scenario of all combined changes, and a probe
        that was asked in its form without unlisted items the response to this form.
        """
        if name in self.probes and name not in self.scenarios:
            return response_of(self.probes[name])
        if self.asked_with_others(name):
            combined = self.to(COMBINED_CHANGES, k)
            if isinstance(combined, Returned) and name != _RENAMED:
                return by_original_user(combined)
            return combined
        by_cutoff = self.scenarios.get(name, {})
        cutoff = k if k in by_cutoff else next(iter(by_cutoff), None)
        return response_of(by_cutoff[cutoff][0]) if cutoff in by_cutoff and k in (None, cutoff) else None

    def asked_with_others(self, name: str) -> bool:
        """Return True if a change was asked in combination with others and not separately."""
        return name in _SEPARATE_NAMES and name not in self.scenarios and COMBINED_CHANGES in self.scenarios

    @property
    def changed_by_combination(self) -> bool:
        """Return True if the combined changes change the answer, so that each has to be asked separately."""
        before, after = self.to(ORDINARY), self.to(COMBINED_CHANGES)
        if isinstance(before, Returned) and isinstance(after, Returned):
            return not self.same(before, by_original_user(after))
        return isinstance(before, Returned) and after is not None

    def repeats(self, name: str) -> list[Response]:
        """Return the response to every repetition of a scenario."""
        return [response_of(outcome) for outcomes in self.scenarios.get(name, {}).values() for outcome in outcomes]

    def under_other_seed(self, name: str) -> Response:
        """Return the response to a probe in the process of another hash seed; None if it was asked in another form."""
        return None if name in self.scenarios else response_of(self.other_seed.get(name))

    def same(self, one: Returned, other: Returned) -> bool:
        """Return True if two responses are equal up to the tolerance of this function's values."""
        return same_values(one, other, self.tolerance)


@dataclass(frozen=True, eq=False)
class FunctionUnderTest:
    """A function, its outcomes on probes and scenarios, and the definitions that fit it.

    ``other_seed`` holds the outcomes on some probes in the process of another hash seed. ``further`` are the probes
    that were asked to tell definitions apart. ``unknown`` are the axes of the definitions that are not known; ``known``
    is the definition if there is one and there are none.
    """

    function: Function
    probes: Mapping[str, protocol.Outcome]
    scenarios: ScenarioOutcomes
    tolerance: Tolerance
    definitions: Sequence[Definition] = ()
    other_seed: Mapping[str, protocol.Outcome] = field(default_factory=dict)
    further: tuple[Probe, ...] = ()
    unknown: tuple[str, ...] = ()

    @property
    def known(self) -> Definition | None:
        """Return the definition, if there is one and all its axes are known."""
        return self.definitions[0] if len(self.definitions) == 1 and not self.unknown else None

    @property
    def listed(self) -> bool:
        """Return True if the experiments were asked in their forms without unlisted items."""
        return ORDINARY in self.scenarios

    def with_form(self, words: str, names: Iterable[str]) -> str:
        """Return words on these scenarios and probes, with the form in which they were asked if it is not theirs."""
        if not self.listed or LISTED.keys().isdisjoint(names):
            return words
        return f"{words}; {LISTED_WORDS}" if words else LISTED_WORDS

    @property
    def responses(self) -> Responses:
        """Return its outcomes as responses that judges compare."""
        return Responses(self.probes, self.scenarios, self.tolerance, self.function.cutoff, self.other_seed)
