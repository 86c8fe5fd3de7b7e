"""Rating errors."""

from __future__ import annotations

import pytest

from recsys_metric_audit.reference.metrics import METRICS
from tests.support.hand_computed.check import assert_row, each_row
from tests.support.hand_computed.rating_rows import ROWS
from tests.support.hand_computed.shorthand import Row


@each_row(ROWS)
def test_values_worked_out_by_hand(row: Row) -> None:
    assert_row(row)


@pytest.mark.parametrize(
    ("metric", "values", "reason"),
    [
        ("mae", {"pairs": "all_0_1", "candidates": "test_only"}, "pairs:rated_0_1"),
        ("r_squared", {"pairs": "rated_0_1", "relevance": "every_row"}, "do not vary"),
        ("log_loss", {"clip": "0.5"}, "how far a probability stays"),
    ],
)
def test_combinations_that_mean_nothing_are_refused(metric: str, values: dict[str, str], reason: str) -> None:
    known = METRICS[metric]
    assert known.refusal(known.canonical) is None
    assert reason in (known.refusal({**known.canonical, **values}) or "")
