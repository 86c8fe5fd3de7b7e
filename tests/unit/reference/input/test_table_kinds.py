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
