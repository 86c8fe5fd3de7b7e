"""Everyday names of metrics lead to their names in signatures."""

from __future__ import annotations

import math

import pytest

from recsys_metric_audit import evaluate
from recsys_metric_audit.reference.catalogue.everyday_names import (
    _NAMES,
    metric_in_name,
    metric_named,
    nearest_metric,
    parse_named,
    signature_named,
)
from recsys_metric_audit.reference.metrics import FAMILIES


@pytest.mark.parametrize(
    ("text", "metric"),
    [
        ("map", "average_precision"), ("MAP@10", "average_precision"), ("mrr", "reciprocal_rank"),
        ("recip_rank", "reciprocal_rank"), ("hr", "hit_rate"), ("hits", "hit_rate"), ("hit", "hit_rate"),
        ("success", "hit_rate"), ("p", "precision"), ("precision_at_k", "precision"), ("ap", "average_precision"),
        ("rr", "reciprocal_rank"), ("ndcg_cut", "ndcg"), ("NDCG@20", "ndcg"), ("r-precision", "r_precision"),
        ("R-Precision", "r_precision"), ("roc_auc", "auc"), ("F1", "f_score"), ("log loss", "log_loss"),
        ("nDCG", "ndcg"), ("P_10", "precision"), ("map_cut.10", "average_precision"), ("precisionAtK", "precision"),
        ("HitRatio", "hit_rate"), ("MeanReciprocalRank", "reciprocal_rank"), ("recall at 5", "recall"),
        ("ndcg_score", "ndcg"), ("R2", "r_squared"), ("mrr10", "reciprocal_rank"), ("NDCG20", "ndcg"),
        ("hr5", "hit_rate"), ("NERR10", "nerr"), ("f1_10", "f_score"),
    ],
)  # fmt: skip
def test_everyday_names(text: str, metric: str) -> None:
    assert metric_named(text) == metric


@pytest.mark.parametrize("metric", FAMILIES)
def test_a_name_in_signatures_is_itself(metric: str) -> None:
    assert metric_named(metric) == metric


def test_what_is_no_name_is_none_and_may_be_near_one() -> None:
    assert metric_named("personalization") is None
    assert nearest_metric("ndgc") == "ndcg"
    assert nearest_metric("zzzzzz") is None


@pytest.mark.parametrize(
    ("text", "signature"),
    [
        ("MAP@10|denominator:r", "average_precision@10|denominator:r"), ("P_10", "precision@10"), ("hr", "hit_rate"),
        ("ndcg10", "ndcg@10"), ("f1", "f_score"), ("r2", "r_squared"),
        ("ndcg_at_k|gain:exp2", "ndcg@k|gain:exp2"), ("ndcg_cut_20", "ndcg@20|gain:linear"),
        ("serendipity@3", "serendipity@3"), ("recall@20|denominator:min", "recall@20|denominator:min"),
    ],
)  # fmt: skip
def test_signatures_may_begin_with_an_everyday_name(text: str, signature: str) -> None:
    assert signature_named(text) == signature


def test_a_signature_of_an_everyday_name_is_parsed() -> None:
    assert parse_named("mrr@10|ranks:sum").signature() == "reciprocal_rank@10|ranks:sum"


def test_no_name_stands_for_two_metrics() -> None:
    listed = [(name, metric) for metric, _, names in _NAMES for name in names]
    assert [(name, metric) for name, metric in listed if metric_named(name) != metric] == []
    assert len({name for name, _ in listed}) == len(listed)


@pytest.mark.parametrize(
    ("name", "metric"),
    [
        ("recall_min", "recall"),
        ("compute_average_precision_at_10", "average_precision"),
        ("computeNDCG", "ndcg"),
        ("nDCG_score", "ndcg"),
        ("hit_at_k", "hit_rate"),
        ("mean_reciprocal_rank_of_first", "reciprocal_rank"),
        ("p_value", None),  # one letter within a name says nothing
        ("p", "precision"),
        ("evaluate", None),
    ],
)
def test_the_name_of_a_function_says_its_metric(name: str, metric: str | None) -> None:
    assert metric_in_name(name) == metric


def test_names_of_trec_eval_alone_have_its_formula() -> None:
    """By its m_ndcg_cut.c gains are the judgements and the ideal is their own; by m_map_cut.c the sum is over r."""
    rows = {1: ["x", "a"]}
    found = evaluate(rows, {1: {"a": 3.0, "b": 1.0}}, 2, ["ndcg_cut_2"])
    assert found["ndcg_cut_2"].mean == pytest.approx((3 / math.log2(3)) / (3 + 1 / math.log2(3)))
    assert evaluate({1: ["a"]}, {1: ["a", "b", "c"]}, 1, ["map_cut_1"])["map_cut_1"].mean == pytest.approx(1 / 3)
    assert parse_named("ndcg_cut_5|gain:binary").signature() == "ndcg@5"
    assert parse_named("ndcg_5").signature() == "ndcg@5" and parse_named("map_5").signature() == "average_precision@5"
