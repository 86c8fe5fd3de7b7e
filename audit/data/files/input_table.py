"""An input file as typed columns: what every reader returns, the errors that readers share, and the ids in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.audit.data.dataset import Labels
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.reference.input.case import Ids
from recsys_metric_audit.reference.input.conversion import Columns
from recsys_metric_audit.reference.input.doubtful_numbers import NAMES_OF_PLACES

_WHOLE_NUMBER = re.compile(r"0|-?[1-9][0-9]{0,999}")  # longer ones are text: they count nothing


@dataclass(frozen=True, eq=False)
class TextColumn:
    """A column of ids as text: row i holds ``names[codes[i]]``.

    ``typed`` tells that the file declares them as text (Parquet); a CSV file declares no types.
    """

    codes: NDArray[np.int64]
    names: tuple[str, ...]
    typed: bool


@dataclass(frozen=True, eq=False)
class NumberColumn:
    """A column of ids that the file declares as whole numbers (any signed or unsigned integer type)."""

    values: NDArray[Any]


IdColumn = TextColumn | NumberColumn


@dataclass(frozen=True, eq=False)
class Unified:
    """Columns numbered together, and the labels of the ids; ``mixed`` if numbers were compared with text."""

    ids: tuple[Ids, ...]
    labels: Labels
    mixed: bool


def unify(columns: Sequence[IdColumn]) -> Unified:
    """Give all ``columns`` one numbering: equal labels get equal ids, and ids sort as the labels do.

    Labels are numbers if every column holds numbers, or CSV text in the canonical form of a number ("7", not "07").
    Otherwise all labels are text, so that "7" and "07" stay distinct. If all labels are numbers from 0 to 2^63 − 1,
    they are the ids; else ids are 0, 1, 2, … in the sorted order of the labels. If one Parquet file declares numbers
    and another file text, numbers are compared by their decimal text.
    """
    if all(holds_numbers(column) for column in columns):
        return _numbered(columns)
    mixed = any(isinstance(column, NumberColumn) for column in columns)
    texts = [_as_text(column) for column in columns]
    names = sorted({name for text in texts for name in text.names})
    return Unified(_coded(texts, names), Labels(np.array(names, dtype=object)), mixed)


def holds_numbers(column: IdColumn) -> bool:
    """Return True if ids are numbers: declared as such, or CSV text in the canonical form of numbers."""
    match column:
        case NumberColumn():
            return True
        case TextColumn(typed=typed, names=names):
            return not typed and all(_WHOLE_NUMBER.fullmatch(name) for name in names)


def _numbered(columns: Sequence[IdColumn]) -> Unified:
    plain = [_plain_numbers(column) for column in columns]
    fitting = [values for values in plain if values is not None]
    if len(fitting) == len(plain):
        return Unified(tuple(fitting), Labels(), mixed=False)
    texts = [_as_text(column) for column in columns]
    numbers = sorted({int(name) for text in texts for name in text.names})
    labels = np.array(numbers, dtype=object)
    return Unified(_coded(texts, [str(number) for number in numbers]), Labels(labels), mixed=False)


def _plain_numbers(column: IdColumn) -> Ids | None:
    """Return the numbers as int64, or None if one is negative or does not fit."""
    match column:
        case NumberColumn(values=values):
            fits = not len(values) or 0 <= int(values.min()) <= int(values.max()) < 2**63
            return values.astype(np.int64, copy=False) if fits else None
        case TextColumn(codes=codes, names=names):
            numbers = [int(name) for name in names]
            fits = all(0 <= number < 2**63 for number in numbers)
            return np.array(numbers, dtype=np.int64)[codes] if fits else None


def _as_text(column: IdColumn) -> TextColumn:
    match column:
        case TextColumn():
            return column
        case NumberColumn(values=values):
            distinct, codes = np.unique(values, return_inverse=True)
            return TextColumn(codes.astype(np.int64), tuple(map(str, distinct.tolist())), typed=True)


def _coded(texts: Sequence[TextColumn], names: Sequence[str]) -> tuple[Ids, ...]:
    place = {name: code for code, name in enumerate(names)}
    new_codes = [np.array([place[name] for name in text.names], dtype=np.int64) for text in texts]
    return tuple(new[text.codes] for new, text in zip(new_codes, texts, strict=True))


_SYNONYMS = {
    "user": ("user_id", "userid", "uid", "query_id", "query", "customer_id"),
    "item": ("item_id", "itemid", "iid", "movieid", "movie_id", "product_id", "doc_id"),
    "score": ("prediction", "pred", "rating", "relevance", "weight"),
    "gain": ("rating", "relevance", "label", "grade", "score", "weight"),
}

_SHOWN = 20  # names of columns in a message
_LONGEST_NEAR = 40


@dataclass(frozen=True)
class Role:
    """The purpose of a file: its required columns, and in ``number`` the column that holds numbers."""

    name: str
    required: tuple[str, ...]
    number: str | None = None

    @property
    def ids(self) -> tuple[str, str]:
        """Return the columns of users and items."""
        return self.required[0], self.required[1]

    def named(self, columns: Columns) -> Role:
        """Return the role with the names that its columns have in a file."""
        required = tuple(getattr(columns, name) for name in self.required)
        return Role(self.name, required, None if self.number is None else getattr(columns, self.number))


PREDICTIONS = Role("predictions", ("user", "item", "score"), "score")
TRUTH = Role("truth", ("user", "item"), "gain")
TRAIN = Role("train", ("user", "item"))


@dataclass(frozen=True, eq=False)
class Table:
    """Holds the columns of one file; ``number`` (float64) is None if the role has none or the file lacks it.

    ``left_out`` is the number of rows that are no rows of this role, by the format's own rule.
    """

    path: Path
    role: Role
    user: IdColumn
    item: IdColumn
    number: NDArray[np.float64] | None
    left_out: int = 0


def wanted_columns(path: Path, role: Role, header: Sequence[str]) -> list[str]:
    """Return the columns to read from a file with this ``header``.

    Raises:
        UserError: if a column is missing, doubled or misnamed, with what to change.
    """
    counts = Counter(header)
    twice = sorted(name for name, number in counts.items() if number > 1)
    if twice:
        hint = "Rename or remove one of them."
        raise UserError(f"{path}: column {quoted(twice[0])} occurs {counts[twice[0]]} times.", hint)
    missing = [name for name in role.required if name not in counts]
    if missing:
        raise UserError(_missing_message(path, role, missing, header), _missing_hint(role, missing, header))
    wanted = list(role.required)
    if role.number is None or role.number in wanted:
        return wanted
    if role.number in header:
        return [*wanted, role.number]
    near = _nearest(role.number, [name for name in header if name not in wanted])
    if near:
        message = f"{path}: there is no column {role.number}, but a column {near!r}."
        raise UserError(
            message, f"Rename {near!r} to {role.number}, or remove it: without {role.number} every row counts 1."
        )
    return wanted


def _missing_message(path: Path, role: Role, missing: Sequence[str], header: Sequence[str]) -> str:
    names = " and ".join(filter(None, (", ".join(missing[:-1]), missing[-1])))
    subject = f"columns {names} are" if len(missing) > 1 else f"column {names} is"
    more = f" and {len(header) - _SHOWN:,} more" if len(header) > _SHOWN else ""
    found = ", ".join(map(quoted, header[:_SHOWN])) + more if header else "none"
    return f"{path}: {subject} missing from the {role.name} (columns found: {found})."


def _missing_hint(role: Role, missing: Sequence[str], header: Sequence[str]) -> str:
    needed = ", ".join(role.required) + ("" if role.number in (*role.required, None) else f"[, {role.number}]")
    if len(header) == 1 and (found := re.search(r"[;\t,|]", header[0])):
        mark = {"\t": "tabs", ",": "commas"}.get(found[0], f"{found[0]!r}")
        return f"Columns seem to be separated by {mark}: use commas in .csv and tabs in .tsv files."
    if header and all(re.fullmatch(r"[-+.\deE]+", name) for name in header):
        return f"The first line seems to be data: put the line {','.join(role.required)} above it."
    free = [name for name in header if name not in role.required]
    renames: list[str] = []
    for name in missing:
        near = _nearest(name, free)
        if near:
            free.remove(near)
            renames.append(f"{quoted(near)} to {name}")
    advice = f"Rename {', '.join(renames)}. " if renames else ""
    of_places = next((quoted(each) for each in free if each.strip().lower() in NAMES_OF_PLACES), None)
    if "score" in missing and of_places is not None:
        advice += f"{of_places} names places, of which the best is the lowest: add a column score of their negatives. "
    return f"{advice}The columns are called exactly: {needed}."


def _nearest(name: str, header: Sequence[str]) -> str | None:
    plain = {column.strip().lower(): column for column in reversed(header)}
    for other in (name, *_SYNONYMS.get(name, ())):
        if other in plain:
            return plain[other]
    # Comparing takes time quadratic in the length, and a long name is near to none.
    near = get_close_matches(name, [each for each in plain if len(each) <= _LONGEST_NEAR], n=1, cutoff=0.6)
    return plain[near[0]] if near else None


def quoted(text: object, longest: int = 60) -> str:
    """Return a value of a file in quotes as Python writes it, a long one cut, with its length."""
    written = repr(text)
    if len(written) <= longest:
        return written
    return f"{written[:longest]}… ({len(str(text)):,} characters)"


def bad_value(path: Path, column: str, row: int, what: str, hint: str) -> UserError:
    """Return the error for one value; ``row`` counts data rows from 1, without the header."""
    return UserError(f"{path}: column {column}, row {row}: {what}.", hint)


def text_column(path: Path, name: str, parts: Sequence[Any], *, typed: bool) -> TextColumn:
    """Return ids from the parts of an Arrow column that share one dictionary.

    Raises:
        UserError: for an empty id.
    """
    names = tuple(parts[0].dictionary.to_pylist())
    codes = np.concatenate([part.indices.to_numpy(zero_copy_only=False) for part in parts], dtype=np.int64)
    if "" in names:
        row = int(np.flatnonzero(codes == names.index(""))[0]) + 1
        raise bad_value(path, name, row, "the id is empty", "Remove the row or give it an id.")
    return TextColumn(codes, names, typed)


def check_finite(path: Path, column: str, values: NDArray[np.float64]) -> None:
    """Raise :class:`UserError` for the first NaN or infinite value, which no order has a place for."""
    bad = np.flatnonzero(~np.isfinite(values))
    if len(bad):
        hint = "Every row needs a finite number: remove the row or give it one."
        raise bad_value(path, column, int(bad[0]) + 1, f"{values[bad[0]]} is not a finite number", hint)
