"""Expected reciprocal rank."""

from __future__ import annotations

import pytest

from tests.support.generated_inputs import one, value
from tests.support.hand_computed.check import assert_row, each_row
from tests.support.hand_computed.err_rows import ROWS
from tests.support.hand_computed.shorthand import Row


@each_row(ROWS)
def test_values_worked_out_by_hand(row: Row) -> None:
    assert_row(row)


@pytest.mark.parametrize("metric", ["err@2", "pfound@2", "nerr@2"])
def test_gains_of_1_as_probabilities_are_refused(metric: str) -> None:
    with pytest.raises(ValueError, match="every hit satisfy for certain"):
        value(f"{metric}|satisfaction:gain|relevance:equal_1", one("1", 1))
