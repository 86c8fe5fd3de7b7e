"""Evaluates a bucket of users on a cluster as one block: their rows of all tables, mixed in Arrow batches.

This is what an executor runs. Each row says which ``table`` it belongs to and at which ``row`` of it it stood.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reference.definitions.definition import Definition
from reference.engines.merged_values import MergedValues
from reference.engines.user_block import BlockValues, evaluate_block
from reference.evaluation.prepared import Values
from reference.input.case import Case, Ids, Predictions, Train, Truth
from reference.input.distinct import distinct

COLUMNS = ("table", "user", "item", "number", "row")
PREDICTIONS, TRUTH, TRAIN = range(3)
"""Values of ``table``; ``number`` is the score or the gain."""


@dataclass(frozen=True, eq=False)
class BucketValues:
    """Holds what came out of a bucket; ``labels`` are the ids of its users if these are text, ascending."""

    block: BlockValues
    labels: NDArray[Any] | None


@dataclass(frozen=True)
class BucketTask:
    """Says what executors compute.

    ``catalogue`` is the number of items in all buckets, and ``items`` all of them in ascending order if they are text
    and their numbers matter; 0 and None where no definition asks for that.
    """

    definitions: tuple[Definition, ...]
    threshold: float
    scale: tuple[float, float]
    catalogue: int = 0
    items: tuple[str, ...] | None = None

    def evaluate(self, batches: Iterable[Any]) -> BucketValues | ValueError | None:
        """Evaluate the rows of a bucket; None if it is empty, the error if a row is refused.

        Args:
            batches: Arrow record batches with the columns of ``COLUMNS``, in any order.
        """
        import pyarrow as pa

        held = [batch for batch in batches if batch.num_rows]
        if not held:
            return None
        rows = pa.Table.from_batches(held)
        try:
            return self._evaluated(rows)
        except ValueError as error:
            return error

    def _evaluated(self, rows: Any) -> BucketValues:
        users, labels = _numbered(rows, "user", None)
        items, _ = _numbered(rows, "item", self.items)
        number = rows.column("number").to_numpy()
        table, row = rows.column("table").to_numpy(), rows.column("row").to_numpy()

        def of(kind: int) -> tuple[Ids, Ids, NDArray[np.float64]]:
            own = np.flatnonzero(table == kind)
            if (row[own][1:] < row[own][:-1]).any():
                own = own[np.argsort(row[own])]
            return users[own], items[own], number[own]

        shown, true, seen = of(PREDICTIONS), of(TRUTH), of(TRAIN)
        if np.isnan(true[2]).any():
            raise ValueError("a row of the truth has no number as its gain")
        known = np.isin(seen[0], np.concatenate([shown[0], true[0]]))
        case = Case("data", Predictions(*shown), Truth(*true), Train(seen[0][known], seen[1][known]),
                    np.arange(self.catalogue), self.threshold, self.scale)  # fmt: skip
        block = evaluate_block(case, self.definitions)
        if labels is None:
            return BucketValues(block, None)
        return BucketValues(replace(block, users=np.arange(len(block.users))), labels[block.users])


def _numbered(rows: Any, name: str, every: Sequence[str] | None) -> tuple[Ids, NDArray[Any] | None]:
    """Return a column of ids as numbers, and the labels of the numbers if ids are text."""
    import pyarrow as pa
    import pyarrow.compute as pc

    column = rows.column(name)
    if column.null_count:
        raise ValueError(f"column {name!r} has missing ids")
    if pa.types.is_integer(column.type):
        return column.to_numpy(), None
    labels = np.array(sorted(column.unique().to_pylist()) if every is None else every, dtype=object)
    codes = pc.index_in(column, value_set=pa.array(labels, column.type))
    return codes.to_numpy().astype(np.int64), labels


def merge_buckets(
    made: Iterable[BucketValues | ValueError], definitions: Sequence[Definition]
) -> list[Values | ValueError]:
    """Merge the values of all buckets.

    Raises:
        ValueError: if the rows of a bucket were refused.
    """
    buckets = []
    for bucket in made:
        if isinstance(bucket, ValueError):
            raise bucket
        buckets.append(bucket)
    texts = [bucket.labels for bucket in buckets if bucket.labels is not None]
    labels, number = None, {}
    if texts:
        labels = np.sort(np.concatenate(texts))
        number = {label: place for place, label in enumerate(labels)}
    blocks = [bucket.block if bucket.labels is None else
              replace(bucket.block, users=np.array([number[label] for label in bucket.labels], dtype=np.int64))
              for bucket in buckets]  # fmt: skip
    empty = np.empty(0, dtype=np.int64)
    merged = MergedValues(definitions, distinct(empty, *(block.users for block in blocks)))
    for block in blocks:
        merged.add(block)
    return merged.results(labels)
