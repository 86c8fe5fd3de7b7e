"""Holds what the readers of all forms return, and how printed text and numbers compare with returned ones."""

from __future__ import annotations

import math
import unicodedata
from dataclasses import dataclass
from decimal import Decimal

from recsys_metric_audit.reports.model.report_error import ReportError


@dataclass(frozen=True)
class Table:
    """Holds one table as printed: a heading of two lines is joined with a blank, and so is a cell with its marks.

    A row is its label and its cells; a note in place of the cells is one cell.
    """

    name: str
    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]


Block = Table | str
"""A table, or a sentence or list item on one line."""


class UnreadableError(ReportError):
    """Says that a form cannot be read: nothing of it counts as read."""

    def __init__(self, file: str, what: str) -> None:
        super().__init__(f"{file} cannot be read: {what}.", "Write the report again: audit report DIR")


def plain(text: str) -> str:
    """Return ``text`` on one line, with single blanks; what cannot be seen stands as its code."""
    return "".join(map(_seen, " ".join(text.split())))


def _seen(char: str) -> str:
    if char.isprintable() or unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Zl", "Zp") or char in "\u200c\u200d":
        return char
    number = ord(char)
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


NUMBER = r"(?:nan|[−+-]?(?:∞|inf|\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?))"
"""A printed number, as part of a pattern."""


def is_rounding(printed: str, returned: float | None) -> bool:
    """Return True if ``printed`` is ``returned`` to the digits printed, none of them made up.

    The two may differ by half a unit of the last printed digit. A float is taken at the digits that identify it; a
    printed digit behind these must be 0.
    """
    text = printed.replace("−", "-").replace("∞", "inf").replace(",", "")
    if returned is None:
        return False
    try:
        shown = Decimal(text)
    except ArithmeticError:
        return False
    if not (shown.is_finite() and math.isfinite(returned)):
        return str(float(text)) == str(returned)
    exact, exponent = Decimal(repr(returned)), shown.as_tuple().exponent
    half = Decimal(5).scaleb(int(exponent) - 1)
    return abs(shown - exact) <= half and _digits(shown) <= _digits(exact)


def _digits(number: Decimal) -> int:
    return len(number.normalize().as_tuple().digits)
