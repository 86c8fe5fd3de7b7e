"""A library's history in the terminal, as a Markdown table and for programs."""

from __future__ import annotations

import dataclasses
import json
from itertools import groupby

from reports.pins.version_history import History, HistoryCell, HistoryRow
from reports.renderers.drift_formats import details
from reports.renderers.markdown import code_span, escape
from reports.wording.formatting import one_line


def as_text(history: History) -> str:
    """Return one block a function; versions that compute the same share a line, a star marks a change."""
    blocks = [f"{history.library}: {', '.join(history.versions)}", *(_block(row) for row in history.rows)]
    return "\n\n".join(blocks)


def _block(row: HistoryRow) -> str:
    note = f"   changed in {', '.join(row.changed_in)}" if row.changed_in else ""
    runs = [list(run) for _, run in groupby(_numbered(row), key=lambda pair: pair[0])]
    names = [", ".join(cell.version for _, cell in run) for run in runs]
    width = max(map(len, names))
    lines = [one_line(f"{row.function} ({row.metric})") + note]
    for run, name in zip(runs, names, strict=True):
        first = run[0][1]
        lines.append(f"{'*' if _marked(first) else ' '} {name:<{width}}  {one_line(first.words)}")
        lines += [f"  {'':<{width}}    {words}" for label, words in _why(first) if label == "moved"]
    return "\n".join(lines)


def _numbered(row: HistoryRow) -> list[tuple[int, HistoryCell]]:
    """Cells with the number of their run: a new one begins where something changed or other words stand."""
    numbered: list[tuple[int, HistoryCell]] = []
    for cell in row.cells:
        last = numbered[-1] if numbered else None
        again = last is not None and cell.change is None and cell.words == last[1].words
        numbered.append((last[0] if last and again else len(numbered), cell))
    return numbered


def _marked(cell: HistoryCell) -> bool:
    return cell.change is not None and cell.change.kind == "changed"


def _why(cell: HistoryCell) -> list[tuple[str, str]]:
    return details(cell.change) if cell.change else []


def as_markdown(history: History) -> str:
    """Return a table, functions down and versions across; a changed cell is bold."""
    heads = ["Function", *history.versions, "Changed in"]
    lines = ["| " + " | ".join(map(escape, heads)) + " |", "|" + "---|" * len(heads)]
    for row in history.rows:
        name = code_span(row.function)
        cells = [f"**{_cell(cell)}**" if _marked(cell) else _cell(cell) for cell in row.cells]
        shown = [f"**{name}**" if row.changed_in else name, *cells, escape(", ".join(row.changed_in))]
        lines.append("| " + " | ".join(shown) + " |")
    return f"# {escape(history.library)}\n\n" + "\n".join(lines) + "\n"


def _cell(cell: HistoryCell) -> str:
    return code_span(cell.words).replace("|", "\\|")


def as_json(history: History) -> str:
    """Return the history as an object with the names of :class:`~reports.pins.version_history.History`."""
    document = dataclasses.asdict(history)
    for row, told in zip(history.rows, document["rows"], strict=True):
        told["changed_in"] = row.changed_in
    return json.dumps(document, indent=1, ensure_ascii=False)
