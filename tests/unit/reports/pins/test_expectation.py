"""Expectations: what of a finding is pinned."""

from __future__ import annotations

from reports.model.result import Behaviour
from reports.pins.expectation import FunctionExpectation, function_expectation, version_expectation
from tests.support.result_samples import finding, library, lost, result


def test_all_definitions_are_pinned_with_their_cutoff_open_and_only_what_was_asked() -> None:
    asked = {"ties": Behaviour(name="shared"), "empty": Behaviour(name="zero"), "nan": Behaviour(name="not_asked")}
    found = finding(verdict="ambiguous", equivalent=("ndcg@20|ideal:all", "ndcg@20"), behaviours=asked)
    pinned = function_expectation(found)
    assert pinned.definitions == ("ndcg@k", "ndcg@k|ideal:all")
    assert list(pinned.behaviours.items()) == [("empty", "zero"), ("ties", "shared")]
    assert pinned.words == "ndcg@k (or 1 more)"


def test_words_without_a_definition() -> None:
    assert function_expectation(lost("ndcg", "alpha", "timed_out", "slow")).words == "timed out"
    assert FunctionExpectation(metric="ndcg", status="measured", verdict="unexplained").words == "unexplained"


def test_the_order_of_definitions_is_no_meaning() -> None:
    one = FunctionExpectation(metric="ndcg", status="measured", verdict="ambiguous", definitions=("a", "b"))
    assert one.meaning == one.model_copy(update={"definitions": ("b", "a")}).meaning


def test_a_version_has_its_own_functions_only() -> None:
    two = (library(), library(version="2.0"))
    made = result(libraries=two, findings=(finding(), finding(version="2.0", function="alpha.new")))
    assert list(version_expectation(made, "alpha", "2.0").functions) == ["alpha.new"]
