"""Outcomes as responses, and the comparison of responses."""

from __future__ import annotations

import numpy as np
import pytest

from recsys_metric_audit.audit.behaviours import scenarios
from recsys_metric_audit.audit.behaviours.responses import Refused, Returned, response_of, same_values
from recsys_metric_audit.audit.behaviours.scenarios import original_user
from recsys_metric_audit.audit.process.protocol import Crashed, Errored, Measured, NotOffered, TimedOut
from tests.support.behaviour_samples import TIGHT, view


def test_users_that_were_renamed_together_with_other_changes_are_matched() -> None:
    before = {user: user / 10 for user in range(1, 6)}
    after = {original_user(user): value for user, value in before.items()}
    assert not view({scenarios.ORDINARY: before, scenarios.COMBINED_CHANGES: after}).changed_by_combination
    assert view({scenarios.ORDINARY: before, scenarios.COMBINED_CHANGES: before}).changed_by_combination


def test_outcomes_become_responses() -> None:
    measured = Measured(None, np.array([1, 2]), np.array([0.5, 1.0]), "float", 0.0)
    assert response_of(measured) == Returned(None, {1: 0.5, 2: 1.0}, 2)
    assert response_of(Errored("ValueError", "  \n no \nmore", "")) == Refused("raises", "ValueError: no")
    assert response_of(Errored("ValueError", " ", "")) == Refused("raises", "ValueError")
    assert response_of(NotOffered("not here")) == Refused("not_offered", "not here")
    assert response_of(Crashed(-9, "")) == Refused("crashes", "exit code -9")
    assert response_of(TimedOut(3)) == Refused("times_out", "no answer within 3 s")
    assert (
        response_of(Crashed(-9, "", asked=False)) is response_of(TimedOut(3, asked=False)) is response_of(None) is None
    )


def test_long_words_are_cut() -> None:
    refused = response_of(NotOffered("x" * 161))
    assert isinstance(refused, Refused)
    assert refused.words == "x" * 159 + "…"


@pytest.mark.parametrize(
    ("returned", "number", "text"),
    [
        (Returned(0.5, None), 0.5, "0.5"),
        (Returned(0.5, {1: 0.25}, 1), 0.5, "0.5"),
        (Returned(None, {1: 0.25}, 1), 0.25, "0.25"),
        (Returned(None, {2: 1.0, 1: 0.25}, 2), None, "{1: 0.25, 2: 1}"),
        (Returned(None, {1: 0.25}, 2), None, "{1: 0.25}"),
        (Returned(None, None), None, "{}"),
    ],
)
def test_the_number_of_a_response(returned: Returned, number: float | None, text: str) -> None:
    assert (returned.number, str(returned)) == (number, text)


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (Returned(0.5, {1: 0.25}, 1), True),
        (Returned(0.5 + 1e-12, {1: 0.25 - 1e-12}, 1), True),
        (Returned(0.5, {1: 0.25}, 2), False),
        (Returned(0.5, {2: 0.25}, 1), False),
        (Returned(0.5, {1: 0.5}, 1), False),
        (Returned(0.25, {1: 0.25}, 1), False),
        (Returned(0.5, None), False),
        (Returned(None, {1: 0.25}, 1), False),
    ],
)
def test_responses_are_equal_in_means_users_and_rows(other: Returned, same: bool) -> None:
    assert same_values(Returned(0.5, {1: 0.25}, 1), other, TIGHT) is same
