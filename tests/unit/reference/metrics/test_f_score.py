"""F-score: per user and of means, with every denominator."""

from __future__ import annotations

import numpy as np
import pytest

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.equality.observed import are_equal
from recsys_metric_audit.reference.metrics.f_score import combine
from recsys_metric_audit.reference.space.lists import Ratio
from tests.support.hand_computed.check import assert_row, each_row
from tests.support.hand_computed.f_score_rows import ROWS
from tests.support.hand_computed.shorthand import Row


@each_row(ROWS)
def test_values_worked_out_by_hand(row: Row) -> None:
    assert_row(row)


def test_f_of_two_values_weighs_recall_by_beta_squared() -> None:
    ones = np.ones(3)
    first, second = Ratio(np.array([1 / 2, 1.0, 0.0]), ones), Ratio(np.array([1 / 4, 1.0, 0.0]), ones)
    by_one, by_two = combine(first, second, 1.0).value, combine(first, second, 2.0).value
    assert by_one[:2] == pytest.approx([2 * (1 / 8) / (3 / 4), 1])
    assert by_two[:2] == pytest.approx([5 * (1 / 8) / (4 / 2 + 1 / 4), 1])
    assert np.isnan([by_one[2], by_two[2]]).all(), "0/0 where both are 0"


def test_swapping_the_denominators_is_the_inverse_of_beta() -> None:
    assert are_equal(parse("f_score@k|precision:min|recall:k|beta:2"), parse("f_score@k|recall:min|beta:0.5"))
    assert not are_equal(parse("f_score@k|precision:min|recall:k|beta:2"), parse("f_score@k|recall:min|beta:2"))
