"""Finds users' values on the data: of all users, or of a sample of them where the data were asked for means alone."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from audit.data.large_data import is_large, sample_users
from audit.data.pairs import are_among
from audit.observations.observation import Observation
from audit.process.protocol import Measured, Outcome
from reference.evaluation.evaluate import Problem
from reference.input.case import Case


def values_on_data(observation: Observation, k: int | None, data: Problem) -> tuple[Outcome | None, Problem]:
    """Return the outcome on the data at cut-off `k` that has users' values, and the data that it is about.

    Of large data these are a sample of the users: values of all would be compared one by one. It is the outcome on the
    sample where that has values and the outcome on all the data has none.

    Args:
        observation: The answers of a function.
        k: The cut-off; None for a function that takes none.
        data: The data, as a problem of one case.
    """
    outcome, sampled, case = observation.data.get(k), observation.sample.get(k), data.cases[0]
    if isinstance(outcome, Measured) and outcome.users is not None:
        return (_among(outcome, case), _sampled(case).at(k)) if is_large(case) else (outcome, data.at(k))
    if isinstance(sampled, Measured) and sampled.users is not None:
        return sampled, _sampled(case).at(k)
    return outcome, data.at(k)


def _among(outcome: Measured, case: Case) -> Measured:
    """Return the values of the users of the sample, without the mean, which is of all users."""
    assert outcome.users is not None and outcome.values is not None
    drawn = are_among(outcome.users, _sampled(case).placement.users)
    return replace(outcome, mean=None, users=outcome.users[drawn], values=outcome.values[drawn])


@lru_cache(maxsize=2)
def _sampled(case: Case) -> Problem:
    return Problem.of([sample_users(case)], None)
