"""Finds numbers of a CSV file that float64 does not hold, by their text, so that none changes silently."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.audit.data.files.input_table import bad_value, quoted

_WHOLE = re.compile(r"\s*[+-]?\d{1,400}\s*", re.ASCII)
_LARGEST_EXACT = 2.0**53


def check_held_exactly(
    path: Path, column: str, values: NDArray[np.float64], read_texts: Callable[[], Sequence[str]]
) -> None:
    """Raise ``UserError`` for the first number that is too large for float64, or a whole number that it rounds.

    Whole numbers above 2^53 would be rounded to equal doubles and tie.

    Args:
        path: the file.
        column: the column's name.
        values: the numbers as parsed.
        read_texts: reads the column as text; called only if a number is large.
    """
    large = np.flatnonzero(np.abs(values) >= _LARGEST_EXACT)  # not NaN, which is no number and told as that
    if not len(large):
        return
    texts = read_texts()
    for row in large.tolist():
        text, value = texts[row], float(values[row])
        if not any(digit in text for digit in "0123456789"):
            continue  # an infinity that the file spells out
        if np.isinf(value):
            what = f"{quoted(text)} is too large for a number of 64 bits"
            raise bad_value(path, column, row + 1, what, "Scale the column: only the order and ratios of scores count.")
        if _WHOLE.fullmatch(text) and int(text) != int(value):
            what = f"the whole number {quoted(text.strip())} is not held exactly by a number of 64 bits"
            raise bad_value(path, column, row + 1, what, "Scale it so that float64 holds it exactly.")
