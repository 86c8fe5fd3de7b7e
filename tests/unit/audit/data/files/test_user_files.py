"""The user's own files become one case: order of rows, gains, and files that are refused."""

from __future__ import annotations

import gzip
import io
import sqlite3
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import orc, parquet

from recsys_metric_audit.audit.data import Dataset, read_case
from recsys_metric_audit.audit.data.files import input_table
from recsys_metric_audit.audit.data.files.user_files import read_table
from recsys_metric_audit.audit.errors import UserError

# The user's own files become one case: order of rows, gains, and files that are refused.


PREDICTIONS = "user,item,score\nanna,x,0.9\nanna,y,0.5\nbert,y,0.7\n"

TRUTH = "user,item,gain\nanna,y,5\nbert,x,4\n"


def rows(dataset: Dataset) -> list[tuple]:
    """Predictions as the user would write them."""
    table = dataset.case.predictions
    users, items = dataset.users.of(table.user), dataset.items.of(table.item)
    return list(zip(users, items, table.score.tolist(), strict=True))


def truth_rows(dataset: Dataset) -> list[tuple]:
    table = dataset.case.truth
    users, items = dataset.users.of(table.user), dataset.items.of(table.item)
    return list(zip(users, items, table.gain.tolist(), strict=True))


def facts(dataset: Dataset) -> dict[str, int]:
    return {fact.slug: fact.count for fact in dataset.facts}


def test_rows_are_put_by_user_and_best_first_with_ties_as_given(write):
    text = "user,item,score\n2,1,0.5\n1,9,0.1\n2,3,0.7\n1,4,0.1\n1,2,0.3\n"
    data = read_case(write("p.csv", text), write("t.csv", "user,item\n1,2\n"), None)
    assert rows(data) == [(1, 2, 0.3), (1, 9, 0.1), (1, 4, 0.1), (2, 3, 0.7), (2, 1, 0.5)]
    assert facts(data)["rows-reordered"] == 4  # (1, 9) alone stays in its place
    assert "rows-in-order" not in facts(data)


def test_places_in_the_column_of_scores_are_said(write):
    """The first list alone may have scores that count up; the other one shows that they are none of places."""
    header, truth = "user,item,score\n1,7,{}\n1,8,{}\n1,9,{}\n2,7,{}\n2,8,{}\n", write("t.csv", "user,item\n1,7\n2,7\n")
    for scores, said in (
        ((1, 2, 3, 1, 2), True),
        ((0, 1, 2, 0, 1), True),
        ((1, 2, 3, 2, 1), False),
        ((3, 2, 1, 2, 1), False),
    ):
        data = read_case(write("p.csv", header.format(*scores)), truth, None)
        assert ("places-as-scores" in facts(data)) == said


def test_rows_in_order_stay_and_are_said_to(write):
    data = read_case(write("p.csv", PREDICTIONS), write("t.csv", TRUTH), None)
    assert facts(data)["rows-in-order"] == 3
    assert "rows-reordered" not in facts(data)


def test_a_truth_without_gains_counts_one_each(write):
    data = read_case(write("p.csv", PREDICTIONS), write("t.csv", "item,extra,user\nx,?,anna\n"), None)
    assert truth_rows(data) == [("anna", "x", 1.0)]
    assert data.case.scale == (0.0, 1.0)
    assert facts(data)["no-gains"] == 1


P, T = "user,item,score\n1,1,1\n", "user,item\n1,1\n"


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("p.parquet", b"hello", "no Parquet file"),
        ("p.parquet", b"", "no Parquet file"),
        ("p.csv.gz", b"user,item,score\n", "cannot be read"),
        ("p.csv.gz", gzip.compress(PREDICTIONS.encode() * 5000, mtime=0)[:-40], "cannot be read"),
        ("p.csv.gz", gzip.compress(PREDICTIONS.encode(), mtime=0)[:10] + b"\xff" * 40, "cannot be read"),
        ("p.xlsx", b"PK", "suffix .xlsx"),
        ("p", b"user", "suffix none"),
    ],
)
def test_a_file_of_another_kind_is_refused(write, name, content, said):
    with pytest.raises(UserError, match=said) as refused:
        read_case(write(name, content), write("t.csv", T), None)
    assert refused.value.hint


def test_a_missing_file_a_directory_and_a_locked_file_are_refused(write, tmp_path, monkeypatch):
    truth = write("t.csv", T)
    with pytest.raises(UserError, match="no such file"):
        read_case(tmp_path / "none.csv", truth, None)
    with pytest.raises(UserError, match="is a directory"):
        read_case(tmp_path, truth, None)
    locked = write("p.csv", P)

    def refuse(*_args, **_options):
        raise PermissionError(13, "Permission denied")  # a test run as root could read any mode

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(UserError, match="no permission") as refused:
        read_case(locked, truth, None)
    assert "chmod" in refused.value.hint


# Ids of several files get one numbering; text, numbers and mixed types.


def test_text_ids_are_numbered_in_the_order_of_the_text(write):
    data = read_case(write("p.csv", PREDICTIONS), write("t.csv", TRUTH), None, threshold=4.0)
    assert rows(data) == [("anna", "x", 0.9), ("anna", "y", 0.5), ("bert", "y", 0.7)]
    assert truth_rows(data) == [("anna", "y", 5.0), ("bert", "x", 4.0)]
    assert data.case.predictions.user.tolist() == [0, 0, 1]
    assert data.case.predictions.item.tolist() == [0, 1, 1]
    assert data.case.catalogue.tolist() == [0, 1]
    assert data.case.threshold == 4.0
    assert data.case.scale == (4.0, 5.0)
    assert (data.shape.users, data.shape.items, data.shape.pairs, data.shape.rows) == (2, 2, 2, 3)
    assert data.case.predictions.user.dtype == np.int64


def test_whole_numbers_are_kept_as_they_are(write):
    predictions = write("p.csv", "user,item,score\n7,900,2\n7,10,1\n12,10,1\n")
    data = read_case(predictions, write("t.csv", "user,item\n7,10\n"), None)
    assert data.users.names is None
    assert data.case.predictions.user.tolist() == [7, 7, 12]
    assert data.case.predictions.item.tolist() == [900, 10, 10]
    assert rows(data)[0] == (7, 900, 2.0)


def test_a_leading_zero_makes_the_column_text_and_keeps_ids_apart(write):
    predictions = write("p.csv", "user,item,score\n01,1,2\n1,1,1\n1,01,0\n1,10,-1\n1,9,-2\n")
    data = read_case(predictions, write("t.csv", "user,item\n1,01\n"), None)
    assert rows(data) == [("01", "1", 2.0), ("1", "1", 1.0), ("1", "01", 0.0), ("1", "10", -1.0), ("1", "9", -2.0)]
    assert data.items.of([0, 1, 2, 3]) == ["01", "1", "10", "9"]


def test_a_number_in_one_file_and_text_in_another_csv_is_text_in_both(write):
    data = read_case(write("p.csv", "user,item,score\n1,a,1\n2,7,1\n"), write("t.csv", "user,item\n1,7\nu2,a\n"), None)
    assert rows(data) == [("1", "a", 1.0), ("2", "7", 1.0)]
    assert "mixed-id-types" not in facts(data)


def test_numbers_below_zero_or_beyond_int64_are_numbered_by_value(write):
    big = 2**64 - 1
    text = f"user,item,score\n-3,{big},1\n10,-20,1\n9,5,1\n"
    data = read_case(write("p.csv", text), write("t.csv", "user,item\n9,5\n"), None)
    assert rows(data) == [(-3, big, 1.0), (9, 5, 1.0), (10, -20, 1.0)]
    assert data.users.of([0, 1, 2]) == [-3, 9, 10]
    assert data.items.of([0, 1, 2]) == [-20, 5, big]


def test_unsigned_parquet_ids_beyond_int64_survive(write):
    big = 2**64 - 1
    table = pa.table({"user": pa.array([big, 1], pa.uint64()), "item": [1, 1], "score": [1.0, 2.0]})
    data = read_case(write("p.parquet", table), write("t.csv", f"user,item\n{big},1\n"), None)
    assert rows(data) == [(1, 1, 2.0), (big, 1, 1.0)]


def test_mixed_types_of_parquet_files_are_compared_as_text_and_said(write):
    predictions = write("p.parquet", pd.DataFrame({"user": [1, 2], "item": ["a", "b"], "score": [1.0, 2.0]}))
    truth = write("t.parquet", pd.DataFrame({"user": ["2", "10"], "item": ["b", "b"]}))
    data = read_case(predictions, truth, None)
    assert rows(data) == [("1", "a", 1.0), ("2", "b", 2.0)]
    assert facts(data)["mixed-id-types"] == 1
    assert data.users.of([0, 1, 2]) == ["1", "10", "2"]


def test_text_in_parquet_stays_text_even_where_it_looks_like_numbers(write):
    frame = pd.DataFrame({"user": ["10", "9"], "item": ["1", "1"], "score": [1.0, 2.0]})
    data = read_case(write("p.parquet", frame), write("t.csv", "user,item\n9,1\n"), None)
    assert rows(data) == [("10", "1", 1.0), ("9", "1", 2.0)]


# A file that is something else than its name says is refused by what it is.


TABLE = pa.table({"user": [1, 2], "item": [3, 4], "score": [0.5, 0.25]})
TEXT = "user,item,score\n1,3,0.5\n"


def written(write) -> bytes:
    stream = io.BytesIO()
    write(stream)
    return stream.getvalue()


def database(folder: Path) -> bytes:
    connection = sqlite3.connect(folder / "made.db")
    connection.execute("create table t (user int)")
    connection.commit()
    connection.close()
    return (folder / "made.db").read_bytes()


def archive(stream: io.BytesIO) -> None:
    with zipfile.ZipFile(stream, "w") as made:
        made.writestr("sheet.xml", "\0" + TEXT)


PARQUET = written(lambda stream: parquet.write_table(TABLE, stream))
ORC = written(lambda stream: orc.write_table(TABLE, stream))
LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
KINDS = [
    ("p.csv", gzip.compress(TEXT.encode(), mtime=0), "is compressed with gzip", "Name it p.csv.gz"),
    ("p.parquet", gzip.compress(TEXT.encode(), mtime=0), "is compressed with gzip", "gunzip"),
    ("p.csv", PARQUET, "is a Parquet file", "Name it .parquet"),
    ("p.csv.gz", PARQUET, "is a Parquet file", "Name it .parquet"),
    ("p.tsv.gz", gzip.compress(PARQUET, mtime=0), "is a Parquet file", "Name it .parquet"),
    ("p.parquet", ORC, "is an ORC file", "Parquet"),
    ("p.csv", ORC, "is an ORC file", "Parquet"),
    ("p.csv", written(archive), "is a ZIP archive", "CSV"),
    ("p.run", b"%PDF-1.7\n%...", "is a PDF", "CSV"),
    ("p.csv", b"\n<!DOCTYPE html><title>404 Not Found</title>", "is a web page", "fetch the file again"),
    ("p.csv.gz", gzip.compress(b"<HTML><body>", mtime=0), "is a web page", "fetch the file again"),
    ("p.parquet", LFS, "is a Git LFS pointer", "git lfs pull"),
    ("p.csv", TEXT.encode("utf-32"), "is text in UTF-32", "iconv -f UTF-32"),
]


@pytest.mark.parametrize(("name", "content", "what", "hint"), KINDS)
def test_each_kind_has_its_sentence(name: str, content: bytes, what: str, hint: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(UserError, match=what) as caught:
        read_table(tmp_path / name, input_table.PREDICTIONS)
    assert str(tmp_path / name) in caught.value.message and hint in caught.value.hint


def test_a_database_is_told(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_bytes(database(tmp_path))
    with pytest.raises(UserError, match="is an SQLite database"):
        read_table(tmp_path / "p.csv", input_table.PREDICTIONS)


@pytest.mark.parametrize("begins", ["ORC", "PAR1", "PK"])
def test_a_column_may_be_named_as_they_begin(begins: str, tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text(f"{begins},user,item,score\n0,1,3,0.5\n")
    assert read_table(tmp_path / "p.csv", input_table.PREDICTIONS).number is not None
