"""Kendall's tau and Spearman's rho."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.generated_inputs import examples, one, value
from tests.support.hand_computed.check import assert_row, each_row
from tests.support.hand_computed.rank_correlation_rows import ROWS
from tests.support.hand_computed.shorthand import Row


@each_row(ROWS)
def test_values_worked_out_by_hand(row: Row) -> None:
    assert_row(row)


@examples(40)
@given(ranked=st.text("01", min_size=2, max_size=8))
def test_tau_is_concordant_minus_discordant_pairs_over_all_unequal_ones(ranked: str) -> None:
    signs = [1 if first > second else -1 for first, second in combinations(ranked, 2) if first != second]
    if signs:
        assert value("kendall_tau", one(ranked)) == pytest.approx(sum(signs) / len(signs))
