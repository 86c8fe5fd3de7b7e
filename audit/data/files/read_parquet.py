"""Reads Parquet files: the file declares the types, floats are unchanged."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from recsys_metric_audit.audit.data.files import input_table
from recsys_metric_audit.audit.errors import UserError

_BATCH, _BUFFER = 1 << 18, 1 << 20
"""Rows that are read at a time, and bytes."""


def read_parquet(path: Path, role: input_table.Role) -> input_table.Table:
    """Read the columns of a Parquet file that its ``role`` needs.

    Raises:
        UserError: for invalid content, with column and row.
    """
    try:
        # Without this buffer and with the other, Arrow holds all of the file that it has read.
        with pq.ParquetFile(path, pre_buffer=False, buffer_size=_BUFFER) as file:
            wanted = input_table.wanted_columns(path, role, list(file.schema_arrow.names))
            if not file.metadata.num_rows:
                raise UserError(f"{path}: there are no rows.", f"Give a file of {role.name} with at least one row.")
            user, item = (_ids(path, name, file) for name in role.ids)
            number = _numbers(path, role.number, file) if role.number in wanted else None
    except pa.ArrowMemoryError:
        raise
    except (pa.ArrowException, UnicodeDecodeError) as error:
        raise _damaged(path, str(error)) from error
    pa.default_memory_pool().release_unused()  # Arrow keeps what it has freed
    return input_table.Table(path, role, user, item, number)


def _filled(path: Path, name: str, file: pq.ParquetFile, dtype: np.dtype[Any], cast: pa.DataType) -> NDArray[Any]:
    """Return a column of numbers, read a batch at a time: it is in memory once, in the type in which it is used.

    Raises:
        UserError: for a missing number, one that the type does not hold, or a wrong number of rows.
        pa.ArrowException: if the file is damaged.
    """
    out, row = _room_for(path, file.metadata, dtype), 0
    for batch in file.iter_batches(_BATCH, columns=[name]):
        column = batch.column(0)
        _check_no_null(path, name, column, row)
        if row + len(column) > len(out):
            break
        try:
            out[row : row + len(column)] = column.cast(cast).to_numpy()
        except pa.ArrowInvalid as error:
            # whole numbers above 2^53 would be rounded to equal doubles and tie
            hint = f"Scale it so that {dtype} holds it exactly."
            raise UserError(f"{path}: column {name}: {error}.", hint) from error
        row += len(column)
    else:
        if row == len(out):
            return out
    raise _damaged(path, f"column {name} has other than {len(out):,} rows")


def _room_for(path: Path, says: pq.FileMetaData, dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return an array of as many rows as a file says that it has.

    Raises:
        UserError: if its parts have another number of rows, or no array can have so many: then it is damaged.
        MemoryError: if memory is short.
    """
    rows = says.num_rows
    with suppress(ValueError):
        if rows == sum(says.row_group(part).num_rows for part in range(says.num_row_groups)):
            return np.empty(rows, dtype=dtype)
    raise _damaged(path, f"it says that it has {rows:,} rows")


def _damaged(path: Path, what: str) -> UserError:
    hint = "Write it again, or name it .csv or .tsv if that is what it is."
    return UserError(f"{path}: is no Parquet file: {what}.", hint)


def _check_no_null(path: Path, name: str, column: pa.Array | pa.ChunkedArray, before: int = 0) -> None:
    """Refuse a column, of which ``before`` rows were read already, with a missing value."""
    if column.null_count:
        row = before + pc.index(pc.is_null(column), True).as_py() + 1
        raise input_table.bad_value(path, name, row, "the value is missing", "Remove the row or fill it.")


def _ids(path: Path, name: str, file: pq.ParquetFile) -> input_table.IdColumn:
    kind = file.schema_arrow.field(name).type
    if not pa.types.is_integer(kind):
        return _id_column(path, name, file.read(columns=[name]).column(name))
    wide = pa.uint64() if kind == pa.uint64() else pa.int64()
    return input_table.NumberColumn(_filled(path, name, file, np.dtype(wide.to_pandas_dtype()), wide))


def _id_column(path: Path, name: str, column: pa.ChunkedArray) -> input_table.IdColumn:
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    _check_no_null(path, name, column)
    if pa.types.is_integer(column.type):
        return input_table.NumberColumn(column.to_numpy())
    if not _is_text(column.type):
        hint = f"Ids are whole numbers or text: cast {name} to int64 or string."
        raise UserError(f"{path}: column {name} has the type {column.type}.", hint)
    encoded = column.cast(pa.large_string()).combine_chunks().dictionary_encode()
    parts = encoded.chunks if isinstance(encoded, pa.ChunkedArray) else [encoded]
    try:
        return input_table.text_column(path, name, parts, typed=True)
    except UnicodeDecodeError:
        raise _not_utf8(path, name, column) from None


def _not_utf8(path: Path, name: str, column: pa.ChunkedArray) -> UserError:
    """Return the error for the first text that is not UTF-8."""
    for row, value in enumerate(column.cast(pa.large_binary()).to_pylist(), start=1):
        try:
            value.decode()
        except UnicodeDecodeError:
            return input_table.bad_value(
                path,
                name,
                row,
                f"{input_table.quoted(value)} is not UTF-8",
                "Write the text as UTF-8, or ids as numbers.",
            )
    raise AssertionError("a column that cannot be decoded has a value that cannot")


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def _numbers(path: Path, name: str | None, file: pq.ParquetFile) -> NDArray[np.float64]:
    assert name is not None  # the caller reads a number column only where the role has one
    kind = file.schema_arrow.field(name).type
    if not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)):
        hint = f"Cast {name} to float64."
        raise UserError(f"{path}: column {name} has the type {kind}, which is not a number.", hint)
    values = _filled(path, name, file, np.dtype(np.float64), pa.float64())
    input_table.check_finite(path, name, values)
    return values
