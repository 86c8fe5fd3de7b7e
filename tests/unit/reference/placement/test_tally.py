"""Counts of values between and on pivots."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from recsys_metric_audit.reference.placement.tally import Tally

NUMBERS = st.lists(st.sampled_from([-np.inf, -1.0, 0.0, 0.5, 0.5000001, 3.0, 1e300, np.inf]), max_size=20)


def test_counts_by_hand() -> None:
    tally = Tally.of(np.array([2.0, 5.0, 2.0]))
    tally.add(np.array([1.0, 2.0, 3.0, 5.0]))
    tally.add(np.array([2.0, 9.0]))
    assert tally.on.tolist() == [2, 1]
    assert tally.below().tolist() == [1, 4]
    assert tally.above().tolist() == [3, 1]


@given(pivots=NUMBERS, values=NUMBERS)
def test_counts_equal_those_by_comparison(pivots: list[float], values: list[float]) -> None:
    tally = Tally.of(np.array(pivots, dtype=float))
    tally.add(np.array(values, dtype=float))
    distinct = sorted(set(pivots))
    assert tally.on.tolist() == [sum(value == pivot for value in values) for pivot in distinct]
    assert tally.below().tolist() == [sum(value < pivot for value in values) for pivot in distinct]
    assert tally.above().tolist() == [sum(value > pivot for value in values) for pivot in distinct]
