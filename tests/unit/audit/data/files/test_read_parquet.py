"""Parquet: what is read, and what is refused in which words."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from recsys_metric_audit.audit.data import Dataset, read_case
from recsys_metric_audit.audit.data.files import read_parquet
from recsys_metric_audit.audit.data.files.input_table import PREDICTIONS
from recsys_metric_audit.audit.errors import UserError
from tests.support.generated_inputs import with_wrong_bytes


def rows(dataset: Dataset) -> list[tuple]:
    """Predictions as the user would write them."""
    table = dataset.case.predictions
    users, items = dataset.users.of(table.user), dataset.items.of(table.item)
    return list(zip(users, items, table.score.tolist(), strict=True))


def test_dictionary_columns_and_chunks_of_parquet_are_unified(write, tmp_path):
    path = tmp_path / "p.parquet"
    schema = pa.schema({"user": pa.dictionary(pa.int32(), pa.string()), "item": pa.int32(), "score": pa.float32()})
    with pq.ParquetWriter(path, schema) as writer:
        for user in ("b", "a", "c"):
            columns = [pa.array([user, user]).dictionary_encode(), [1, 2], pa.array([0.1, 0.5], pa.float32())]
            writer.write_table(pa.table(columns, schema=schema))
    data = read_case(path, write("t.csv", "user,item\nc,1\n"), None)
    assert [row[:2] for row in rows(data)] == [(u, i) for u in "abc" for i in (2, 1)]
    assert rows(data)[1][2] == float(np.float32(0.1))


P, T = "user,item,score\n1,1,1\n", "user,item\n1,1\n"

BAD_PARQUET = {
    "missing score": ({"user": [1, 1], "item": [1, 2], "score": [1.0, None]}, "column score, row 2", "fill"),
    "nan score": ({"user": [1, 1], "item": [1, 2], "score": [1.0, float("nan")]}, "column score, row 2", "finite"),
    "text score": ({"user": [1], "item": [1], "score": ["high"]}, "column score has the type string", "Cast score"),
    "bool score": ({"user": [1], "item": [1], "score": [True]}, "column score has the type bool", "Cast score"),
    "missing user": ({"user": [1, None], "item": [1, 2], "score": [1.0, 1.0]}, "column user, row 2", "fill"),
    "float user": ({"user": [1.0], "item": [1], "score": [1.0]}, "column user has the type double", "cast user"),
    "empty id": ({"user": ["a"], "item": [""], "score": [1.0]}, "column item, row 1", "give it an id"),
    "misnamed": ({"userId": [1], "item": [1], "score": [1.0]}, "column user is missing", "'userId' to user"),
    "no rows": ({"user": pa.array([], pa.int64()), "item": [], "score": []}, "no rows", "at least one row"),
    "score beyond 2^53": ({"user": [1], "item": [1], "score": [2**53 + 1]}, "column score", "float64 holds"),
}


@pytest.mark.parametrize("name", BAD_PARQUET)
def test_bad_parquet_is_refused_with_place_and_next_step(write, name):
    columns, said, hint = BAD_PARQUET[name]
    with pytest.raises(UserError) as refused:
        read_case(write("p.parquet", pa.table(columns)), write("t.csv", T), None)
    assert said in refused.value.message
    assert hint in refused.value.hint


@pytest.mark.parametrize("typed", ["string", "dictionary"])
def test_text_that_is_not_utf_8_is_refused_with_its_row(write, typed):
    texts = pa.array([b"a", b"\xff\xfe"], pa.binary())
    column = pa.Array.from_buffers(pa.string(), 2, texts.buffers())
    if typed == "dictionary":
        column = pa.DictionaryArray.from_arrays(pa.array([0, 1], pa.int32()), column)
    path = write("p.parquet", pa.table({"user": column, "item": [1, 1], "score": [1.0, 1.0]}))
    with pytest.raises(UserError, match=r"column user, row 2: b'\\xff\\xfe' is not UTF-8") as refused:
        read_case(path, write("t.csv", T), None)
    assert "UTF-8" in refused.value.hint


def test_numbers_are_read_in_batches_and_a_missing_one_is_named_by_its_row_in_the_file(write, tmp_path, monkeypatch):
    monkeypatch.setattr(read_parquet, "_BATCH", 2)
    columns = {"user": pa.array([1, 1, 2, 2, 3], pa.int8()), "item": pa.array([5, 4, 3, 2, 1], pa.uint64())}
    whole = pa.table({**columns, "score": pa.array([5, 4, 3, 2, 1], pa.decimal128(5, 2))})
    data = read_case(write("p.parquet", whole), write("t.csv", T), None)
    assert rows(data) == [(1, 5, 5.0), (1, 4, 4.0), (2, 3, 3.0), (2, 2, 2.0), (3, 1, 1.0)]
    assert data.case.predictions.user.dtype == data.case.predictions.item.dtype == np.int64
    without = pa.table({**columns, "score": [5.0, 4.0, 3.0, None, 1.0]})
    with pytest.raises(UserError, match="column score, row 4: the value is missing"):
        read_case(write("q.parquet", without), write("t.csv", T), None)


WHOLE = pa.table({"user": np.repeat(np.arange(30), 50), "item": np.tile(np.arange(50), 30),
                  "score": np.arange(1500.0)[::-1]})  # fmt: skip


@pytest.mark.parametrize("compression", ["snappy", "none"])
def test_a_file_with_wrong_bytes_is_read_or_refused(write, tmp_path, compression):
    pq.write_table(WHOLE, tmp_path / "whole.parquet", compression=compression)
    content, truth, refused = (tmp_path / "whole.parquet").read_bytes(), write("t.csv", T), 0
    for seed in range(40):
        damaged = write("p.parquet", with_wrong_bytes(content, seed))
        try:
            read_case(damaged, truth, None)
        except UserError as error:
            assert str(damaged) in error.message
            refused += 1
    assert refused > 10


def saying(rows, *parts):
    """Return the footer of a file that tells of so many rows, altogether and in its parts."""
    return SimpleNamespace(
        num_rows=rows, num_row_groups=len(parts), row_group=lambda part: SimpleNamespace(num_rows=parts[part])
    )


@pytest.mark.parametrize("says", [saying(-1, -1), saying(10**17, 5), saying(10**19, 10**19), saying(10)])
def test_a_number_of_rows_that_cannot_be_is_no_table(tmp_path, says):
    with pytest.raises(UserError, match=f"is no Parquet file: it says that it has {says.num_rows:,} rows"):
        read_parquet._room_for(tmp_path / "p.parquet", says, np.dtype(np.float64))


def test_short_memory_is_no_damage_of_a_file(write, tmp_path, monkeypatch):
    pq.write_table(WHOLE, tmp_path / "p.parquet", row_group_size=100)

    def refuse(*given, **options):
        raise MemoryError

    monkeypatch.setattr(np, "empty", refuse)
    with pytest.raises(MemoryError):
        read_parquet.read_parquet(tmp_path / "p.parquet", PREDICTIONS)


class Told:
    """A file whose footer tells of another number of rows than there are."""

    def __init__(self, path, rows):
        self.file, self.metadata = pq.ParquetFile(path), saying(rows, rows)

    def iter_batches(self, size, columns):
        return self.file.iter_batches(size, columns=columns)


@pytest.mark.parametrize("rows", [1499, 1501])
def test_fewer_or_more_rows_than_the_file_tells_of_are_refused(tmp_path, monkeypatch, rows):
    monkeypatch.setattr(read_parquet, "_BATCH", 100)
    path = tmp_path / "p.parquet"
    pq.write_table(WHOLE, path)
    with pytest.raises(UserError, match=f"column score has other than {rows:,} rows"):
        read_parquet._filled(path, "score", Told(path, rows), np.dtype(np.float64), pa.float64())
