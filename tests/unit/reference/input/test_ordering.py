"""Sorts by several columns, and compares with Python's sort of tuples."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.input import ordering
from reference.input.ordering import order_by

WHOLE = st.one_of(st.integers(-3, 3), st.integers(-(2**62), 2**62))
NUMBER = st.sampled_from([-np.inf, -1.5, -0.0, 0.0, 2.0, 2.5, np.inf])


@given(st.lists(st.tuples(WHOLE, NUMBER, st.integers(-2, 2)), min_size=1, max_size=30))
def test_entries_stand_in_the_order_of_their_columns(rows: list[tuple[int, float, int]]) -> None:
    expected = sorted(range(len(rows)), key=lambda number: rows[number])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ordering, "_FEW", 0)
        assert order_by(*map(np.array, zip(*rows, strict=True))).tolist() == expected


def test_a_nan_stands_last() -> None:
    many = np.zeros(2_000)
    many[0] = np.nan
    assert order_by(many, np.arange(2_000))[-1] == 0


def test_of_few_entries_and_of_none() -> None:
    assert order_by(np.array([2, 1, 2]), np.array([0.5, 0.0, 0.25])).tolist() == [1, 2, 0]
    assert order_by(np.empty(0, dtype=np.int64), np.empty(0)).tolist() == []
