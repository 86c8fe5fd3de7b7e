"""Tells what a user hands over as a table, made into columns: frames, Arrow streams, sparse matrices, dictionaries.

Kinds are told apart by what they offer, so that no library of frames is imported.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Set
from pathlib import Path
from typing import Any, Protocol

from recsys_metric_audit.reference.input.rows_error import RowsError

_DIRECT = ("pandas", "polars", "pyarrow")
"""Libraries whose columns are read without a copy of the whole table."""
ACCEPTED = (
    "a pandas or polars DataFrame, an Arrow table, {column: values}, {user: {item: number}}, "
    "{user: [items, best first]}, a SciPy sparse matrix, or the path of a .csv or .parquet file"
)
"""Says what is accepted as a table."""


_LIKE_COLUMNS = tuple(
    name + end for name in ("user", "item", "User", "Item") for end in ("", "s", "_id", "_ids", "id", "Id", "ID")
)
"""Keys of a dictionary that are taken for names of columns, not for users."""


class ArrowTable(Protocol):
    """Gives its rows as an Arrow stream: a pandas or polars DataFrame, an Arrow table, a DuckDB relation."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return the stream as a PyCapsule."""


class LazyTable(Protocol):
    """Gives a table when it is collected: a polars LazyFrame."""

    def collect(self) -> ArrowTable:
        """Return the table."""


class SparseMatrix(Protocol):
    """Gives its entries by row and column: a sparse matrix or array of SciPy."""

    def tocoo(self) -> object:
        """Return the matrix in coordinate format."""


class ByKey(Protocol):
    """Maps names of columns to their values, or users to their items: a dictionary of lists, arrays or dictionaries."""

    def keys(self) -> Iterable[object]:
        """Return the names or the users."""

    def values(self) -> Iterable[Collection[object]]:
        """Return the columns, or the items of each user."""


Table = ArrowTable | LazyTable | SparseMatrix | ByKey | str | Path
"""What is accepted as a table; ``ACCEPTED`` says it in words."""


def as_table(table: Any, user: str, item: str, number: str, *, ranked: bool = False) -> Any:
    """Return a table whose columns can be read by name; what is one already stays as it is.

    * A lazy frame is collected; whatever speaks the Arrow PyCapsule protocol (a DuckDB relation, for example) is read
      as an Arrow table.
    * A SciPy sparse matrix or array holds a number for each (row, column); entries that are not stored are no rows.
    * A dictionary of dictionaries holds a number for each item of each user, a dictionary of lists the items alone.

    Args:
        table: What was handed over.
        user: Name of the column of users, also of the rows of a matrix.
        item: Name of the column of items, also of the columns of a matrix.
        number: Name of the column of scores or gains.
        ranked: Whether lists of items are best first: their scores are then n, n - 1, ..., 1.

    Raises:
        RowsError: for a user whose items are no list, or who has a set of them where it should be best first.
    """
    if isinstance(table, Mapping):
        if len(table) > 0 and all(isinstance(own, Mapping) for own in table.values()):
            return _of_dictionaries(table, user, item, number)
        return _of_lists(table, user, item, number, ranked) if is_lists(table, user, item, number) else table
    if hasattr(table, "tocoo"):
        entries = table.tocoo()
        return {user: entries.row, item: entries.col, number: entries.data}
    if hasattr(table, "collect") and not hasattr(table, "to_numpy"):
        table = table.collect()
    if hasattr(table, "__arrow_c_stream__") and type(table).__module__.partition(".")[0] not in _DIRECT:
        import pyarrow as pa

        return pa.table(table)
    return table


def is_lists(table: Any, *columns: str) -> bool:
    """Return True for a dictionary of each user's items: none of its keys is, or looks like, the name of a column."""
    is_columns = not isinstance(table, Mapping) or any(name in table for name in (*columns, *_LIKE_COLUMNS))
    return not is_columns and not all(isinstance(own, Mapping) for own in table.values())


def _of_lists(
    table: Mapping[Any, Collection[Any]], user: str, item: str, number: str, ranked: bool
) -> dict[str, list[Any]]:
    for name, own in table.items():
        if isinstance(own, str | bytes | Mapping) or not isinstance(own, Collection):
            raise RowsError(f"user {name!r}: {own!r} is no list of items")
        if ranked and isinstance(own, Set):
            raise RowsError(f"user {name!r}: a set of items has no order; give a list, best first")
    # The order of a set is another one in each process.
    lists = [sorted(own, key=str) if isinstance(own, Set) else list(own) for own in table.values()]
    out = {
        user: [name for name, own in zip(table, lists, strict=True) for _ in own],
        item: [each for own in lists for each in own],
    }
    return out | {number: [place for own in lists for place in range(len(own), 0, -1)]} if ranked else out


def _of_dictionaries(table: Mapping[Any, Mapping[Any, Any]], user: str, item: str, number: str) -> dict[str, list[Any]]:
    return {
        user: [name for name, own in table.items() for _ in own],
        item: [name for own in table.values() for name in own],
        number: [value for own in table.values() for value in own.values()],
    }
