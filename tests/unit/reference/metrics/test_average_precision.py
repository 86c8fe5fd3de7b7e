"""Average precision and average recall."""

from __future__ import annotations

import pytest

from recsys_metric_audit.reference.input.case import Case
from tests.support.generated_inputs import value
from tests.support.hand_computed.average_precision_rows import ROWS
from tests.support.hand_computed.check import assert_row, each_row
from tests.support.hand_computed.shorthand import A, C, Row


@each_row(ROWS)
def test_values_worked_out_by_hand(row: Row) -> None:
    assert_row(row)


@pytest.mark.parametrize(
    ("signature", "printed", "case"),
    [
        ("average_precision@5|denominator:cumulative", ".071", C),
        ("average_precision@3|indicator:dropped|denominator:k", ".611", A),
    ],
)
def test_the_separating_experiments_print_what_the_taxonomy_says(signature: str, printed: str, case: Case) -> None:
    assert f"{value(signature, case):.3f}".lstrip("0") == printed
