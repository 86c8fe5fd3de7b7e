"""Everyday names of metrics lead to their names in signatures."""

from __future__ import annotations

import pytest

from reference.catalogue.everyday_names import metric_named, nearest_metric
from reference.metrics import METRICS


@pytest.mark.parametrize(
    ("text", "metric"),
    [
        ("map", "average_precision"), ("MAP@10", "average_precision"), ("mrr", "reciprocal_rank"),
        ("recip_rank", "reciprocal_rank"), ("hr", "hit_rate"), ("hits", "hit_rate"), ("hit", "hit_rate"),
        ("success", "hit_rate"), ("p", "precision"), ("precision_at_k", "precision"), ("ap", "average_precision"),
        ("rr", "reciprocal_rank"), ("ndcg_cut", "ndcg"), ("NDCG@20", "ndcg"), ("r-precision", "r_precision"),
        ("R-Precision", "r_precision"), ("roc_auc", "auc"), ("F1", "f_score"), ("log loss", "log_loss"),
    ],
)  # fmt: skip
def test_everyday_names(text: str, metric: str) -> None:
    assert metric_named(text) == metric


@pytest.mark.parametrize("metric", METRICS)
def test_a_name_in_signatures_is_itself(metric: str) -> None:
    assert metric_named(metric) == metric


def test_what_is_no_name_is_none_and_may_be_near_one() -> None:
    assert metric_named("novelty") is None
    assert nearest_metric("ndgc") == "ndcg"
    assert nearest_metric("zzzzzz") is None
