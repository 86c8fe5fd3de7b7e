"""Tells what a user hands over as a table, made into columns: frames, Arrow streams, sparse matrices, dictionaries.

Kinds are told apart by what they offer, so that no library of frames is imported.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_DIRECT = ("pandas", "polars", "pyarrow")
"""Libraries whose columns are read without a copy of the whole table."""


def as_table(table: Any, user: str, item: str, number: str) -> Any:
    """Return a table whose columns can be read by name; what is one already stays as it is.

    * A lazy frame is collected; whatever speaks the Arrow PyCapsule protocol (a DuckDB relation, for example) is read
      as an Arrow table.
    * A SciPy sparse matrix or array holds a number for each (row, column); entries that are not stored are no rows.
    * A dictionary of dictionaries holds a number for each item of each user.

    Args:
        table: What was handed over.
        user: Name of the column of users, also of the rows of a matrix.
        item: Name of the column of items, also of the columns of a matrix.
        number: Name of the column of scores or gains.
    """
    if isinstance(table, Mapping):
        nested = len(table) > 0 and all(isinstance(own, Mapping) for own in table.values())
        return _of_dictionaries(table, user, item, number) if nested else table
    if hasattr(table, "tocoo"):
        entries = table.tocoo()
        return {user: entries.row, item: entries.col, number: entries.data}
    if hasattr(table, "collect") and not hasattr(table, "to_numpy"):
        table = table.collect()
    if hasattr(table, "__arrow_c_stream__") and type(table).__module__.partition(".")[0] not in _DIRECT:
        import pyarrow as pa

        return pa.table(table)
    return table


def _of_dictionaries(table: Mapping[Any, Mapping[Any, Any]], user: str, item: str, number: str) -> dict[str, list[Any]]:
    return {
        user: [name for name, own in table.items() for _ in own],
        item: [name for own in table.values() for name in own],
        number: [value for own in table.values() for value in own.values()],
    }
