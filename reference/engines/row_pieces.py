"""Packs the rows of a cluster's tables into pieces, which are shuffled instead of rows: a piece has one bucket's users.

A cluster that shuffles rows pays for each of them; a piece is one row to it, of some hundred thousand of ours. A piece
knows where its rows stood, so that the order of rows is kept though the shuffle keeps none.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.reference.input.case import Ids

COLUMNS = ("user", "item", "number")
"""Columns of a row; ``number`` is the score or the gain."""
PREDICTIONS, TRUTH, TRAIN = range(3)
"""Values of a piece's ``table``."""

_ROWS = 1 << 20
_MIXED = np.uint64(0x9E3779B97F4A7C15)  # 2^64 over the golden ratio: neighbouring ids are sent far apart.


def pack(batches: Iterable[Any], table: int, partition: int, keys: Ids, rows: int = _ROWS) -> Iterator[Any]:
    """Yield the rows of a table's partition as record batches of pieces.

    Args:
        batches: Arrow record batches with the columns of ``COLUMNS``, in the order of the partition.
        table: Predictions, truth or train.
        partition: The place of this partition among those of the table.
        keys: For each bucket the key that the cluster shuffles its pieces by.
        rows: Rows that are packed at a time, at least.
    """
    import pyarrow as pa

    held: list[Any] = []
    number = 0
    for batch in batches:
        held.append(batch)
        if sum(each.num_rows for each in held) >= rows:
            yield _pieces(pa.Table.from_batches(held), table, partition, keys, number)
            held, number = [], number + 1
    if any(batch.num_rows for batch in held):
        yield _pieces(pa.Table.from_batches(held), table, partition, keys, number)


def _pieces(rows: Any, table: int, partition: int, keys: Ids, number: int) -> Any:
    """Return a record batch with one piece for each bucket of which rows are there."""
    import pyarrow as pa

    whole = rows.combine_chunks()
    bucket = _buckets(whole.column("user").combine_chunks(), len(keys))
    # Whole numbers of two bytes are sorted in linear time, and equal ones keep their order.
    order = np.argsort(bucket.astype(np.uint16) if len(keys) <= 1 << 16 else bucket, kind="stable")
    whole, bucket = whole.take(pa.array(order)), bucket[order]
    starts = np.flatnonzero(np.diff(bucket, prepend=-1))
    ends = np.append(starts[1:], len(bucket))
    packed = [_bytes(whole.slice(start, end - start)) for start, end in zip(starts, ends, strict=True)]
    return pa.record_batch({
        "key": keys[bucket[starts]],
        "table": pa.array([table] * len(packed), pa.int8()),
        "partition": pa.array([partition] * len(packed), pa.int32()),
        "number": pa.array([number] * len(packed), pa.int64()),
        "rows": pa.array(packed, pa.binary()),
    })  # fmt: skip


def _buckets(users: Any, number: int) -> Ids:
    """Return the bucket of each row; equal ids of whatever width of whole number, or of text, share it."""
    import pyarrow as pa

    if pa.types.is_integer(users.type):
        ids: NDArray[np.uint64] = users.fill_null(0).to_numpy().astype(np.int64).view(np.uint64)
        return ((ids * _MIXED >> np.uint64(32)) % np.uint64(number)).astype(np.int64)
    coded = users.fill_null("").dictionary_encode()
    of_text = [zlib.crc32(text.encode()) % number for text in coded.dictionary.to_pylist()]
    places: NDArray[np.int32] = coded.indices.to_numpy()
    return np.array(of_text, dtype=np.int64)[places]


def _bytes(rows: Any) -> bytes:
    import pyarrow as pa

    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, rows.schema) as stream:
        stream.write_table(rows)
    return sink.getvalue().to_pybytes()  # type: ignore[no-any-return]


def unpack(batches: Iterable[Any]) -> dict[int, Any]:
    """Return the rows of each table, in the order in which they stood, from pieces in any order.

    Args:
        batches: Record batches of pieces, as :func:`pack` makes them.
    """
    import pyarrow as pa

    pieces = sorted(
        ((piece["table"], piece["partition"], piece["number"], piece["rows"])
         for batch in batches for piece in batch.to_pylist()),
        key=lambda piece: piece[:3],
    )  # fmt: skip
    tables: dict[int, list[Any]] = {}
    for table, _, _, rows in pieces:
        with pa.ipc.open_stream(rows) as stream:
            tables.setdefault(table, []).append(stream.read_all())
    return {table: pa.concat_tables(rows) for table, rows in tables.items()}
