"""The data set is the findings twice over, with the page that says what its columns mean."""

from __future__ import annotations

from pathlib import Path

import pyarrow.csv
import pyarrow.parquet as pq

from recsys_metric_audit.reports.tables.tidy_rows import TIDY_COLUMNS
from recsys_metric_audit.reports.writers import data_set
from tests.support.result_samples import small_result


def test_both_files_hold_the_same_rows(tmp_path: Path) -> None:
    paths = data_set.write_data_set(small_result(), tmp_path / "new")
    assert [path.name for path in paths] == ["findings.parquet", "findings.csv", "README.md"]
    parquet, csv = pq.read_table(paths[0]), pyarrow.csv.read_csv(paths[1])
    assert parquet.column_names == csv.column_names == list(TIDY_COLUMNS)
    assert parquet["function"].to_pylist() == csv["function"].to_pylist()
    assert len(parquet) == len(small_result().findings)
    page = paths[2].read_text(encoding="utf-8")
    assert all(f"| `{name}` |" in page for name in parquet.column_names)
    assert "CC-BY-4.0" in page


def test_the_recorded_run_is_written_where_none_is_named(tmp_path: Path) -> None:
    data_set.main(str(tmp_path))
    table = pq.read_table(tmp_path / "findings.parquet")
    assert len(table) > 400 and set(table["k"].to_pylist()) == {20, None}
