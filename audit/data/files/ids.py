"""Maps user and item ids of any type, from several files, to the int64 ids that everything else works with."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.audit.data.dataset import Labels
from recsys_metric_audit.reference.input.case import Ids

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
        return _numbers(columns)
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


def _numbers(columns: Sequence[IdColumn]) -> Unified:
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
