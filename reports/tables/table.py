"""A table as plain values, filled by :mod:`reports.tables.paper_tables` and printed by :mod:`reports.renderers`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

State = Literal["canonical", "variant", "unsure", "broken", "empty"]


@dataclass(frozen=True)
class Cell:
    """One value with its mark. ``more`` is what a reader sees on asking; ``then`` what the paper printed in its
    place, shown in brackets."""

    text: str
    mark: str = ""
    state: State = "canonical"
    more: str = ""
    then: str = ""

    @property
    def beside(self) -> str:
        """What stands behind the figure, as plain text: the mark, and the paper's value in brackets."""
        return " ".join(filter(None, (self.mark, f"[{self.then}]" if self.then else "")))


EMPTY = Cell("–", state="empty")


@dataclass(frozen=True)
class Column:
    """One column: its heading, and ``below`` a second line where one is needed."""

    heading: str
    below: str = ""


@dataclass(frozen=True)
class Row:
    """One row. ``note`` stands instead of all cells for a library that did not run."""

    label: str
    detail: str
    cells: tuple[Cell, ...]
    kind: Literal["reference", "library"] = "library"
    note: str = ""


@dataclass(frozen=True)
class Mark:
    """One line of the key: which mark in which column stands for which meaning."""

    column: str
    mark: str
    meaning: str
    words: str


@dataclass(frozen=True)
class Table:
    """A table, complete: any form prints it without knowing the result."""

    name: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    key: tuple[Mark, ...]
