"""Convert tables of predictions, truth and train data, of any common kind, into a case.

``reference.input.table_kinds`` says what a table may be. Nothing is dropped, mended or sorted. Columns that are whole
numbers already are not copied.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.reference.input import doubtful_numbers
from recsys_metric_audit.reference.input.case import Case, Ids, Predictions, Train, Truth
from recsys_metric_audit.reference.input.rows_error import MissingColumnError, RowsError
from recsys_metric_audit.reference.input.table_kinds import ACCEPTED, Table, as_table

Labels = NDArray[Any]
_TABLES = ("predictions", "truth", "train")


@dataclass(frozen=True, eq=False)
class LabelledCase:
    """A case with the original ids: id i stands for ``users[i]`` (``items[i]``), or for i itself where that is None."""

    case: Case
    users: Labels | None
    items: Labels | None


@dataclass(frozen=True)
class Columns:
    """Names the columns that hold users, items, scores and gains.

    >>> Columns(user="customer_id", item="product_id").user
    'customer_id'
    """

    user: str = "user"
    item: str = "item"
    score: str = "score"
    gain: str = "gain"

    def __post_init__(self) -> None:
        """Refuse a column of places for one of scores.

        Raises:
            ValueError: if the name of the column of scores is one of places.
        """
        if self.score.strip().lower() in doubtful_numbers.NAMES_OF_PLACES:
            raise ValueError(
                f"{self.score!r} names places in a ranking: as scores they would turn each list round; "
                "name a column of their negatives"
            )


def case_from_tables(
    predictions: Table,
    truth: Table,
    train: Table | None = None,
    *,
    columns: Columns | None = None,
    name: str = "data",
    threshold: float = 1.0,
) -> LabelledCase:
    """Build a case from two or three tables; a truth without a column of gains has a gain of 1 in every row.

    Ids may be of any type that can be put in order. Whole numbers below 2^63 stay as they are; all others are
    numbered in their order over all tables. Floats that are whole numbers are taken for these: pandas makes floats of
    ids in a merge that leaves gaps. In CSV, a column of texts like "7" is read as whole numbers, unless
    a text in it is not written as one ("07"); where one table has numbers and another text, ids are compared as
    text.

    Args:
        predictions: Table of recommended rows.
        truth: Table of held-out rows.
        train: Table of rows that the recommender had seen, if there is one.
        columns: Names of the columns, if they are not user, item, score and gain.
        name: Name of the case, for error messages.
        threshold: Gain from which a truth row is relevant.

    Raises:
        MissingColumnError: if a table lacks a column.
        RowsError: for what is no table, if an id is missing or a fraction, columns differ in length, or a score or gain
            is no number.
    """
    names = columns or Columns()
    numbers = (names.score, names.gain, "")
    given = [predictions, truth] if train is None else [predictions, truth, train]
    tables = [
        _Table.of(role, table, names, number) for role, table, number in zip(_TABLES, given, numbers, strict=False)
    ]
    users, user_labels = _unify([table.ids(names.user) for table in tables])
    items, item_labels = _unify([table.ids(names.item) for table in tables])
    score = tables[0].numbers(names.score)
    gain = tables[1].numbers(names.gain) if names.gain in tables[1].names else np.ones(len(users[1]))
    if np.isnan(gain).any():
        raise RowsError(f"column {names.gain!r}: row {int(np.isnan(gain).argmax()) + 1} has no number")
    for table, lengths in zip(_TABLES, zip_longest(users, items, (score, gain)), strict=False):
        if len({len(column) for column in lengths if column is not None}) > 1:
            raise RowsError(f"the columns of {table} differ in length")
    seen = Train(users[2], items[2]) if train is not None else Train()
    rec, true = Predictions(users[0], items[0], score), Truth(users[1], items[1], gain)
    return LabelledCase(Case(name, rec, true, seen, threshold=threshold), user_labels, item_labels)


@dataclass(frozen=True, eq=False)
class _Text:
    """A column of ids that are not numbers: row i holds ``labels[codes[i]]``."""

    codes: NDArray[np.integer]
    labels: list[Any]


@dataclass(frozen=True, eq=False)
class _Table:
    """A table of any kind with the names of its columns; ``written`` means that its ids were read as text (CSV)."""

    held: Any
    names: Sequence[str]
    written: bool = False

    @staticmethod
    def of(role: str, table: Any, names: Columns, number: str) -> _Table:
        if isinstance(table, str | Path):
            return _read(Path(table), names)
        table = as_table(table, names.user, names.item, number, ranked=role == _TABLES[0])
        for attribute in ("column_names", "columns"):  # Arrow's `columns` are the data
            if hasattr(table, attribute):
                return _Table(table, list(getattr(table, attribute)))
        if not isinstance(table, Mapping):
            raise RowsError(f"{role}: the type {type(table).__name__} is not understood; give {ACCEPTED}")
        return _Table(table, list(table))

    def column(self, name: str) -> Any:
        if name not in self.names:
            raise MissingColumnError(f"no column {name!r}; there are: {', '.join(map(str, self.names)) or 'none'}")
        return self.held[name]

    def numbers(self, name: str) -> NDArray[Any]:
        """Return the column as floats: float32 and float64 stay as they are, other numbers become float64."""
        return as_scores(self.column(name), name)

    def ids(self, name: str) -> NDArray[Any] | _Text:
        """Return the column as whole numbers if it holds such, else as labels and their codes."""
        column = self.column(name)
        if getattr(getattr(column, "dtype", None), "kind", "") in ("i", "u"):
            whole: NDArray[Any] = _array(column)
            return whole
        text = _encoded(column, name)
        if not isinstance(text, _Text):
            return text
        if self.written and all(label == _plain(label) for label in text.labels):
            text = _Text(text.codes, [int(label) for label in text.labels])
        kinds = {type(label) for label in text.labels}
        if float in kinds:
            text, kinds = _Text(text.codes, [_whole(label, name) for label in text.labels]), {int}
        if kinds == {int} and all(-(2**63) <= label < 2**63 for label in text.labels):
            numbers: NDArray[np.int64] = np.array(text.labels, dtype=np.int64)[text.codes]
            return numbers
        return text


def as_scores(column: Any, name: str) -> NDArray[Any]:
    """Return a column as floats: float32 and float64 stay as they are, other numbers become float64.

    Raises:
        RowsError: if it holds no numbers, or whole numbers that float64 does not tell apart.
    """
    values = _array(column)
    if values.dtype.kind == "f" and values.dtype.itemsize in (4, 8):
        return values
    if values.dtype.kind not in "iufb":
        raise RowsError(f"column {name!r} holds {values.dtype}, not numbers")
    floats = values.astype(np.float64)
    if values.dtype.kind in "iu" and (floats.astype(values.dtype) != values).any():
        raise RowsError(f"column {name!r} holds whole numbers that no float64 tells apart")
    return floats


def _plain(label: str) -> str | None:
    """Return the whole number in ``label`` in its usual spelling, None if there is none."""
    return str(int(label)) if label.removeprefix("-").isdecimal() and label.isascii() else None


def _whole(label: float, name: str) -> int:
    """Return an id that is a float as the whole number that it is.

    Raises:
        RowsError: for a fraction, and for a number so large that floats do not tell it from the next.
    """
    if not label.is_integer() or abs(label) > 2**53:
        raise RowsError(f"column {name!r} holds the float {label!r}; ids are whole numbers or text")
    return int(label)


def _array(column: Any) -> NDArray[Any]:
    return np.asarray(column.to_numpy() if hasattr(column, "to_numpy") else column)


def _encoded(column: Any, name: str) -> NDArray[Any] | _Text:
    """Return whole numbers, or labels and codes, by Arrow, whose dictionaries are far faster than Python's."""
    import pyarrow as pa

    arrow = column.to_arrow() if hasattr(column, "to_arrow") else column
    if not isinstance(arrow, pa.Array | pa.ChunkedArray):
        try:
            arrow = pa.array(arrow, from_pandas=True)
        except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
            raise RowsError(f"column {name!r} holds ids of several types: {error}") from None
    if isinstance(arrow, pa.ChunkedArray):
        arrow = arrow.unify_dictionaries().combine_chunks()
    if arrow.null_count:
        raise RowsError(f"column {name!r} has {arrow.null_count} missing ids")
    if pa.types.is_integer(arrow.type):
        return np.asarray(arrow.to_numpy())
    if pa.types.is_nested(arrow.type):
        raise RowsError(f"column {name!r} holds {arrow.type}; give each item a row of its own: table.explode({name!r})")
    if not pa.types.is_dictionary(arrow.type):
        arrow = arrow.dictionary_encode()
    return _Text(arrow.indices.to_numpy(), arrow.dictionary.to_pylist())


def _read(path: Path, names: Columns) -> _Table:
    """Read a Parquet file, a folder of them, or a CSV file; Arrow reads decimal numbers to the nearest double."""
    if path.is_dir():
        return _read_folder(path, names)
    if path.suffix == ".parquet":
        from pyarrow import parquet

        table = parquet.read_table(path)
        return _Table(table, table.column_names)
    if path.suffix != ".csv":
        raise ValueError(f"{path}: only .parquet and .csv can be read")
    import pyarrow as pa
    from pyarrow import csv

    text = pa.dictionary(pa.int32(), pa.string())
    types = {names.user: text, names.item: text, names.score: pa.float64(), names.gain: pa.float64()}
    options = csv.ConvertOptions(column_types=types, null_values=[""], strings_can_be_null=True)
    table = csv.read_csv(path, convert_options=options)
    return _Table(table, table.column_names, written=True)


def _read_folder(path: Path, names: Columns) -> _Table:
    """Read the columns of a folder of Parquet files that have one of the usual names."""
    import pyarrow as pa

    from recsys_metric_audit.reference.input.parquet_rows import ParquetRows

    there = ParquetRows.of(path, (names.user, names.item)).types
    rows = ParquetRows.of(path, [name for name in vars(names).values() if name in there])
    held = [name for name in vars(names).values() if name in there]
    table = pa.Table.from_batches(rows.batches(held, 1 << 18)) if rows.rows else {name: [] for name in held}
    return _Table(table, held)


def _unify(columns: list[NDArray[Any] | _Text]) -> tuple[list[Ids], Labels | None]:
    """Replace the ids of all columns by common numbers, in the order of the labels; whole numbers stay."""
    numbers = [column for column in columns if isinstance(column, np.ndarray) and _fits(column)]
    if len(numbers) == len(columns):
        return [column.astype(np.int64) if column.dtype == np.uint64 else column for column in numbers], None
    texts = [column if isinstance(column, _Text) else _numbered(column) for column in columns]
    kinds = {type(label) for text in texts for label in text.labels}
    if len(kinds) > 1:
        texts = [_Text(text.codes, [str(label) for label in text.labels]) for text in texts]
    labels = sorted({label for text in texts for label in text.labels})
    place = {label: number for number, label in enumerate(labels)}
    narrow = np.int32 if len(labels) < 1 << 31 else np.int64
    moved: list[Ids] = [np.array([place[label] for label in text.labels], dtype=narrow)[text.codes] for text in texts]
    return moved, np.array(labels, dtype=object)


def _fits(column: NDArray[Any]) -> bool:
    return column.dtype != np.uint64 or not len(column) or int(column.max()) < 2**63


def _numbered(column: NDArray[Any]) -> _Text:
    distinct, codes = np.unique(column, return_inverse=True)
    return _Text(codes, distinct.tolist())
