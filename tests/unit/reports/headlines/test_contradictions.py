"""The list of contradictions between documentation and code."""

from __future__ import annotations

from typing import Any

from recsys_metric_audit.reports.headlines.contradictions import contradictions
from tests.support.result_samples import differing, finding, library, result, witness

WHERE = "docstring of beta.map"


def by_r(function: str = "beta.map", version: str = "2.3.1", **changes: Any) -> Any:
    """Return a finding that divides by r though its documentation states min(k, r)."""
    claimed = "average_precision@k|denominator:min|indicator:kept"
    return differing(
        "average_precision", "beta", "denominator", "r", 0.03, function=function, version=version,
        **{"claimed": claimed, "claim_says": "divided by min(k, r)", "matches_claim": False} | changes,
    )  # fmt: skip


def beta(*functions: str, version: str = "2.3.1") -> Any:
    return library("beta", version, claims=dict.fromkeys(functions or ("beta.map",), WHERE))


def test_a_contradiction_has_sentence_place_meaning_and_witness() -> None:
    (made,) = contradictions(result(libraries=(beta(),), findings=(by_r(claim_witness=witness()),)))
    assert (made.library, made.versions, made.functions, made.metric) == ("Beta", ("2.3.1",), ("beta.map",), "MAP")
    assert (made.says, made.where) == ("divided by min(k, r)", WHERE)
    assert made.documented == "denominator: min(k, r), the most hits there can be"
    assert made.computed == "denominator: r: the area under the precision-recall curve"
    assert made.witness == (
        "a list of 2, relevant at rank 1, r = 3, k = 2: the documentation gives 0.500, the library 0.333 "
        "(case r3-k2-hit-at-1)"
    )


def test_functions_and_versions_that_contradict_a_statement_alike_are_one_entry() -> None:
    findings = (by_r(), by_r("beta.eval[map]"), by_r(version="2.2"))
    libraries = (beta("beta.map", "beta.eval[map]"), beta(version="2.2"))
    (made,) = contradictions(result(libraries=libraries, findings=findings))
    assert made.functions == ("beta.map", "beta.eval[map]") and made.versions == ("2.3.1", "2.2")


def test_what_is_as_claimed_or_not_stated_is_no_contradiction() -> None:
    findings = (by_r(matches_claim=None), by_r("beta.other", matches_claim=True), finding("ndcg", "beta", "2.3.1"))
    assert contradictions(result(libraries=(beta(),), findings=findings)) == ()


def test_another_metric_than_documented_is_named() -> None:
    claim = {"claimed": "average_recall@k", "claim_says": "mean average recall"}
    (made,) = contradictions(result(libraries=(beta(),), findings=(by_r(formula="average_precision@20", **claim),)))
    assert made.documented == "" and made.signature.startswith("average_precision@k|denominator:r")
