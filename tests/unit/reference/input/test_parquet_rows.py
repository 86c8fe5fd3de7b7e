from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from recsys_metric_audit.reference.input.parquet_rows import ParquetRows, UnreadableRowsError, is_parquet
from recsys_metric_audit.reference.input.rows_error import RowsError
from tests.support.generated_inputs import with_wrong_bytes


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
