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


def _filled(comparison: Comparison) -> dict[str, object]:
    """Return what the templates of a comparison print: a row has the kind of a change, its place, and both states."""
    rows = [(CHANGE_KINDS[each.kind], _place(each), each.before, each.after) for each in comparison.changes]
    return {"title": _TITLE, "words": comparison.words, "rows": rows}


def as_markdown(comparison: Comparison) -> str:
    """Return a Markdown table of all changes, short enough for a comment on a pull request."""
    return markdown.fit_comment([markdown.fill_template("comparison.md.j2", **_filled(comparison)).rstrip("\n")])


def as_latex(comparison: Comparison) -> str:
    """Return a table of all changes as a LaTeX document."""
    return latex.document([latex.fill_template("comparison.tex.j2", **_filled(comparison)).rstrip("\n")])


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
    return html.render_template("comparison.html", **_filled(comparison))
