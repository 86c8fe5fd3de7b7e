"""Tables for other programs: CSV and Parquet, and the data dictionary of the table of findings."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from io import BytesIO, StringIO
from typing import Any

from recsys_metric_audit.reports.model.result import Result
from recsys_metric_audit.reports.tables.tidy_rows import COLUMNS, DATASET_FORMAT, TIDY_COLUMNS, TYPE_MEANINGS, tidy_rows
from recsys_metric_audit.reports.wording.formatting import printable

Rows = Sequence[Mapping[str, Any]]

LICENCE = "CC-BY-4.0"
"""SPDX identifier of the licence of the data set; the program has another."""

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def as_csv(columns: Sequence[str], rows: Rows) -> str:
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
    columns: Sequence[str],
    rows: Rows,
    meanings: Mapping[str, str] | None = None,
    about: Mapping[str, str] | None = None,
) -> bytes:
    """Return ``rows`` as a Parquet file: values as float64, cut-offs as int64, flags as booleans, the rest as text.

    Args:
        columns: The names of the columns.
        rows: The rows, each with all columns.
        meanings: What a column holds, by its name: written as the metadata ``description`` of the column.
        about: What is told of the whole: written as metadata of the file.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    figures = [name for name in columns if name in ("value", "canonical_value") or name.startswith("effect_")]
    kinds = {"k": pa.int64(), **dict.fromkeys(figures, pa.float64())}
    flags = ("matches_claim", "live", "same_value")
    told = {name: {"description": meaning} for name, meaning in (meanings or {}).items()}
    fields = [
        pa.field(name, kinds.get(name, pa.bool_() if name in flags else pa.string()), metadata=told.get(name))
        for name in columns
    ]
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
    return as_parquet(TIDY_COLUMNS, tidy_rows(result), meanings, about)


def dictionary_table() -> str:
    """Return the data dictionary in Markdown: each column with its type, its meaning and the field that it holds."""
    lines = ["| column | type | meaning | field |", "|---|---|---|---|"]
    for column in COLUMNS:
        meaning = column.meaning.replace("``", "`").replace("|", "\\|")
        lines.append(f"| `{column.name}` | {column.type} | {meaning} | `{column.source}` |")
    types = "; ".join(f"*{name}*: {meaning}" for name, meaning in TYPE_MEANINGS.items())
    return "\n".join([*lines, "", f"Types: {types}. An empty cell (null) says that the finding has no such thing."])
