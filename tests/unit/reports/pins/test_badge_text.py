"""Badges say in a few words what a library means by a metric."""

from __future__ import annotations

import pytest

from reports.pins.badge_text import badge, default_function
from reports.pins.expectation import FunctionExpectation, VersionExpectation


def meant(verdict: str | None, *definitions: str, status: str = "measured") -> FunctionExpectation:
    return FunctionExpectation(metric="ndcg", status=status, verdict=verdict, definitions=definitions)


@pytest.mark.parametrize(
    ("found", "label", "message"),
    [
        (meant("agrees", "ndcg@k"), "ndcg@k", "binary, log2, cut ideal"),
        (meant("variant", "ndcg@k|gain:exp2|ideal:all"), "ndcg@k", "exp2 gain, log2, full ideal"),
        (meant("variant", "ndcg@k|discount:ln|users:both"), "ndcg@k", "binary, ln, cut ideal, +1 edge"),
        (meant("undocumented", "ndcg@k|users:both|order:rows"), "ndcg@k", "binary, log2, cut ideal, +2 edges"),
        (meant("agrees", "recall@k"), "recall@k", "canonical formula"),
        (meant("variant", "precision@k|denominator:min"), "precision@k", "min denominator"),
        (meant("agrees", "auc"), "auc", "canonical formula"),
        (meant("ambiguous", "ndcg@k", "ndcg@k|ideal:all"), "ndcg@k", "2 definitions fit"),
        (meant("unexplained"), "ndcg", "unexplained"),
        (meant(None, status="timed_out"), "ndcg", "timed out"),
        (None, "ndcg", "not offered"),
    ],
)
def test_the_words_of_a_badge(found: FunctionExpectation | None, label: str, message: str) -> None:
    made = badge("ndcg", found)
    assert (made.label, made.message) == (label, message)


def test_the_function_that_users_get_by_default() -> None:
    functions = {
        "a.ndcg[type=exp]": meant("variant", "ndcg@k|gain:exp2"),
        "a.old_ndcg": meant(None, status="not_offered"),
        "a.ndcg": meant("agrees", "ndcg@k"),
    }
    known = VersionExpectation(library="a", version="1", dataset="d", k=20, functions=functions)
    assert default_function(known, "ndcg") == functions["a.ndcg"]
    assert default_function(known, "recall") is None
