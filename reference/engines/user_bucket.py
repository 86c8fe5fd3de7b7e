"""Evaluates a bucket of users on a cluster as one block: their rows of all tables, in pieces.

This is what an executor runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.engines.merged_values import MergedValues
from recsys_metric_audit.reference.engines.row_pieces import PREDICTIONS, TRAIN, TRUTH, unpack
from recsys_metric_audit.reference.engines.user_block import BlockValues, evaluate_block
from recsys_metric_audit.reference.evaluation.prepared import Values
from recsys_metric_audit.reference.input.case import Case, Ids, Predictions, Train, Truth
from recsys_metric_audit.reference.input.distinct import distinct


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
            batches: Arrow record batches of the bucket's pieces (:mod:`reference.engines.row_pieces`), in any order.
        """
        tables = unpack(batches)
        if not tables:
            return None
        try:
            return self._evaluated(tables)
        except ValueError as error:
            return error

    def _evaluated(self, tables: dict[int, Any]) -> BucketValues:
        users, labels = _numbered(tables, "user", None)
        items, _ = _numbered(tables, "item", self.items)

        def number(kind: int) -> NDArray[np.float64]:
            own = tables.get(kind)
            return np.empty(0) if own is None else own.column("number").to_numpy().astype(np.float64, copy=False)

        true = number(TRUTH)
        if np.isnan(true).any():
            raise ValueError("a row of the truth has no number as its gain")
        known = np.isin(users[TRAIN], np.concatenate([users[PREDICTIONS], users[TRUTH]]))
        case = Case("data", Predictions(users[PREDICTIONS], items[PREDICTIONS], number(PREDICTIONS)),
                    Truth(users[TRUTH], items[TRUTH], true), Train(users[TRAIN][known], items[TRAIN][known]),
                    np.arange(self.catalogue), self.threshold, self.scale)  # fmt: skip
        block = evaluate_block(case, self.definitions)
        if labels is None:
            return BucketValues(block, None)
        return BucketValues(replace(block, users=np.arange(len(block.users))), labels[block.users])


def _numbered(
    tables: dict[int, Any], name: str, every: Sequence[str] | None
) -> tuple[dict[int, Ids], NDArray[Any] | None]:
    """Return each table's ids as numbers, and the labels of the numbers if ids are text."""
    import pyarrow as pa
    import pyarrow.compute as pc

    held = {kind: rows.column(name) for kind, rows in tables.items()}
    if any(column.null_count for column in held.values()):
        raise ValueError(f"column {name!r} has missing ids")
    empty = dict.fromkeys((PREDICTIONS, TRUTH, TRAIN), np.empty(0, dtype=np.int64))
    if all(pa.types.is_integer(column.type) for column in held.values()):
        return empty | {kind: column.to_numpy().astype(np.int64, copy=False) for kind, column in held.items()}, None
    texts = {text for column in held.values() for text in column.unique().to_pylist()} if every is None else every
    labels = np.array(sorted(texts), dtype=object)
    codes = {
        kind: pc.index_in(column, value_set=pa.array(labels, column.type)).to_numpy().astype(np.int64)
        for kind, column in held.items()
    }
    return empty | codes, labels


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
