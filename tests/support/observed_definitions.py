"""Observations of functions that compute a given definition, made by the slow oracle."""

from __future__ import annotations

from audit.observations.observation import Observation
from audit.process.protocol import Errored, Measured, Outcome
from reference.cases import PROBES
from reference.definitions.definition import parse
from reference.evaluation.evaluate import Problem
from tests.support.generated_inputs import make
from tests.support.oracle_means import evaluate as slow

CASE = make(
    [(1, 10, 0.9), (1, 11, 0.8), (1, 12, 0.7), (2, 12, 0.9), (2, 10, 0.5), (2, 13, 0.4)],
    [(1, 11, 1.0), (1, 20, 1.0), (1, 21, 1.0), (1, 22, 1.0), (2, 12, 1.0)],
)
"""Two users: hits at rank 2 (r = 4) and at rank 1 (r = 1)."""
DATA = Problem.of([CASE], None)


def mean(value: float) -> Measured:
    """Return the answer of a function that gives a mean and no per-user values."""
    return Measured(value, None, None, "float", 0.0)


def observation_of(signature: str, k: int = 3) -> Observation:
    """Return the answers of a function that computes the definition ``signature``, by the slow oracle."""
    definition = parse(signature)
    probes: dict[str, Outcome] = {}
    for probe in PROBES:
        made = slow(definition.metric, definition.axes, probe.case, probe.k)
        probes[probe.name] = Errored("ValueError", "", "") if made.refused else mean(made.mean)
    return Observation("f", probes, {k: mean(slow(definition.metric, definition.axes, CASE, k).mean)})
