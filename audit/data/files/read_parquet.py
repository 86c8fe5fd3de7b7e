"""Reads Parquet files: the file declares the types, floats are unchanged."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from audit.data.files.ids import IdColumn, NumberColumn, TextColumn
from audit.data.files.input_table import Role, Table, bad_value, check_finite, quoted, wanted_columns
from audit.errors import UserError


def read_parquet(path: Path, role: Role) -> Table:
    """Read the columns of a Parquet file that its ``role`` needs.

    Raises:
        UserError: for invalid content, with column and row.
    """
    try:
        with pq.ParquetFile(path) as file:
            wanted = wanted_columns(path, role, list(file.schema_arrow.names))
            table = file.read(columns=wanted)
    except pa.ArrowInvalid as error:
        message = f"{path}: is no Parquet file: {error}."
        raise UserError(message, "Write it again, or name it .csv or .tsv if that is what it is.") from error
    if not table.num_rows:
        raise UserError(f"{path}: there are no rows.", f"Give a file of {role.name} with at least one row.")
    user, item = (_id_column(path, name, table.column(name)) for name in ("user", "item"))
    number = _numbers(path, role.number, table.column(role.number)) if role.number in wanted else None
    return Table(path, role, user, item, number)


def _check_no_null(path: Path, name: str, column: pa.ChunkedArray) -> None:
    if column.null_count:
        row = pc.index(pc.is_null(column), True).as_py() + 1
        raise bad_value(path, name, row, "the value is missing", "Remove the row or fill it.")


def _id_column(path: Path, name: str, column: pa.ChunkedArray) -> IdColumn:
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    _check_no_null(path, name, column)
    if pa.types.is_integer(column.type):
        return NumberColumn(column.to_numpy())
    if not _is_text(column.type):
        hint = f"Ids are whole numbers or text: cast {name} to int64 or string."
        raise UserError(f"{path}: column {name} has the type {column.type}.", hint)
    encoded = column.cast(pa.large_string()).combine_chunks().dictionary_encode()
    parts = encoded.chunks if isinstance(encoded, pa.ChunkedArray) else [encoded]
    try:
        names = tuple(parts[0].dictionary.to_pylist())
    except UnicodeDecodeError:
        raise _not_utf8(path, name, column) from None
    codes = np.concatenate([part.indices.to_numpy(zero_copy_only=False) for part in parts]).astype(np.int64)
    if "" in names:
        row = int(np.flatnonzero(codes == names.index(""))[0]) + 1
        raise bad_value(path, name, row, "the id is empty", "Remove the row or give it an id.")
    return TextColumn(codes, names, typed=True)


def _not_utf8(path: Path, name: str, column: pa.ChunkedArray) -> UserError:
    """Return the error for the first text that is not UTF-8."""
    for row, value in enumerate(column.cast(pa.large_binary()).to_pylist(), start=1):
        try:
            value.decode()
        except UnicodeDecodeError:
            return bad_value(
                path, name, row, f"{quoted(value)} is not UTF-8", "Write the text as UTF-8, or ids as numbers."
            )
    raise AssertionError("a column that cannot be decoded has a value that cannot")


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def _numbers(path: Path, name: str | None, column: pa.ChunkedArray) -> NDArray[np.float64]:
    assert name is not None  # the caller reads a number column only where the role has one
    kind = column.type
    if not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)):
        hint = f"Cast {name} to float64."
        raise UserError(f"{path}: column {name} has the type {kind}, which is not a number.", hint)
    _check_no_null(path, name, column)
    try:
        values: NDArray[np.float64] = column.cast(pa.float64()).to_numpy()
    except pa.ArrowInvalid as error:
        # whole numbers above 2^53 would be rounded to equal doubles and tie
        raise UserError(f"{path}: column {name}: {error}.", "Scale it so that float64 holds it exactly.") from error
    check_finite(path, name, values)
    return values
