"""Numbers for ids, and the order of ids as text."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from recsys_metric_audit.reference.input.item_numbers import IdIndex, text_key, text_rank

IDS = st.one_of(st.integers(0, 12), st.sampled_from([-7, -70, 100, 2**45, 2**61, -(2**61)]))


def test_ids_get_their_index_among_the_distinct_ones() -> None:
    index = IdIndex.of(np.array([30, 10, 30]), np.array([20]))
    assert index.distinct.tolist() == [10, 20, 30]
    assert index.code(np.array([30, 20])).tolist() == [2, 1]


def test_no_ids_make_an_empty_index() -> None:
    assert len(IdIndex.of(np.empty(0, dtype=np.int64))) == 0


def test_a_wide_range_of_ids_is_numbered_densely() -> None:
    index = IdIndex.of(np.array([5, 2**60]))
    assert not index.narrow and index.span == 2
    assert index.offset(np.array([2**60, 5])).tolist() == [1, 0]


def test_text_keys_sort_as_decimal_texts() -> None:
    numbers = np.array([0, 5, 50, 500, 6, 10, 9])
    by_text = sorted(numbers.tolist(), key=str)
    assert numbers[np.argsort(text_key(numbers, 3))].tolist() == by_text


@given(st.lists(st.one_of(st.integers(-(2**63) + 1, 2**63 - 1), st.integers(-200, 200)), unique=True, min_size=1))
def test_text_order_of_ids(ids: list[int]) -> None:
    ids.sort()
    by_text = sorted(range(len(ids)), key=lambda i: str(ids[i]))
    assert np.argsort(text_rank(np.array(ids))).tolist() == by_text


@given(st.lists(IDS, max_size=30))
def test_items_number_what_occurs(ids: list[int]) -> None:
    column = np.array(ids, dtype=np.int64)
    items = IdIndex.of(column, column[:3])
    assert items.distinct.tolist() == sorted(set(ids))
    assert items.distinct[items.code(column)].tolist() == ids
    if ids:
        assert len(np.unique(items.offset(column))) == len(set(ids))
        assert items.offset(column).max() < items.span
