"""Two definitions are compared by level, on data step by step, and on the smallest input."""

from __future__ import annotations

import pytest

from recsys_metric_audit.audit.findings.definition_difference import agreeing_functions, difference, smallest_input
from recsys_metric_audit.reference.cases.probe import case_from_rows
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem
from recsys_metric_audit.reports.model.result import Finding, Result
from tests.support.result_samples import finding, library
from tests.support.result_samples import result as sample

# Two definitions are compared by level, on data step by step, and on the smallest input.


RECOMMENDED = [(1, 11, 2.0), (1, 12, 1.0), (2, 11, 2.0), (2, 12, 1.0)]
TRUTH = [(1, 11, 1.0), (1, 13, 1.0), (1, 14, 1.0), (2, 12, 1.0), (3, 11, 1.0)]
DATA = Problem.of([case_from_rows("three users", RECOMMENDED, TRUTH, threshold=1.0)], 2)


def test_each_axis_moves_the_number_by_what_follows_by_hand() -> None:
    """Recall@2 is 1/3, 1 and 0; over min(2, r) it is 1/2, 1 and 0; without the user who has no list 3/4 on average."""
    found = difference(parse("recall@2"), parse("recall@2|denominator:min|users:both"), DATA)
    assert not found.same
    assert found.levels == {"formula": {"denominator": ("r", "min")}, "who_counts": {"users": ("truth", "both")}}
    assert [(step.axis, step.value) for step in found.steps] == [
        ("", pytest.approx(4 / 9)), ("denominator", pytest.approx(1 / 2)), ("users", pytest.approx(3 / 4))
    ]  # fmt: skip
    assert found.users == 2  # the first by value, the third is not counted
    assert found.as_json()["levels"]["formula"] == {"denominator": ["r", "min"]}


def test_equal_definitions_are_the_same() -> None:
    found = difference(parse("ndcg@2|discount:ln"), parse("ndcg@2"), DATA)
    assert found.same and not found.levels and not found.steps and found.smallest is None and found.users == 0


def test_two_metrics_have_values_and_no_axes() -> None:
    """AP@2 is 1/2, 1/2 and 0; the reciprocal rank 1, 1/2 and 0."""
    found = difference(parse("average_precision@2"), parse("reciprocal_rank@2"), DATA)
    assert not found.same and not found.levels
    assert [step.value for step in found.steps] == [pytest.approx(1 / 3), pytest.approx(1 / 2)]
    assert found.users == 1


def test_the_smallest_input_shows_the_difference() -> None:
    """Over r or min(k, r): some user has more than k relevant items, and the values are h / r and h / k."""
    small = smallest_input(parse("recall@k"), parse("recall@k|denominator:min"))
    assert small is not None
    relevant, k = len(small.probe.case.truth.user), small.probe.k
    listed = small.probe.case.predictions.item[:k]
    hits = sum(item in listed for item in small.probe.case.truth.item)
    assert relevant > k
    assert (small.first, small.second) == (pytest.approx(hits / relevant), pytest.approx(hits / k))


# Finds what to call of a library so that a given definition is computed: other arguments, or another function.


def named(function: str, signature: str, version: str = "1.0") -> Finding:
    return finding(function=f"alpha.{function}", signature=signature, version=version, verdict="variant")


NDCG = named("ndcg", "ndcg@20|gain:exp2|ties:average")
EXACT = named("ndcg[gain=linear,ignore_ties=True]", "ndcg@20|gain:linear")
TIES = named("ndcg[gain=linear]", "ndcg@20|gain:linear|ties:average")
OTHER = named("graded", "ndcg@20|gain:linear|users:both")
MAP = named("map", "average_precision@20")
RESULT: Result = sample(libraries=(library(),), findings=(NDCG, OTHER, TIES, EXACT, MAP))


def test_arguments_that_give_the_definition_stand_first_then_those_that_give_its_formula() -> None:
    found = agreeing_functions(RESULT, NDCG, parse("ndcg@10|gain:linear"))
    assert [(each.function, each.differs_on) for each in found] == [
        ("alpha.ndcg[gain=linear,ignore_ties=True]", ()), ("alpha.ndcg[gain=linear]", ("ties",)),
        ("alpha.graded", ("users",)),
    ]  # fmt: skip
    assert [each.arguments for each in found] == ['gain="linear", ignore_ties=True', 'gain="linear"', ""]


def test_arguments_to_leave_out_are_told() -> None:
    (only,) = agreeing_functions(RESULT, EXACT, parse("ndcg|gain:exp2|ties:average"))
    assert (only.function, only.arguments, only.dropped) == ("alpha.ndcg", "", "gain, ignore_ties")


def test_what_is_no_nearer_than_the_function_itself_is_not_told() -> None:
    assert agreeing_functions(RESULT, TIES, parse("ndcg|gain:linear|ties:average|users:predictions")) == ()


def test_nothing_is_told_where_no_function_has_the_formula() -> None:
    assert agreeing_functions(RESULT, NDCG, parse("ndcg|discount:reciprocal")) == ()
    assert agreeing_functions(RESULT, MAP, parse("average_precision|denominator:r")) == ()


def test_only_the_same_version_of_the_library_counts() -> None:
    newer = named("ndcg[gain=linear]", "ndcg@20|gain:linear", version="2.0")
    both = sample(libraries=(library(), library(version="2.0")), findings=(NDCG, newer))
    assert agreeing_functions(both, NDCG, parse("ndcg|gain:linear")) == ()
