"""The contingency table at k and its ratios."""

from __future__ import annotations

import numpy as np
import pytest

from recsys_metric_audit.reference.metrics.contingency import Table, accuracy, fallout, markedness, matthews_correlation
from tests.support.hand_computed.check import assert_row, each_row
from tests.support.hand_computed.contingency_rows import ROWS
from tests.support.hand_computed.shorthand import Row


@each_row(ROWS)
def test_values_worked_out_by_hand(row: Row) -> None:
    assert_row(row)


def test_ratios_of_a_table_of_ten_items() -> None:
    cells = Table(*(np.array([float(count)]) for count in (2, 1, 3, 4)))  # tp, fp, fn, tn
    assert fallout(cells).value == pytest.approx([1 / 5])
    assert accuracy(cells).value == pytest.approx([6 / 10])
    assert markedness(cells).value == pytest.approx([2 / 3 + 4 / 7 - 1])
    assert matthews_correlation(cells).value == pytest.approx([(2 * 4 - 1 * 3) / (5 * 5 * 3 * 7) ** 0.5])


def test_a_ratio_without_anything_to_divide_by_is_nan() -> None:
    nothing_shown = Table(*(np.array([float(count)]) for count in (0, 0, 2, 3)))
    assert np.isnan(markedness(nothing_shown).value).all() and np.isnan(matthews_correlation(nothing_shown).value).all()
