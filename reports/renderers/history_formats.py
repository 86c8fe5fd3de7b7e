"""Output formats of a library's history: plain text, a Markdown table, JSON."""

from __future__ import annotations

import dataclasses
import json
from itertools import groupby

from recsys_metric_audit.reports.model.level_meaning import levels_in_words
from recsys_metric_audit.reports.pins.version_history import History, HistoryCell, HistoryRow
from recsys_metric_audit.reports.renderers.drift_formats import move_in_words
from recsys_metric_audit.reports.renderers.markdown import fill_template
from recsys_metric_audit.reports.wording.formatting import one_line


def as_text(history: History) -> str:
    """Return plain text with one block per function; equal versions share a line, a star marks a change of meaning."""
    blocks = [f"{history.library}: {', '.join(history.versions)}", *(_block(row) for row in history.rows)]
    return "\n\n".join(blocks)


def _block(row: HistoryRow) -> str:
    note = f"   changed in {_changes(row)}" if row.changed_in else ""
    runs = [list(run) for _, run in groupby(_numbered(row), key=lambda pair: pair[0])]
    names = [", ".join(cell.version for _, cell in run) for run in runs]
    width = max(map(len, names))
    lines = [one_line(f"{row.function} ({row.metric})") + note]
    for run, name in zip(runs, names, strict=True):
        first = run[0][1]
        lines.append(f"{'*' if _meaning_changed(first) else ' '} {name:<{width}}  {one_line(first.words)}")
        moves = first.change.moves if first.change else ()
        lines += [f"  {'':<{width}}    {one_line(move_in_words(move))}" for move in moves]
    return "\n".join(lines)


def _changes(row: HistoryRow) -> str:
    """Return the versions in which the meaning changed, each with the levels on which it did."""
    return ", ".join(f"{version} ({levels_in_words(levels)})" for version, levels in row.changed_levels.items())


def _numbered(row: HistoryRow) -> list[tuple[int, HistoryCell]]:
    """Return the cells, each with the number of its line: a new line begins at a change or at another text."""
    numbered: list[tuple[int, HistoryCell]] = []
    for cell in row.cells:
        last = numbered[-1] if numbered else None
        again = last is not None and cell.change is None and cell.words == last[1].words
        numbered.append((last[0] if last and again else len(numbered), cell))
    return numbered


def _meaning_changed(cell: HistoryCell) -> bool:
    return cell.change is not None and cell.change.kind == "changed"


def as_markdown(history: History) -> str:
    """Return a Markdown table with a row per function and a column per version; changes of meaning are bold."""
    return fill_template("history.md.j2", history=history, changes=_changes, meaning_changed=_meaning_changed)


def as_json(history: History) -> str:
    """Return a JSON object with the fields of :class:`~reports.pins.version_history.History`, and what changed when."""
    document = dataclasses.asdict(history)
    for row, written in zip(history.rows, document["rows"], strict=True):
        written["changed_in"] = row.changed_in
        written["changed_levels"] = row.changed_levels
    return json.dumps(document, indent=1, ensure_ascii=False)
