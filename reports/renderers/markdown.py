"""Tables in Markdown, as ``tables.md`` and the README carry them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reports.model.result import Result
from reports.tables.behaviour_matrix import behaviour_glossary, behaviour_matrix
from reports.tables.paper_tables import paper_tables as all_tables
from reports.tables.table import Cell, Row, Table
from reports.wording.answer import QUESTION, answer
from reports.wording.formatting import one_line
from reports.wording.labels import count
from reports.wording.surprises import surprises

LIMIT = 60_000
"""Bytes that a comment on a pull request may have, with some room."""


def render_report(result: Result) -> str:
    """Return ``tables.md``: question, answer, surprises, all tables, and where the figures come from.

    It fits into a pull-request comment: what does not is left out from the end, and said.
    """
    data = result.dataset
    source = (
        f"{data.name}: {count(data.users, 'user')}, {count(data.items, 'item')}, "
        f"{count(data.pairs, 'relevant pair')}. recsys-metric-audit {result.tool}, "
        f"{result.time:%Y-%m-%d}: {result.command}"
    )
    parts = [
        f"# {QUESTION}",
        escape(answer(result)),
        *filter(None, ["\n".join(f"- {escape(each.words)}" for each in surprises(result))]),
        *map(render_table, all_tables(result)),
        *render_behaviours(result),
        escape(source),
    ]
    return fit_comment(parts)


def fit_comment(parts: Sequence[str], limit: int = LIMIT) -> str:
    """Return ``parts`` as one text of at most ``limit`` bytes: whole lines from its beginning, and what is missing."""
    text = "\n\n".join(parts) + "\n"
    if len(text.encode()) <= limit:
        return text
    lines, used = text.split("\n"), 0
    note = "\n*Left out: the last {:,} lines. The HTML report has everything.*\n"
    room = limit - len(note) - 12
    for number, line in enumerate(lines):
        used += len(line.encode()) + 1
        if used > room:
            return "\n".join(lines[:number]) + "\n" + note.format(len(lines) - number)
    return text


def render_behaviours(result: Result) -> list[str]:
    """Return the edge-behaviour matrix with what its rows and its words mean; nothing without experiments."""
    table = behaviour_matrix(result)
    if table is None:
        return []
    return [
        render_table(table),
        "\n".join(f"- {escape(term)}: {escape(sense)}" for term, sense in behaviour_glossary(result)),
    ]


def render_table(table: Table) -> str:
    """Return ``table`` with its caption above and its key below."""
    heads = [" ".join(filter(None, (column.heading, column.subheading))) for column in table.columns]
    lines = [
        _line(["", *map(escape, heads)]),
        "|" + "|".join(["---", *("---:" for _ in table.columns)]) + "|",
        *(_line(_cells(row)) for row in table.rows),
    ]
    caption = f"**{escape(table.name)}.** {escape(table.caption)}"
    return "\n\n".join([caption, "\n".join(lines), *filter(None, [_key(table)])])


def _key(table: Table) -> str:
    lines = []
    for mark in table.key:
        sense = code_span(mark.meaning) if mark.column else escape(mark.meaning)
        words = f" ({escape(mark.words)})" if mark.words else ""
        column = f"{escape(mark.column)} " if mark.column else ""
        lines.append(f"- {column}<sup>{escape(mark.mark)}</sup> {sense}{words}")
    lines += [f"- {escape(f'{row.label} {row.detail}: {row.note}')}" for row in table.rows if row.note]
    return "\n".join(lines)


def _cells(row: Row) -> list[str]:
    if row.kind == "reference":
        return [f"*{escape(row.label)}*", *(f"*{_cell(cell)}*" for cell in row.cells)]
    label = f"{escape(row.label)} {escape(row.detail)}"
    if row.note:
        return [label, escape(row.note.split(":", 1)[0]), *("" for _ in row.cells[1:])]
    return [label, *(_cell(cell) for cell in row.cells)]


def _cell(cell: Cell) -> str:
    mark = f"<sup>{escape(cell.mark)}</sup>" if cell.mark else ""
    return escape(cell.text) + mark + (f" {escape(f'[{cell.published}]')}" if cell.published else "")


def _line(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def escape(text: str) -> str:
    """Return ``text`` on one line with everything that Markdown or HTML would act on made literal."""
    plain = re.sub(r"([\\`*_\[\]|~#])", r"\\\1", one_line(text))
    plain = plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    # A zero-width word joiner keeps forges from turning names and addresses into mentions and links.
    return re.sub(r"(?<!\w)@(?=\w)", "@\u2060", plain).replace("://", ":\u2060//")


def code_span(text: str) -> str:
    """Return ``text`` as a code span, in backticks enough to hold its own."""
    plain = one_line(text)
    ticks = "`" * (max((len(run) for run in re.findall(r"`+", plain)), default=0) + 1)
    space = " " if plain.startswith("`") or plain.endswith("`") else ""
    return f"{ticks}{space}{plain}{space}{ticks}"
