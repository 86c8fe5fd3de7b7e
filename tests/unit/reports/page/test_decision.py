"""The decision that depends on the library: Kendall's tau and the winners."""

from __future__ import annotations

import math

import pytest

from reports.page.decision import decision, order, swapped, tau
from tests.support.result_samples import result


def test_kendalls_tau_is_that_of_the_textbook() -> None:
    abcd = (("a",), ("b",), ("c",), ("d",))
    assert tau(abcd, abcd) == 1
    assert tau(abcd, abcd[::-1]) == -1
    assert tau(abcd, (("b",), ("a",), ("c",), ("d",))) == pytest.approx(4 / 6)  # 5 pairs agree, 1 is swapped
    assert tau(abcd, (("a", "b"), ("c",), ("d",))) == pytest.approx(5 / math.sqrt(6 * 5))  # one tie: τ-b
    assert math.isnan(tau(abcd, (("a", "b", "c", "d"),)))
    assert swapped((("b",), ("a",), ("c",)), (("a",), ("b",), ("c",))) == ("b over a",)


def test_orders_put_the_best_first_and_know_errors_from_scores() -> None:
    assert order({"x": 0.1, "y": 0.3, "z": 0.1}) == (("y",), ("x", "z"))
    assert order({"x": 0.1, "y": 0.3}, lower_is_better=True) == (("x",), ("y",))


def test_the_decision_that_a_library_changes() -> None:
    made = decision(result())
    assert made is not None
    (ranking,) = made.rankings
    canonical, other = ranking.orders
    assert (canonical.order, canonical.canonical, canonical.who) == ("ease > itemknn > popular", True, ())
    assert (other.first, other.order, other.swapped) == ("itemknn", "itemknn > ease > popular", ("itemknn over ease",))
    assert other.tau == "0.33"  # 2 of 3 pairs agree, 1 is swapped
    assert other.taus == ("0.33", "1.00")
    assert [name for name, *_ in other.who] == ["Beta 2.3.1"]
    assert made.words == (
        "Yes: of ease, itemknn and popular, ranked by 1 metric, the winner depends on the library for 1: MAP."
    )
    assert decision(result(recommenders=("ease",))) is None
