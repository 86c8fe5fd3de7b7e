"""R-precision: precision at a cut-off of r."""

from __future__ import annotations

import pytest

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.equality.observed import are_equal
from tests.support.hand_computed.check import assert_row, each_row
from tests.support.hand_computed.r_precision_rows import ROWS
from tests.support.hand_computed.shorthand import Row


@each_row(ROWS)
def test_values_worked_out_by_hand(row: Row) -> None:
    assert_row(row)


@pytest.mark.parametrize("users", ["truth:first", "users:one_relevant", "truth:first|users:hits"])
def test_min_of_k_and_r_is_one_for_a_single_relevant_item(users: str) -> None:
    assert are_equal(parse(f"r_precision@k|cut:min|{users}"), parse(f"r_precision|{users}"))
    assert not are_equal(parse("r_precision@k|cut:min"), parse("r_precision"))
