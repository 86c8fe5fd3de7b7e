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

    ``column`` is empty for a mark that means one thing in every column.
    """

    column: str
    mark: str
    meaning: str
    words: str


@dataclass(frozen=True)
class Table:
    """A complete table: a renderer prints it without knowing the result."""

    name: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    key: tuple[KeyEntry, ...]
