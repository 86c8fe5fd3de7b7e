"""Surveys the ids of predictions: which there are, and whether each user's rows stand together."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.reference.input.case import Ids
from recsys_metric_audit.reference.input.distinct import distinct
from recsys_metric_audit.reference.input.parquet_rows import ParquetRows, UnreadableRowsError, is_text


@dataclass(frozen=True, eq=False)
class IdSurvey:
    """Holds the distinct ids in ascending order, as whole numbers or text; ``grouped``: a user's rows are one run."""

    users: NDArray[Any]
    items: NDArray[Any]
    grouped: bool

    @staticmethod
    def of(rows: ParquetRows, user: str, item: str, size: int) -> IdSurvey:
        """Read both columns of ids, ``size`` rows at a time.

        Raises:
            UnreadableRowsError: for a missing id, or a damaged file.
        """
        seen = {name: _Texts() if is_text(rows.types[name]) else _Numbers() for name in (user, item)}
        for batch in rows.batches([user, item], size):
            for name, ids in seen.items():
                column = batch.column(name)
                if column.null_count:
                    raise UnreadableRowsError(f"column {name!r} has missing ids")
                if len(column):
                    ids.add(column)
        users = seen[user].distinct()
        return IdSurvey(users, seen[item].distinct(), bool(seen[user].runs == len(users)))


class _Numbers:
    """Collects whole numbers; ``runs`` counts how often a number differs from the one before."""

    def __init__(self) -> None:
        self.runs = 0
        self._known: NDArray[Any] = np.empty(0, dtype=np.int64)
        self._new: list[NDArray[Any]] = []
        self._waiting = 0
        self._last: Any = None

    def add(self, column: Any) -> None:
        values = column.to_numpy()
        self.runs += int(np.count_nonzero(values[1:] != values[:-1])) + (self._last is None or values[0] != self._last)
        self._last = values[-1]
        own = distinct(values)
        if len(self._known):
            place = np.minimum(np.searchsorted(self._known, own), len(self._known) - 1)
            own = own[self._known[place] != own]
        self._new.append(own)
        self._waiting += len(own)
        if self._waiting > len(self._known):
            self._merge()

    def distinct(self) -> NDArray[Any]:
        self._merge()
        return self._known

    def _merge(self) -> None:
        if self._new:
            known = [self._known] if len(self._known) else []
            self._known = distinct(*known, *self._new)
            self._new, self._waiting = [], 0


class _Texts:
    """Collects texts, which come as dictionaries."""

    def __init__(self) -> None:
        self.runs = 0
        self._known: set[str] = set()
        self._last: str | None = None

    def add(self, column: Any) -> None:
        codes = column.indices.to_numpy()
        first, last = column[0].as_py(), column[-1].as_py()
        self.runs += int(np.count_nonzero(codes[1:] != codes[:-1])) + (first != self._last)
        self._last = last
        self._known.update(column.dictionary.take(distinct(codes)).to_pylist())

    def distinct(self) -> NDArray[Any]:
        return np.array(sorted(self._known), dtype=object)


@dataclass(frozen=True, eq=False)
class IdNumbers:
    """Gives the number of each id: ``numbers[i]`` stands for the i-th ``distinct`` id; None if ids are numbers."""

    distinct: NDArray[Any]
    numbers: Ids | None

    def of(self, column: Any) -> Ids:
        """Return the numbers of the ids in an Arrow column."""
        if self.distinct.dtype != object:
            values: Ids = column.to_numpy()
            if self.numbers is not None:
                return self.numbers[np.searchsorted(self.distinct, values)]
            return values.astype(np.int64) if values.dtype == np.uint64 else values
        import pyarrow as pa
        import pyarrow.compute as pc

        assert self.numbers is not None  # text always has numbers
        own = distinct(column.indices.to_numpy())
        place = pc.index_in(column.dictionary.take(pa.array(own)).cast(pa.large_string()), value_set=self._texts)
        table = np.zeros(int(own[-1]) + 1 if len(own) else 0, dtype=np.int64)
        table[own] = self.numbers[place.to_numpy()]
        out: Ids = table[column.indices.to_numpy()]
        return out

    @cached_property
    def _texts(self) -> Any:
        import pyarrow as pa

        return pa.array(self.distinct, pa.large_string())
