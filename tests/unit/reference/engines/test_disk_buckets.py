"""Partitions of rows on disk: nothing is left of them where something fails."""

from __future__ import annotations

import tempfile
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import polars as pl
import pyarrow as pa
import pytest
from pyarrow import parquet

from recsys_metric_audit.reference.engines.disk_buckets import user_buckets
from recsys_metric_audit.reference.input.parquet_rows import ParquetRows, UnreadableRowsError


def test_a_thread_that_writes_after_the_error_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Polars raises while its other threads still write; where they are given no file, they make all its folders."""
    given: dict[str, Any] = {}
    removed = threading.Event()

    def partition_by(base_path: Path, **options: Any) -> object:
        given.update(options, base_path=base_path)
        return object()

    def write_late() -> None:
        removed.wait()
        if "file_path_provider" in given:
            with pytest.raises(FileNotFoundError):
                given["file_path_provider"](SimpleNamespace(partition_keys=pl.Series([0]), index_in_partition=0))
        else:
            (Path(given["base_path"]) / "bucket=0").mkdir(parents=True)

    writer = threading.Thread(target=write_late)

    def fail(*_: object, **__: object) -> None:
        writer.start()
        raise OSError("a damaged file")

    monkeypatch.setattr(pl, "PartitionBy", partition_by)
    monkeypatch.setattr(pl.LazyFrame, "sink_parquet", fail)
    columns = {"user": [1, 2, 1], "item": [1, 1, 2], "score": [1.0, 2.0, 3.0]}
    rows, temporary = tmp_path / "rows.parquet", tmp_path / "temporary"
    parquet.write_table(pa.table(columns), rows)
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    with (
        pytest.raises(UnreadableRowsError, match="a damaged file"),
        user_buckets(ParquetRows.of(rows), ("user", "item", "score"), 2),
    ):
        pass
    removed.set()
    writer.join()
    assert list(temporary.iterdir()) == []
