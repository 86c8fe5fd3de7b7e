"""Every kind of table gives the same columns: lazy frames, Arrow streams, sparse matrices, dictionaries."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from recsys_metric_audit import Columns, evaluate
from recsys_metric_audit.reference.input.table_kinds import as_table

REC = {"user": [0, 0, 1], "item": [4, 2, 2], "score": [0.9, 0.5, 0.8]}
TRUE = {"user": [0, 1], "item": [2, 3], "gain": [1.0, 2.0]}
"""User 0 has the item 2 second; user 1 does not have his item 3."""


class Stream:
    """Offers an Arrow stream and nothing else that a frame has, as a relation of a database does."""

    columns = ("user",)

    def __init__(self, table: dict[str, list[Any]]) -> None:
        self._table = pa.table(table)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)


class Sparse:
    """Has what SciPy's sparse matrices offer for reading them."""

    def __init__(self, table: dict[str, list[Any]]) -> None:
        row, col, data = (np.array(column) for column in table.values())
        self._entries = SimpleNamespace(row=row.astype(np.int32), col=col.astype(np.int32), data=data)

    def tocoo(self) -> SimpleNamespace:
        return self._entries


def nested(table: dict[str, list[Any]]) -> dict[Any, dict[Any, Any]]:
    out: dict[Any, dict[Any, Any]] = {}
    for user, item, number in zip(*table.values(), strict=True):
        out.setdefault(user, {})[item] = number
    return out


KINDS = {
    "lazy": lambda table: pl.LazyFrame(table), "stream": Stream, "sparse": Sparse, "dictionaries": nested,
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_gives_the_same_values(kind: str) -> None:
    found = evaluate(KINDS[kind](REC), KINDS[kind](TRUE), 2, ["reciprocal_rank", "ndcg|gain:linear|ideal:none"])
    assert found["reciprocal_rank@2"].by_user() == {0: 0.5, 1: 0.0}
    assert found["ndcg@2|gain:linear|ideal:none"].mean == pytest.approx(1 / np.log2(3) / 2)


def test_names_of_columns_hold_for_matrices_and_dictionaries_too() -> None:
    names = Columns(user="u", item="i", score="s", gain="g")
    found = evaluate(Sparse(REC), nested(TRUE), 2, ["reciprocal_rank"], columns=names)
    assert found["reciprocal_rank@2"].mean == 0.25


@pytest.mark.parametrize("frame", [pd.DataFrame(REC), pl.DataFrame(REC), pa.table(REC), REC, {}])
def test_what_is_a_table_already_stays_as_it_is(frame: Any) -> None:
    assert as_table(frame, "user", "item", "score") is frame


def test_text_ids_of_dictionaries() -> None:
    found = evaluate({"ann": {"tea": 2.0, "rye": 1.0}}, {"ann": {"rye": 1}}, 2, ["mrr"])
    assert found["reciprocal_rank@2"].by_user() == {"ann": 0.5}


def test_recommended_lists_are_best_first() -> None:
    """ann's hit is second, bob's first; cyd has none."""
    predictions = {"ann": ["tea", "rye"], "bob": ("ale", "tea"), "cyd": np.array(["rye"])}
    found = evaluate(predictions, {"ann": ["rye"], "bob": ["ale", "rye"], "cyd": ["ale"]}, 2, ["mrr", "recall"])
    assert found["mrr"].by_user() == {"ann": 0.5, "bob": 1.0, "cyd": 0.0}
    assert found["recall"].by_user() == {"ann": 1.0, "bob": 0.5, "cyd": 0.0}


def test_relevant_items_may_be_sets_and_recommended_ones_not() -> None:
    assert evaluate({1: [5, 6]}, {1: {6, 7}}, 2, "recall", train={1: {8}})["recall"].mean == 0.5
    with pytest.raises(ValueError, match="user 1: a set of items has no order"):
        evaluate({1: {5, 6}}, {1: [6]}, 2)


@pytest.mark.parametrize("names", [("user", "itm"), ("users", "items"), ("userId", "movieId"), ("user_id", "item_id")])
def test_columns_of_other_names_are_not_taken_for_users(names: tuple[str, str]) -> None:
    rows = {names[0]: [1, 2], names[1]: [3, 4]}
    with pytest.raises(KeyError, match=f"no column .*; there are: {names[0]}, {names[1]}"):
        evaluate(rows, rows, 2)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([["tea"]], r"predictions: the type list is not understood; give a pandas .* \{user: \[items, best first\]\}"),
        (7, "predictions: the type int is not understood"),
        (np.ones((2, 2)), "predictions: the type ndarray is not understood"),
        ({"ann": "tea"}, "user 'ann': 'tea' is no list of items"),
        ({"ann": 3}, "user 'ann': 3 is no list of items"),
        ({"ann": {"tea": 1.0}, "bob": ["tea"]}, "user 'ann': {'tea': 1.0} is no list of items"),
        ({"ann": [1, "tea"]}, "column 'item' holds ids of several types"),
    ],
)
def test_what_is_not_understood_is_met_with_what_is(table: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        evaluate(table, TRUE, 2)


def test_the_table_that_is_not_understood_is_named() -> None:
    with pytest.raises(ValueError, match="truth: the type list"):
        evaluate(REC, [1], 2)  # type: ignore[arg-type]
