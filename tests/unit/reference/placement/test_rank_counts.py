"""Counts of rows above and tied, within lists and among all rows, on lists counted by hand."""

from __future__ import annotations

import numpy as np
import pytest

from recsys_metric_audit.reference.input.case import Predictions
from recsys_metric_audit.reference.input.grouped_rows import GroupedRows
from recsys_metric_audit.reference.input.item_numbers import IdIndex
from recsys_metric_audit.reference.placement.rank_counts import RankCounts, counts_over_all, counts_per_list

ROWS = GroupedRows.of(
    Predictions(np.array([1, 1, 1, 2, 2]), np.array([30, 4, 20, 4, 30]), np.array([5.0, 7.0, 5.0, 9.0, 5.0]))
)
"""User 1: items 30, 4, 20 with scores 5, 7, 5; user 2: items 4, 30 with scores 9, 5."""


def columns(counts: RankCounts) -> dict[str, list[int]]:
    return {name: column.tolist() for name, column in vars(counts).items()}


def test_counts_within_lists() -> None:
    """As numbers 20 < 30; as text "20" < "30"."""
    items = IdIndex.of(ROWS.item)
    assert columns(counts_per_list(ROWS, items, np.array([0, 2, 4]))) == {
        "above": [1, 1, 1], "tied": [2, 2, 1], "before": [0, 1, 0], "before_item": [1, 0, 0], "before_text": [1, 0, 0],
    }  # fmt: skip


def test_counts_among_all_rows() -> None:
    """Three rows score 5, below 9 and 7; their pairs are numbered 8, 20 and 100: as text "100" < "20" < "8"."""
    pairs = np.array([8, 1, 20, 2, 100])
    made = counts_over_all(ROWS, lambda row: pairs[row], 101, np.array([0, 2, 4]))
    assert columns(made) == {
        "above": [2, 2, 2], "tied": [3, 3, 3], "before": [0, 1, 2], "before_item": [0, 1, 2], "before_text": [2, 1, 0],
    }  # fmt: skip


def test_too_many_pairs_are_refused_where_scores_tie() -> None:
    with pytest.raises(ValueError, match="17 digits"):
        counts_over_all(ROWS, lambda row: row, 10**17, np.array([0]))
