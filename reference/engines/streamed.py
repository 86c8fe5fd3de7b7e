"""Evaluates predictions larger than memory: Parquet files are read in batches, and users evaluated in blocks.

Rows grouped by user are read as they come; others are partitioned by user on disk first. Truth and train data are held
in memory, and so are the values of each user. Everything is computed by the code that evaluates tables in memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.engines.blockwise import BlockwiseEvaluation, RowRules
from recsys_metric_audit.reference.engines.disk_buckets import ROW, user_buckets
from recsys_metric_audit.reference.engines.id_survey import IdNumbers, IdSurvey
from recsys_metric_audit.reference.engines.user_block import check_user_by_user, is_user_by_user
from recsys_metric_audit.reference.engines.user_blocks import Rows
from recsys_metric_audit.reference.evaluation.prepared import Values
from recsys_metric_audit.reference.input import conversion
from recsys_metric_audit.reference.input.conversion import Columns
from recsys_metric_audit.reference.input.distinct import distinct
from recsys_metric_audit.reference.input.in_common import check_in_common
from recsys_metric_audit.reference.input.parquet_rows import ParquetRows, is_parquet
from recsys_metric_audit.reference.input.table_kinds import Table

LARGE = 10_000_000
"""Rows of a Parquet file from which it is streamed unless told otherwise."""


@dataclass(frozen=True)
class Sizes:
    """Holds numbers of rows: of a record ``batch``, of a ``block`` of users, of a ``bucket`` on disk."""

    batch: int = 1 << 18
    block: int = 1 << 21
    bucket: int = 1 << 21


@dataclass(frozen=True, eq=False)
class StreamedResults:
    """Holds for each definition its values, or the error with which it refuses the data, and the number of ``rows``.

    ``matched`` counts the users of the truth who have predictions; ``few_in_common`` says where few users or items
    occur in both.
    """

    values: list[Values | ValueError]
    rows: int
    matched: int
    few_in_common: list[str]


def is_streamed(predictions: Table, definitions: Sequence[Definition], wish: bool | None) -> TypeGuard[str | Path]:
    """Return True if predictions are to be streamed: as wished, or because they are large and all definitions allow it.

    Raises:
        ValueError: if streaming is wished for what is no Parquet file or folder.
    """
    path = Path(predictions) if isinstance(predictions, str | Path) else None
    if path is None or not is_parquet(path):
        if wish:
            raise ValueError("only Parquet files and folders can be streamed")
        return False
    return wish if wish is not None else all(map(is_user_by_user, definitions)) and ParquetRows.of(path).rows >= LARGE


def evaluate_streamed(
    predictions: Path,
    truth: Table,
    definitions: Sequence[Definition],
    *,
    train: Table | None = None,
    columns: Columns | None = None,
    threshold: float = 1.0,
    scale: tuple[float, float] = (1.0, 5.0),
    rules: RowRules | None = None,
    sizes: Sizes | None = None,
) -> StreamedResults:
    """Evaluate definitions, whose cut-offs are numbers or None, on a Parquet file or folder of predictions.

    Args:
        predictions: The file or folder; ids are whole numbers or text.
        truth: Held-out rows, a table of any kind.
        definitions: What to compute.
        train: Rows that the recommender had seen, as a table.
        columns: Names of the columns, if they are others.
        threshold: The gain t from which a row is relevant.
        scale: Lowest and highest rating.
        rules: What rows mean, if not what tables in memory mean.
        sizes: How much is read at a time.

    Raises:
        NotUserByUserError: for a definition that takes the rows of all users at once.
        UnreadableRowsError: for a damaged file, files that differ, or columns of other types.
        DiskSpaceError: if rows have to be partitioned and the disk is too small.
        ImportError: if rows have to be partitioned and Polars is not installed.
        RepeatedItemError: if the rules ask for unique items, and one is listed twice.
        NothingInCommonError: if no user, or no item, occurs in both predictions and truth.
        RowsError: for other rows that cannot be evaluated: a missing column or id, a score that is no number.
    """
    rules = rules or RowRules()
    check_user_by_user(definitions)
    names, size = columns or Columns(), sizes or Sizes()
    ids = (names.user, names.item)
    rows = ParquetRows.of(Path(predictions), (*ids, names.score))
    rows.check_types(ids, [names.score])
    survey = IdSurvey.of(rows, *ids, size.batch)
    held = conversion.case_from_tables(_named_once(survey, names), truth, train, columns=columns, threshold=threshold)
    few = check_in_common(held)
    case, users, items = held.case, len(survey.users), len(survey.items)
    exist = [case.train.item] if rules.train_items_exist else []
    catalogue = distinct(case.predictions.item[:items], case.truth.item, *exist)
    numbers = (IdNumbers(survey.users, None if held.users is None else case.predictions.user[:users]),
               IdNumbers(survey.items, None if held.items is None else case.predictions.item[:items]))  # fmt: skip
    every = distinct(case.predictions.user[:users], case.truth.user).astype(np.int64)
    case, labels = replace(case, catalogue=catalogue, scale=scale), held.users
    made = BlockwiseEvaluation(case, every, definitions, rules)
    del held, case
    for block in _blocks(rows, survey, numbers, names, size):
        made.add(block, distinct(block[0]))
    matched = made.matched
    return StreamedResults(made.results(labels), rows.rows, matched, few)


def _named_once(survey: IdSurvey, names: Columns) -> dict[str, NDArray[Any]]:
    """Return a table that names each user and each item of the predictions once, first come the distinct ones.

    The shorter column is filled up by its first id: columns of a table have one length.
    """
    rows = max(len(survey.users), len(survey.items))
    filled = (np.concatenate([each, np.repeat(each[:1], rows - len(each))]) for each in (survey.users, survey.items))
    user, item = filled
    return {names.user: user, names.item: item, names.score: np.zeros(rows)}


def _blocks(
    rows: ParquetRows, survey: IdSurvey, numbers: tuple[IdNumbers, IdNumbers], names: Columns, size: Sizes
) -> Iterator[Rows]:
    """Yield the rows of whole users, in the order given within each user."""
    wanted = (names.user, names.item, names.score)

    def read(part: ParquetRows) -> Iterator[Rows]:
        for batch in part.batches(wanted, size.batch):
            user, item, score = (batch.column(name) for name in wanted)
            # A missing score becomes NaN, which no ranking has a place for.
            scores = conversion.as_scores(score.to_numpy(zero_copy_only=False), names.score)
            yield numbers[0].of(user), numbers[1].of(item), scores

    if survey.grouped:
        yield from whole_users(read(rows), size.block)
        return
    with user_buckets(rows, wanted, size.bucket) as buckets:
        for bucket in buckets:
            made = _joined(list(read(bucket)))
            number = np.concatenate([batch.column(0).to_numpy() for batch in bucket.batches([ROW], size.batch)])
            if (number[1:] < number[:-1]).any():
                order = np.argsort(number)
                made = made[0][order], made[1][order], made[2][order]
            yield made


def whole_users(parts: Iterator[Rows], size: int) -> Iterator[Rows]:
    """Join parts of rows that are grouped by user into blocks of whole users, of about ``size`` rows or one user."""
    held: list[Rows] = []
    rows, limit = 0, size
    for part in parts:
        held.append(part)
        rows += len(part[0])
        if rows < limit:
            continue
        joined = _joined(held)
        last = np.flatnonzero(joined[0] != joined[0][-1])
        cut = int(last[-1]) + 1 if len(last) else 0
        if cut:
            yield joined[0][:cut], joined[1][:cut], joined[2][:cut]
        # Copied, so that what was yielded is freed.
        held = [(joined[0][cut:].copy(), joined[1][cut:].copy(), joined[2][cut:].copy())]
        rows -= cut
        limit = size if rows < size else 2 * rows
        del joined
    if rows:
        yield _joined(held)


def _joined(parts: list[Rows]) -> Rows:
    user, item, score = (np.concatenate(column) for column in zip(*parts, strict=True))
    return user, item, score
