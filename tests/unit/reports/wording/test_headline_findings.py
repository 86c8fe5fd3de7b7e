"""Which function stands for a library version and a metric."""

from __future__ import annotations

from reports.wording.headline_findings import headline_findings
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
