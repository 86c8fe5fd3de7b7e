"""Sorts by several columns, and compares with Python's sort of tuples."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recsys_metric_audit.reference.input import ordering
from recsys_metric_audit.reference.input.ordering import order_by

WHOLE = st.one_of(st.integers(-3, 3), st.integers(-(2**62), 2**62))
NUMBER = st.sampled_from([-np.inf, -1.5, -0.0, 0.0, 2.0, 2.5, np.inf])


@given(st.lists(st.tuples(WHOLE, NUMBER, st.integers(-2, 2)), min_size=1, max_size=30))
def test_entries_stand_in_the_order_of_their_columns(rows: list[tuple[int, float, int]]) -> None:
    expected = sorted(range(len(rows)), key=lambda number: rows[number])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ordering, "_FEW", 0)
        assert order_by(*map(np.array, zip(*rows, strict=True))).tolist() == expected


@pytest.mark.parametrize("repeated", [0, 10**9])
def test_many_numbers_are_ordered_whether_they_are_looked_up_or_sorted_again(
    repeated: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ordering, "_REPEATED", repeated)
    drawn = np.random.default_rng(5)
    user = drawn.integers(0, 9, 3_000)
    score = drawn.choice([-np.inf, -2.0, 0.5, 0.75, 3.0, np.inf], 3_000)
    expected = sorted(range(3_000), key=lambda number: (user[number], score[number]))
    assert order_by(user, score).tolist() == expected


def test_entries_in_order_stay_and_one_out_of_order_moves() -> None:
    user, score = np.repeat(np.arange(300), 10), np.tile(np.arange(10.0), 300)
    assert order_by(user, score).tolist() == list(range(3_000))
    score[1_234] = -1.0  # to the front of its user's entries
    moved = [*range(1_230), 1_234, 1_230, 1_231, 1_232, 1_233, *range(1_235, 3_000)]
    assert order_by(user, score).tolist() == moved


def test_a_nan_stands_last() -> None:
    many = np.zeros(2_000)
    many[0] = np.nan
    assert order_by(many, np.arange(2_000))[-1] == 0


def test_of_few_entries_and_of_none() -> None:
    assert order_by(np.array([2, 1, 2]), np.array([0.5, 0.0, 0.25])).tolist() == [1, 2, 0]
    assert order_by(np.empty(0, dtype=np.int64), np.empty(0)).tolist() == []
