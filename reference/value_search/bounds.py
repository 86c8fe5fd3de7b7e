"""Bounds: the values that a canonical formula can have on any data, and which other formulas go beyond them."""

from __future__ import annotations

import math

import numpy as np

from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.equality.shortest import shortest
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.input.case import Case, Predictions, Truth
from recsys_metric_audit.reference.metrics import METRICS
from recsys_metric_audit.reference.metrics.rank_correlation import RANK_CORRELATION
from recsys_metric_audit.reference.metrics.rating import RATING
from recsys_metric_audit.reference.value_search.moves import moves

_SIGNED = {*(metric.name for metric in RANK_CORRELATION), "informedness", "markedness", "matthews_correlation",
           "mean_average_markedness"}  # fmt: skip
_BELOW_ONE = {"r_squared", "explained_variance"}
_ERRORS = {metric.name for metric in RATING} - _BELOW_ONE


def bounds(metric: str) -> tuple[float, float]:
    """Return the lowest and highest value of the canonical formula on any data."""
    if metric in _ERRORS:
        return 0.0, math.inf
    return (-math.inf if metric in _BELOW_ONE else -1.0 if metric in _SIGNED else 0.0), 1.0


def formulas_above_one(metric: str) -> tuple[Definition, ...]:
    """Return the formulas, one change from canonical, that exceed 1 where three relevant items lead a list of four."""
    problem = Problem.of([_all_hit()], 3)
    family = METRICS[metric]
    changed = (values for values in moves(metric, "formula", 1) if values)
    legal = (values for values in changed if family.refusal({**family.canonical, **values}) is None)
    points = [shortest(Definition.of(metric, values)) for values in legal]
    return tuple(dict.fromkeys(point for point in points if evaluate(point, problem).mean[0] > 1))


def _all_hit() -> Case:
    user, item = np.ones(4, dtype=np.int64), np.arange(1, 5, dtype=np.int64)
    rows = Predictions(user, item, np.array([4.0, 3.0, 2.0, 1.0]))
    return Case("all hit", rows, Truth(user[:3], item[:3], np.array([5.0, 4.0, 3.0])))
