"""Distinct values: ascending and each once, whatever the order and the number of columns."""

from __future__ import annotations

import numpy as np
import pytest

from recsys_metric_audit.reference.input.distinct import distinct, first_of_runs

FAR = [2**62, -(2**62), 2**62, 0]


@pytest.mark.parametrize(
    "columns", [([3, 1], [3]), ([],), ([], [2]), ([1, 1, 2],), ([5, 4, 4], [4, 5], [-1]), (FAR, [0]), ([], [])]
)
def test_each_value_once_in_ascending_order(columns: tuple[list[int], ...]) -> None:
    given = [np.array(column, dtype=np.int64) for column in columns]
    assert distinct(*given).tolist() == sorted({value for column in columns for value in column})
    assert [column.tolist() for column in given] == [list(column) for column in columns]  # nothing sorted in place


def test_the_type_of_the_columns_stays() -> None:
    assert distinct(np.array([3, 1, 3], dtype=np.int32)).dtype == np.int32
    assert distinct(np.array([300, 299], dtype=np.int64), np.array([3, 1], dtype=np.int32)).dtype == np.int64
    assert distinct(np.array(["b", "a", "b"])).tolist() == ["a", "b"]


def test_zeros_of_both_signs_are_one_value() -> None:
    assert len(distinct(np.array([0.0, -0.0, 1.0]))) == 2


def test_the_first_of_each_run() -> None:
    assert first_of_runs(np.array([1, 1, 2, 1])).tolist() == [True, False, True, True]
    assert first_of_runs(np.array([])).tolist() == []
