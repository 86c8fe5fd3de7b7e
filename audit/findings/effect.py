"""By how much a definition moves the number on the data, level by level."""

from __future__ import annotations

from math import isnan, nan

import numpy as np

from recsys_metric_audit.audit.observations.observation import Tolerance
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.engines.kept_means import keep_means, mean_of
from recsys_metric_audit.reference.equality.projection import up_to
from recsys_metric_audit.reference.evaluation.evaluate import Problem
from recsys_metric_audit.reference.placement.tie_ranks import TooManyOrdersError
from recsys_metric_audit.reports.model.result import Effect


def effect(
    canonical: Definition, fitted: Definition, value: float | None, data: Problem, tolerance: Tolerance
) -> Effect:
    """Return the steps from the canonical value to the library's: formula, who counts, input handling.

    ``value`` is the library's own mean, None where it gives users' values only: then the fitted definition's value
    stands in its place. ``same_value`` allows for how the library rounds.
    """
    steps = definitions_of_effect(canonical, fitted)
    keep_means((data, steps))
    start, formula, who, end = (_value(each, data) for each in steps)
    reached = end if value is None else value
    same = bool(tolerance.close(np.array([start]), np.array([reached]))[0])
    return Effect(
        formula=_step(start, formula), who_counts=_step(formula, who), input=_step(who, end),
        total=_step(start, reached), same_value=same,
    )  # fmt: skip


def definitions_of_effect(canonical: Definition, fitted: Definition) -> tuple[Definition, ...]:
    """Return the definitions between which the steps of an effect lie, the canonical one first."""
    return canonical, up_to(fitted, "formula"), up_to(fitted, "who_counts"), fitted


def _value(definition: Definition, data: Problem) -> float:
    """Return the mean on the data; NaN where it averages over more orders of ties than can be."""
    try:
        return mean_of(definition, data)
    except TooManyOrdersError:
        return nan


def _step(before: float, after: float) -> float:
    """Return the difference; 0 where both are NaN, NaN where one is."""
    return 0.0 if isnan(before) and isnan(after) else after - before
