"""Provides the formulas nearest to what a function returned on the plain cases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.audit.authoring.plain_cases import plain_questions
from recsys_metric_audit.audit.observations.observation import Tolerance
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.equality.shortest import shortest
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.metrics import FAMILIES
from recsys_metric_audit.reference.value_search.moves import formulas

_SHOWN = 3


@dataclass(frozen=True, eq=False)
class _Known:
    """Holds a formula, its moves from canonical, and its values on the plain cases; NaN where it refuses one."""

    definition: Definition
    moves: int
    values: NDArray[np.float64]


@dataclass(frozen=True)
class Nearest:
    """Holds a formula, its values by the names of the plain cases, and how many of them a function returned."""

    definition: Definition
    values: Mapping[str, float]
    equal: int


def nearest_formulas(
    metric: str, has_k: bool, returned: Mapping[str, float], tolerance: Tolerance
) -> tuple[Nearest, ...]:
    """Return the formulas that give most of the returned numbers, nearest first; among equals the more usual one.

    Args:
        metric: the metric whose name the function bears.
        has_k: False for a function that takes no cut-off.
        returned: what the function returned, by the name of the plain case.
        tolerance: within which two numbers are equal.
    """
    names = [each.name for each in plain_questions(metric)]
    near = _ranked(_known(metric, has_k, 1), names, returned, tolerance)
    if near[0].equal < len(returned):
        near = _ranked(_known(metric, has_k, 2), names, returned, tolerance)
    return near


def _ranked(
    known: Iterable[_Known], names: Sequence[str], returned: Mapping[str, float], tolerance: Tolerance
) -> tuple[Nearest, ...]:
    places = [names.index(name) for name in returned]
    observed = np.array(list(returned.values()))
    scored = [(int(tolerance.close(each.values[places], observed).sum()), each) for each in known]
    scored.sort(key=lambda pair: (-pair[0], pair[1].moves, len(pair[1].definition.signature())))
    first: dict[Definition, Nearest] = {}
    for equal, each in scored:
        values = dict(zip(names, map(float, each.values), strict=True))
        first.setdefault(each.definition, Nearest(each.definition, values, equal))
        if len(first) == _SHOWN:
            break
    return tuple(first.values())


@lru_cache(maxsize=32)
def _known(metric: str, has_k: bool, most: int) -> tuple[_Known, ...]:
    asked = plain_questions(metric)
    problem = Problem.of([each.case for each in asked], [each.k for each in asked])
    known = []
    for moves, definition in _formulas(metric, has_k, most):
        made = evaluate(definition, problem)
        known.append(_Known(shortest(definition), moves, np.where(made.refused, np.nan, made.mean)))
    return tuple(known)


def _formulas(metric: str, has_k: bool, most: int) -> Iterator[tuple[int, Definition]]:
    """Yield the documented formulas and those up to ``most`` moves from canonical, with their number of moves."""
    family = FAMILIES[metric]
    whole = {} if has_k or Definition.of(metric).k is None else {"cutoff": "none"}
    for moved, moves in formulas(metric, most).items():
        values = {**dict(moved), **whole}
        if family.refusal({**family.canonical, **values}) is None:
            yield moves, Definition.of(metric, values)
