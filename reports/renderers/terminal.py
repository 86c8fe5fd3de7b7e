"""Plain text for the terminal: aligned tables between rules, never wider than the terminal."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import wrap

from rich.cells import cell_len, set_cell_size
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from reports.model.result import Result
from reports.tables.paper_tables import paper_tables
from reports.tables.table import Cell, Column, Row, Table
from reports.wording.answer import answer
from reports.wording.formatting import printable
from reports.wording.surprises import surprises

_STYLES = {"canonical": "", "variant": "yellow", "unsure": "magenta", "broken": "red", "empty": "dim"}
_LABEL = 34
_GAP = "  "


@dataclass(frozen=True)
class _Width:
    """Widths of one column in terminal cells: its figures, its marks, and the whole column with headings and words."""

    figure: int
    mark: int
    whole: int


def print_report(result: Result, console: Console) -> None:
    """Print the answer, the surprises and all tables of ``result`` on ``console``."""
    for line in _summary(result, console.width):
        console.print(Text(line))
    for table in paper_tables(result):
        console.print(Padding(renderable(table, console.width), (1, 0, 0, 0)))


def render_report(result: Result, width: int = 100) -> str:
    """Return what :func:`print_report` prints, as plain text of at most ``width`` columns."""
    console = Console(width=width, color_system=None, force_terminal=False, legacy_windows=False)
    with console.capture() as capture:
        print_report(result, console)
    return "\n".join(line.rstrip() for line in capture.get().splitlines()) + "\n"


def _summary(result: Result, width: int) -> list[str]:
    """Return the answer, then the surprises, in lines of at most ``width`` columns."""
    lines = wrap(printable(answer(result)), width)
    for each in surprises(result):
        lines += wrap(printable(each.words), width, initial_indent="! ", subsequent_indent="  ")
    return lines


def render_table(table: Table, width: int = 100) -> str:
    """Return ``table`` as plain text of at most ``width`` columns."""
    console = Console(width=width, color_system=None, force_terminal=False, legacy_windows=False)
    with console.capture() as capture:
        console.print(renderable(table, width))
    return "\n".join(line.rstrip() for line in capture.get().splitlines()) + "\n"


def renderable(table: Table, width: int) -> RenderableType:
    """Return ``table`` for Rich; columns that do not fit into ``width`` are continued in a further block."""
    heading = Text.assemble((f"{table.name}.", "bold"), f" {table.caption}")
    label = min(_LABEL, max((cell_len(_label(row)) for row in table.rows), default=0))
    widths = [_width(column, [row.cells[i] for row in table.rows]) for i, column in enumerate(table.columns)]
    blocks = [_block(table, columns, widths, label) for columns in _panels(widths, width - label)]
    return Group(heading, *blocks, _key(table))


def _width(column: Column, cells: list[Cell]) -> _Width:
    figures = [printable(cell.text) for cell in cells if cell.state in ("canonical", "variant", "unsure")]
    figure = max(map(cell_len, figures), default=0)
    mark = max((cell_len(cell.beside) + 1 for cell in cells if cell.beside), default=0)
    words = [column.heading, column.subheading, *(cell.text for cell in cells)]
    return _Width(figure, mark, max(figure + mark, *(cell_len(printable(word)) for word in words)))


def _panels(widths: list[_Width], room: int) -> list[range]:
    """Return the columns split into ranges that each fit into ``room``."""
    runs, start, used = [], 0, 0
    for index, width in enumerate(widths):
        need = width.whole + len(_GAP)
        if index > start and used + need > room:
            runs.append(range(start, index))
            start, used = index, 0
        used += need
    return [*runs, range(start, len(widths))]


def _block(table: Table, columns: range, widths: list[_Width], label: int) -> RenderableType:
    total = label + sum(widths[i].whole + len(_GAP) for i in columns)
    heads = [table.columns[i] for i in columns]
    lines = [Text("━" * total), _heads([head.heading for head in heads], columns, widths, label)]
    if any(head.subheading for head in heads):
        lines.append(_heads([head.subheading for head in heads], columns, widths, label))
    lines.append(Text("─" * total))
    for row in table.rows:
        lines.append(_line(row, columns, widths, label, total))
        if row.kind == "reference":
            lines.append(Text("┈" * total, style="dim"))
    return Group(*lines, Text("━" * total))


def _heads(words: list[str], columns: range, widths: list[_Width], label: int) -> Text:
    line = Text(" " * label)
    for word, index in zip(words, columns, strict=True):
        line.append(_GAP + _right(printable(word), widths[index]))
    return line


def _line(row: Row, columns: range, widths: list[_Width], label: int, total: int) -> Text:
    line = Text(set_cell_size(_label(row), label), style="italic" if row.kind == "reference" else "")
    if row.note:
        line.append(set_cell_size(_GAP + printable(row.note), total - label), style="dim")
        return line
    for index in columns:
        cell, width = row.cells[index], widths[index]
        shown = printable(cell.text) + (f" {cell.beside}".ljust(width.mark) if cell.beside else "")
        text = shown.rjust(width.whole) if cell.beside else _right(shown, width)
        line.append(_GAP + text, style=_STYLES[cell.state])
    return line


def _right(text: str, width: _Width) -> str:
    """Return ``text`` aligned right with the figures, or with the marks beside them if it is too long for that."""
    room = width.whole - width.mark
    size = cell_len(text)
    return (" " * (room - size) + text + " " * width.mark) if size <= room else " " * (width.whole - size) + text


def _label(row: Row) -> str:
    return printable(f"{row.label} {row.detail}" if row.kind == "library" else row.label)


def _key(table: Table) -> RenderableType:
    found = Grid(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for _ in range(4):
        found.add_column(overflow="fold")
    for mark in table.key:
        found.add_row(*(Text(printable(part)) for part in (mark.column, mark.mark, mark.meaning, mark.words)))
    return found if table.key else Group()
