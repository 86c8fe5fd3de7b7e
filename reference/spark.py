"""Evaluates definitions on Spark DataFrames, on a cluster, with the results of one machine.

Needs the extra ``recsys-metric-audit[spark]``, and this package on the executors. Rows are shuffled once, by user; each
executor evaluates whole users, and what comes back to the driver is a number for each user and definition.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from reference.definitions.definition import Definition
from reference.engines.user_block import check_user_by_user
from reference.engines.user_bucket import COLUMNS, PREDICTIONS, TRAIN, TRUTH, BucketTask, merge_buckets
from reference.evaluation.results import Results, definitions_by_signature
from reference.input.conversion import Columns

if TYPE_CHECKING:
    import pyarrow as pa

_WHOLE = ("tinyint", "smallint", "int", "bigint")
_NUMBERS = (*_WHOLE, "float", "double")


def evaluate(
    predictions: Any,
    truth: Any,
    k: int | Sequence[int],
    definitions: Iterable[str | Definition],
    *,
    train: Any = None,
    columns: Columns | None = None,
    threshold: float = 1.0,
    scale: tuple[float, float] = (1.0, 5.0),
    buckets: int | None = None,
) -> Results:
    """Evaluate definitions on Spark DataFrames of predictions and truth.

    Results are those of :func:`reference.evaluate` to the last digit. "As given" (axes ``ties`` and ``order``) is the
    order of the rows in their partitions, one partition after the other.

    Args:
        predictions: Recommended rows: user, item, score.
        truth: Held-out rows: user, item and, where gains differ, gain.
        k: Cut-off, or several.
        definitions: Signatures or definitions.
        train: Rows that the recommender had seen, for definitions that use them.
        columns: Names of the columns, if they are others.
        threshold: The gain t from which a row is relevant.
        scale: Lowest and highest rating.
        buckets: Parts into which users are shuffled, each of which fits into the memory of a Python worker; by default
            as many as ``spark.sql.shuffle.partitions`` says.

    Returns:
        For each definition its values, as :func:`reference.evaluate` gives them.

    Raises:
        NotUserByUserError: for a definition that takes the rows of all users at once.
        InputRefusedError, TooManyOrdersError: as :func:`reference.evaluate`.
        KeyError: if a frame lacks a column.
        ValueError: for a column of another type, a missing id, or a score that is no number.
    """
    names = columns or Columns()
    points = definitions_by_signature(definitions, k)
    check_user_by_user(list(points.values()))
    frames = {PREDICTIONS: predictions, TRUTH: truth} | ({} if train is None else {TRAIN: train})
    rows = _rows(frames, names)
    task = _task(rows, tuple(points.values()), threshold, scale)

    def evaluated(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow

        made = task.evaluate(batches)
        if made is not None:
            yield pyarrow.record_batch({"made": [pickle.dumps(made, protocol=5)]})

    number = buckets or int(predictions.sparkSession.conf.get("spark.sql.shuffle.partitions"))
    answers = rows.repartition(number, "user").mapInArrow(evaluated, "made binary").collect()
    # What the executors' own task pickled, through the channel that Spark itself pickles through.
    found = merge_buckets((pickle.loads(bytes(answer[0])) for answer in answers), list(points.values()))
    return Results.unless_refused(points, found)


def _rows(frames: dict[int, Any], names: Columns) -> Any:
    """Return the rows of all frames as one, with the columns of ``COLUMNS``."""
    from pyspark.sql import functions as sql

    held = {kind: dict(frame.dtypes) for kind, frame in frames.items()}
    numbers = {PREDICTIONS: names.score, TRUTH: names.gain if names.gain in held[TRUTH] else None, TRAIN: None}
    for kind, types in held.items():
        _check(types, names, numbers[kind])
    out = None
    for kind, frame in frames.items():
        ids = {}
        for column, name in (("user", names.user), ("item", names.item)):
            whole = all(types[name] in _WHOLE for types in held.values())
            ids[column] = sql.col(f"`{name}`").cast("bigint" if whole else "string").alias(column)
        own = numbers[kind]
        number = sql.lit(1.0) if own is None else sql.col(f"`{own}`").cast("double")
        chosen = frame.select(
            sql.lit(kind).cast("tinyint").alias("table"), ids["user"], ids["item"], number.alias("number"),
            sql.monotonically_increasing_id().alias("row"),
        ).select(*COLUMNS)  # fmt: skip
        out = chosen if out is None else out.unionByName(chosen)
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
        if name != number and types[name] not in (*_WHOLE, "string"):
            raise ValueError(f"column {name!r} holds {types[name]}; ids are whole numbers or text")


def _task(rows: Any, definitions: tuple[Definition, ...], threshold: float, scale: tuple[float, float]) -> BucketTask:
    """Return the task; items of all buckets are counted or collected only if a definition asks for them."""
    from pyspark.sql import functions as sql

    values = {value for definition in definitions for _, value in definition.values}
    items, catalogue = None, 0
    if values & {"text_asc", "text_desc"} and dict(rows.dtypes)["item"] == "string":
        # A text item stands for its place among all items, whose digits are what is compared.
        items = tuple(sorted(row[0] for row in rows.select("item").distinct().collect() if row[0] is not None))
    if any(value.startswith("catalogue") for value in values):
        catalogue = rows.where(sql.col("table") != TRAIN).select("item").distinct().count()
    return BucketTask(definitions, threshold, scale, catalogue, items)
