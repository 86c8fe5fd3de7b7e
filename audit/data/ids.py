"""User and item ids of any type, from several files, as the int64 ids that cross every border."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.data.dataset import Labels
from reference.input.case import Ids

_WHOLE_NUMBER = re.compile(r"0|-?[1-9][0-9]*")


@dataclass(frozen=True, eq=False)
class TextColumn:
    """Ids as text: row i is ``names[codes[i]]``.

    ``typed`` says that the file itself calls them text (Parquet); a CSV file says nothing of types.
    """

    codes: NDArray[np.int64]
    names: tuple[str, ...]
    typed: bool


@dataclass(frozen=True, eq=False)
class NumberColumn:
    """Ids that the file itself calls whole numbers (any signed or unsigned integer type)."""

    values: NDArray[Any]


IdColumn = TextColumn | NumberColumn


@dataclass(frozen=True, eq=False)
class Unified:
    """The columns as ids of one numbering; ``mixed`` if numbers had to be compared with text."""

    ids: tuple[Ids, ...]
    labels: Labels
    mixed: bool


def unify(columns: Sequence[IdColumn]) -> Unified:
    """One numbering for all ``columns``; equal labels get equal ids, and ids sort as the labels do.

    Ids are numbers if every column holds numbers, or text of a CSV file that is written as a number is
    ("7" is, "07" is not: then all ids are text and stay distinct). Numbers from 0 to 2^63 − 1 are kept as
    they are; all other ids are numbered 0, 1, 2, … in sorted order. Where one Parquet file calls them
    numbers and another file text, numbers are compared by their decimal text.
    """
    if all(_are_numbers(column) for column in columns):
        return _numbers(columns)
    mixed = any(isinstance(column, NumberColumn) for column in columns)
    texts = [_as_text(column) for column in columns]
    names = sorted({name for text in texts for name in text.names})
    return Unified(_coded(texts, names), Labels(np.array(names, dtype=object)), mixed)


def _are_numbers(column: IdColumn) -> bool:
    match column:
        case NumberColumn():
            return True
        case TextColumn(typed=typed, names=names):
            return not typed and all(_WHOLE_NUMBER.fullmatch(name) for name in names)


def _numbers(columns: Sequence[IdColumn]) -> Unified:
    plain = [_plain_numbers(column) for column in columns]
    kept = [values for values in plain if values is not None]
    if len(kept) == len(plain):
        return Unified(tuple(kept), Labels(), mixed=False)
    texts = [_as_text(column) for column in columns]
    numbers = sorted({int(name) for text in texts for name in text.names})
    labels = np.array(numbers, dtype=object)
    return Unified(_coded(texts, [str(number) for number in numbers]), Labels(labels), mixed=False)


def _plain_numbers(column: IdColumn) -> Ids | None:
    """The numbers as int64, or ``None`` if one of them is negative or does not fit."""
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
    moves = [np.array([place[name] for name in text.names], dtype=np.int64) for text in texts]
    return tuple(move[text.codes] for move, text in zip(moves, texts, strict=True))
