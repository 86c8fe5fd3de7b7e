"""The border: the same case, whatever kind of table it comes from."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from recsys_metric_audit.reference.input.conversion import Columns, case_from_tables
from recsys_metric_audit.reference.placement.place import place

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
