"""The steps of a decomposition, by hand on two users."""

from __future__ import annotations

import math

import numpy as np
import pytest

from recsys_metric_audit.audit.findings.attribution import CELLS, bin_per_user_values, decompose, effect
from recsys_metric_audit.audit.observations.observation import Tolerance
from recsys_metric_audit.audit.process.protocol import Measured
from recsys_metric_audit.reference.cases import User
from recsys_metric_audit.reference.cases.probe import case_from_users
from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem
from recsys_metric_audit.reference.input.conversion import case_from_tables

# The steps of a decomposition, by hand on two users.


# User 1: hit at rank 1 of 4, three relevant. User 2: hit at rank 2, one relevant; k is 2.
DATA = Problem.of([case_from_users("two", [User((2, 0, 0, 0), (2, 2)), User((0, 2, 0), ())])], 2)


def test_each_step_moves_one_axis_and_has_its_value() -> None:
    steps = decompose(
        parse("average_precision@2"), parse("average_precision@2|denominator:r|users:all|ties:item_asc"), DATA
    )
    # AP over min(k, r): (1/2, 1/2); over r: (1/3, 1/2). Nobody is without relevant items; nothing is tied.
    assert [(step.axis, step.signature) for step in steps] == [
        ("", "average_precision@2"),
        ("denominator", "average_precision@2|denominator:r"),
        ("users", "average_precision@2|denominator:r|users:all"),
        ("ties", "average_precision@2|denominator:r|users:all|ties:item_asc"),
    ]
    assert [step.value for step in steps] == pytest.approx([1 / 2, 5 / 12, 5 / 12, 5 / 12])


def test_a_cut_off_that_begins_to_act_is_that_of_the_end() -> None:
    steps = decompose(parse("auc"), parse("auc@2|list:topk"), DATA)
    # Pairs won over pairs: (3/9, 1/2); among the first two rows: (1/1, 0/1).
    assert [(step.signature, step.value) for step in steps] == [
        ("auc", pytest.approx(5 / 12)), ("auc@2|list:topk", pytest.approx(1 / 2)),
    ]  # fmt: skip


def test_another_family_is_a_step_of_its_own() -> None:
    steps = decompose(parse("precision@2"), parse("hit_rate@2"), DATA)
    assert [(step.axis, step.value) for step in steps] == [("", 0.5), ("metric", 1.0)]


def test_a_step_with_more_orders_of_ties_than_can_be_averaged_has_no_value() -> None:
    data = Problem.of([case_from_users("ties", [User((2,) * 7 + (0,), (), scores=(0.5,) * 8)])], 4)  # 40,320 orders
    steps = decompose(parse("recall@4"), parse("recall@4|ties:average"), data)
    assert steps[0].value == pytest.approx(4 / 7)
    assert np.isnan(steps[1].value)


def test_what_agrees_has_no_steps() -> None:
    assert decompose(parse("ndcg@2"), parse("ndcg@2"), DATA) == ()


# The steps from the canonical value to the library's are right, level by level, by hand.


DATA_OF_EFFECT = Problem.of(
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
    made = effect(parse("recall@2"), parse("recall@2|denominator:min|users:both"), 0.25, DATA_OF_EFFECT, EXACT)
    assert (made.formula, made.who_counts, made.input) == pytest.approx((1 / 6 - 1 / 9, 1 / 4 - 1 / 6, 0))
    assert made.total == pytest.approx(1 / 4 - 1 / 9)
    assert not made.same_value


def test_the_total_ends_at_the_number_of_the_library() -> None:
    made = effect(parse("recall@2"), parse("recall@2"), 0.2, DATA_OF_EFFECT, EXACT)
    assert (made.formula, made.who_counts, made.input) == (0, 0, 0)
    assert made.total == pytest.approx(0.2 - 1 / 9)


def test_without_a_mean_the_fitted_value_stands_in_its_place() -> None:
    made = effect(parse("recall@2"), parse("recall@2|denominator:min"), None, DATA_OF_EFFECT, EXACT)
    assert made.total == made.formula == pytest.approx(1 / 18)


def test_a_rounded_number_is_the_same_value() -> None:
    assert effect(parse("recall@2"), parse("recall@2"), 0.111, DATA_OF_EFFECT, Tolerance(5e-4, "3 decimals")).same_value
    assert not effect(parse("recall@2"), parse("recall@2"), 0.111, DATA_OF_EFFECT, EXACT).same_value


def test_a_step_from_a_number_to_nan_is_nan_and_from_nan_to_nan_0() -> None:
    # Over the number of hits, bob and cyd are 0/0, and with them the mean.
    made = effect(parse("recall@2"), parse("recall@2|denominator:hits|no_hit:nan"), math.nan, DATA_OF_EFFECT, EXACT)
    steps = (made.formula, made.who_counts, made.input, made.total)
    assert [math.isnan(each) for each in steps] == [False, True, False, True]
    assert made.input == 0


# Per-user values in bins, by hand on two users.


# User 1: hit at rank 1 of 4, three relevant. User 2: hit at rank 2, one relevant; k is 2.


def measured(users: list[int], values: list[float]) -> Measured:
    return Measured(None, np.array(users), np.array(values, dtype=float), "float", 0.0)


def test_scatter_counts_users_where_both_have_a_value() -> None:
    bins = bin_per_user_values(Definition.of("recall", k=2), measured([1, 2, 7], [0.25, 1.0, 9.0]), DATA)
    assert [(each.canonical, each.library, each.users) for each in bins] == [(0.333333, 0.25, 1), (1.0, 1.0, 1)]


def test_scatter_leaves_out_what_is_no_number() -> None:
    assert len(bin_per_user_values(Definition.of("recall", k=2), measured([1, 2], [float("nan"), 1.0]), DATA)) == 1
    assert bin_per_user_values(Definition.of("recall", k=2), Measured(0.5, None, None, "float", 0.0), DATA) == ()


def test_more_distinct_values_than_cells_fall_into_cells_of_equal_width() -> None:
    users = [User((2, 0), (2,) * number) for number in range(41)]  # recall@1 of 1/1, 1/2, ..., 1/41
    data = Problem.of([case_from_users("many", users)], 1)
    library = [float(number) for number in range(41)]  # 0 to 40 in 40 cells of width 1; 39 and 40 share the last
    bins = bin_per_user_values(Definition.of("recall", k=1), measured([*range(1, 42)], library), data)
    assert sum(each.users for each in bins) == 41
    assert sorted({each.library for each in bins}) == [number + 0.5 for number in range(CELLS)]
    assert max(each.canonical for each in bins) == round(1 - (1 - 1 / 41) / 80, 6)  # the middle of the last cell
