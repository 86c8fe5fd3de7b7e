"""Output formats of a comparison of two runs."""

from __future__ import annotations

import dataclasses
import json
from itertools import groupby

from recsys_metric_audit.reports.renderers import data_files, html, latex, markdown
from recsys_metric_audit.reports.tables.comparison import CHANGE_COLUMNS, CHANGE_KINDS, Change, Comparison
from recsys_metric_audit.reports.wording.formatting import one_line

_TITLE = "What changed between two runs"


def as_text(comparison: Comparison) -> str:
    """Return plain text: a block per kind of change, with the place of each change, and its old and new state."""
    blocks = [comparison.words]
    for kind, changes in groupby(comparison.changes, key=lambda change: change.kind):
        lines = [CHANGE_KINDS[kind].capitalize()]
        for change in changes:
            lines += [
                f"  {one_line(_place(change))}",
                f"    - {_or_nothing(change.before)}",
                f"    + {_or_nothing(change.after)}",
            ]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"


def _or_nothing(words: str) -> str:
    return one_line(words) or "nothing"


def _place(change: Change) -> str:
    """Return the place of a change: ``rs_metrics 0.5.0 → 0.6.0 rs_metrics.mapr @20``."""
    cut = "" if change.k is None else f"@{change.k}"
    return " ".join(filter(None, (change.library, change.version, change.function, cut))) or "data"


def as_markdown(comparison: Comparison) -> str:
    """Return a Markdown table of all changes, short enough for a comment on a pull request."""
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
    """Return CSV with one row per change."""
    return data_files.as_csv(CHANGE_COLUMNS, [dataclasses.asdict(change) for change in comparison.changes])


def as_parquet(comparison: Comparison) -> bytes:
    """Return a Parquet file with one row per change."""
    return data_files.as_parquet(CHANGE_COLUMNS, [dataclasses.asdict(change) for change in comparison.changes])


def as_json(comparison: Comparison) -> str:
    """Return a JSON object with the fields of :class:`~reports.tables.comparison.Comparison`."""
    return json.dumps(dataclasses.asdict(comparison), indent=1, ensure_ascii=False) + "\n"


def as_html(comparison: Comparison) -> str:
    """Return an HTML page, under the same content security policy as the report."""
    rows = [
        (CHANGE_KINDS[each.kind], _place(each), each.before or "–", each.after or "–") for each in comparison.changes
    ]
    return html.render_template("comparison.html", title=_TITLE, words=comparison.words, rows=rows)
