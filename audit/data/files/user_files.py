"""Reads the user's own predictions, truth and train data from CSV, TSV, Parquet or TREC files."""

from __future__ import annotations

import gzip
import stat
import zlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from recsys_metric_audit.audit.data.dataset import (
    Dataset,
    Fact,
    Labels,
    by_user_best_first,
    counted,
    facts_of,
    first_repeated_pair,
)
from recsys_metric_audit.audit.data.files.input_table import (
    PREDICTIONS,
    TRAIN,
    TRUTH,
    NumberColumn,
    Role,
    Table,
    quoted,
    unify,
)
from recsys_metric_audit.audit.data.files.read_trec import read_trec
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.reference.input.case import Case, Floats, Ids, Predictions, Train, Truth
from recsys_metric_audit.reference.input.conversion import Columns, LabelledCase
from recsys_metric_audit.reference.input.distinct import distinct
from recsys_metric_audit.reference.input.doubtful_numbers import PLACES, are_places
from recsys_metric_audit.reference.input.in_common import NothingInCommonError, check_in_common

_LOOKED_AT = 1 << 12  # bytes
_GZIP, _PARQUET = b"\x1f\x8b", b"PAR1"
_TO_UTF8 = "Convert it: iconv -f {} -t UTF-8 FILE > converted.csv"
_BINARY: dict[bytes, tuple[str, str]] = {
    _PARQUET: ("a Parquet file", "Name it .parquet."),
    b"SQLite format 3": ("an SQLite database", "Write the table that is meant as CSV: sqlite3 -csv -header."),
    b"ORC": ("an ORC file", "Write it as Parquet or CSV."),
    b"PK\x03\x04": ("a ZIP archive, as spreadsheets are", "Unpack it, or save the sheet as CSV in UTF-8."),
    b"\xff\xfe\0\0": ("text in UTF-32", _TO_UTF8.format("UTF-32")),
    b"\0\0\xfe\xff": ("text in UTF-32", _TO_UTF8.format("UTF-32")),
}
"""By how they begin; all hold zero bytes, which tells them from text that begins alike."""
_TEXT: dict[bytes, tuple[str, str]] = {
    b"%pdf-": ("a PDF", "Give the table as CSV or Parquet."),
    b"<!doctype html": ("a web page", "It may be an error in the place of a download: fetch the file again."),
    b"<html": ("a web page", "It may be an error in the place of a download: fetch the file again."),
    b"version https://git-lfs": ("a Git LFS pointer, not the file itself", "Fetch the file: git lfs pull"),
}


def refuse_other_kind(path: Path) -> None:
    """Refuse a file whose first bytes are of another kind than its name says.

    Raises:
        UserError: with what it is.
        OSError: if it cannot be read or decompressed.
    """
    with path.open("rb") as file:
        start = file.read(_LOOKED_AT)
    gzipped = path.suffix.lower() == ".gz"
    if start.startswith(_GZIP):
        if not gzipped:
            raise UserError(f"{path}: is compressed with gzip.", f"Name it {path.name}.gz, or: gunzip < FILE")
        try:
            with gzip.open(path) as unpacked:
                start = unpacked.read(_LOOKED_AT)
        except (EOFError, zlib.error):
            return  # cut off or damaged: whoever reads it says so
    if start.startswith(_PARQUET) and not gzipped and path.suffix.lower() in (".parquet", ".pq"):
        return
    for begins, (what, hint) in _BINARY.items():
        if start.startswith(begins) and b"\0" in start:
            raise UserError(f"{path}: is {what}.", hint)
    for begins, (what, hint) in _TEXT.items():
        if start.lstrip().lower().startswith(begins):
            raise UserError(f"{path}: is {what}.", hint)


_READ = NumberColumn(np.empty(0, dtype=np.int64))
"""Stands in a table for ids that are no longer needed."""
_FORMATS = ".csv, .tsv (also .csv.gz, .tsv.gz), .parquet, .trec, .run or .qrels (also .gz)"


def read_case(
    predictions: Path, truth: Path, train: Path | None, *, threshold: float = 1.0, columns: Columns | None = None
) -> Dataset:
    """Read the case that the user's files describe.

    Ids may be whole numbers or text (:func:`audit.data.files.input_table.unify`); numbers are parsed to the nearest
    double; further columns are ignored. What is legal but unusual becomes a fact of the dataset.

    Args:
        predictions: a file with the columns ``user, item, score``, or a run of TREC.
        truth: a file with the columns ``user, item`` and, if it is graded, ``gain``; else every row has gain 1.
        train: a file with the columns ``user, item``, or None.
        threshold: the gain that is passed to libraries that ask from which gain on a row is relevant.
        columns: the names of the columns in all files, if they are others; formats of TREC have none.

    Raises:
        UserError: for invalid input, with file, column and row (data rows count from 1).
    """
    names = columns or Columns()
    tables = [read_table(predictions, PREDICTIONS.named(names)), read_table(truth, TRUTH.named(names))]
    if train is not None:
        tables.append(read_table(train, TRAIN.named(names)))
    users, items = unify([t.user for t in tables]), unify([t.item for t in tables])
    tables = [replace(table, user=_READ, item=_READ) for table in tables]  # their ids would be in memory twice
    rows = list(zip(users.ids, items.ids, strict=True))
    check_duplicates(tables[:2], rows[:2], users.labels, items.labels)
    gain = tables[1].number
    case, order = _case(rows, tables[0].number, gain, threshold)
    check_relevant(truth, float(case.truth.gain.max()), case.threshold)
    facts = [*order, *facts_of(case)]
    try:
        few = check_in_common(LabelledCase(case, users.labels.names, items.labels.names))
    except NothingInCommonError as error:
        raise UserError(f"{predictions} and {truth}: {error}.", "Train rows are given by --train FILE.") from None
    facts += [Fact(f"few-in-common-{number}", 1, f"{text}.") for number, text in enumerate(few)]
    for column, unified in (("user", users), ("item", items)):
        if unified.mixed:
            text = f"Files differ in the type of {column} ids: numbers were compared by their decimal text."
            facts.append(Fact("mixed-id-types", 1, text))
    if tables[1].left_out:
        facts.append(counted("grades-below-1", tables[1].left_out, "Rows of the truth of grade below 1, left out"))
    if gain is None:
        facts.append(counted("no-gains", len(case.truth.user), "Rows of the truth, all without gain, which count 1"))
    choices = (
        f"Predictions from {predictions.name}, truth from {truth.name}, "
        + (f"train data from {train.name}." if train else "no train data."),
        f"Every row of the truth counts as relevant; libraries that ask from which gain on are told {threshold:g}.",
        "Candidates are the items listed for each user; the catalogue is every item in the files.",
    )
    return Dataset(predictions.name, case, users.labels, items.labels, tuple(facts), choices)


def read_table(path: Path, role: Role) -> Table:
    """Read one file in the format that its suffix names.

    Raises:
        UserError: if the file does not exist, cannot be read, or its content is invalid.
    """
    suffixes = [suffix.lower() for suffix in path.suffixes if suffix.lower() != ".gz"]
    kind = suffixes[-1] if suffixes else ""
    if path.is_dir():
        raise UserError(f"{path} is a directory, not a file of {role.name}.", f"Give one file: {_FORMATS}.")
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # a pipe waits without a word, and gives its content once only
            hint = f"Write the {role.name} into a file first, and give that."
            raise UserError(f"{path} is no file but a pipe or a device.", hint)
        refuse_other_kind(path)
        if kind in (".csv", ".tsv"):
            # pyarrow is slow to import, and many need no file.
            from recsys_metric_audit.audit.data.files.read_csv import read_csv

            table = read_csv(path, role, "," if kind == ".csv" else "\t")
        elif kind in (".trec", ".run", ".qrels"):
            table = read_trec(path, role)
        elif kind in (".parquet", ".pq"):
            from recsys_metric_audit.audit.data.files.read_parquet import read_parquet

            table = read_parquet(path, role)
        else:
            message = f"{path}: the format cannot be told from the name (suffix {path.suffix or 'none'})."
            raise UserError(message, f"Name it as what it is: {_FORMATS}.")
    except FileNotFoundError:
        hint = f"Check the path given for {role.name}."
        raise UserError(f"{path}: there is no such file.", hint) from None
    except PermissionError:
        raise UserError(f"{path}: no permission to read it.", f"Try: chmod u+r {path}") from None
    except OSError as error:
        hint = "Check that the file is whole and that its suffix says what it is."
        raise UserError(f"{path}: cannot be read: {error}.", hint) from error
    return table


def _case(
    columns: Sequence[tuple[Ids, Ids]], score: Floats | None, gain: Floats | None, threshold: float
) -> tuple[Case, list[Fact]]:
    (user, item), (true_user, true_item) = columns[:2]
    assert score is not None  # a required column of the predictions
    order = by_user_best_first(user, score)
    if order is None:
        facts = [counted("rows-in-order", len(user), "Predicted rows, given by user and best first, as they stay")]
    else:
        moved = int(np.count_nonzero(order != np.arange(len(order))))
        what = "Predicted rows moved to stand by user and best first (ties stay in the order given)"
        facts = [counted("rows-reordered", moved, what)]
        if are_places(user, score):
            facts.append(Fact("places-as-scores", 1, f"{PLACES[0].upper()}{PLACES[1:]}."))
        user, item, score = user[order], item[order], score[order]
    gain = np.ones(len(true_user)) if gain is None else gain
    case = Case(
        name="files",
        predictions=Predictions(user, item, score),
        truth=Truth(true_user, true_item, gain),
        train=Train(*columns[2]) if len(columns) > 2 else Train(),
        catalogue=np.unique(np.concatenate([distinct(item) for _, item in columns])),
        threshold=threshold,
        scale=rating_scale(gain),
        why="the user's own predictions",
    )
    return case, facts


def rating_scale(gain: Floats) -> tuple[float, float]:
    """Return the lowest and the highest gain, or ends around the only one."""
    low, high = float(gain.min()), float(gain.max())
    return (low, high) if low < high else (min(0.0, low), max(1.0, high))


def check_duplicates(tables: Sequence[Table], columns: Sequence[tuple[Ids, Ids]], users: Labels, items: Labels) -> None:
    """Refuse a table in which a user has an item twice.

    Raises:
        UserError: naming both rows.
    """
    for table, (user, item) in zip(tables, columns, strict=True):
        rows = first_repeated_pair(user, item)
        if rows is None:
            continue
        earlier, later = rows
        pair = f"user {quoted(users.of(user[[later]])[0])}, item {quoted(items.of(item[[later]])[0])}"
        raise UserError(
            f"{table.path}: columns user and item, row {later + 1}: {pair} already stands in row {earlier + 1}.",
            f"Keep one row for each user and item in the {table.role.name}.",
        )


def check_relevant(path: Path, highest: float, threshold: float) -> None:
    """Refuse a truth whose ``highest`` gain is below the threshold.

    Raises:
        UserError: if it is.
    """
    if highest < threshold:
        message = f"{path}: column gain: no row is relevant: all are below the threshold of {threshold:g}."
        lower = f"Lower the relevance threshold to {highest:g} or less."
        raise UserError(message, lower if highest > 0 else "Give relevant items a gain above 0, or leave gain out.")
