"""Results as tables, one row a definition or one a user, and by their names in everyday words."""

from __future__ import annotations

import pytest

from recsys_metric_audit import evaluate

REC = {"user": ["ann", "ann", "bob"], "item": [1, 2, 1], "score": [2.0, 1.0, 1.0]}
TRUE = {"user": ["ann", "bob"], "item": [2, 1]}
MEANS = {
    "signature": ["reciprocal_rank@2", "auc|scope:stacked"], "metric": ["reciprocal_rank", "auc"], "k": [2, None],
    "value": [0.75, 0.0], "users": [2, None],
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


def test_intervals_stand_beside_the_means_where_they_were_asked() -> None:
    found = evaluate(REC, TRUE, 2, ["mrr", "auc|scope:stacked"], interval=0.9)
    assert (found.columns()["low"], found.columns()["high"]) == ([0.5, None], [1.0, None])
    assert list(found.to_pandas()) == ["signature", "metric", "k", "value", "low", "high", "users"]
    assert repr(found).splitlines()[1] == "reciprocal_rank@2  0.7500  0.5000  1.0000      2"


def test_results_show_themselves_as_their_table(found) -> None:
    assert repr(found) == (
        "signature           value  users\n"
        "reciprocal_rank@2  0.7500      2\n"
        "auc|scope:stacked  0.0000      –"
    )  # fmt: skip
    assert repr(found["mrr"]) == "signature           value  users\nreciprocal_rank@2  0.7500      2"
    assert found._repr_html_().count("<tr>") == 3 and "<td>0.7500</td>" in found._repr_html_()


def test_everyday_names_find_results() -> None:
    found = evaluate(REC, TRUE, [1, 2], ["map", "ndcg@2|gain:exp2", "mrr@2", "auc"])
    assert found["MRR"] is found["mrr@2"] is found["reciprocal_rank@2"], "there is one cut-off"
    assert found["MAP@1"] is found["average_precision@1"] and found["NDCG@2|gain:exp2"] is found["ndcg@2|gain:exp2"]
    assert found["roc auc"] is found["auc"]
    assert "map@2" in found and found.get("map@2") is not None and "map@3" not in found


def test_what_is_not_there_is_met_with_the_nearest_key() -> None:
    found = evaluate(REC, TRUE, [1, 2], ["map", "ndcg@2|gain:exp2"])
    near = {
        "map": "average_precision@1 or average_precision@2",
        "ndcg": r"ndcg@2\|gain:exp2", "ndgc@2": r"ndcg@2\|gain:exp2",
        "mapp@1": "average_precision@1", "MAP@20": "average_precision@2",
    }  # fmt: skip
    for name, key in near.items():
        with pytest.raises(KeyError, match=rf"{name}: did you mean {key}\?"):
            found[name]
    with pytest.raises(KeyError, match="there are no results"):
        evaluate(REC, TRUE, 2, [])["map"]


def test_nothing_asked_is_an_empty_table() -> None:
    empty = evaluate(REC, TRUE, 2, [])
    assert empty.to_arrow().num_rows == empty.to_polars().height == len(empty.to_pandas()) == 0
