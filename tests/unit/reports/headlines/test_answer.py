"""The answer of a run."""

from __future__ import annotations

from recsys_metric_audit.reports.headlines.answer import answer
from tests.support.result_samples import differing, finding, library, lost, result


def test_the_answer_counts_what_agrees_differs_and_cannot_be_told() -> None:
    assert answer(result()) == (
        "No. Of 7 metrics that 4 library versions computed from the same predictions, they differ on the "
        "formula of 5 and of 2 (Precision and Recall) it cannot be told; MAP alone has 4 formulas, with "
        "values from 0.003 to 0.039."
    )


def test_the_answer_when_all_agree_one_ran_or_none_did() -> None:
    two = (library(), library("beta", "2"))
    both = (finding(), finding(name="beta", version="2"))
    assert answer(result(libraries=two, findings=both)) == (
        "Yes, on what was asked here. Of 1 metric that 2 library versions computed from the same "
        "predictions, they agree on the formula of 1 (NDCG)."
    )
    unsure = (finding(), finding(name="beta", version="2", verdict="unstable"))
    assert answer(result(libraries=two, findings=unsure)).startswith("No difference was found. Of 1 metric")
    assert answer(result(findings=(finding(), finding("recall")))) == (
        "One library version was measured: Alpha 1.0 computes the canonical formula of 2 of 2 metrics."
    )
    broken = lost("ndcg", "alpha", "failed", "boom")
    assert answer(result(findings=(broken,))) == "Nothing could be measured in this run."
    assert answer(result(findings=(), k=())) == "Nothing could be measured in this run."
    apart = (finding(), finding("recall", "beta", "2"))
    assert answer(result(libraries=two, findings=apart)) == (
        "Nothing can be compared: the 2 library versions that were measured have no metric in common. "
        "They compute the canonical formula of 2 of 2 metrics."
    )


def test_two_that_fit_nothing_are_not_said_to_be_two_formulas() -> None:
    three = [library(), library("beta", "2"), library("gamma", "3")]
    lost_ones = [finding(name=e.library, version=e.version, verdict="unexplained") for e in three[1:]]
    found = answer(result(libraries=three, findings=(finding(), *lost_ones)))
    assert "NDCG alone has 2 formulas" in found


def test_functions_that_differ_in_unusual_users_only_agree_on_the_formula() -> None:
    two = [library(), library("beta", "2")]
    other = differing("ndcg", "beta", "users", "both", 0.0941, version="2", verdict="agrees")
    assert "they agree on the formula of 1 (NDCG)" in answer(result(libraries=two, findings=(finding(), other)))


def test_formulas_with_equal_values_have_no_range() -> None:
    two = [library(), library("beta", "2")]
    other = differing("precision", "beta", "denominator", "shown", 0.0576, version="2")
    found = answer(result(libraries=two, findings=(finding("precision"), other)))
    assert found.endswith("; Precision alone has 2 formulas, with one value here.")
