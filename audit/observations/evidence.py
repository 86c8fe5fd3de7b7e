"""What was heard on some probes, and which of them contradict a definition."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from audit.observations.observation import Tolerance, scalar
from audit.process.protocol import Errored, Measured, Outcome
from reference.cases import Probe
from reference.definitions.definition import Definition
from reference.evaluation.evaluate import Evaluated, Problem, evaluate, takes_one_ranking

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Heard:
    """Answers on probes: the number of each, which are ``known``, which were ``refused``.

    Where a function gave per-user values and no mean for several users, ``split`` is true for the probe, and
    ``each`` (a value per user of ``problem.placement``) and ``given`` (whether it gave one) hold what it said.
    """

    probes: tuple[Probe, ...]
    problem: Problem
    value: Floats
    known: Bools
    refused: Bools
    split: Bools
    each: Floats
    given: Bools

    @property
    def silent(self) -> bool:
        """Nothing was heard at all."""
        return not (self.known.any() or self.refused.any() or self.split.any())

    @property
    def mute(self) -> bool:
        """No number was heard."""
        return not (np.isfinite(self.value[self.known]).any() or self.split.any())

    @property
    def answered(self) -> int:
        """The number of probes that were answered, an error being an answer."""
        return int((self.known | self.refused | self.split).sum())

    def only(self, chosen: slice) -> Heard:
        """The same with all other probes unheard."""
        keep = np.zeros(len(self.known), dtype=bool)
        keep[chosen] = True
        return self.at(keep)

    def at(self, keep: Bools) -> Heard:
        """The same with only these probes heard."""
        return replace(self, known=self.known & keep, refused=self.refused & keep, split=self.split & keep)

    def spoken(self, definitions: Sequence[Definition]) -> Heard:
        """The same; a refusal speaks only where one of the definitions has refusals among its values."""
        refusing = any(evaluated(each, self.problem).refused.any() for each in definitions)
        return self if refusing else self.unrefused()

    def foreseen(self, definitions: Sequence[Definition]) -> Heard:
        """The same without the refusals that none of the definitions expects: they tell nothing between them."""
        expected = np.any([evaluated(each, self.problem).refused for each in definitions], axis=0)
        return replace(self, refused=self.refused & expected)

    def unrefused(self) -> Heard:
        """The same without what was refused."""
        return replace(self, refused=np.zeros_like(self.refused))


def hear(outcomes: Mapping[str, Outcome], probes: Sequence[Probe], problem: Problem) -> Heard:
    """What ``outcomes`` (by the probe's name) say about ``probes``, which are the cases of ``problem``."""
    count = len(probes)
    value, known, refused, split = np.full(count, np.nan), *(np.zeros(count, dtype=bool) for _ in range(3))
    users = problem.placement.users
    each, given = np.full(len(users), np.nan), np.zeros(len(users), dtype=bool)
    for column, probe in enumerate(probes):
        outcome = outcomes.get(probe.name)
        refused[column] = isinstance(outcome, Errored)
        if not isinstance(outcome, Measured):
            continue
        if (number := scalar(outcome)) is not None:
            value[column], known[column] = number, True
        elif outcome.users is not None:
            own = np.flatnonzero(problem.placement.case == column)
            each[own], given[own], split[column] = *per_user(outcome, users[own]), True
    return Heard(tuple(probes), problem, value, known, refused, split, each, given)


def per_user(outcome: Measured, users: NDArray[np.int64]) -> tuple[Floats, Bools]:
    """The library's value of each of ``users`` (ascending ids), and whether it gave one."""
    value, given = np.full(len(users), np.nan), np.zeros(len(users), dtype=bool)
    if outcome.users is not None and outcome.values is not None and len(users):
        place = np.minimum(np.searchsorted(users, outcome.users), len(users) - 1)
        known = users[place] == outcome.users
        value[place[known]], given[place[known]] = outcome.values[known], True
    return value, given


@lru_cache(maxsize=10_000)
def evaluated(definition: Definition, problem: Problem) -> Evaluated:
    """The definition on every case of a problem of ours, kept: most functions of a run are held against the same."""
    return evaluate(definition, problem)


def apart(made: Evaluated, value: Floats, given: Bools, width: Tolerance) -> Bools:
    """Users whose value, or whose being left out, is not what the definition says."""
    both = made.counted & given
    wrong: Bools = (made.counted != given) | (both & ~width.close(made.value, value))
    return wrong


def against(
    definition: Definition, heard: Heard, width: Tolerance, *, lone: bool, open_: bool = True
) -> tuple[Bools, float]:
    """Which probes contradict a definition, and the largest deviation on the others.

    ``lone`` probes are there for order and input: where an edge policy decides a user's value they say nothing
    yet; ``open_`` says that what a user without a hit counts as is not known either. A refusal speaks only where the
    definition has a value for it on these axes.
    """
    made = evaluated(definition, heard.problem)
    seen = heard.known & (_regular(made, heard, width, open_) if lone else True)
    wrong = seen & (~width.close(made.mean, heard.value) | made.refused)
    wrong |= heard.split & (made.refused | _split_wrong(made, heard, width))
    if not lone:
        # Where a ratio of sums is 0/0 there is no number, whether NaN says so or an error: no edge tells of that,
        # unless one raises or all rows are one ranking.
        raises = {"error", "previous"} & set(definition.axes.values())
        sums = definition.axes["pooling"] == "pooled" and not (raises or takes_one_ranking(definition))
        no_number = np.isnan(made.mean) & sums
        wrong |= heard.refused & ~made.refused & ~no_number
    elif made.refused.any():
        wrong |= made.refused & ~heard.refused
    elif "duplicates" in heard.probes[0].kind:
        wrong |= heard.refused & _regular(made, heard, width, open_)
    gaps = [*np.abs(made.mean - heard.value)[seen & ~wrong], split_gap(made, heard, ~wrong)]
    return wrong, float(np.nan_to_num(gaps).max(initial=0))


def _per_probe(made: Evaluated, heard: Heard, users: Bools) -> Bools:
    """Whether any user of each probe is one of ``users``; where all rows are one ranking, each probe is one user."""
    case = heard.problem.placement.case
    if len(users) != len(case):
        return users
    hit: Bools = np.bincount(case, weights=users, minlength=len(heard.probes)) > 0
    return hit


def by_policy(value: Floats, k: NDArray[np.int64], width: Tolerance) -> Bools:
    """Which values a policy for users without a hit gives, 0 apart: NaN, 1, one half, 1/k."""
    constant = width.close(np.ones(len(k)), value) | width.close(np.full(len(k), 0.5), value)
    out: Bools = np.isnan(value) | constant | width.close(1.0 / np.maximum(k, 1), value)
    return out


def _regular(made: Evaluated, heard: Heard, width: Tolerance, open_: bool) -> Bools:
    """Probes on which no edge policy decides; where 0 is a convention for want of a hit, another value that a policy
    gives is such a policy."""
    k = np.array([probe.k for probe in heard.probes])
    other = by_policy(heard.value, k, width) if open_ else np.isnan(heard.value)
    conventional = _per_probe(made, heard, made.conventional) & other
    if open_:
        conventional |= _per_probe(made, heard, made.mixed)
    return ~(_per_probe(made, heard, ~made.regular) | conventional)


def _split_wrong(made: Evaluated, heard: Heard, width: Tolerance) -> Bools:
    """Probes whose per-user values are not the definition's; one ranking of all rows has none at all."""
    if len(made.value) != len(heard.given) or not heard.split.any():
        return np.ones(len(heard.probes), dtype=bool)
    return _per_probe(made, heard, apart(made, heard.each, heard.given, width))


def split_gap(made: Evaluated, heard: Heard, probes: Bools) -> float:
    """Largest difference of per-user values on ``probes``; 0 where one ranking of all rows has none."""
    users = heard.given & (heard.split & probes)[heard.problem.placement.case]
    if len(made.value) != len(users) or not users.any():
        return 0.0
    return float(np.nan_to_num(np.abs(made.value - heard.each)[users & made.counted]).max(initial=0))


def kept(
    candidates: Iterable[Definition], heard: Heard, width: Tolerance, *, lone: bool, open_: bool = True
) -> tuple[list[Definition], float]:
    """Candidates that fit what was heard, and the largest deviation of those."""
    staying, worst = [], 0.0
    for definition in candidates:
        wrong, gap = against(definition, heard, width, lone=lone, open_=open_)
        if not wrong.any():
            staying.append(definition)
            worst = max(worst, gap)
    return staying, worst


def smallest(probes: Sequence[Probe], missed: Bools) -> Probe | None:
    """The smallest of the probes that were missed."""
    return min((probe for probe, miss in zip(probes, missed, strict=True) if miss), key=lambda p: p.size, default=None)
