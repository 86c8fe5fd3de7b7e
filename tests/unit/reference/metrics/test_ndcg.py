"""NDCG: gains, discounts, ideals."""

from __future__ import annotations

import math

import numpy as np
import pytest

from recsys_metric_audit.reference.input.case import Case
from recsys_metric_audit.reference.metrics.ndcg import discounts, gains
from recsys_metric_audit.reference.space.lists import Places
from tests.support.generated_inputs import one, value
from tests.support.hand_computed.check import assert_row, each_row
from tests.support.hand_computed.ndcg_rows import INVERTED, ROWS
from tests.support.hand_computed.shorthand import A, B, C, Row


@each_row(ROWS)
def test_values_worked_out_by_hand(row: Row) -> None:
    assert_row(row)


@pytest.mark.parametrize(
    ("signature", "printed", "case"),
    [
        ("ndcg@2|ideal:all", ".339", B), ("ndcg@2", ".613", B), ("ndcg@3|ideal:ones", ".469", A),
        ("ndcg@5", ".390", C), ("ndcg@2|gain:linear", ".797", INVERTED), ("ndcg@2|gain:exp2", ".710", INVERTED),
        ("ndcg@2", ".631", one("01", 1)), ("ndcg@2|discount:log2_off_by_one", ".792", one("01", 1)),
    ],
)  # fmt: skip
def test_the_separating_experiments_print_what_the_taxonomy_says(signature: str, printed: str, case: Case) -> None:
    assert f"{value(signature, case):.3f}".lstrip("0") == printed


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("log2", [1, 1 / math.log2(3), 1 / 2]), ("ln", [1 / math.log(2), 1 / math.log(3), 1 / math.log(4)]),
        ("log10", [1 / math.log10(2), 1 / math.log10(3), 1 / math.log10(4)]),
        ("log2_clipped", [1, 1, 1 / math.log2(3)]), ("log2_off_by_one", [1 / math.log2(3), 1 / 2, 1 / math.log2(5)]),
        ("4", [2, 1 / math.log(3, 4), 1]),
    ],
)  # fmt: skip
def test_discounts_of_the_first_three_ranks(name: str, expected: list[float]) -> None:
    assert discounts(np.array([1, 2, 3]), name) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("binary", [1, 1]), ("linear", [1, 3]), ("exp2", [1, 7]), ("exp2_plus1", [3, 15]), ("square_minus_1", [0, 8]),
        ("linear_whole", [1, 3]), ("exp2_whole", [1, 7]),
        ("exp2_threshold", [0, 3]),
    ],
)  # fmt: skip
def test_gain_terms_of_gains_one_and_three_at_a_threshold_of_two(name: str, expected: list[float]) -> None:
    places = Places(np.array([0, 0]), np.array([1, 2]), np.array([1.0, 3.0]), 1)
    assert gains(places, np.array([2.0]), name) == pytest.approx(expected)
