"""Tells what a definition is where every relevant item has a gain of 1, as in most recommender datasets."""

from __future__ import annotations

import numpy as np

from recsys_metric_audit.audit.observations.canonical import canonical_on
from recsys_metric_audit.audit.observations.probe_tables import probes, problem_of
from recsys_metric_audit.reference.cases import KINDS
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.equality.shortest import shortest
from recsys_metric_audit.reference.evaluation.evaluate import evaluate
from recsys_metric_audit.reference.space.levels import level_of

_PROBLEM = problem_of([probe for kind in KINDS if kind.variant == "unit_gains" for probe in probes(kind)])


def with_gains_of_1(definition: Definition) -> Definition:
    """Return the definition with each axis of its formula canonical that changes no value where every gain is 1.

    Equality is observed on all probes whose gains and threshold are 1.

    >>> from recsys_metric_audit.reference.definitions.definition import parse
    >>> with_gains_of_1(parse("ndcg@k|gain:linear|ideal_discount:ln")).signature()
    'ndcg@k|ideal_discount:ln'
    """
    short, values = shortest(definition), _values(definition)
    for axis in definition.differs_on:
        if level_of(axis) != "formula" or axis not in short.axes:
            continue
        other = canonical_on(short, [axis])
        if other.family.refusal(other.axes) is None and np.array_equal(_values(other), values, equal_nan=True):
            short = shortest(other)
    return short


def _values(definition: Definition) -> np.ndarray:
    """Return the mean on each probe, to ten decimals."""
    return np.round(evaluate(definition, _PROBLEM).mean, 10)
