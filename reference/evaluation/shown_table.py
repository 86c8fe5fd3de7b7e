"""Shows results as tables: aligned text in a terminal, HTML in a notebook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import TypeVar

Columns = Mapping[str, Sequence[object]]
_ROWS = 60
"""Rows that are shown; of more, the number is said."""


class ShownAsTable:
    """Shows itself as the table of its :meth:`_shown` columns, under the line :meth:`_heading` if that says anything.

    Columns in which nothing is known are left out.
    """

    def _shown(self) -> Columns:
        raise NotImplementedError

    def _heading(self) -> str:
        return ""

    def _known(self) -> Columns:
        return {name: cells for name, cells in self._shown().items() if not cells or set(cells) != {None}}

    def __repr__(self) -> str:
        columns = self._known()
        lines = [_aligned(name, cells) for name, cells in columns.items()]
        rows = ["  ".join(row).rstrip() for row in zip(*lines, strict=True)]
        return "\n".join(filter(None, [self._heading(), *rows, _further(columns)]))

    def _repr_html_(self) -> str:
        columns = self._known()
        head = "".join(f"<th>{escape(name)}</th>" for name in columns)
        rows = zip(*(map(_cell, cells[:_ROWS]) for cells in columns.values()), strict=True)
        body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
        around = [f"<p>{escape(text)}</p>" if text else "" for text in (self._heading(), _further(columns))]
        return f"{around[0]}<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{around[1]}"


Part = TypeVar("Part", bound=ShownAsTable)


class Tables(tuple[Part, ...]):
    """Holds several results, and shows their tables one below the other."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "\n\n".join(map(repr, self)) or "()"

    def _repr_html_(self) -> str:
        return "".join(part._repr_html_() for part in self)


def _aligned(name: str, cells: Sequence[object]) -> list[str]:
    """Return the lines of a column, of one width: numbers to the right, text to the left."""
    lines = [name, *map(_cell, cells[:_ROWS])]
    width = max(map(len, lines))
    numbers = all(cell is None or isinstance(cell, int | float) for cell in cells)
    return [line.rjust(width) if numbers else line.ljust(width) for line in lines]


def _cell(cell: object) -> str:
    """Return a number with four decimals, or four digits where it is small; a dash for what there is not."""
    if isinstance(cell, float):
        return f"{cell:.4g}" if 0 < abs(cell) < 1e-3 else f"{cell:.4f}"
    return "–" if cell is None else f"{cell:,}" if isinstance(cell, int) else str(cell)


def _further(columns: Columns) -> str:
    rows = max(map(len, columns.values()), default=0)
    return f"and {rows - _ROWS:,} further rows" if rows > _ROWS else ""
