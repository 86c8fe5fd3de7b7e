"""Finds users' values on the data: of all users, or of a sample of them where the data were asked for means alone."""

from __future__ import annotations

from functools import lru_cache

from recsys_metric_audit.audit.data.large_data import sample_users
from recsys_metric_audit.audit.observations.observation import Observation
from recsys_metric_audit.audit.process.protocol import Measured, Outcome
from recsys_metric_audit.reference.evaluation.evaluate import Problem
from recsys_metric_audit.reference.input.case import Case


def values_on_data(observation: Observation, k: int | None, data: Problem) -> tuple[Outcome | None, Problem]:
    """Return the outcome on the data at cut-off `k` that has users' values, and the data that it is about.

    It is the outcome on the sample where that has values and the outcome on all the data has none.

    Args:
        observation: The answers of a function.
        k: The cut-off; None for a function that takes none.
        data: The data, as a problem of one case.
    """
    outcome, sampled = observation.data.get(k), observation.sample.get(k)
    without = not isinstance(outcome, Measured) or outcome.users is None
    if without and isinstance(sampled, Measured) and sampled.users is not None:
        return sampled, _sampled(data.cases[0]).at(k)
    return outcome, data.at(k)


@lru_cache(maxsize=2)
def _sampled(case: Case) -> Problem:
    return Problem.of([sample_users(case)], None)
