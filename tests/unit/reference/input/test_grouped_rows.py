"""Grouping of rows by user, and the search for pairs in them."""

from __future__ import annotations

import numpy as np
import pytest

from recsys_metric_audit.reference.input import grouped_rows
from recsys_metric_audit.reference.input.case import Predictions
from recsys_metric_audit.reference.input.grouped_rows import (
    GroupedRows,
    earlier_copies,
    expand_ranges,
    find_pairs,
    match_keys,
)
from recsys_metric_audit.reference.input.item_numbers import IdIndex

NAN = float("nan")


def grouped(*rows: tuple[int, int, float]) -> GroupedRows:
    user, item, score = (np.array(column) for column in zip(*rows, strict=True))
    return GroupedRows.of(Predictions(user, item, score.astype(float)))


def test_rows_of_a_user_come_together_in_their_order() -> None:
    rows = grouped((2, 10, 3.0), (1, 11, 2.0), (2, 12, 1.0))
    assert rows.user.tolist() == [1, 2] and rows.start.tolist() == [0, 1, 3]
    assert rows.item.tolist() == [11, 10, 12]
    assert rows.given_number(np.array([0, 1, 2])).tolist() == [1, 0, 2]


def test_grouped_rows_are_not_copied() -> None:
    item = np.array([10, 11, 12])
    rows = GroupedRows.of(Predictions(np.array([2, 2, 1]), item, np.array([3.0, 2.0, 1.0])))
    assert rows.list_as_given is None and rows.item is item
    assert rows.list_of(np.array([0, 1, 2])).tolist() == [0, 0, 1]


def test_a_list_whose_scores_rise_is_unsorted() -> None:
    assert grouped((1, 1, 2.0), (1, 2, 1.0), (2, 1, 1.0), (2, 2, 5.0)).unsorted.tolist() == [False, True]


@pytest.mark.parametrize("scores", [[NAN], [NAN, 1.0], [2.0, NAN], [2.0, NAN, 1.0], [1.0, 2.0, NAN]])
def test_a_nan_score_is_refused_wherever_it_stands(scores: list[float]) -> None:
    for before in ([], [(0, 9, 3.0)], [(0, 9, 1.0), (0, 8, 3.0)]):
        with pytest.raises(ValueError, match="NaN score"):
            _ = grouped(*before, *((1, item, score) for item, score in enumerate(scores))).unsorted


def test_blocks_hold_whole_lists() -> None:
    rows = grouped((1, 1, 1.0), (1, 2, 1.0), (2, 1, 1.0), (3, 1, 1.0))
    assert list(rows.blocks(2)) == [(0, 1), (1, 3)]
    assert list(rows.blocks(1)) == [(0, 1), (1, 2), (2, 3)]


def test_pairs_are_found_in_every_row_that_holds_them() -> None:
    """List 0 holds item 7 in rows 0 and 2; list 1 holds item 8 in row 3; item 9 is nowhere."""
    rows = grouped((1, 7, 3.0), (1, 6, 2.0), (1, 7, 1.0), (2, 8, 1.0))
    items = IdIndex.of(rows.item, np.array([9]))
    found = find_pairs(rows, items, np.array([0, 1, 0, -1]), np.array([7, 8, 9, 7]))
    assert sorted(zip(found.sought.tolist(), found.row.tolist(), strict=True)) == [(0, 0), (0, 2), (1, 3)]
    assert found.repeated.tolist() == [0, 2]


def test_small_helpers() -> None:
    which, where = match_keys(np.array([5, 6, 7]), np.array([7, 5, 5]))
    assert list(zip(which.tolist(), where.tolist(), strict=True)) == [(0, 1), (0, 2), (2, 0)]
    group, member = expand_ranges(np.array([10, 20]), np.array([2, 1]))
    assert group.tolist() == [0, 0, 1] and member.tolist() == [10, 11, 20]
    assert earlier_copies(np.array([4, 4, 5, 4])).tolist() == [0, 1, 0, 2]


@pytest.mark.parametrize("size", [1 << 18, 16, 3], ids=["one block", "many blocks", "blocks of three rows"])
@pytest.mark.parametrize("users", [1, 9, 300])
def test_rows_in_any_order_are_grouped_as_a_stable_sort_groups_them(
    monkeypatch: pytest.MonkeyPatch, users: int, size: int
) -> None:
    monkeypatch.setattr(grouped_rows, "_SORTED", size)
    rng = np.random.default_rng(users)
    user, item, score = rng.integers(0, users, 500) * 7, rng.integers(0, 50, 500), rng.random(500).astype(np.float32)
    rows = GroupedRows.of(Predictions(user, item, score))
    order = np.argsort(user, kind="stable")
    assert rows.item.tolist() == item[order].tolist() and rows.score.dtype == np.float32
    assert rows.score.tolist() == score[order].tolist()
    assert rows.given_number(np.arange(500)).tolist() == (order.tolist() if users > 1 else list(range(500)))
    assert np.repeat(rows.user, np.diff(rows.start)).tolist() == user[order].tolist()


def test_more_users_than_16_bits_hold_are_grouped() -> None:
    user = np.random.default_rng(0).permutation(np.concatenate([np.arange(70_000), [5, 69_999]]))
    rows = GroupedRows.of(Predictions(user, np.arange(len(user)), -np.arange(len(user), dtype=np.float64)))
    assert rows.item.tolist() == np.argsort(user, kind="stable").tolist()


def test_one_row_a_user_needs_no_grouping() -> None:
    user = np.random.default_rng(1).permutation(1000)
    rows = GroupedRows.of(Predictions(user, np.arange(1000), np.zeros(1000)))
    assert rows.list_as_given is None and rows.start.tolist() == list(range(1001))
    assert not rows.unsorted.any()
