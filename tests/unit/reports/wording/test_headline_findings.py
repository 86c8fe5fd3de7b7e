"""Which function stands for a library version and a metric."""

from __future__ import annotations

import math

from recsys_metric_audit.reports.wording.headline_findings import gives_a_number, headline_findings
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


def test_the_call_that_is_documented_stands_first() -> None:
    empty = differing("auc", "alpha", "scope", "stacked", math.nan, function="alpha.auc")
    asked_for = "docstring of alpha.auc: rating is binary"
    labelled = differing("auc", "alpha", "scope", "stacked", 0.84, function="alpha.auc[rating_true=all_0_1]")
    documented = labelled.model_copy(update={"documented_call": asked_for})
    assert headline_findings(result(findings=(empty, documented)), 20) == [documented]
    assert headline_findings(result(findings=(empty, labelled)), 20) == [empty], "no number is no reason"
    missing = lost("auc", "alpha", "not_offered", "no such name", function="alpha.auc[x]", documented_call=asked_for)
    assert headline_findings(result(findings=(empty, missing)), 20) == [empty]
    broken = lost("auc", "alpha", "failed", "one class only", function="alpha.auc[x]", documented_call=asked_for)
    assert headline_findings(result(findings=(labelled, broken)), 20) == [broken], "a failure is not hidden"


def test_nan_is_no_number_and_infinity_is_one() -> None:
    values = (0.0, math.inf, math.nan, None)
    assert [gives_a_number(finding(value=value)) for value in values] == [True, True, False, False]
