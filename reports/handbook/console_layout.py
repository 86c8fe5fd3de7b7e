"""Headings, indented paragraphs, terms with their explanation, and tables for a terminal of 80 columns or more."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from recsys_metric_audit.reports.wording.formatting import printable

INDENT = 2
"""Columns that text below a heading is indented by; twice as many below a term."""


def print_heading(console: Console, text: str) -> None:
    """Print a heading with an empty line above; a long one is not wrapped."""
    console.print()
    console.print(Text(printable(text), style="bold"), soft_wrap=True)


def print_paragraph(console: Console, text: str, indent: int = INDENT) -> None:
    """Print an indented paragraph, wrapped at the width of the console."""
    console.print(Padding(Text(printable(text)), (0, 0, 0, indent), expand=False))


def print_term(console: Console, term: str, explanation: str) -> None:
    """Print a term on a line of its own, never wrapped, and its explanation further indented below."""
    console.print(Text(" " * INDENT + printable(term), style="cyan"), soft_wrap=True)
    print_paragraph(console, explanation, 2 * INDENT)


def print_table(console: Console, headings: Iterable[str], rows: Iterable[Sequence[str]]) -> None:
    """Print an indented table without borders; long cells are folded."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for name in headings:
        table.add_column(Text(printable(name)), overflow="fold")
    for row in rows:
        table.add_row(*(Text(printable(cell)) for cell in row))
    console.print(Padding(table, (0, 0, 0, INDENT), expand=False))


def print_choices(console: Console, choices: Iterable[tuple[str, str]]) -> None:
    """Print pairs (name, meaning) as two aligned columns, indented like the explanation of a term."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    for name, meaning in choices:
        grid.add_row(Text(printable(name), style="cyan"), Text(printable(meaning)))
    console.print(Padding(grid, (0, 0, 0, 2 * INDENT), expand=False))
