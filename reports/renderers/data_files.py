"""Tables for other programs: CSV and Parquet."""

from __future__ import annotations

import csv
from collections.abc import Collection, Mapping, Sequence
from io import BytesIO, StringIO
from typing import Any

from recsys_metric_audit.reports.model.result import Result
from recsys_metric_audit.reports.tables.tidy_rows import COLUMNS, DATASET_FORMAT, ColumnType, tidy_rows
from recsys_metric_audit.reports.wording.formatting import printable

Rows = Sequence[Mapping[str, Any]]

LICENCE = "CC-BY-4.0"
"""SPDX identifier of the licence of the data set; the program has another."""

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def as_csv(columns: Collection[str], rows: Rows) -> str:
    """Return ``rows`` as CSV (RFC 4180): numbers with every digit, an empty field for None.

    Text that a spreadsheet would run as a formula gets an apostrophe in front.
    """
    out = StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows([[_csv_field(row[name]) for name in columns] for row in rows])
    return out.getvalue()


def _csv_field(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return repr(value)
    text = printable(value)
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text


def as_parquet(
    columns: Mapping[str, ColumnType],
    rows: Rows,
    meanings: Mapping[str, str] | None = None,
    about: Mapping[str, str] | None = None,
) -> bytes:
    """Return ``rows`` as a Parquet file: numbers as float64, integers as int64, flags as booleans, the rest as text.

    Args:
        columns: The types of the columns, by their names.
        rows: The rows, each with all columns.
        meanings: What a column holds, by its name: written as the metadata ``description`` of the column.
        about: What is told of the whole: written as metadata of the file.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    types = {"text": pa.string(), "number": pa.float64(), "integer": pa.int64(), "flag": pa.bool_()}
    told = {name: {"description": meaning} for name, meaning in (meanings or {}).items()}
    fields = [pa.field(name, types[kind], metadata=told.get(name)) for name, kind in columns.items()]
    schema = pa.schema(fields, metadata=dict(about) if about else None)
    out = BytesIO()
    pq.write_table(pa.Table.from_pylist([dict(row) for row in rows], schema=schema), out)
    return out.getvalue()


def findings_parquet(result: Result) -> bytes:
    """Return the findings of a result as a Parquet file that holds its data dictionary, its origin and its licence."""
    about = {
        "title": "recsys-metric-audit findings",
        "dataset_format": str(DATASET_FORMAT),
        "result_format": str(result.format),
        "tool": result.tool,
        "time": result.time.isoformat(),
        "command": result.command,
        "dataset": result.dataset.name,
        "dataset_digest": result.dataset.digest,
        "k": "; ".join(map(str, result.k)),
        "licence": LICENCE,
    }
    meanings = {column.name: column.meaning for column in COLUMNS}
    return as_parquet({column.name: column.type for column in COLUMNS}, tidy_rows(result), meanings, about)
