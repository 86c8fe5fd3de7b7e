"""Finds the smallest list of one user on which two formulas have different values."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from recsys_metric_audit.reference.cases import EXHAUSTIVE, PROBES, Kind, Probe, User
from recsys_metric_audit.reference.definitions.definition import SignatureError, parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate

_VISIBLE = 1e-3
"""Smaller differences are not told: both values would be printed alike."""


@dataclass(frozen=True)
class FormulaWitness:
    """Holds a list of one user by gains, best rank first, with the values of two formulas on it.

    ``missed`` are the gains of relevant items that are not in the list.
    """

    ranked: tuple[float, ...]
    missed: tuple[float, ...]
    k: int
    old: float
    new: float


@cache
def smallest_list(old: str, new: str, *, every_item_listed: bool = False) -> FormulaWitness | None:
    """Return the smallest list on which two formulas differ; None if no list of up to five rows does.

    Lists that hold every relevant item come first. Lists on which either formula has no value are left out.

    Args:
        old: The signature of the one formula.
        new: The signature of the other one.
        every_item_listed: True to look only at lists that hold every relevant item.
    """
    try:
        first, second = parse(old), parse(new)
    except SignatureError:
        return None
    problem = _problem()
    ours, theirs = evaluate(first, problem), evaluate(second, problem)
    users = _users()
    if not len(ours.value) == len(theirs.value) == len(users):
        return None  # a formula of all users together
    apart = ours.counted & theirs.counted & (np.abs(ours.value - theirs.value) > _VISIBLE)
    found = []
    for at in np.flatnonzero(apart).tolist():
        k, user = users[at]
        found.append(FormulaWitness(user.ranked, user.missed, k, float(ours.value[at]), float(theirs.value[at])))
    usable = (each for each in found if not (each.missed and every_item_listed))
    return min(usable, key=lambda each: (bool(each.missed), len(each.ranked) + len(each.missed), each.k), default=None)


@cache
def _probes() -> tuple[Probe, ...]:
    """Return every small list of gains of 2, and the probes of one user with several gains."""
    return (*EXHAUSTIVE, *(probe for probe in PROBES if probe.kind == Kind("single_user") and len(probe.users) == 1))


@cache
def _problem() -> Problem:
    return Problem.of([probe.case for probe in _probes()], [probe.k for probe in _probes()])


@cache
def _users() -> tuple[tuple[int, User], ...]:
    """Return every user with the cut-off, in the order of the problem."""
    return tuple((probe.k, user) for probe in _probes() for user in probe.users)
