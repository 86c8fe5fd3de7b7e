"""Scores as documents: a table in Markdown, LaTeX or HTML, and a picture of values and intervals as SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from pathlib import Path

from recsys_metric_audit.audit.cli.evaluation import score_table
from recsys_metric_audit.audit.cli.evaluation.score_table import DATA_SUFFIXES
from recsys_metric_audit.audit.cli.evaluation.scores import Score
from recsys_metric_audit.reports.renderers import latex, markdown
from recsys_metric_audit.reports.renderers.templates import environment
from recsys_metric_audit.reports.wording.formatting import printable

SUFFIXES = (*DATA_SUFFIXES, ".md", ".tex", ".html", ".svg")
_PAGES = environment(lambda text: escape(printable(text)))
"""Fills the templates of HTML and SVG."""


def score_file(scores: Sequence[Score], told: str, path: Path) -> str | bytes:
    """Return the content of the file that lists the values, one row a score, in the format of its suffix.

    ``told`` are the lines that say which data they are of, and what is unusual in them. Data files repeat them in each
    row, documents end with them.
    """
    if path.suffix in DATA_SUFFIXES:
        return score_table.data_file(
            score_table.COLUMNS, [score_table.score_row(score, told) for score in scores], path
        )
    if path.suffix == ".svg":
        return _PAGES.get_template("scores.svg.j2").render(_picture(scores, told))
    filled = _table(scores) | {"told": [line.strip() for line in told.splitlines()]}
    if path.suffix == ".html":
        return _PAGES.get_template("scores.html.j2").render(filled)
    fill = markdown.fill_template if path.suffix == ".md" else latex.fill_template
    return fill(f"scores{path.suffix}.j2", **filled)


def _table(scores: Sequence[Score]) -> dict[str, object]:
    """Return the table as templates print it, with the number of its columns up to the last one of figures."""
    shown = score_table.figures(scores)
    functions = {"function": score_table.score_functions} if any(score.wanted.functions for score in scores) else {}
    columns = {"metric": score_table.score_title, **shown, "definition": score_table.score_words, **functions}
    rows = [[printable(show(score).replace("\n", ", ")) for show in columns.values()] for score in scores]
    return {"heads": list(columns), "rows": rows, "figures": 1 + len(shown)}


_LEFT, _WIDE, _HIGH = 190, 420, 24


def _picture(scores: Sequence[Score], told: str) -> dict[str, object]:
    """Return a picture with a dot for each value, a line for its interval, and a ring for the other recommender's."""
    seen = [(score, score.values) for score in scores if score.values is not None and math.isfinite(score.values.mean)]
    ends = [end for score, _ in seen for end in _drawn(score) if math.isfinite(end)]
    low, high = min([0.0, *ends]), max([0.0, *ends]) or 1.0

    def x(value: float) -> float:
        return round(_LEFT + _WIDE * (value - low) / (high - low), 1)

    rows = [
        {
            "title": score_table.score_title(score),
            "value": f"{values.mean:.4f}",
            "x": x(values.mean),
            "interval": [*map(x, values.interval or ())],
            "other": None if score.comparison is None else x(score.comparison.other),
        }
        for score, values in seen
    ]
    size = {"left": _LEFT, "wide": _WIDE, "high": _HIGH, "height": _HIGH * len(seen) + 56}
    return {"title": told.partition("\n")[0], "rows": rows, "ends": (f"{low:.4g}", f"{high:.4g}"), **size}


def _drawn(score: Score) -> list[float]:
    assert score.values is not None
    other = [score.comparison.other] if score.comparison else []
    return [score.values.mean, *(score.values.interval or ()), *other]
