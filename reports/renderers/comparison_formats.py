"""What changed between two runs, in every form."""

from __future__ import annotations

import dataclasses
import json
from itertools import groupby

from reports.renderers import data_files, html, latex, markdown
from reports.tables.comparison import CHANGE_COLUMNS, CHANGE_KINDS, Change, Comparison
from reports.wording.formatting import one_line

_TITLE = "What changed between two runs"


def as_text(comparison: Comparison) -> str:
    """Return a block for each kind of change; of each change, where it is and what it was and is."""
    blocks = [comparison.words]
    for kind, changes in groupby(comparison.changes, key=lambda change: change.kind):
        lines = [CHANGE_KINDS[kind].capitalize()]
        for change in changes:
            lines += [f"  {one_line(_place(change))}", f"    - {_said(change.before)}", f"    + {_said(change.after)}"]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"


def _said(words: str) -> str:
    return one_line(words) or "nothing"


def _place(change: Change) -> str:
    """Return where a change is: ``rs_metrics 0.5.0 → 0.6.0 rs_metrics.mapr @20``."""
    cut = "" if change.k is None else f"@{change.k}"
    return " ".join(filter(None, (change.library, change.version, change.function, cut))) or "data"


def as_markdown(comparison: Comparison) -> str:
    """Return a table of all changes, short enough for a comment."""
    lines = ["| Change | Where | Before | After |", "|---|---|---|---|"]
    for change in comparison.changes:
        cells = [CHANGE_KINDS[change.kind], _place(change), change.before, change.after]
        lines.append("| " + " | ".join(markdown.escape(cell[:500]) for cell in cells) + " |")
    parts = [f"# {_TITLE}", markdown.escape(comparison.words), *(["\n".join(lines)] if comparison.changes else [])]
    return markdown.fit_comment(parts)


def as_latex(comparison: Comparison) -> str:
    """Return a table of all changes as a LaTeX document."""
    lines = [
        r"\begin{longtable}{p{.16\linewidth}p{.24\linewidth}p{.25\linewidth}p{.25\linewidth}}",
        r"\toprule",
        r"Change & Where & Before & After \\",
        r"\midrule\endhead",
        r"\bottomrule\endfoot",
    ]
    for change in comparison.changes:
        words = [
            latex.escape(CHANGE_KINDS[change.kind]),
            *map(latex.code, (_place(change), change.before, change.after)),
        ]
        lines.append(" & ".join(rf"\raggedright {cell}" for cell in words) + r" \tabularnewline")
    head = [rf"\section*{{{_TITLE}}}", latex.escape(comparison.words)]
    return latex.document([*head, *(["\n".join([*lines, r"\end{longtable}"])] if comparison.changes else [])])


def as_csv(comparison: Comparison) -> str:
    """Return one row a change."""
    return data_files.as_csv(CHANGE_COLUMNS, [dataclasses.asdict(change) for change in comparison.changes])


def as_parquet(comparison: Comparison) -> bytes:
    """Return one row a change."""
    return data_files.as_parquet(CHANGE_COLUMNS, [dataclasses.asdict(change) for change in comparison.changes])


def as_json(comparison: Comparison) -> str:
    """Return the comparison as an object with the names of :class:`~reports.tables.comparison.Comparison`."""
    return json.dumps(dataclasses.asdict(comparison), indent=1, ensure_ascii=False) + "\n"


def as_html(comparison: Comparison) -> str:
    """Return a page of its own, as strict as the report's."""
    rows = [
        (CHANGE_KINDS[each.kind], _place(each), each.before or "–", each.after or "–") for each in comparison.changes
    ]
    return html.render_template("comparison.html", title=_TITLE, words=comparison.words, rows=rows)
