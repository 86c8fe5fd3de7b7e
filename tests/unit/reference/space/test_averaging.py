"""From per-user values to the number of a case, by fractions."""

from __future__ import annotations

import numpy as np
import pytest

from recsys_metric_audit.reference.space.averaging import (
    UserCounts,
    averaged_users,
    mean,
    mean_terms,
    nothing_added,
    over_nobody,
    refused,
)
from recsys_metric_audit.reference.space.edges import UserValues
from recsys_metric_audit.reference.space.lists import Ratio

COUNTS = UserCounts(
    relevant=np.array([1, 3, 0, 2]), listed=np.array([1, 2, 0, 0]), length=np.array([2, 4, 3, 0]),
    rated=np.array([1, 4, 1, 2]), hits=np.array([1, 0, 0, 0]), case=np.array([0, 0, 1, 1]), cases=2,
)  # fmt: skip
"""Case 0 has users 0 and 1, case 1 has user 2 (no relevant items) and user 3 (no list)."""


def users(*values: float) -> UserValues:
    yes = np.ones(4, dtype=bool)
    return UserValues(np.array(values), yes, ~yes, yes)


@pytest.mark.parametrize(
    ("rule", "chosen"),
    [("truth", [0, 1, 3]), ("both", [0, 1]), ("predictions", [0, 1, 2]), ("all", [0, 1, 2, 3]), ("hits", [0]),
     ("one_relevant", [0]), ("truth_rows", [0, 1, 2, 3]), ("both_rows", [0, 1, 2])],
)  # fmt: skip
def test_who_is_averaged_over(rule: str, chosen: list[int]) -> None:
    assert np.flatnonzero(averaged_users(COUNTS, rule)).tolist() == chosen


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({}, (1 / 2 + 1 / 8) / 2),
        ({"pooling": "weighted", "weight": "relevant"}, (1 / 2 + 3 / 8) / 4),
        ({"pooling": "weighted", "weight": "list_length"}, (2 / 2 + 4 / 8) / 6),
        ({"pooling": "weighted", "weight": "rated"}, (1 / 2 + 4 / 8) / 5),
        ({"pooling": "weighted", "weight": "listed"}, (1 / 2 + 2 / 8) / 3),
        ({"mean": "geometric"}, (1 / 16) ** 0.5),
        ({"mean": "harmonic"}, 2 / (2 + 8)),
        ({"mean": "quadratic"}, ((1 / 4 + 1 / 64) / 2) ** 0.5),
    ],
)
def test_means_by_fractions(values: dict[str, str], expected: float) -> None:
    """The users of case 0 have 1/2 and 1/8."""
    assert mean(users(1 / 2, 1 / 8, 0, 0), None, COUNTS, values)[0] == pytest.approx(expected)


def test_a_ratio_of_sums_adds_numerators_and_denominators() -> None:
    ratio = Ratio(np.array([1.0, 1.0, 0, 0]), np.array([2.0, 8.0, 1, 1]))
    assert mean(users(1 / 2, 1 / 8, 0, 0), ratio, COUNTS, {"pooling": "pooled"})[0] == pytest.approx(2 / 10)


def test_one_case_is_added_up_as_several_are_to_the_last_digit() -> None:
    value = np.random.default_rng(0).random(1_000)
    each, yes = np.full(1_000, 1), np.ones(1_000, dtype=bool)

    def of(cases: int) -> float:
        counts = UserCounts(each, each, each, each, each, np.zeros(1_000, dtype=np.int64), cases)
        return float(mean(UserValues(value, yes, ~yes, yes), None, counts, {})[0])

    assert of(1) == of(2) == sum(value.tolist()) / 1_000


def test_the_mean_over_nobody_is_nan() -> None:
    assert np.isnan(mean(users(1, 1, 1, 1), None, COUNTS, {"users": "hits"})[1])


NAN = float("nan")


@pytest.mark.parametrize(
    ("rule", "expected", "raised"),
    [("nan", [1 / 2, NAN], [False, False]), ("0", [1 / 2, 0], [False, False]), ("error", [1 / 2, NAN], [False, True])],
)
def test_a_rule_decides_where_nobody_is_left_and_nowhere_else(
    rule: str, expected: list[float], raised: list[bool]
) -> None:
    number, refused = over_nobody(np.array([1 / 2, NAN]), np.array([False, True]), {"nobody": rule})
    assert number.tolist() == pytest.approx(expected, nan_ok=True) and refused.tolist() == raised


def test_sums_of_nothing_are_told_from_sums_that_cancel() -> None:
    """Case 0: the inverses of 1/2 and -1/2 add up to 0; case 1: no user has a hit."""
    cancelled = mean_terms(users(1 / 2, -1 / 2, 1, 1), None, COUNTS, {"mean": "harmonic"})
    assert nothing_added(cancelled, COUNTS).tolist() == [False, False]
    without = mean_terms(users(1, 1, 1, 1), None, COUNTS, {"users": "hits"})
    assert nothing_added(without, COUNTS).tolist() == [False, True]


def test_a_case_is_refused_for_one_user() -> None:
    some = np.array([False, False, False, True])
    assert refused(UserValues(np.zeros(4), ~some, some, ~some), COUNTS, {}).tolist() == [False, True]
