"""A file that is something else than its name says is refused by what it is."""

from __future__ import annotations

import gzip
import io
import sqlite3
import zipfile
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import orc, parquet

from recsys_metric_audit.audit.data.files.input_table import PREDICTIONS
from recsys_metric_audit.audit.data.files.user_files import read_table
from recsys_metric_audit.audit.errors import UserError

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
        read_table(tmp_path / name, PREDICTIONS)
    assert str(tmp_path / name) in caught.value.message and hint in caught.value.hint


def test_a_database_is_told(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_bytes(database(tmp_path))
    with pytest.raises(UserError, match="is an SQLite database"):
        read_table(tmp_path / "p.csv", PREDICTIONS)


@pytest.mark.parametrize("begins", ["ORC", "PAR1", "PK"])
def test_a_column_may_be_named_as_they_begin(begins: str, tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text(f"{begins},user,item,score\n0,1,3,0.5\n")
    assert read_table(tmp_path / "p.csv", PREDICTIONS).number is not None
