"""Hazards: what a repeat, a tie, a name or a single user can do to a number."""

from __future__ import annotations

from typing import Any

import pytest

from recsys_metric_audit.reports.edges.edge_hazards import REPEAT, hazards_of, hazards_of_row
from recsys_metric_audit.reports.edges.edge_matrix import edge_matrix
from recsys_metric_audit.reports.model.result import Finding
from tests.support.result_samples import finding, library, result


def found(signature: str, **definition: str) -> Finding:
    metric = signature.partition("@")[0].partition("|")[0]
    return finding("recall" if metric == "rmse" else metric, signature=signature, definition=definition)


@pytest.mark.parametrize(
    ("signature", "exceeds"),
    [
        ("recall@20", True),  # three hits over r = 1
        ("recall@20|duplicates:first_in_place", False),
        ("precision@20", False),  # three hits over k = 3
        ("ndcg@20", True),  # 1 + 0.63 + 0.5 over 1
        ("average_precision@20|denominator:hits", False),  # 1 on average, however many
        ("reciprocal_rank@20", False),
    ],
)
def test_a_repeat_lifts_what_counts_every_copy_over_the_relevant_items(signature: str, exceeds: bool) -> None:
    assert (REPEAT in hazards_of(found(signature, duplicates="counted"))) is exceeds


def test_what_is_not_known_of_repeats_is_no_hazard() -> None:
    assert hazards_of(found("recall@20")) == ()


@pytest.mark.parametrize(
    ("definition", "words"),
    [
        ({"ties": "text_desc"}, ["names of items decide ties"]),
        ({"ties": "best"}, ["ties count as hits"]),
        ({"ties": "given", "tied_scores": "half"}, []),
        ({"users": "all", "undefined": "nan", "no_hit": "nan"}, ["one user makes it NaN"]),
        ({"users": "truth", "undefined": "nan"}, []),  # such a user is not averaged
        ({"users": "predictions", "undefined": "1"}, ["nothing to find counts as a perfect list"]),
        ({"users": "truth", "no_list": "error"}, ["one user stops it"]),
        ({"users": "predictions", "no_list": "error"}, []),
        ({"no_negatives": "nan"}, ["one user makes it NaN"]),
    ],
)
def test_ties_and_single_users(definition: dict[str, Any], words: list[str]) -> None:
    assert list(hazards_of(found("recall@20", **definition))) == words


@pytest.mark.parametrize("rule", ["error", "nan", "1"])
def test_no_single_user_decides_one_ranking_of_all_rows(rule: str) -> None:
    assert hazards_of(found("rmse|undefined:error", users="all", undefined=rule, no_list=rule)) == ()
    assert hazards_of(found("auc|scope:stacked", users="all", undefined=rule, no_negatives=rule)) == ()


def test_a_row_names_the_metrics_of_a_hazard_that_not_all_have() -> None:
    recall = found("recall@20", duplicates="counted", ties="best")
    precision = found("precision@20", duplicates="counted", ties="best")
    assert hazards_of_row([recall, precision]) == (f"{REPEAT} (Recall)", "ties count as hits")


def test_the_matrix_has_them_in_a_column_of_their_own() -> None:
    one, other = found("recall@20", duplicates="counted"), found("precision@20", duplicates="counted")
    matrix = edge_matrix(result(libraries=(library(),), findings=(one, other)))
    assert matrix is not None and matrix.hazardous == "1 of 2 functions"
    assert [row.hazards for row in matrix.libraries[0].rows] == [(REPEAT,), ()]
