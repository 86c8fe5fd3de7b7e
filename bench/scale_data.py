"""Provides growing data as Parquet, in chunks: int32 ids, float32 scores; 100 rows and 10 relevant items a user.

Every column is a function of the row's number, so that rows in any order are the same rows. ``grouped`` rows stand in
list order, user by user; ``scattered`` ones far from the other rows of their user.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import parquet

ORDERS = ("grouped", "scattered")
LENGTH, RELEVANT, ITEMS = 100, 10, 100_003
_CHUNK = 1 << 20


def write(folder: Path, rows: int, order: str, length: int = LENGTH) -> tuple[Path, Path]:
    """Write ``rows`` predictions, a multiple of ``length``, and their truth; return both paths.

    Args:
        folder: Where to.
        rows: The number of predictions.
        order: One of ``ORDERS``.
        length: Rows of each user, 10 or more.
    """
    at_predictions, at_truth = folder / "predictions.parquet", folder / "truth.parquet"
    _write(at_predictions, (predictions(number, rows, order, length) for number in chunks(rows)))
    _write(at_truth, (truth(number, length) for number in chunks(rows // length * RELEVANT)))
    return at_predictions, at_truth


def chunks(rows: int) -> Iterator[np.ndarray]:
    """Yield the numbers of rows, some at a time."""
    for first in range(0, rows, _CHUNK):
        yield np.arange(first, min(first + _CHUNK, rows))


def _write(path: Path, chunks: Iterator[dict[str, np.ndarray]]) -> None:
    writer = None
    for chunk in chunks:
        table = pa.table(chunk)
        writer = writer or parquet.ParquetWriter(path, table.schema, compression="snappy", use_dictionary=False)
        writer.write_table(table)
    if writer is not None:
        writer.close()


def predictions(number: np.ndarray, rows: int, order: str, length: int) -> dict[str, np.ndarray]:
    """Return the columns of the numbered rows, of ``rows`` in all."""
    if order == "scattered":
        # A stride without a common divisor visits every row once.
        stride = next(each for each in range(int(rows * 0.618), 2 * rows) if math.gcd(each, rows) == 1)
        number = number * stride % rows
    user, rank = np.divmod(number, length)
    score = length - rank + _hashed(number) / 2**32 * 0.9
    return {"user": user.astype(np.int32), "item": _item(user, rank), "score": score.astype(np.float32)}


def truth(number: np.ndarray, length: int) -> dict[str, np.ndarray]:
    """Return relevant items, of which every other one is in the list."""
    user, nth = np.divmod(number, RELEVANT)
    rank = np.where(nth % 2 == 0, (user * 13 + nth * 17) % length, length + nth)
    gain = np.where(_hashed(number) % 2 == 0, 4.0, 5.0).astype(np.float32)
    return {"user": user.astype(np.int32), "item": _item(user, rank), "gain": gain}


def _item(user: np.ndarray, rank: np.ndarray) -> np.ndarray:
    """Return items that differ for the ranks of one user: the number of items is a prime."""
    return ((user * 7_919 + rank * 10_007) % ITEMS).astype(np.int32)


def _hashed(number: np.ndarray) -> np.ndarray:
    mixed = (number.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32)
    return mixed.astype(np.int64)
