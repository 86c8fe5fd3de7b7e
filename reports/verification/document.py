"""Holds what the readers of all forms return: texts and tables as they are printed, without any meaning."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from recsys_metric_audit.reports.model.report_error import ReportError


@dataclass(frozen=True)
class Cell:
    """One cell: its text, and the marks above or behind it."""

    text: str
    mark: str = ""


@dataclass(frozen=True)
class Row:
    """One row: its label, and its cells; a note in place of the cells is one cell."""

    label: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Table:
    """One table as printed; a heading of two lines is joined with a blank."""

    name: str
    caption: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]


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
