"""Provides the scores of the user's files: read into memory, or in batches where predictions are large."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from recsys_metric_audit.audit.cli.evaluation.scores import Score, definitions_of, points, score_of, scores
from recsys_metric_audit.audit.cli.evaluation.wanted import Note, Wanted
from recsys_metric_audit.audit.cli.progress.heartbeat import said_while
from recsys_metric_audit.audit.cli.shared.run_inputs import UserFiles, load_dataset
from recsys_metric_audit.audit.data.dataset import Dataset
from recsys_metric_audit.audit.data.files.ids import IdColumn, NumberColumn, TextColumn, holds_numbers, unify
from recsys_metric_audit.audit.data.files.input_table import TRAIN, TRUTH, Table, quoted
from recsys_metric_audit.audit.data.files.user_files import check_duplicates, check_relevant, rating_scale, read_table
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.reference.engines import streamed
from recsys_metric_audit.reference.engines.blockwise import RowRules
from recsys_metric_audit.reference.engines.disk_buckets import DiskSpaceError
from recsys_metric_audit.reference.engines.streamed import evaluate_streamed
from recsys_metric_audit.reference.engines.user_block import RepeatedItemError, is_user_by_user
from recsys_metric_audit.reference.input.parquet_rows import SUFFIXES, ParquetRows
from recsys_metric_audit.reference.input.rows_error import RowsError

ROWS = RowRules(best_first=True, unique=True, train_items_exist=True)
"""What rows of files mean when they are read into memory, too (:mod:`audit.data.files`)."""


def file_scores(files: UserFiles, wanted: Sequence[Wanted], cutoffs: Sequence[int]) -> tuple[list[Score], str]:
    """Evaluate definitions at each cut-off on the user's files.

    Returns:
        The scores, and lines that say of which data, and what is unusual in them.

    Raises:
        UserError: for files that cannot be read or contradict each other.
    """
    if files.predictions is not None and files.truth is not None and _is_large(files.predictions):
        return _streamed_scores(files, files.predictions, files.truth, wanted, cutoffs)
    data = load_dataset(None, files)
    with said_while(f"evaluating {data.name}"):
        return scores(data, wanted, cutoffs), described(data)


def described(data: Dataset) -> str:
    """Return the lines that say which data the values are of, and what is unusual in them."""
    line = f"{data.name}, {data.shape.users:,} users, {data.shape.rows:,} rows"
    return "\n".join([line, *(f"  {fact.text}" for fact in data.facts)])


def _is_large(predictions: Path) -> bool:
    """Return True for a folder, and for a Parquet file with so many rows that it is read in batches."""
    if predictions.is_dir():
        return True
    if predictions.suffix not in SUFFIXES or not predictions.is_file():
        return False
    try:
        return ParquetRows.of(predictions).rows >= streamed.LARGE
    except (RowsError, OSError):
        return False  # reading it into memory says what is wrong


def _streamed_scores(
    files: UserFiles, predictions: Path, truth: Path, wanted: Sequence[Wanted], cutoffs: Sequence[int]
) -> tuple[list[Score], str]:
    threshold = 1.0 if files.threshold is None else files.threshold
    true = read_table(truth, TRUTH)
    users, items = unify([true.user]), unify([true.item])
    gain = np.ones(len(users.ids[0])) if true.number is None else true.number
    check_duplicates([true], [(users.ids[0], items.ids[0])], users.labels, items.labels)
    check_relevant(truth, float(gain.max()), threshold)
    seen = None if files.train is None else _columns(read_table(files.train, TRAIN))
    wanted_at = points([_with_notes(each) for each in wanted], cutoffs)
    asked = [each for each in definitions_of(wanted_at) if is_user_by_user(each)]
    try:
        with said_while(f"evaluating {predictions}"):
            made = evaluate_streamed(predictions, _columns(true) | {"gain": gain}, asked, train=seen,
                                     threshold=threshold, scale=rating_scale(gain), rules=ROWS)  # fmt: skip
    except DiskSpaceError as error:
        raise UserError(str(error), "Free space, or set TMPDIR to a folder on a larger disk.") from error
    except ImportError as error:
        raise UserError(str(error), "Install it, or write the rows user by user.") from error
    except RepeatedItemError as error:
        raise UserError(
            f"{predictions}: {error}.", "Keep one row for each user and item in the predictions."
        ) from error
    except (RowsError, OSError) as error:
        raise UserError(f"{predictions}: {error}.", "Predictions have the columns user, item and score.") from error
    if not made.matched:
        first = quoted(users.labels.of(users.ids[0][:1])[0])
        message = f"{predictions} and {truth}: column user: no user occurs in both (the first of the truth is {first})."
        raise UserError(message, "Check that both files write user ids in the same way.")
    found = dict(zip(asked, made.values, strict=True))
    at_once = ValueError("takes the rows of all users at once, and these files are read in batches")
    found |= {each: at_once for each in definitions_of(wanted_at) if each not in found}
    line = f"{predictions.name}, {len(np.unique(users.ids[0])):,} users, {made.rows:,} rows, read in batches"
    told = "\n".join([line, *(f"  {each}." for each in made.few_in_common)])
    return [score_of(point, found, None) for point in wanted_at], told


def _with_notes(wanted: Wanted) -> Wanted:
    """Add notes on the kinds of data on which functions depart from a definition: batches do not show them."""
    kinds = [kind for kind, _ in wanted.doubts.departs_on]
    text = f"not so on data of these kinds, which are not looked for in batches: {'; '.join(kinds)}"
    added = tuple(Note(text, function) for function in wanted.functions if kinds)
    return replace(wanted, notes=(*wanted.notes, *added))


def _columns(table: Table) -> dict[str, Any]:
    return {"user": _ids(table.user), "item": _ids(table.item)}


def _ids(column: IdColumn) -> Any:
    """Return ids as the reference takes them: whole numbers, or a dictionary of texts."""
    import pyarrow as pa

    match column:
        case NumberColumn(values=values):
            return values
        case TextColumn(codes=codes, names=names):
            if holds_numbers(column):
                return np.array([int(name) for name in names])[codes]
            return pa.DictionaryArray.from_arrays(pa.array(codes), pa.array(names, pa.large_string()))
