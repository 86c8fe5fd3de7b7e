"""Tables in Markdown, as ``tables.md`` and the README carry them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reports.model.result import Result
from reports.tables.behaviour_matrix import glossary, matrix
from reports.tables.paper_tables import tables as all_tables
from reports.tables.table import Cell, Row, Table
from reports.wording.formatting import one_line
from reports.wording.headline import QUESTION, answer
from reports.wording.labels import count
from reports.wording.surprises import surprises

LIMIT = 60_000
"""Bytes that a comment on a pull request may have, with some room."""


def tables(result: Result) -> str:
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
        escaped(answer(result)),
        *filter(None, ["\n".join(f"- {escaped(each.words)}" for each in surprises(result))]),
        *map(render, all_tables(result)),
        *behaviours(result),
        escaped(source),
    ]
    return fitted(parts)


def fitted(parts: Sequence[str], limit: int = LIMIT) -> str:
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


def behaviours(result: Result) -> list[str]:
    """Return the edge-behaviour matrix with what its rows and its words mean; nothing without experiments."""
    table = matrix(result)
    if table is None:
        return []
    return [render(table), "\n".join(f"- {escaped(term)}: {escaped(sense)}" for term, sense in glossary(result))]


def render(table: Table) -> str:
    """Return ``table`` with its caption above and its key below."""
    heads = [" ".join(filter(None, (column.heading, column.below))) for column in table.columns]
    lines = [
        _line(["", *map(escaped, heads)]),
        "|" + "|".join(["---", *("---:" for _ in table.columns)]) + "|",
        *(_line(_cells(row)) for row in table.rows),
    ]
    caption = f"**{escaped(table.name)}.** {escaped(table.caption)}"
    return "\n\n".join([caption, "\n".join(lines), *filter(None, [_key(table)])])


def _key(table: Table) -> str:
    lines = []
    for mark in table.key:
        sense = code(mark.meaning) if mark.column else escaped(mark.meaning)
        words = f" ({escaped(mark.words)})" if mark.words else ""
        column = f"{escaped(mark.column)} " if mark.column else ""
        lines.append(f"- {column}<sup>{escaped(mark.mark)}</sup> {sense}{words}")
    lines += [f"- {escaped(f'{row.label} {row.detail}: {row.note}')}" for row in table.rows if row.note]
    return "\n".join(lines)


def _cells(row: Row) -> list[str]:
    if row.kind == "reference":
        return [f"*{escaped(row.label)}*", *(f"*{_cell(cell)}*" for cell in row.cells)]
    label = f"{escaped(row.label)} {escaped(row.detail)}"
    if row.note:
        return [label, escaped(row.note.split(":", 1)[0]), *("" for _ in row.cells[1:])]
    return [label, *(_cell(cell) for cell in row.cells)]


def _cell(cell: Cell) -> str:
    mark = f"<sup>{escaped(cell.mark)}</sup>" if cell.mark else ""
    return escaped(cell.text) + mark + (f" {escaped(f'[{cell.then}]')}" if cell.then else "")


def _line(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def escaped(text: str) -> str:
    """Return ``text`` on one line with everything that Markdown or HTML would act on made literal."""
    plain = re.sub(r"([\\`*_\[\]|~#])", r"\\\1", one_line(text))
    plain = plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    # A zero-width word joiner keeps forges from turning names and addresses into mentions and links.
    return re.sub(r"(?<!\w)@(?=\w)", "@\u2060", plain).replace("://", ":\u2060//")


def code(text: str) -> str:
    """Return ``text`` as a code span, in backticks enough to hold its own."""
    plain = one_line(text)
    ticks = "`" * (max((len(run) for run in re.findall(r"`+", plain)), default=0) + 1)
    space = " " if plain.startswith("`") or plain.endswith("`") else ""
    return f"{ticks}{space}{plain}{space}{ticks}"
