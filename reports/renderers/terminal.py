"""Plain text for the terminal: aligned tables between rules, never wider than the terminal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from textwrap import wrap

from rich.cells import cell_len, set_cell_size
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from recsys_metric_audit.reports.headlines.headlines import answer, metric_headlines, surprises
from recsys_metric_audit.reports.model.result import Result
from recsys_metric_audit.reports.tables.paper_tables import MOST_LINES, RECORDED, join_equal_versions, paper_tables
from recsys_metric_audit.reports.tables.table import HALF_LINE, Cell, Column, KeyEntry, Row, Table
from recsys_metric_audit.reports.tables.winners import winners_table
from recsys_metric_audit.reports.wording.formatting import printable
from recsys_metric_audit.reports.wording.labels import PER_USER, joined
from recsys_metric_audit.reports.wording.library_groups import hidden_groups

_STYLES = {"canonical": "", "variant": "yellow", "unsure": "magenta", "broken": "red", "empty": "dim"}
WIDTH = 100
"""Columns of plain text where no terminal says another width."""
_LABEL = 34
_GAPS = ("  ", " ")
"""Gaps between columns; the second where it saves a block."""


@dataclass(frozen=True)
class _Width:
    """Widths of one column in terminal cells: its figures, its marks, and the whole column with headings and words."""

    figure: int
    mark: int
    whole: int


def print_report(result: Result, console: Console, group: str | None = None) -> None:
    """Print the answer, the headlines of the metrics, the tables of ``group`` and the surprises on ``console``.

    Args:
        result: The run.
        console: Where to print.
        group: The group of libraries that the tables show (:mod:`reports.wording.library_groups`).
    """
    for line in _opening(result, console.width):
        console.print(Text(printable(line)))
    joined_rows = map(join_equal_versions, paper_tables(result, group))
    for table in filter(None, (*joined_rows, winners_table(result, group))):
        console.print(Padding(renderable(table, console.width), (1, 0, 0, 0)))
    for number, line in enumerate(_closing(result, group, console.width)):
        console.print(Padding(Text(printable(line)), (not number, 0, 0, 0)))


def render_report(result: Result, group: str | None = None, width: int = WIDTH) -> str:
    """Return what :func:`print_report` prints, as plain text of at most ``width`` columns."""
    return _plain_text(lambda console: print_report(result, console, group), width)


def _opening(result: Result, width: int) -> list[str]:
    """Return the answer, then the headlines of the metrics, in lines of at most ``width`` columns."""
    lines = wrap(printable(answer(result)), width)
    for each in metric_headlines(result):
        lines += wrap(printable(each), width, initial_indent="- ", subsequent_indent="  ")
    return lines


def _closing(result: Result, group: str | None, width: int) -> list[str]:
    """Return what the tables leave out and the surprises, in lines of at most ``width`` columns."""
    hidden = hidden_groups(result, group)
    left_out = (
        [f"Not in these tables: {joined(list(hidden))}. --group NAME or --group all shows them."] if hidden else []
    )
    found = [*left_out, *(f"! {each.words}" for each in surprises(result))]
    return [line for each in found for line in wrap(printable(each), width, subsequent_indent="  ")]


def render_table(table: Table, width: int = WIDTH) -> str:
    """Return ``table`` as plain text of at most ``width`` columns."""
    return _plain_text(lambda console: console.print(renderable(table, width)), width)


def _plain_text(print_on: Callable[[Console], None], width: int) -> str:
    console = Console(width=width, color_system=None, force_terminal=False, legacy_windows=False)
    with console.capture() as capture:
        print_on(console)
    return "\n".join(line.rstrip() for line in capture.get().splitlines()) + "\n"


def renderable(table: Table, width: int) -> RenderableType:
    """Return ``table`` for Rich; columns that do not fit into ``width`` are continued in a further block."""
    heading = Text.assemble((f"{table.name}.", "bold"), f" {table.caption}")
    short = _shortened(table)
    label = min(_LABEL, max((cell_len(_label(row)) for row in short.rows), default=0))
    widths = [_width(column, [row.cells[i] for row in short.rows]) for i, column in enumerate(short.columns)]
    panels = min((_panels(widths, width - label, gap) for gap in _GAPS), key=lambda found: len(found[0]))
    first, *others = panels[0]
    blocks = [
        _block(short, first, widths, label, panels[1]),
        *(_block(_without_blank_rows(short, columns), columns, widths, label, panels[1]) for columns in others),
    ]
    return Group(heading, *blocks, _key(short, width))


def _without_blank_rows(table: Table, columns: range) -> Table:
    """Return ``table`` without the rows of libraries that have no value in ``columns``; a block before has them."""
    rows = [
        row
        for row in table.rows
        if row.kind == "reference" or row.note or any(row.cells[i].state != "empty" for i in columns)
    ]
    return replace(table, rows=tuple(rows))


def _shortened(table: Table) -> Table:
    """Return ``table`` with the longest of its words abbreviated, and these in its key."""
    rows = [
        replace(
            row,
            detail=row.detail.replace(RECORDED, "°"),
            cells=tuple(replace(c, text="/user") if c.text == PER_USER else c for c in row.cells),
        )
        for row in table.rows
    ]
    recorded = any(RECORDED in row.detail for row in table.rows)
    cautions = any(row.detail.endswith(" !") for row in table.rows)
    per_user = any(cell.text == PER_USER for row in table.rows for cell in row.cells)
    notes = [("/user", "no mean", per_user), ("°", "recorded", recorded), ("!", "see warning", cautions)]
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
        lines += _lines(row, columns, widths, label, total, gap)
        if row.kind == "reference":
            lines.append(Text("┈" * total, style="dim"))
    return Group(*lines, Text("━" * total))


def _heads(words: list[str], columns: range, widths: list[_Width], label: int, gap: str) -> Text:
    line = Text(" " * label)
    for word, index in zip(words, columns, strict=True):
        line.append(gap + _right(printable(word), widths[index]))
    return line


def _lines(row: Row, columns: range, widths: list[_Width], label: int, total: int, gap: str) -> list[Text]:
    """Return a row: one line, or several where its label or its note is too long for one."""
    style = "italic" if row.kind == "reference" else ""
    *above, last = _folded(_label(row), label)
    line = Text(printable(set_cell_size(last, label)), style=style)
    lines = [*(Text(printable(each), style=style) for each in above), line]
    if row.note:
        first, *others = _folded(printable(row.note), total - label - len(gap))
        line.append(gap + first, style="dim")
        return [*lines, *(Text(printable(" " * label + gap + each), style="dim") for each in others)]
    for index in columns:
        cell, width = row.cells[index], widths[index]
        shown = printable(cell.text) + (f" {cell.beside}".ljust(width.mark) if cell.beside else "")
        text = shown.rjust(width.whole) if cell.beside else _right(shown, width)
        line.append(gap + text, style=_STYLES[cell.state])
    return lines


def _folded(text: str, width: int) -> list[str]:
    """Return ``text`` in lines of at most ``width`` terminal cells, all but the first set two columns deeper."""
    if cell_len(text) <= width:
        return [text]
    first, *others = Text(printable(text)).wrap(Console(), max(width - 2, 1), no_wrap=False)
    return [first.plain.rstrip(), *(f"  {each.plain.rstrip()}" for each in others)]


def _right(text: str, width: _Width) -> str:
    """Return ``text`` aligned right with the figures, or with the marks beside them if it is too long for that."""
    room = width.whole - width.mark
    size = cell_len(text)
    return (" " * (room - size) + text + " " * width.mark) if size <= room else " " * (width.whole - size) + text


def _label(row: Row) -> str:
    return printable(f"{row.label} {row.detail}" if row.kind == "library" else row.label)


def _key(table: Table, width: int) -> RenderableType:
    """Return the letters, then the marks that mean one thing in every column.

    Letters stand a line each beside the canonical formula, or if the key were too long, in brief and in two columns.
    """
    signs = [""]
    for entry in table.key:
        words = "" if entry.column else printable(" ".join(filter(None, (entry.mark, entry.meaning, entry.words))))
        if words:
            together = "   ".join(filter(None, (signs[-1], words)))
            signs = [*signs[:-1], together] if cell_len(together) <= width else [*signs, words]
    below = _wrapped(signs, width)
    lettered = [entry for entry in table.key if entry.column]
    lines = _wrapped([_with_remark(entry.line, entry) for entry in lettered], width)
    if len(lines) + len(below) > MOST_LINES:
        lines = _brief_lines(lettered, width)
    return Group(*map(Text, [*lines, *below]))


def _brief_lines(entries: list[KeyEntry], width: int) -> list[str]:
    """Return ``entries`` in brief: short ones in two columns that are read downwards, then long ones."""
    short = [entry for entry in entries if len(entry.brief_line) <= HALF_LINE and width >= 2 * (HALF_LINE + 2)]
    texts = [printable(entry.brief_line) for entry in short]
    half = (len(texts) + 1) // 2
    pairs = zip(texts[:half], [*texts[half:], ""], strict=False)
    columns = [(one + " " * (width // 2 - cell_len(one)) + other).rstrip() for one, other in pairs]
    return columns + _wrapped([_with_remark(entry.brief_line, entry) for entry in entries if entry not in short], width)


def _with_remark(line: str, entry: KeyEntry) -> str:
    return printable("  ".join(filter(None, (line, entry.words))))


def _wrapped(lines: list[str], width: int) -> list[str]:
    return [row for line in lines for row in wrap(line, width, subsequent_indent="  ")]
