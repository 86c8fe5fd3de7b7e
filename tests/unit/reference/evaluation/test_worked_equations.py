"""The equations of a worked example."""

from __future__ import annotations

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem, formula_values
from recsys_metric_audit.reference.evaluation.recorded_sums import recording
from recsys_metric_audit.reference.evaluation.worked_equations import equations, sum_names
from tests.support.generated_inputs import one


def lines(signature: str, ranked: str, r: int | None = None) -> list[str]:
    definition = parse(signature)
    lists, sums = recording(Problem.of([one(ranked, r)], definition.k).lists(definition.axes))
    ratio = formula_values(definition.axes, definition, lists)
    return equations(definition, lists, ratio, sums)


def test_counts_sum_and_quotient() -> None:
    assert lines("precision@4", "1010", 3) == ["k = 4, n = 4, r = 3, H = 2", "H = 1 + 1 = 2", "value = 2 / 4 = 0.5"]


def test_a_policy_is_named_where_the_formula_says_nothing() -> None:
    *_, quotient, policy = lines("recall@2", "00", 0)
    assert quotient == "0 / 0: the formula says nothing"
    assert policy.startswith("undefined:skip: ")


def test_sums_are_named_as_in_the_formula() -> None:
    definition = parse("ndcg@2")
    lists, sums = recording(Problem.of([one("11")], 2).lists(definition.axes))
    formula_values(definition.axes, definition, lists)
    assert sum_names(definition, sums) == ("DCG", "IDCG")
