"""Scores as documents: a table in Markdown, LaTeX or HTML, and a picture of values and intervals as SVG."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from recsys_metric_audit.audit.cli.evaluation.score_table import (
    COLUMNS,
    DATA_SUFFIXES,
    data_file,
    figures,
    score_functions,
    score_row,
    score_title,
    score_words,
)
from recsys_metric_audit.audit.cli.evaluation.scores import Score
from recsys_metric_audit.reports.renderers import latex, markdown
from recsys_metric_audit.reports.wording.formatting import printable

SUFFIXES = (*DATA_SUFFIXES, ".md", ".tex", ".html", ".svg")


def score_file(scores: Sequence[Score], told: str, path: Path) -> str | bytes:
    """Return the content of the file that lists the values, one row a score, in the format of its suffix.

    ``told`` are the lines that say which data they are of, and what is unusual in them. Data files repeat them in each
    row, documents end with them.
    """
    if path.suffix in DATA_SUFFIXES:
        return data_file(COLUMNS, [score_row(score, told) for score in scores], path)
    if path.suffix == ".svg":
        return "\n".join(_picture(scores, told))
    heads, rows = _table(scores)
    make = {".md": _as_markdown, ".tex": _as_latex, ".html": _as_html}[path.suffix]
    return "\n".join(make(heads, rows, [line.strip() for line in told.splitlines()])) + "\n"


def _table(scores: Sequence[Score]) -> tuple[list[str], list[list[str]]]:
    shown = figures(scores)
    functions = {"function": score_functions} if any(score.wanted.functions for score in scores) else {}
    columns = {"metric": score_title, **shown, "definition": score_words, **functions}
    rows = [[printable(show(score).replace("\n", ", ")) for show in columns.values()] for score in scores]
    return list(columns), rows


def _as_markdown(heads: Sequence[str], rows: Sequence[Sequence[str]], told: Sequence[str]) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield f"|{'|'.join('---:' if 0 < place < _figures(heads) else '---' for place in range(len(heads)))}|"
    yield from (f"| {' | '.join(map(markdown.escape, row))} |" for row in rows)
    yield from ("", *(f"- {markdown.escape(line)}" for line in told))


def _as_latex(heads: Sequence[str], rows: Sequence[Sequence[str]], told: Sequence[str]) -> Iterator[str]:
    yield from (f"% {printable(line)}" for line in told)
    yield f"\\begin{{tabular}}{{l{'r' * (_figures(heads) - 1)}{'l' * (len(heads) - _figures(heads))}}}"
    yield from ("\\hline", " & ".join(map(latex.escape, heads)) + r" \\", "\\hline")
    yield from (" & ".join(map(latex.escape, row)) + r" \\" for row in rows)
    yield from ("\\hline", "\\end{tabular}")


def _as_html(heads: Sequence[str], rows: Sequence[Sequence[str]], told: Sequence[str]) -> Iterator[str]:
    yield from ("<!doctype html>", '<html lang="en"><meta charset="utf-8"><title>Metrics</title>')
    yield "<style>:root{color-scheme:light dark}body{font-family:sans-serif}th,td{padding:.2em .8em;text-align:left}"
    yield "td.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}</style>"
    titles = "".join(f'<th scope="col">{escape(head)}' for head in heads)
    yield f"<table><thead><tr>{titles}</thead><tbody>"
    for row in rows:
        cells = [
            f'<td class="n">{escape(cell)}' if 0 < place < _figures(heads) else f"<td>{escape(cell)}"
            for place, cell in enumerate(row)
        ]
        yield f"<tr>{''.join(cells)}"
    yield f"</tbody></table><ul>{''.join(f'<li>{escape(printable(line))}' for line in told)}</ul></html>"


def _figures(heads: Sequence[str]) -> int:
    return list(heads).index("definition")


_LEFT, _WIDE, _HIGH = 190, 420, 24


def _picture(scores: Sequence[Score], told: str) -> Iterator[str]:
    """Yield a picture with a dot for each value, a line for its interval, and a ring for the other recommender's."""
    seen = [score for score in scores if score.values is not None and math.isfinite(score.values.mean)]
    ends = [end for score in seen for end in _drawn(score) if math.isfinite(end)]
    low, high = min([0.0, *ends]), max([0.0, *ends]) or 1.0

    def x(value: float) -> float:
        return round(_LEFT + _WIDE * (value - low) / (high - low), 1)

    height = _HIGH * len(seen) + 56
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 {height}" font-family="sans-serif" font-size="13">'
    title = escape(printable(told.partition("\n")[0]))
    yield f'<title>{title}</title><rect width="100%" height="100%" fill="#fff"/><text x="12" y="20">{title}</text>'
    for place, score in enumerate(seen):
        assert score.values is not None
        y = _HIGH * place + 46
        yield f'<path d="M{_LEFT} {y}h{_WIDE}" stroke="#dcdce0"/>'
        if score.values.interval is not None:
            first, last = map(x, score.values.interval)
            yield f'<path d="M{first} {y}H{last}" stroke="#1b7f4b" stroke-width="3"/>'
        if score.comparison is not None:
            yield f'<circle cx="{x(score.comparison.other)}" cy="{y}" r="5" fill="none" stroke="#8b2f3c"/>'
        yield f'<circle cx="{x(score.values.mean)}" cy="{y}" r="5" fill="#1b7f4b"/>'
        name = escape(printable(score_title(score)))
        yield f'<text x="{_LEFT - 12}" y="{y + 4}" text-anchor="end">{name}</text>'
        yield f'<text x="{_LEFT + _WIDE + 14}" y="{y + 4}">{score.values.mean:.4f}</text>'
    yield f'<text x="{_LEFT}" y="{height - 6}">{low:.4g}</text>'
    yield f'<text x="{_LEFT + _WIDE}" y="{height - 6}" text-anchor="end">{high:.4g}</text>\n</svg>\n'


def _drawn(score: Score) -> list[float]:
    assert score.values is not None
    other = [score.comparison.other] if score.comparison else []
    return [score.values.mean, *(score.values.interval or ()), *other]
