"""Tables for other programs: CSV and Parquet."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from io import BytesIO, StringIO
from typing import Any

from reports.wording.formatting import printable

Rows = Sequence[Mapping[str, Any]]

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


def as_parquet(columns: Sequence[str], rows: Rows) -> bytes:
    """Return ``rows`` as a Parquet file: values as float64, cut-offs as int64, flags as booleans, the rest as text."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    figures = [name for name in columns if name in ("value", "canonical_value") or name.startswith("effect_")]
    kinds = {"k": pa.int64(), **dict.fromkeys(figures, pa.float64())}
    flags = ("matches_claim", "live", "same_value")
    schema = pa.schema([(name, kinds.get(name, pa.bool_() if name in flags else pa.string())) for name in columns])
    out = BytesIO()
    pq.write_table(pa.Table.from_pylist([dict(row) for row in rows], schema=schema), out)
    return out.getvalue()
