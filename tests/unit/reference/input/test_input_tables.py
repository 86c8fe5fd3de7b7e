"""Hold what is read from frames, arrays and Parquet files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from recsys_metric_audit import evaluate
from recsys_metric_audit.reference.input.conversion import Columns, case_from_tables
from recsys_metric_audit.reference.input.parquet_rows import ParquetRows, UnreadableRowsError, is_parquet
from recsys_metric_audit.reference.input.rows_error import RowsError
from recsys_metric_audit.reference.input.table_kinds import as_table
from recsys_metric_audit.reference.placement.place import place
from tests.support.generated_inputs import with_wrong_bytes

# The border: the same case, whatever kind of table it comes from.

REC = {"user": ["u2", "u2", "u10"], "item": ["b", "a", "b"], "score": [0.1, 0.30000000000000004, 2.5]}
TRUE = {"user": ["u10", "u3"], "item": ["b", "c"], "gain": [4.5, 5.0]}


def csv(path, table):
    lines = [",".join(table), *(",".join(map(str, row)) for row in zip(*table.values(), strict=True))]
    path.write_text("\n".join(lines) + "\n")
    return path


def stored(path, table):
    parquet.write_table(pa.table(table), path)
    return path


def categorical(table):
    return pd.DataFrame(table).astype({"user": "category", "item": "category"})


KINDS = {
    "mapping": lambda path, table: table,
    "arrays": lambda path, table: {name: np.array(column) for name, column in table.items()},
    "pandas": lambda path, table: pd.DataFrame(table),
    "categorical": lambda path, table: categorical(table),
    "polars": lambda path, table: pl.DataFrame(table),
    "arrow": lambda path, table: pa.table(table),
    "chunked": lambda path, table: pa.concat_tables([pa.table(table).slice(0, 1), pa.table(table).slice(1)]),
    "parquet": lambda path, table: stored(path / f"{len(table['user'])}.parquet", table),
    "csv": lambda path, table: csv(path / f"{len(table['user'])}.csv", table),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_table_gives_the_same_case(kind: str, tmp_path) -> None:
    """Users u10 u2 u3 and items a b c in the order of text."""
    made = case_from_tables(*(KINDS[kind](tmp_path, table) for table in (REC, TRUE)))
    assert made.users.tolist() == ["u10", "u2", "u3"]
    assert made.items.tolist() == ["a", "b", "c"]
    assert made.case.predictions.user.tolist() == [1, 1, 0]
    assert made.case.predictions.item.tolist() == [1, 0, 1]
    assert made.case.predictions.score.tolist() == REC["score"]
    assert made.case.truth.user.tolist() == [0, 2]
    assert made.case.truth.gain.tolist() == [4.5, 5.0]
    assert made.case.predictions.user.dtype == np.int32


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "categorical"])
def test_whole_numbers_stay_as_they_are(kind: str, tmp_path) -> None:
    rec = {"user": [7, 7, 1000], "item": [3, 2**62, 1], "score": [1.0, 2.0, 3.0]}
    made = case_from_tables(KINDS[kind](tmp_path, rec), KINDS[kind](tmp_path, {"user": [7], "item": [3]}))
    assert made.users is None
    assert made.items is None
    assert made.case.predictions.item.tolist() == [3, 2**62, 1]
    assert made.case.truth.gain.tolist() == [1.0]
    assert place(made.case).above.tolist() == [1]


def test_numbered_categories_are_the_numbers(tmp_path) -> None:
    made = case_from_tables(
        categorical({"user": [7, 3], "item": [1, 1], "score": [1.0, 2.0]}), {"user": [7], "item": [1]}
    )
    assert made.users is None
    assert made.case.predictions.user.tolist() == [7, 3]


def test_zeros_in_front_make_a_csv_column_text(tmp_path) -> None:
    rec = csv(tmp_path / "rec.csv", {"user": ["07", "7"], "item": ["1", "2"], "score": [1, 2]})
    made = case_from_tables(rec, csv(tmp_path / "true.csv", {"user": ["7"], "item": ["2"]}))
    assert made.users.tolist() == ["07", "7"]
    assert made.case.truth.user.tolist() == [1]
    assert made.items is None


def test_numbers_and_text_are_compared_as_text() -> None:
    made = case_from_tables(
        {"user": [10, 9], "item": [1, 1], "score": [1.0, 2.0]}, {"user": ["9", "x"], "item": [1, 2]}
    )
    assert made.users.tolist() == ["10", "9", "x"]
    assert made.case.truth.user.tolist() == [1, 2]


def test_unsigned_ids_beyond_int64_are_numbered() -> None:
    rec = {"user": np.array([2**64 - 1, 5], dtype=np.uint64), "item": [1, 1], "score": [1.0, 2.0]}
    made = case_from_tables(rec, {"user": [5], "item": [1]})
    assert made.users.tolist() == [5, 2**64 - 1]
    assert made.case.predictions.user.tolist() == [1, 0]


def test_a_dataframe_is_not_copied() -> None:
    frame = pd.DataFrame({"user": [1, 2], "item": [1, 2], "score": np.array([1, 2], dtype=np.float32)})
    made = case_from_tables(frame, frame.rename(columns={"score": "gain"}), frame)
    for name in ("user", "item", "score"):
        assert np.shares_memory(getattr(made.case.predictions, name), frame[name].to_numpy())
    assert made.case.train.item.tolist() == [1, 2]


def test_other_column_names_and_a_threshold() -> None:
    rec, true = {"u": [1], "i": [2], "s": [1.0]}, {"u": [1], "i": [2], "g": [3]}
    made = case_from_tables(rec, true, columns=Columns("u", "i", "s", "g"), threshold=3.0)
    assert made.case.threshold == 3.0
    assert made.case.truth.gain.tolist() == [3.0]


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=20))
@pytest.mark.slow
def test_csv_scores_are_exact(tmp_path_factory, scores: list[float]) -> None:
    ids = list(range(len(scores)))
    path = csv(tmp_path_factory.mktemp("exact") / "rec.csv", {"user": ids, "item": ids, "score": scores})
    assert case_from_tables(path, {"user": [0], "item": [0]}).case.predictions.score.tolist() == scores


@pytest.mark.parametrize(
    "rec, error, words",
    [
        ({"user": [1], "item": [1]}, KeyError, "no column 'score'.*user, item"),
        ({"user": [1], "item": [1], "score": ["high"]}, ValueError, "'score' holds .*not numbers"),
        ({"user": [1], "item": [1], "score": [2**53 + 1]}, ValueError, "no float64 tells apart"),
        ({"user": ["a", None], "item": [1, 1], "score": [1.0, 2.0]}, ValueError, "'user' has 1 missing"),
        ({"user": [1, 2], "item": [1], "score": [1.0]}, ValueError, "predictions differ in length"),
    ],
)
def test_what_cannot_be_read_is_refused(rec, error, words: str) -> None:
    with pytest.raises(error, match=words):
        case_from_tables(rec, {"user": [1], "item": [1]})


def test_a_gain_that_is_missing_is_refused() -> None:
    with pytest.raises(ValueError, match="'gain': row 2 has no number"):
        case_from_tables(REC, {"user": ["u2", "u2"], "item": ["a", "b"], "gain": [1.0, np.nan]})


def test_an_unknown_kind_of_file_is_refused(tmp_path) -> None:
    with pytest.raises(ValueError, match=r"rec\.txt: only \.parquet and \.csv"):
        case_from_tables(tmp_path / "rec.txt", TRUE)


@pytest.mark.slow
def test_importing_it_does_not_load_arrow() -> None:
    code = (
        "import sys, reference.input.conversion; "
        "sys.exit(any(m in sys.modules for m in ('pyarrow', 'pandas', 'polars')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table, dict])
def test_floats_that_are_whole_numbers_meet_these(kind) -> None:
    """pandas makes floats of whole numbers where a merge leaves gaps."""
    floats = kind({"user": [1.0, 2.0], "item": [30.0, 40.0], "score": [1.0, 1.0]})
    whole = case_from_tables(floats, {"user": [2, 1], "item": [30, 50]})
    assert whole.users is None and whole.case.predictions.user.tolist() == [1, 2]
    assert whole.case.predictions.item.tolist() == [30, 40] and whole.case.truth.item.tolist() == [30, 50]
    text = case_from_tables(floats, {"user": ["2", "1"], "item": ["30", "x"]})
    assert text.users.tolist() == ["1", "2"] and text.items.tolist() == ["30", "40", "x"]


@pytest.mark.parametrize("number", [0.5, float("inf"), 2.0**60])
def test_other_floats_are_no_ids(number: float) -> None:
    with pytest.raises(ValueError, match=r"column 'item' holds the float .*; ids are whole numbers or text"):
        case_from_tables({"user": [1], "item": [number], "score": [1.0]}, {"user": [1], "item": [1]})


# Every kind of table gives the same columns: lazy frames, Arrow streams, sparse matrices, dictionaries.

REC_OF_TABLE_KINDS = {"user": [0, 0, 1], "item": [4, 2, 2], "score": [0.9, 0.5, 0.8]}
TRUE_OF_TABLE_KINDS = {"user": [0, 1], "item": [2, 3], "gain": [1.0, 2.0]}
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


KINDS_OF_TABLE_KINDS = {
    "lazy": lambda table: pl.LazyFrame(table), "stream": Stream, "sparse": Sparse, "dictionaries": nested,
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS_OF_TABLE_KINDS)
def test_every_kind_gives_the_same_values(kind: str) -> None:
    found = evaluate(
        KINDS_OF_TABLE_KINDS[kind](REC_OF_TABLE_KINDS),
        KINDS_OF_TABLE_KINDS[kind](TRUE_OF_TABLE_KINDS),
        2,
        ["reciprocal_rank", "ndcg|gain:linear|ideal:none"],
    )
    assert found["reciprocal_rank@2"].by_user() == {0: 0.5, 1: 0.0}
    assert found["ndcg@2|gain:linear|ideal:none"].mean == pytest.approx(1 / np.log2(3) / 2)


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame(REC_OF_TABLE_KINDS),
        pl.DataFrame(REC_OF_TABLE_KINDS),
        pa.table(REC_OF_TABLE_KINDS),
        REC_OF_TABLE_KINDS,
        {},
    ],
)
def test_what_is_a_table_already_stays_as_it_is(frame: Any) -> None:
    assert as_table(frame, "user", "item", "score") is frame


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
        evaluate(table, TRUE_OF_TABLE_KINDS, 2)


def write(path: Path, columns: object, group: int = 10) -> Path:
    parquet.write_table(pa.table(columns), path, row_group_size=group, compression="none", use_dictionary=False)
    return path


def test_files_of_a_folder_in_the_order_of_their_paths(tmp_path: Path) -> None:
    for name, value in (("b.parquet", 3), ("a.pq", 1), ("a.parquet", 2), (".hidden.parquet", 9), ("notes.txt", 9)):
        write(tmp_path / name, {"user": [value]})
    rows = ParquetRows.of(tmp_path, ["user"])
    assert [path.name for path in rows.paths] == ["a.parquet", "a.pq", "b.parquet"]
    assert rows.rows == 3
    assert [batch.column(0).to_pylist() for batch in rows.batches(["user"], 5)] == [[2], [1], [3]]
    assert is_parquet(tmp_path) and is_parquet(tmp_path / "a.pq") and not is_parquet(tmp_path / "notes.txt")


def test_an_empty_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableRowsError, match="no Parquet file is in this folder"):
        ParquetRows.of(tmp_path)


def test_a_column_of_another_type_is_named_with_both_files(tmp_path: Path) -> None:
    write(tmp_path / "1.parquet", {"user": [1], "note": [1]})
    write(tmp_path / "2.parquet", {"user": ["1"], "note": ["a"]})
    with pytest.raises(UnreadableRowsError, match=r"2\.parquet: column 'user' holds string, and int64 in .*1\.parquet"):
        ParquetRows.of(tmp_path, ["user"])
    write(tmp_path / "2.parquet", {"user": [1], "note": ["a"]})
    assert ParquetRows.of(tmp_path, ["user"]).rows == 2


def test_a_missing_column_is_named(tmp_path: Path) -> None:
    with pytest.raises(KeyError, match="no column 'score'; there are: user, item"):
        ParquetRows.of(write(tmp_path / "1.parquet", {"user": [1], "item": [2]}), ["score"])


def test_a_file_cut_short_is_named(tmp_path: Path) -> None:
    path = write(tmp_path / "1.parquet", {"user": [1, 2, 3]})
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(UnreadableRowsError, match=r"1\.parquet: is no whole Parquet file"):
        ParquetRows.of(tmp_path)


def test_a_damaged_page_is_named_where_it_is_read(tmp_path: Path) -> None:
    path = write(tmp_path / "1.parquet", {"user": np.arange(1000)})
    held = bytearray(path.read_bytes())
    held[4:40] = b"\xff" * 36  # the header of the first page
    path.write_bytes(held)
    rows = ParquetRows.of(tmp_path)
    with pytest.raises(UnreadableRowsError, match=r"1\.parquet: the file is damaged"):
        list(rows.batches(["user"], 100))


@pytest.mark.parametrize(("ids", "numbers", "what"), [
    (pa.array([1.5]), pa.array([1.0]), "'user' holds double; ids are"),
    (pa.array([1]), pa.array(["1"]), "'score' holds string, not numbers"),
])  # fmt: skip
def test_columns_of_other_types_are_refused(ids: pa.Array, numbers: pa.Array, what: str, tmp_path: Path) -> None:
    rows = ParquetRows.of(write(tmp_path / "1.parquet", {"user": ids, "score": numbers}))
    with pytest.raises(UnreadableRowsError, match=what):
        rows.check_types(["user"], ["score"])


def test_a_file_with_wrong_bytes_is_read_or_told_to_be_damaged(tmp_path: Path) -> None:
    table = pa.table({"user": np.repeat(np.arange(30), 50), "item": np.tile(np.arange(50), 30)})
    path, refused = tmp_path / "p.parquet", 0
    parquet.write_table(table, path)
    content = path.read_bytes()
    for seed in range(40):
        path.write_bytes(with_wrong_bytes(content, seed))
        try:
            rows = ParquetRows.of(path, ("user", "item"))
            rows.check_types(("user", "item"), ())
            list(rows.batches(("user", "item"), 100))
        except RowsError:
            refused += 1
    assert refused > 10
