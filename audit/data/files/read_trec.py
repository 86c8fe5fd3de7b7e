"""Reads the files of TREC: runs (query Q0 document rank score tag) as predictions, qrels as truth.

As trec_eval does, the rank of a run is not read but its score, and a document is relevant from grade 1 on.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from recsys_metric_audit.audit.data.files.input_table import Role, Table, TextColumn, bad_value, check_finite, quoted
from recsys_metric_audit.audit.errors import UserError

_FORMS = {"predictions": (6, 4, "query Q0 document rank score tag"), "truth": (4, 3, "query 0 document grade")}
"""Words of a line, the place of its number, and how the line reads."""
LEAST_GRADE = 1.0


def read_trec(path: Path, role: Role) -> Table:
    """Read a run or qrels, gzipped or not; rows of qrels below grade 1 are left out and counted.

    Raises:
        UserError: for training data, and for invalid content, with its line.
        OSError: if the file cannot be read or decompressed.
    """
    if role.name not in _FORMS:
        raise UserError(f"{path}: TREC has no files of {role.name}.", "Give a CSV or Parquet file of user, item.")
    _, place, _ = _FORMS[role.name]
    users, items, numbers, left_out = _Codes(), _Codes(), [], 0
    for line, words in _lines(path, role):
        number = _number(path, line, words[place])
        if role.name == "truth" and number < LEAST_GRADE:
            left_out += 1
            continue
        users.add(words[0])
        items.add(words[2])
        numbers.append(number)
    if not numbers:
        raise UserError(
            f"{path}: there are no rows{' of grade 1 or more' if left_out else ''}.", f"Give a file of {role.name}."
        )
    values = np.array(numbers)
    check_finite(path, str(role.number), values)
    return Table(path, role, users.column(), items.column(), values, left_out)


class _Codes:
    """Ids as they come: each distinct one has a number."""

    def __init__(self) -> None:
        self.place: dict[str, int] = {}
        self.codes: list[int] = []

    def add(self, name: str) -> None:
        """Add the id of one row."""
        self.codes.append(self.place.setdefault(name, len(self.place)))

    def column(self) -> TextColumn:
        """Return the ids of all rows."""
        return TextColumn(np.array(self.codes, dtype=np.int64), tuple(self.place), typed=False)


def _lines(path: Path, role: Role) -> Iterator[tuple[int, list[str]]]:
    """Yield the words of every line that is not blank, with its number."""
    length, _, form = _FORMS[role.name]
    opened = gzip.open if path.suffix.lower() == ".gz" else open
    with opened(path, "rb") as file:
        for number, raw in enumerate(file, start=1):
            try:
                words = raw.decode("utf-8").split()
            except UnicodeDecodeError:
                raise UserError(f"{path}: line {number} is not UTF-8.", "Write the file in UTF-8.") from None
            if words and len(words) != length:
                raise UserError(f"{path}: line {number} has {len(words)} words, not {length}.", f"A line is: {form}")
            if words:
                yield number, words


def _number(path: Path, line: int, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        hint = "Scores and grades are numbers."
        raise bad_value(path, "score or grade", line, f"{quoted(text)} is no number", hint) from None
