"""Observations of functions that compute a given definition, made by the slow oracle."""

from __future__ import annotations

from recsys_metric_audit.audit.observations.observation import Observation
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem
from tests.support.answers_of_oracle import answers_of_oracle, measured
from tests.support.generated_inputs import make
from tests.support.oracle_means import evaluate as slow

CASE = make(
    [(1, 10, 0.9), (1, 11, 0.8), (1, 12, 0.7), (2, 12, 0.9), (2, 10, 0.5), (2, 13, 0.4)],
    [(1, 11, 1.0), (1, 20, 1.0), (1, 21, 1.0), (1, 22, 1.0), (2, 12, 1.0)],
)
"""Two users: hits at rank 2 (r = 4) and at rank 1 (r = 1)."""
DATA = Problem.of([CASE], None)


def observation_of(signature: str, k: int = 3) -> Observation:
    """Return the answers of a function that computes the definition ``signature``, also to ``CASE`` at ``k``."""
    definition = parse(signature)
    value = slow(definition.metric, definition.axes, CASE, k).mean
    return Observation("f", dict(answers_of_oracle(signature)), {k: measured(value)})
