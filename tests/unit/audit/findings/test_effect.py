"""The steps from the canonical value to the library's are right, level by level, by hand.

At 2, ann has one hit of three relevant items, bob none of one, cyd a relevant item and no list: recall 1/3, 0, 0, and
over min(k, r) 1/2, 0, 0.
"""

from __future__ import annotations

import math

import pytest

from recsys_metric_audit.audit.findings.effect import effect
from recsys_metric_audit.audit.observations.observation import Tolerance
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem
from recsys_metric_audit.reference.input.conversion import case_from_tables

DATA = Problem.of(
    [
        case_from_tables(
            {"user": ["ann", "ann", "bob", "bob"], "item": [1, 2, 1, 2], "score": [2.0, 1.0, 2.0, 1.0]},
            {"user": ["ann", "ann", "ann", "bob", "cyd"], "item": [1, 3, 4, 5, 1]},
        ).case
    ],
    2,
)
EXACT = Tolerance(1e-9, "float64")


def test_each_level_moves_the_value_by_its_own_step() -> None:
    # Canonical 1/9; over min(k, r) 1/6; of users with a list too, 1/4; the library says 1/4.
    made = effect(parse("recall@2"), parse("recall@2|denominator:min|users:both"), 0.25, DATA, EXACT)
    assert (made.formula, made.who_counts, made.input) == pytest.approx((1 / 6 - 1 / 9, 1 / 4 - 1 / 6, 0))
    assert made.total == pytest.approx(1 / 4 - 1 / 9)
    assert not made.same_value


def test_the_total_ends_at_the_number_of_the_library() -> None:
    made = effect(parse("recall@2"), parse("recall@2"), 0.2, DATA, EXACT)
    assert (made.formula, made.who_counts, made.input) == (0, 0, 0)
    assert made.total == pytest.approx(0.2 - 1 / 9)


def test_without_a_mean_the_fitted_value_stands_in_its_place() -> None:
    made = effect(parse("recall@2"), parse("recall@2|denominator:min"), None, DATA, EXACT)
    assert made.total == made.formula == pytest.approx(1 / 18)


def test_a_rounded_number_is_the_same_value() -> None:
    assert effect(parse("recall@2"), parse("recall@2"), 0.111, DATA, Tolerance(5e-4, "3 decimals")).same_value
    assert not effect(parse("recall@2"), parse("recall@2"), 0.111, DATA, EXACT).same_value


def test_a_step_from_a_number_to_nan_is_nan_and_from_nan_to_nan_0() -> None:
    # Over the number of hits, bob and cyd are 0/0, and with them the mean.
    made = effect(parse("recall@2"), parse("recall@2|denominator:hits|no_hit:nan"), math.nan, DATA, EXACT)
    steps = (made.formula, made.who_counts, made.input, made.total)
    assert [math.isnan(each) for each in steps] == [False, True, False, True]
    assert made.input == 0
