"""Functions are counted by what was found of them, in a few words."""

from __future__ import annotations

from recsys_metric_audit.audit.cli.progress.found_in_words import finished_in_words, found_in_words, numbers_in_words
from tests.support.result_samples import differing, finding


def test_functions_are_counted_by_verdict_each_once() -> None:
    found = [
        finding(function="one", k=5, verdict="variant"),
        finding(function="one", k=10, verdict="variant"),
        finding(function="two", verdict="agrees"),
        finding(function="three", verdict="undocumented"),
        finding(function="four", status="failed", reason="it raises", verdict=None, value=None, signature=None),
    ]
    words = "4 functions: 1 canonical, 1 another documented formula, 1 an undocumented one, 1 not measured"
    assert found_in_words(found) == words
    assert finished_in_words("alpha", "1.0", "audited", 2.25, found) == f"alpha 1.0: audited in 2.2 s; {words}"


def test_nothing_is_said_where_nothing_was_found() -> None:
    assert finished_in_words("alpha", "1.0", "unavailable", 0.5, []) == "alpha 1.0: unavailable in 0.5 s"


def test_numbers_of_the_papers_metrics_are_told_by_whose_formula_gave_them() -> None:
    found = [
        finding("recall", value=0.25),
        finding("recall", value=0.5, k=40),  # another cut-off
        finding("recall", function="alpha.f1", value=0.7).model_copy(
            update={"metric": "f_score"}
        ),  # none of the paper's metrics
        finding("recall", value=0.75, function="alpha.recall[exact=yes]"),  # no headline: it has an option
        differing("ndcg", "alpha", "gain", "exp2", 0.125),
        finding("auc", value=0.875, verdict="unexplained", signature=None, formula=None),
        differing("average_precision", "alpha", "denominator", "r", 0.375, verdict="ambiguous"),  # several fit
        finding("precision", status="failed", reason="it raises", verdict=None, value=None, signature=None),
    ]
    assert numbers_in_words(found) == (
        "at k = 20: Recall 0.250 by the canonical formula; NDCG 0.125 by another formula; "
        "MAP 0.375, AUC 0.875 by a formula that is not identified"
    )


def test_no_numbers_are_told_where_no_metric_of_the_paper_has_one() -> None:
    assert numbers_in_words([finding().model_copy(update={"metric": "f_score"}), finding(value=None)]) == ""


def test_a_metric_without_a_cutoff_is_told_without_one() -> None:
    assert numbers_in_words([finding("auc", value=0.875)]) == "AUC 0.875 by the canonical formula"


def test_one_function_is_no_plural() -> None:
    assert found_in_words([finding(verdict="agrees")]) == "1 function: 1 canonical"
