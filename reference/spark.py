"""Evaluates definitions on Spark DataFrames, on a cluster, with the results of one machine.

Needs the extra ``recsys-metric-audit[spark]``, and this package on the executors. Executors pack rows into pieces of
some users each, which are shuffled once; each executor then evaluates whole users, and what comes back to the driver is
a number for each user and definition.
"""

from __future__ import annotations

import functools
import pickle
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.reference.api import USUAL, Wanted, definitions_by_signature
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.engines.row_pieces import COLUMNS, PREDICTIONS, TRAIN, TRUTH, pack
from recsys_metric_audit.reference.engines.user_block import check_user_by_user
from recsys_metric_audit.reference.engines.user_bucket import BucketTask, merge_buckets
from recsys_metric_audit.reference.input.conversion import Columns
from recsys_metric_audit.reference.results import Results

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

_SMALL = {"tinyint", "smallint", "int"}
_WHOLE = _SMALL | {"bigint"}
_NUMBERS = _WHOLE | {"float", "double"}
_PIECE = "key bigint, table tinyint, partition int, number bigint, rows binary"


def evaluate(
    predictions: DataFrame,
    truth: DataFrame,
    k: int | Sequence[int],
    definitions: Wanted = USUAL,
    *,
    train: DataFrame | None = None,
    columns: Columns | None = None,
    threshold: float = 1.0,
    scale: tuple[float, float] = (1.0, 5.0),
    buckets: int | None = None,
) -> Results:
    """Evaluate definitions on Spark DataFrames of predictions and truth.

    Results are those of :func:`recsys_metric_audit.evaluate` to the last digit. "As given" (axes ``ties`` and
    ``order``) is the order of the rows in their partitions, one partition after the other. Users and items that
    predictions and truth have in common are not counted.

    Args:
        predictions: Recommended rows: user, item, score.
        truth: Held-out rows: user, item and, where gains differ, gain.
        k: Cut-off, or several.
        definitions: Signatures or definitions.
        train: Rows that the recommender had seen, for definitions that use them.
        columns: Names of the columns, if they are others.
        threshold: The gain t from which a row is relevant.
        scale: Lowest and highest rating.
        buckets: Parts into which users are shuffled, each of which fits into the memory of a Python worker and has less
            than 2 GB (about 100 million rows); by default as many as ``spark.sql.shuffle.partitions`` says.

    Returns:
        For each definition its values, as :func:`recsys_metric_audit.evaluate` gives them.

    Raises:
        NotUserByUserError: for a definition that takes the rows of all users at once.
        InputRefusedError, TooManyOrdersError: as :func:`recsys_metric_audit.evaluate`.
        KeyError: if a frame lacks a column.
        ValueError: for a column of another type, a missing id, or a score that is no number.
    """
    names = columns or Columns()
    points = definitions_by_signature(definitions, k)
    check_user_by_user(list(points.values()))
    frames = {PREDICTIONS: predictions, TRUTH: truth} | ({} if train is None else {TRAIN: train})
    chosen = _chosen(frames, names)
    task = _task(chosen, tuple(points.values()), threshold, scale)

    def evaluated(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow

        made = task.evaluate(batches)
        if made is not None:
            yield pyarrow.record_batch({"made": [pickle.dumps(made, protocol=5)]})

    session = predictions.sparkSession
    number = buckets or int(session.conf.get("spark.sql.shuffle.partitions"))
    keys = _keys(session, number)
    packed = [frame.mapInArrow(_packer(kind, keys), _PIECE) for kind, frame in chosen.items()]
    pieces = functools.reduce(lambda one, other: one.unionByName(other), packed)
    answers = pieces.repartition(number, "key").mapInArrow(evaluated, "made binary").collect()
    # What the executors' own task pickled, through the channel that Spark itself pickles through.
    found = merge_buckets((pickle.loads(bytes(answer[0])) for answer in answers), list(points.values()))
    return Results.unless_refused(points, found)


def _keys(session: Any, number: int) -> NDArray[np.int64]:
    """Return a key for each part of a shuffle: the first whole number that Spark's hash sends there.

    Spark sends a row to the part that the hash of its key names. Keys 0, 1, 2, ... would leave a third of the parts
    empty, and send several buckets to others.
    """
    from pyspark.sql import functions as sql

    part = sql.pmod(sql.hash("id"), sql.lit(number))
    parts = np.array([row[0] for row in session.range(0, 32 * number, 1, 1).select(part).collect()])
    reached, first = np.unique(parts, return_index=True)
    keys = np.arange(number, dtype=np.int64)
    keys[reached] = first
    return keys


def _packer(table: int, keys: NDArray[np.int64]) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Return the function that packs a partition of a table on its executor."""

    def packed(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from pyspark import TaskContext

        return pack(batches, table, TaskContext.get().partitionId(), keys)

    return packed


def _chosen(frames: dict[int, Any], names: Columns) -> dict[int, Any]:
    """Return the frames with the columns of ``COLUMNS`` alone; ids have one type in all of them."""
    from pyspark.sql import functions as sql

    held = {kind: dict(frame.dtypes) for kind, frame in frames.items()}
    numbers = {PREDICTIONS: names.score, TRUTH: names.gain if names.gain in held[TRUTH] else None, TRAIN: None}
    for kind, types in held.items():
        _check(types, names, numbers[kind])
    ids = {}
    for column, name in (("user", names.user), ("item", names.item)):
        present = {own[name] for own in held.values()}
        common = "int" if present <= _SMALL else "bigint" if present <= _WHOLE else "string"
        ids[column] = sql.col(f"`{name}`").cast(common).alias(column)
    out = {}
    for kind, frame in frames.items():
        own = numbers[kind]
        if own is None:
            number = sql.lit(1.0).cast("float")
        else:
            # Every float is a double: it is widened where it is evaluated.
            number = sql.col(f"`{own}`").cast("float" if held[kind][own] == "float" else "double")
        out[kind] = frame.select(ids["user"], ids["item"], number.alias("number")).select(*COLUMNS)
    return out


def _check(types: dict[str, str], names: Columns, number: str | None) -> None:
    """Refuse a frame that lacks a column or holds another type in it.

    Raises:
        KeyError: for a missing column.
        ValueError: for a column of another type.
    """
    for name in (names.user, names.item, *([] if number is None else [number])):
        if name not in types:
            raise KeyError(f"no column {name!r}; there are: {', '.join(types) or 'none'}")
        if name == number and types[name] not in _NUMBERS:
            raise ValueError(f"column {name!r} holds {types[name]}, not numbers")
        if name != number and types[name] not in _WHOLE | {"string"}:
            raise ValueError(f"column {name!r} holds {types[name]}; ids are whole numbers or text")


def _task(
    chosen: dict[int, Any], definitions: tuple[Definition, ...], threshold: float, scale: tuple[float, float]
) -> BucketTask:
    """Return the task; items of all buckets are counted or collected only if a definition asks for them."""
    values = {value for definition in definitions for _, value in definition.values}
    items, catalogue = None, 0
    if values & {"text_asc", "text_desc"} and dict(chosen[TRUTH].dtypes)["item"] == "string":
        # A text item stands for its place among all items, whose digits are what is compared.
        items = tuple(sorted(row[0] for row in _items(chosen).collect() if row[0] is not None))
    if any(value.startswith("catalogue") for value in values):
        catalogue = _items({kind: frame for kind, frame in chosen.items() if kind != TRAIN}).count()
    return BucketTask(definitions, threshold, scale, catalogue, items)


def _items(chosen: dict[int, Any]) -> Any:
    """Return the distinct items of some frames."""
    return functools.reduce(
        lambda one, other: one.union(other), (each.select("item") for each in chosen.values())
    ).distinct()
