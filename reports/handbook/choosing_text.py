"""Prints how to choose a metric in a terminal, for ``audit explain choosing``."""

from __future__ import annotations

from rich.console import Console
from rich.padding import Padding
from rich.table import Table

from recsys_metric_audit.reports.handbook.choosing import QUESTIONS, SOURCE, Figure, figures
from recsys_metric_audit.reports.handbook.console_layout import print_heading, print_paragraph


def show(console: Console) -> None:
    """Print the questions to answer before choosing a metric, and the figures as tables."""
    print_heading(console, "Choosing a metric")
    print_paragraph(console, f"The questions are those of {SOURCE}: {SOURCE.source.title}. The numbers are ours.")
    for number, asked in enumerate(QUESTIONS, 1):
        print_heading(console, f"{number}. {asked.question}")
        print_paragraph(console, asked.answer)
        print_paragraph(console, f"Look at: {', '.join(asked.metrics)}")
    for figure in figures():
        _show_figure(figure, console)


def _show_figure(figure: Figure, console: Console) -> None:
    print_heading(console, figure.title)
    print_paragraph(console, f"{figure.note} {figure.lesson}")
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="dim")
    table.add_column("")
    table.add_column("list")
    for name in figure.heads:
        table.add_column(name, justify="right", no_wrap=True)
    for row in figure.rows:
        table.add_row(row.label, row.picture, *row.shown)
    console.print(Padding(table, (0, 0, 0, 2), expand=False))
