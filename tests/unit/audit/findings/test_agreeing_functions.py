"""Finds what to call of a library so that a given definition is computed: other arguments, or another function."""

from __future__ import annotations

from recsys_metric_audit import parse
from recsys_metric_audit.audit.findings.agreeing_functions import agreeing_functions
from recsys_metric_audit.reports.model.result import Finding, Result
from tests.support.result_samples import finding, library
from tests.support.result_samples import result as sample


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
