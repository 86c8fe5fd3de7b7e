"""Results as tables: one row a definition, or one a user, in pandas, polars and Arrow."""

from __future__ import annotations

import pytest

from recsys_metric_audit import evaluate

REC = {"user": ["ann", "ann", "bob"], "item": [1, 2, 1], "score": [2.0, 1.0, 1.0]}
TRUE = {"user": ["ann", "bob"], "item": [2, 1]}
MEANS = {
    "signature": ["reciprocal_rank@2", "auc|scope:stacked"], "metric": ["reciprocal_rank", "auc"], "k": [2, None],
    "value": [0.75, 0.0], "low": [None, None], "high": [None, None], "users": [2, None],
}  # fmt: skip
"""In one ranking of all rows, the one irrelevant row (ann's first, 2.0) is above both relevant ones: AUC 0."""


@pytest.fixture
def found():
    return evaluate(REC, TRUE, 2, ["mrr", "auc|scope:stacked"])


def test_one_row_a_definition(found) -> None:
    assert found.columns() == MEANS
    assert found.to_arrow().to_pydict() == MEANS == found.to_polars().to_dict(as_series=False)
    assert found.to_pandas()["signature"].tolist() == MEANS["signature"]
    assert found.to_pandas()["k"].isna().tolist() == [False, True]


def test_one_row_a_user(found) -> None:
    rows = found.to_arrow(by_user=True).to_pylist()
    shared = {"signature": "reciprocal_rank@2", "metric": "reciprocal_rank", "k": 2}
    assert rows == [shared | {"user": "ann", "value": 0.5}, shared | {"user": "bob", "value": 1.0}]
    assert found.to_polars(by_user=True).rows(named=True) == rows
    assert found.to_pandas(by_user=True).to_dict("records") == rows


def test_intervals_stand_beside_the_means() -> None:
    found = evaluate(REC, TRUE, 2, ["mrr"], interval=0.9)
    assert (found.columns()["low"], found.columns()["high"]) == ([0.5], [1.0])


def test_nothing_asked_is_an_empty_table() -> None:
    empty = evaluate(REC, TRUE, 2, [])
    assert empty.to_arrow().num_rows == empty.to_polars().height == len(empty.to_pandas()) == 0
