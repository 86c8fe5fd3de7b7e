"""Metrics as values: which axes act, and which combinations are refused."""

from __future__ import annotations

import pytest

from recsys_metric_audit.reference.metrics import METRICS
from recsys_metric_audit.reference.space.metric import is_cut, is_stacked, refuse_all_relevant


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


def test_hits_count_down_to_some_rank_unless_the_list_is_not_cut() -> None:
    assert is_cut({}) and not is_cut({"cutoff": "none"}) and not is_cut({"cutoff": "hits_uncut"})


def test_only_relevant_candidates_are_refused() -> None:
    assert refuse_all_relevant({"candidates": "test_only", "relevance": "every_row"})
    assert refuse_all_relevant({"candidates": "test_only", "relevance": "positive"}) is None
