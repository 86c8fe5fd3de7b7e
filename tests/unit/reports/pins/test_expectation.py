"""Expectations: what of a finding is pinned."""

from __future__ import annotations

from recsys_metric_audit.reports.model.result import Behaviour
from recsys_metric_audit.reports.pins.drift import same_meaning
from recsys_metric_audit.reports.pins.expectation import FunctionExpectation, function_expectation, version_expectation
from tests.support.result_samples import finding, library, lost, result


def test_all_definitions_are_pinned_with_their_cutoff_open_and_only_what_was_asked() -> None:
    asked = {"ties": Behaviour(name="shared"), "empty": Behaviour(name="zero"), "nan": Behaviour(name="not_asked")}
    found = finding(verdict="ambiguous", equivalent=("ndcg@20|ideal:all", "ndcg@20"), behaviours=asked)
    pinned = function_expectation(found)
    assert pinned.formulas == ("ndcg@k", "ndcg@k|ideal:all")
    assert list(pinned.behaviours.items()) == [("empty", "zero"), ("ties", "shared")]
    assert pinned.words == "ndcg@k (or 1 more formula)"


def test_words_without_a_definition() -> None:
    assert function_expectation(lost("ndcg", "alpha", "timed_out", "slow")).words == "timed out"
    assert FunctionExpectation(metric="ndcg", status="measured", verdict="unexplained").words == "unexplained"


def test_levels_are_pinned_apart() -> None:
    found = finding(
        signature="ndcg@20|gain:exp2|users:both|ties:best", formula="ndcg@20|gain:exp2", unknown=("no_list",),
        does_not_apply={"order": "a ranked list"}, verdict="variant",
    )  # fmt: skip
    pinned = function_expectation(found)
    assert pinned.formulas == ("ndcg@k|gain:exp2",)
    assert (pinned.who_counts, pinned.input) == ({"users": "both"}, {"ties": "best"})
    assert (pinned.unknown, pinned.does_not_apply) == (("no_list",), ("order",))
    assert pinned.words == "ndcg@k|gain:exp2|users:both|ties:best"


def test_what_is_assumed_is_pinned_and_is_no_meaning() -> None:
    found = finding(signature="ndcg@20", does_not_apply={"order": "a ranked list"}, assumed={"order": "rows"})
    pinned = function_expectation(found)
    assert pinned.assumed == {"order": "rows"}
    assert same_meaning(pinned, function_expectation(finding(signature="ndcg@20", does_not_apply={"order": "a"})))
    assert pinned.words == "ndcg@k"


def test_a_version_has_its_own_functions_only() -> None:
    two = (library(), library(version="2.0"))
    made = result(libraries=two, findings=(finding(), finding(version="2.0", function="alpha.new")))
    assert list(version_expectation(made, "alpha", "2.0").functions) == ["alpha.new"]
