"""Metrics as values: which axes act, which combinations are refused, which values leave one relevant item."""

from __future__ import annotations

import pytest

from reference.metrics import METRICS
from reference.space.metric import (
    averaging_ignores_length,
    averaging_ignores_r,
    has_single_relevant,
    is_cut,
    is_single_formula,
    is_single_mean,
    is_stacked,
    merge_uncut_sets,
    refuse_all_relevant,
)

CANONICAL = dict(METRICS["recall"].canonical)


def test_axes_that_cannot_act_are_absent() -> None:
    assert "positions" not in METRICS["hit_rate"].canonical
    with pytest.raises(KeyError):
        METRICS["hit_rate"].axis("positions")


@pytest.mark.parametrize(
    ("metric", "values", "words"),
    [
        ("recall", {"cutoff": "2.5"}, "whole number of rows"),
        ("recall", {"weight": "listed"}, "weight:listed"),
        ("ndcg", {"gain": "exp2_whole", "ideal_gain": "linear"}, "ideal_gain is same"),
        ("auc", {"scope": "stacked", "ties": "text_asc"}, "ties by text"),
        ("auc", {"scope": "stacked", "users": "hits"}, "users:hits"),
    ],
)
def test_meaningless_combinations_are_refused(metric: str, values: dict[str, str], words: str) -> None:
    reason = METRICS[metric].refusal({**METRICS[metric].canonical, **values})
    assert reason is not None and words in reason


def test_one_ranking_of_all_rows() -> None:
    auc = METRICS["auc"]
    assert is_stacked(auc, {**auc.canonical, "scope": "stacked"}) and not is_stacked(auc, auc.canonical)


def test_one_relevant_item() -> None:
    first = {**CANONICAL, "truth": "first"}
    assert has_single_relevant(first) and is_single_mean(first) and not has_single_relevant(CANONICAL)
    assert not is_single_mean({**first, "cutoff": "k_minus_1"})
    assert not is_single_mean({**first, "users": "all"}) and is_single_formula({**first, "users": "all"})


def test_what_averaging_ignores() -> None:
    assert averaging_ignores_r({}) and not averaging_ignores_r({"weight": "relevant"})
    assert averaging_ignores_length({}) and not averaging_ignores_length({"no_hit": "1/k"})


def test_an_uncut_set_has_no_order() -> None:
    assert not is_cut({"cutoff": "none"}) and is_cut({})
    turned = {"cutoff": "none", "ties": "reversed", "order": "rows", "duplicates": "counted"}
    assert merge_uncut_sets(turned) == {**turned, "ties": "given", "order": "score"}
    assert merge_uncut_sets({**turned, "cutoff": "k"}) == {**turned, "cutoff": "k"}


def test_only_relevant_candidates_are_refused() -> None:
    assert refuse_all_relevant({"candidates": "test_only", "relevance": "every_row"})
    assert refuse_all_relevant({"candidates": "test_only", "relevance": "positive"}) is None
