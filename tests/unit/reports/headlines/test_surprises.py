"""Surprises of a run."""

from __future__ import annotations

from recsys_metric_audit.reports.headlines.surprises import surprises
from tests.support.result_samples import differing, finding, library, result


def test_surprises_come_in_the_order_of_their_surprise() -> None:
    assert [each.words for each in surprises(result())] == [
        "Another formula than documented (1): MAP of Beta 2.3.1, divides by r",
        "Gives different answers to the same question (1): Recall of Gamma 0.4",
        "Did not run (1): Omega 9 (unavailable)",
    ]


def test_a_change_of_formula_between_two_versions_is_a_surprise() -> None:
    new = differing("ndcg", "alpha", "gain", "exp2", 0.1, version="2.0")
    made = surprises(result(libraries=(library(version="2.0"), library()), findings=(new, finding())))
    assert made[0].words == "Another formula than in the version before (1): NDCG of Alpha 2.0 (before: 1.0)"


def test_another_input_handling_is_no_change_of_formula() -> None:
    new = differing("ndcg", "alpha", "ties", "item_desc", 0.1, version="2.0", verdict="agrees")
    assert surprises(result(libraries=(library(version="2.0"), library()), findings=(new, finding()))) == ()


def test_documentation_is_contradicted_on_the_formula_and_not_on_who_counts() -> None:
    users = differing("ndcg", "alpha", "users", "both", 0.1, verdict="agrees", claimed="ndcg@k|users:truth")
    users = users.model_copy(update={"matches_claim": False})
    assert surprises(result(libraries=(library(),), findings=(users,))) == ()
    gain = differing("ndcg", "alpha", "gain", "exp2", 0.1, claimed="ndcg@k|gain:linear", matches_claim=False)
    assert [each.words for each in surprises(result(libraries=(library(),), findings=(gain,)))] == [
        "Another formula than documented (1): NDCG of Alpha 1.0, gain 2^g - 1"
    ]
