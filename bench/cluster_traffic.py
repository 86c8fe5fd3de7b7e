"""Measures what a cluster moves for an evaluation: bytes shuffled for a row, bytes that reach the driver for a user.

No cluster is needed: the functions that executors run pack the rows and evaluate the users, on growing data.
"""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from pyarrow import parquet

from bench import scale_data
from bench.documented import DOCUMENTED
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.engines.row_pieces import COLUMNS, PREDICTIONS, TRUTH, pack
from recsys_metric_audit.reference.engines.user_bucket import BucketTask, merge_buckets

_BATCH = 10_000
"""Rows in an Arrow batch of Spark, unless it is told otherwise."""
SIZES = ((1_000_000, 8), (1_000_000, 200), (1_000_000, 2_000), (3_000_000, 200))
"""Rows and buckets that are measured."""


@dataclass(frozen=True)
class Traffic:
    """Holds one measurement: sizes, and bytes in all.

    Attributes:
        rows: Rows of the predictions and of the truth.
        users: Users of both.
        buckets: Parts into which the users were shuffled.
        definitions: Definitions that were evaluated.
        shuffled: Bytes of all pieces.
        returned: Bytes of the values that buckets return to the driver.
    """

    rows: int
    users: int
    buckets: int
    definitions: int
    shuffled: int
    returned: int


def measured(sizes: Sequence[tuple[int, int]], k: int) -> list[Traffic]:
    """Pack and evaluate rows in an order that stands far from their users'."""
    out = []
    for rows, buckets in sizes:
        with tempfile.TemporaryDirectory() as folder:
            out.append(_measured(scale_data.write(Path(folder), rows, "scattered"), buckets, k))
    return out


def _measured(paths: tuple[Path, Path], buckets: int, k: int) -> Traffic:
    keys = np.arange(buckets, dtype=np.int64)
    held: dict[int, list[Any]] = {}
    rows = shuffled = 0
    for table, path in zip((PREDICTIONS, TRUTH), paths, strict=True):
        for pieces in pack(_batches(path), table, 0, keys):
            shuffled += pieces.nbytes
            for place, key in enumerate(pieces.column("key").to_pylist()):
                held.setdefault(key, []).append(pieces.slice(place, 1))
        rows += parquet.read_metadata(path).num_rows
    definitions = tuple(parse(text.replace("@k", f"@{k}")) for text in DOCUMENTED)
    task = BucketTask(definitions, 1.0, (1.0, 5.0))
    made = [pickle.dumps(task.evaluate(pieces), protocol=5) for pieces in held.values()]
    values = merge_buckets(map(pickle.loads, made), definitions)
    users = max(len(each.users) for each in values if not isinstance(each, ValueError))
    return Traffic(rows, users, buckets, len(definitions), shuffled, sum(map(len, made)))


def _batches(path: Path) -> Iterator[Any]:
    with parquet.ParquetFile(path) as file:
        for batch in file.iter_batches(_BATCH):
            yield batch.rename_columns(COLUMNS)


def section(runs: Sequence[Traffic]) -> list[str]:
    """Return the section of the page on growing data, with what follows for a large cluster."""
    last = runs[-1]
    row, user = last.shuffled / last.rows, last.returned / last.users
    users = 100_000_000
    rows = users * last.rows // last.users
    return [
        "## On a cluster", "",
        "What `recsys_metric_audit.reference.spark.evaluate` moves, measured with the functions that executors run,",
        "without a cluster. Pieces of rows are shuffled once; values of users return to the driver.", "",
        "| rows | buckets of users | shuffled, bytes a row | to the driver, bytes a user and definition |",
        "|---:|---:|---:|---:|",
        *(f"| {run.rows:,} | {run.buckets:,} | {run.shuffled / run.rows:.1f} | "
          f"{run.returned / run.users / run.definitions:.1f} |" for run in runs), "",
        "Both grow with the rows and the users, and not with the number of executors. "
        f"{rows / 1e9:.0f} billion rows of {users / 1e6:.0f} million users",
        f"on a thousand executors are thus {rows * row / 1e9:,.0f} GB shuffled, {rows * row / 1e12:.2f} GB for each "
        f"executor, and {users * user / 1e9:,.0f} GB at the driver",
        f"for {last.definitions} definitions, {users * user / last.definitions / 1e9:.1f} GB for one: "
        "the driver holds the values of all users at once.", "",
    ]  # fmt: skip
