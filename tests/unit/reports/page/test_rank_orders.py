"""Orders of recommenders by hand: ties, swapped pairs, Kendall's τ-b."""

from __future__ import annotations

import math

import pytest

from recsys_metric_audit.reports.page.decision_impact import finite_values, kendall_tau_b, order_by_value, swapped_pairs


def test_kendalls_tau_is_that_of_the_textbook() -> None:
    abcd = (("a",), ("b",), ("c",), ("d",))
    assert kendall_tau_b(abcd, abcd) == 1
    assert kendall_tau_b(abcd, abcd[::-1]) == -1
    assert kendall_tau_b(abcd, (("b",), ("a",), ("c",), ("d",))) == pytest.approx(4 / 6)  # 5 pairs agree, 1 is swapped
    assert kendall_tau_b(abcd, (("a", "b"), ("c",), ("d",))) == pytest.approx(5 / math.sqrt(6 * 5))  # one tie: τ-b
    assert math.isnan(kendall_tau_b(abcd, (("a", "b", "c", "d"),)))
    assert swapped_pairs((("b",), ("a",), ("c",)), (("a",), ("b",), ("c",))) == ("b over a",)


def test_orders_put_the_best_first_and_know_errors_from_scores() -> None:
    assert order_by_value({"x": 0.1, "y": 0.3, "z": 0.1}) == (("y",), ("x", "z"))
    assert order_by_value({"x": 0.1, "y": 0.3}, lower_is_better=True) == (("x",), ("y",))


def test_values_equal_up_to_rounding_are_tied() -> None:
    assert order_by_value({"x": 0.3, "y": 0.1 + 0.2}) == order_by_value({"x": 0.1 + 0.2, "y": 0.3}) == (("x", "y"),)
    assert order_by_value({"x": 0.3, "y": 0.3 + 1e-9}) == (("y",), ("x",))


def test_only_names_that_both_orders_rank_are_compared() -> None:
    assert kendall_tau_b((("a",), ("b",), ("x",)), (("y",), ("a",), ("b",))) == 1
    assert swapped_pairs((("b",), ("x",), ("a",)), (("a",), ("b",), ("y",))) == ("b over a",)


def test_a_tie_is_no_swap() -> None:
    assert swapped_pairs((("a", "b"),), (("a",), ("b",))) == ()


def test_values_that_are_missing_or_not_finite_are_left_out() -> None:
    assert finite_values({"a": 0.5, "b": None, "c": math.nan, "d": math.inf}) == {"a": 0.5}
