"""Table 4: the names that evaluators of retrieval give to metrics, and whether they read what was not retrieved."""

from __future__ import annotations

import pytest

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reports.tables.retrieval_names import reads_the_list_alone, retrieval_table
from recsys_metric_audit.reports.tables.table import EMPTY
from tests.support.result_samples import finding, library, result


@pytest.mark.parametrize(
    ("signature", "alone"),
    [
        ("precision@20", True),
        ("recall@k", False),  # two of two become two of four
        ("average_precision@k", False),  # over min(3, 2), then over min(3, 4)
        ("average_precision@k|denominator:hits", True),
        ("average_precision|denominator:hits|cutoff:none", True),
        ("ndcg@k", False),
        ("ndcg@k|ideal:retrieved", True),
        ("ndcg@k|ideal:listed", True),
        ("ndcg@k|ideal:ones", True),
        ("hit_rate@k", True),
    ],
)
def test_whether_a_definition_reads_what_was_not_retrieved(signature: str, alone: bool) -> None:
    assert reads_the_list_alone(parse(signature)) is alone


def test_each_function_is_named_with_what_it_computes() -> None:
    own = library("beta").model_copy(update={"group": "search", "title": "Beta"})
    kept = {"signature": "average_precision@20|denominator:hits", "formula": "average_precision@20|denominator:hits"}
    context = finding("average_precision", "beta", function="beta.metrics.ContextPrecision.measure", **kept)
    plain = finding("recall", "beta", function="beta.recall[k]")
    made = retrieval_table(result(libraries=(own, library("other")), findings=(context, plain)))
    assert made is not None
    (row,) = made.rows
    assert (row.label, row.detail) == ("Beta", own.version)
    precision, recall, average, ndcg = row.cells
    assert (precision, ndcg) == (EMPTY, EMPTY)
    assert recall.text == "recall[k]: canonical"
    assert average.text == "ContextPrecision°: divides by the number of hits"


def test_without_a_library_of_the_group_there_is_no_table() -> None:
    assert retrieval_table(result(libraries=(library("other"),), findings=(finding("recall", "other"),))) is None
