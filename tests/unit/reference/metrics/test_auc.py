"""AUC: pairs of a relevant and an irrelevant item."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.generated_inputs import examples, one, value
from tests.support.hand_computed.auc_rows import ROWS
from tests.support.hand_computed.check import assert_row, each_row
from tests.support.hand_computed.shorthand import Row


@each_row(ROWS)
def test_values_worked_out_by_hand(row: Row) -> None:
    assert_row(row)


def won(ranked: str, scores: str, tie: float) -> float:
    """Share of (relevant, irrelevant) pairs in the right order, pair by pair; ``tie`` is worth a pair of equals."""
    relevant = [int(score) for hit, score in zip(ranked, scores, strict=True) if hit == "1"]
    others = [int(score) for hit, score in zip(ranked, scores, strict=True) if hit == "0"]
    pairs = [1.0 if mine > other else tie if mine == other else 0.0 for mine in relevant for other in others]
    return sum(pairs) / len(pairs)


@examples(60)
@given(rows=st.lists(st.tuples(st.sampled_from("01"), st.sampled_from("1234")), min_size=2, max_size=9))
@pytest.mark.slow
def test_every_pair_is_counted_once(rows: list[tuple[str, str]]) -> None:
    ranked, scores = ("".join(column) for column in zip(*rows, strict=True))
    if len(set(ranked)) == 2:
        for name, tie in (("half", 0.5), ("win", 1.0), ("lose", 0.0)):
            found = value(f"auc|tied_scores:{name}", one(ranked, scores=scores))
            assert found == pytest.approx(won(ranked, scores, tie)), (ranked, scores, name)
