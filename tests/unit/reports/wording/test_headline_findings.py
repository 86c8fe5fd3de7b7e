"""Which function stands for a library version and a metric."""

from __future__ import annotations

import math

import pytest

from reports.model.result import Finding
from reports.wording.headline_findings import gives_a_number, headline_findings
from tests.support.result_samples import differing, finding, lost, result


def test_the_headline_is_the_first_function_with_default_options_that_is_offered() -> None:
    option = differing("ndcg", "alpha", "gain", "exp2", 0.1, function="alpha.ndcg[type=exp]")
    missing = lost("ndcg", "alpha", "not_offered", "no such name", function="alpha.old_ndcg")
    first, second = finding(function="alpha.ndcg"), finding(function="alpha.Ndcg")
    given = result(findings=(option, missing, first, second))
    assert headline_findings(given, 20) == [first]
    assert headline_findings(result(findings=(option, missing)), 20) == [option]
    assert headline_findings(result(findings=(missing,)), 20) == [missing]


def test_a_failed_function_is_not_hidden_by_another_that_works() -> None:
    broken = lost("ndcg", "alpha", "failed", "boom", function="alpha.ndcg")
    assert headline_findings(result(findings=(broken, finding(function="alpha.ndcg2"))), 20) == [broken]


def test_a_documented_call_with_a_number_stands_before_one_without() -> None:
    empty = differing("auc", "alpha", "scope", "stacked", math.nan, function="alpha.auc")
    labelled = differing("auc", "alpha", "scope", "stacked", 0.84, function="alpha.auc[rating_true=all_0_1]")
    second = differing("auc", "alpha", "scope", "stacked", 0.85, function="alpha.auc[rating_true=other]")
    assert headline_findings(result(findings=(empty, labelled, second)), 20) == [labelled]
    broken = lost("auc", "alpha", "failed", "one class only", function="alpha.auc", claimed="auc|scope:stacked")
    documented = labelled.model_copy(update={"claimed": "auc|scope:stacked"})
    assert headline_findings(result(findings=(broken, documented)), 20) == [documented]


@pytest.mark.parametrize(
    "other",
    [
        differing("ndcg", "alpha", "gain", "exp2", 0.3, function="alpha.ndcg[score_type=exp]"),
        finding(function="alpha.Ndcg"),
        finding(function="alpha.ndcg[type=raw]", value=math.nan),
    ],
)
def test_nan_stays_where_another_call_computes_something_else(other: Finding) -> None:
    empty = finding(function="alpha.ndcg", value=math.nan)
    assert headline_findings(result(findings=(empty, other)), 20) == [empty]


def test_another_documented_formula_does_not_stand_in_for_a_failure() -> None:
    broken = lost("ndcg", "alpha", "failed", "boom", function="alpha.ndcg", claimed="ndcg@k")
    other = differing("ndcg", "alpha", "gain", "exp2", 0.3, function="alpha.ndcg[exp]", claimed="ndcg@k|gain:exp2")
    assert headline_findings(result(findings=(broken, other)), 20) == [broken]


def test_nan_is_no_number_and_infinity_is_one() -> None:
    values = (0.0, math.inf, math.nan, None)
    assert [gives_a_number(finding(value=value)) for value in values] == [True, True, False, False]
