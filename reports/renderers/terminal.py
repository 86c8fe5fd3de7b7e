"""Plain text for the terminal: aligned tables between rules, never wider than the terminal."""

from __future__ import annotations

from dataclasses import dataclass, replace
from textwrap import wrap

from rich.cells import cell_len, set_cell_size
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from reports.headlines.answer import answer
from reports.headlines.metric_headlines import metric_headlines
from reports.headlines.surprises import surprises
from reports.model.result import Result
from reports.tables.paper_tables import paper_tables
from reports.tables.table import Cell, Column, KeyEntry, Row, Table
from reports.wording.formatting import printable
from reports.wording.labels import PER_USER

_STYLES = {"canonical": "", "variant": "yellow", "unsure": "magenta", "broken": "red", "empty": "dim"}
_LABEL = 34
_GAPS = ("  ", " ")
"""Gaps between columns; the second where it saves a block."""
_RECORDED = " (recorded)"


@dataclass(frozen=True)
class _Width:
    """Widths of one column in terminal cells: its figures, its marks, and the whole column with headings and words."""

    figure: int
    mark: int
    whole: int


def print_report(result: Result, console: Console) -> None:
    """Print the answer, the headlines of the metrics, all tables and the surprises of ``result`` on ``console``."""
    for line in _opening(result, console.width):
        console.print(Text(line))
    for table in paper_tables(result):
        console.print(Padding(renderable(table, console.width), (1, 0, 0, 0)))
    for number, line in enumerate(_surprising(result, console.width)):
        console.print(Padding(Text(line), (not number, 0, 0, 0)))


def render_report(result: Result, width: int = 100) -> str:
    """Return what :func:`print_report` prints, as plain text of at most ``width`` columns."""
    console = Console(width=width, color_system=None, force_terminal=False, legacy_windows=False)
    with console.capture() as capture:
        print_report(result, console)
    return "\n".join(line.rstrip() for line in capture.get().splitlines()) + "\n"


def _opening(result: Result, width: int) -> list[str]:
    """Return the answer, then the headlines of the metrics, in lines of at most ``width`` columns."""
    lines = wrap(printable(answer(result)), width)
    for each in metric_headlines(result):
        lines += wrap(printable(each), width, initial_indent="- ", subsequent_indent="  ")
    return lines


def _surprising(result: Result, width: int) -> list[str]:
    found = (
        wrap(printable(each.words), width, initial_indent="! ", subsequent_indent="  ") for each in surprises(result)
    )
    return [line for lines in found for line in lines]


def render_table(table: Table, width: int = 100) -> str:
    """Return ``table`` as plain text of at most ``width`` columns."""
    console = Console(width=width, color_system=None, force_terminal=False, legacy_windows=False)
    with console.capture() as capture:
        console.print(renderable(table, width))
    return "\n".join(line.rstrip() for line in capture.get().splitlines()) + "\n"


def renderable(table: Table, width: int) -> RenderableType:
    """Return ``table`` for Rich; columns that do not fit into ``width`` are continued in a further block."""
    heading = Text.assemble((f"{table.name}.", "bold"), f" {table.caption}")
    short = _shortened(table)
    label = min(_LABEL, max((cell_len(_label(row)) for row in short.rows), default=0))
    widths = [_width(column, [row.cells[i] for row in short.rows]) for i, column in enumerate(short.columns)]
    panels = min((_panels(widths, width - label, gap) for gap in _GAPS), key=lambda found: len(found[0]))
    blocks = [_block(short, columns, widths, label, panels[1]) for columns in panels[0]]
    return Group(heading, *blocks, _key(short, width))


def _shortened(table: Table) -> Table:
    """Return ``table`` with the longest of its words abbreviated, and these in its key."""
    rows = [
        replace(
            row, detail=row.detail.replace(_RECORDED, "°"),
            cells=tuple(replace(c, text="/user") if c.text == PER_USER else c for c in row.cells),
        )
        for row in table.rows
    ]  # fmt: skip
    recorded = any(row.detail.endswith(_RECORDED) for row in table.rows)
    per_user = any(cell.text == PER_USER for row in table.rows for cell in row.cells)
    notes = [("/user", "values of users, no mean", per_user), ("°", "replayed from a recording", recorded)]
    key = (*table.key, *(KeyEntry("", mark, words, "") for mark, words, used in notes if used))
    return replace(table, rows=tuple(rows), key=key)


def _width(column: Column, cells: list[Cell]) -> _Width:
    figures = [printable(cell.text) for cell in cells if cell.state in ("canonical", "variant", "unsure")]
    figure = max(map(cell_len, figures), default=0)
    mark = max((cell_len(cell.beside) + 1 for cell in cells if cell.beside), default=0)
    words = [column.heading, column.subheading, *(cell.text for cell in cells)]
    return _Width(figure, mark, max(figure + mark, *(cell_len(printable(word)) for word in words)))


def _panels(widths: list[_Width], room: int, gap: str) -> tuple[list[range], str]:
    """Return the columns split into ranges that each fit into ``room``, and the gap between them."""
    runs, start, used = [], 0, 0
    for index, width in enumerate(widths):
        need = width.whole + len(gap)
        if index > start and used + need > room:
            runs.append(range(start, index))
            start, used = index, 0
        used += need
    return [*runs, range(start, len(widths))], gap


def _block(table: Table, columns: range, widths: list[_Width], label: int, gap: str) -> RenderableType:
    total = label + sum(widths[i].whole + len(gap) for i in columns)
    heads = [table.columns[i] for i in columns]
    lines = [Text("━" * total), _heads([head.heading for head in heads], columns, widths, label, gap)]
    if any(head.subheading for head in heads):
        lines.append(_heads([head.subheading for head in heads], columns, widths, label, gap))
    lines.append(Text("─" * total))
    for row in table.rows:
        lines.append(_line(row, columns, widths, label, total, gap))
        if row.kind == "reference":
            lines.append(Text("┈" * total, style="dim"))
    return Group(*lines, Text("━" * total))


def _heads(words: list[str], columns: range, widths: list[_Width], label: int, gap: str) -> Text:
    line = Text(" " * label)
    for word, index in zip(words, columns, strict=True):
        line.append(gap + _right(printable(word), widths[index]))
    return line


def _line(row: Row, columns: range, widths: list[_Width], label: int, total: int, gap: str) -> Text:
    line = Text(set_cell_size(_label(row), label), style="italic" if row.kind == "reference" else "")
    if row.note:
        line.append(set_cell_size(gap + printable(row.note), total - label), style="dim")
        return line
    for index in columns:
        cell, width = row.cells[index], widths[index]
        shown = printable(cell.text) + (f" {cell.beside}".ljust(width.mark) if cell.beside else "")
        text = shown.rjust(width.whole) if cell.beside else _right(shown, width)
        line.append(gap + text, style=_STYLES[cell.state])
    return line


def _right(text: str, width: _Width) -> str:
    """Return ``text`` aligned right with the figures, or with the marks beside them if it is too long for that."""
    room = width.whole - width.mark
    size = cell_len(text)
    return (" " * (room - size) + text + " " * width.mark) if size <= room else " " * (width.whole - size) + text


def _label(row: Row) -> str:
    return printable(f"{row.label} {row.detail}" if row.kind == "library" else row.label)


def _key(table: Table, width: int) -> RenderableType:
    """Return the letters a line each, then the marks that mean one thing in every column, as many on a line as fit."""
    found = Grid(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for _ in range(4):
        found.add_column(overflow="fold")
    for entry in table.key:
        if entry.column:
            found.add_row(*(Text(printable(part)) for part in (entry.column, entry.mark, entry.meaning, entry.words)))
    lines = [""]
    for entry in table.key:
        words = "" if entry.column else printable(" ".join(filter(None, (entry.mark, entry.meaning, entry.words))))
        if not words:
            continue
        together = "   ".join(filter(None, (lines[-1], words)))
        lines = [*lines[:-1], together] if cell_len(together) <= width else [*lines, words]
    signs = [Text(row) for line in lines for row in wrap(line, width, subsequent_indent="  ")]
    return Group(*([found] if found.row_count else []), *signs)
