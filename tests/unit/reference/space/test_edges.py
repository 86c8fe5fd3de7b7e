"""Edges: which users are at which, and what each policy makes of their value."""

from __future__ import annotations

import numpy as np
import pytest

from recsys_metric_audit.reference.space import edges
from recsys_metric_audit.reference.space.axis import Axis
from recsys_metric_audit.reference.space.edges import POLICIES, apply_policies, edge_states


def test_a_user_is_at_the_first_edge_that_fits() -> None:
    """Users: no relevant items (and no list), no list, no irrelevant items, 0/0, ordinary."""
    found = edge_states(
        np.array([0, 1, 1, 1, 1]), np.array([0, 0, 3, 3, 3]), np.array([0, 0, 0, 2, 2]),
        np.array([False, False, False, False, True]),
    )  # fmt: skip
    at = {name: np.flatnonzero(where).tolist() for name, where in found.items()}
    assert at == {"undefined": [0], "no_list": [1], "no_negatives": [2], "no_hit": [3]}


def test_without_a_need_for_irrelevant_items_their_absence_is_no_edge() -> None:
    found = edge_states(np.array([1]), np.array([3]), None, np.array([True]))
    assert not any(where.any() for where in found.values())


def applied(policy: str, averaged: tuple[bool, ...] = (True, True, True)):
    """Users of one case with values 0.5, 0/0 (at ``no_hit``) and 0.25; k = 4."""
    value, at_edge = np.array([0.5, np.nan, 0.25]), np.array([False, True, False])
    return apply_policies(
        value, {"no_hit": at_edge}, np.full(3, 4), {"no_hit": policy}, np.zeros(3, dtype=int), np.array(averaged)
    )


@pytest.mark.parametrize(
    ("policy", "value"), [("0", 0.0), ("1", 1.0), ("half", 0.5), ("1/k", 0.25), ("previous", 0.5), ("nan", np.nan)]
)
def test_a_policy_replaces_the_value(policy: str, value: float) -> None:
    made = applied(policy)
    np.testing.assert_array_equal(made.value, [0.5, value, 0.25])
    assert made.counted.all() and not made.refused.any()
    assert made.regular.tolist() == [True, False, True]


def test_skip_leaves_out_and_error_refuses() -> None:
    assert applied("skip").counted.tolist() == [True, False, True]
    assert applied("error").refused.tolist() == [False, True, False]


def test_ends_all_makes_every_value_0_if_the_user_is_averaged_over() -> None:
    assert applied("ends_all").value.tolist() == [0, 0, 0]
    assert applied("ends_all", (True, False, True)).value[0] == 0.5


def test_a_first_user_has_no_value_to_carry_over() -> None:
    assert applied("previous", (False, True, True)).refused.tolist() == [False, True, False]


@pytest.mark.parametrize("edge", edges.AXES, ids=lambda edge: edge.name)
def test_an_edge_admits_policies_of_the_table_and_says_what_they_mean(edge: Axis) -> None:
    assert {value.name: value.meaning for value in edge.values} == {name: POLICIES[name].meaning for name in edge.names}


def test_what_one_user_makes_of_the_whole_result_is_told_of_the_policies_that_do() -> None:
    # Another user's value, 0.5, is lost to NaN, to an error, and to 0.
    assert edges.MAKES_ALL == ("nan", "error", "ends_all")
    assert edges.FINITE == ("0", "1", "half")
