"""A table as plain values: made by the modules of :mod:`reports.tables`, printed by :mod:`reports.renderers`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

CellState = Literal["canonical", "variant", "unsure", "broken", "empty"]


@dataclass(frozen=True)
class Cell:
    """One value with its mark; ``published`` is the paper's value of this cell, shown in brackets."""

    text: str
    mark: str = ""
    state: CellState = "canonical"
    published: str = ""

    @property
    def beside(self) -> str:
        """The plain text behind the figure: the mark, then the paper's value in brackets."""
        return " ".join(filter(None, (self.mark, f"[{self.published}]" if self.published else "")))


EMPTY = Cell("–", state="empty")

HALF_LINE = 47
"""Most characters of a key's entry that shares a line of a hundred columns with another."""


@dataclass(frozen=True)
class Column:
    """One column: its heading, and a second line of the heading where one is needed."""

    heading: str
    subheading: str = ""


@dataclass(frozen=True)
class Row:
    """One row; a ``note`` replaces all cells, for a library that did not run."""

    label: str
    detail: str
    cells: tuple[Cell, ...]
    kind: Literal["reference", "library"] = "library"
    note: str = ""


@dataclass(frozen=True)
class KeyEntry:
    """One line of the key: the meaning of a mark in a column, and in ``words`` a remark, such as who says so.

    ``column`` is empty for a mark that means one thing in every column. ``brief`` is the meaning in fewer words, for
    places without room; empty if there are none.
    """

    column: str
    mark: str
    meaning: str
    words: str
    brief: str = ""

    @property
    def line(self) -> str:
        """The entry on one line, without its remark."""
        return self._line(self.meaning)

    @property
    def brief_line(self) -> str:
        """The entry in brief on one line, without its remark."""
        return self._line(self.brief or self.meaning)

    def _line(self, words: str) -> str:
        return "  ".join(filter(None, (" ".join(filter(None, (self.column, self.mark))), words)))


@dataclass(frozen=True)
class Table:
    """A complete table: a renderer prints it without knowing the result."""

    name: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    key: tuple[KeyEntry, ...]
