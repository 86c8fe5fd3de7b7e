"""Badges say in a few words what a library means by a metric."""

from __future__ import annotations

import pytest

from recsys_metric_audit.reports.pins.badge_text import badge, default_function
from recsys_metric_audit.reports.pins.expectation import FunctionExpectation, VersionExpectation


def meant(verdict: str | None, *definitions: str, status: str = "measured") -> FunctionExpectation:
    return FunctionExpectation(metric="ndcg", status=status, verdict=verdict, formulas=definitions)


@pytest.mark.parametrize(
    ("found", "label", "message"),
    [
        (meant("agrees", "ndcg@k"), "NDCG", "canonical formula"),
        (meant("variant", "ndcg@k|gain:exp2|ideal:all"), "NDCG", "gain 2^g − 1, ideal not cut"),
        (meant("undocumented", "ndcg@k|discount:ln"), "NDCG", "natural logarithm"),
        (meant("agrees", "recall@k"), "Recall", "canonical formula"),
        (meant("variant", "precision@k|denominator:min"), "Precision", "divided by min(k, r)"),
        (meant("agrees", "auc"), "AUC", "canonical formula"),
        (meant("ambiguous", "ndcg@k", "ndcg@k|ideal:all"), "NDCG", "2 formulas fit"),
        (meant("unexplained"), "NDCG", "unexplained"),
        (meant(None, status="timed_out"), "NDCG", "timed out"),
        (None, "NDCG", "not offered"),
    ],
)
def test_the_words_of_a_badge(found: FunctionExpectation | None, label: str, message: str) -> None:
    made = badge("ndcg", found)
    assert (made.label, made.message) == (label, message)


def test_who_counts_and_input_handling_leave_the_badge_alone() -> None:
    plain = meant("agrees", "ndcg@k")
    edges = plain.model_copy(update={"who_counts": {"users": "both"}, "input": {"ties": "best"}})
    assert badge("ndcg", edges) == badge("ndcg", plain)


def test_the_colour_is_that_of_the_verdict() -> None:
    found = [meant(verdict, "ndcg@k|gain:exp2") for verdict in ("agrees", "variant", "undocumented", "ambiguous")]
    colours = [badge("ndcg", each).colour for each in (*found, meant("unexplained"))]
    assert colours == ["#4c1", "#007ec6", "#fe7d37", "#9f9f9f", "#e05d44"]


def test_the_function_that_users_get_by_default() -> None:
    functions = {
        "a.ndcg[type=exp]": meant("variant", "ndcg@k|gain:exp2"),
        "a.old_ndcg": meant(None, status="not_offered"),
        "a.ndcg": meant("agrees", "ndcg@k"),
    }
    known = VersionExpectation(library="a", version="1", dataset="d", k=20, functions=functions)
    assert default_function(known, "ndcg") == functions["a.ndcg"]
    assert default_function(known, "recall") is None
