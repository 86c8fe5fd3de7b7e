"""The rows of a worked example."""

from __future__ import annotations

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem, formula_values
from recsys_metric_audit.reference.evaluation.recorded_sums import recording
from recsys_metric_audit.reference.evaluation.worked_rows import WorkedRow, WorkedTable
from tests.support.generated_inputs import one


def rows(signature: str, ranked: str) -> tuple[WorkedRow, ...]:
    definition, case = parse(signature), one(ranked)
    plain = Problem.of([case], definition.k).lists(definition.axes)
    lists, sums = recording(plain)
    formula_values(definition.axes, definition, lists)
    return WorkedTable(definition, case, False, plain, str).rows(lists, sums)


def test_hits_have_terms_and_misses_have_none() -> None:
    assert rows("precision@2", "101") == (WorkedRow(1, "10", ("1", "1")), WorkedRow(2, "11", ("–", "–")))


def test_the_ideal_list_follows_the_list() -> None:
    made = rows("ndcg@1", "01")
    assert [(row.rank, row.item) for row in made] == [(1, "10"), (1, "ideal: 11")]


def test_columns_are_the_gain_the_factors_and_the_sums() -> None:
    definition, case = parse("ndcg@1"), one("1")
    table = WorkedTable(definition, case, False, Problem.of([case], 1).lists(definition.axes), str)
    assert table.columns(("DCG", "IDCG")) == ("gain", "gain term", "discount", "DCG", "IDCG")
