"""Scores as a table on the terminal, and as CSV and Parquet files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from recsys_metric_audit.audit.cli.evaluation.scores import Score
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.reference.equality.projection import formula_of
from recsys_metric_audit.reports.renderers.data_files import as_csv
from recsys_metric_audit.reports.wording.formatting import printable
from recsys_metric_audit.reports.wording.formula_words import formula_words
from recsys_metric_audit.reports.wording.labels import METRIC_TITLES

SUFFIXES = (".csv", ".parquet")

COLUMNS = {
    "metric": "text", "k": "whole", "value": "number", "low": "number", "high": "number", "users": "whole",
    "other_value": "number", "difference": "number", "difference_low": "number", "difference_high": "number",
    "p_value": "number", "signature": "text", "functions": "text", "note": "text", "data": "text",
}  # fmt: skip
_BY_USER = {"user": "text", "metric": "text", "k": "whole", "signature": "text", "value": "number"}


def check_suffix(option: str, path: Path | None) -> None:
    """Refuse a file to write whose suffix names no format.

    Raises:
        UserError: if it does not.
    """
    if path is not None and path.suffix not in SUFFIXES:
        raise UserError(f"{option} {path}: the suffix names no format", f"try {path.stem}.csv or {path.stem}.parquet")


def print_scores(scores: Sequence[Score], console: Console) -> None:
    """Print one line a score, then what a reader should know about them."""
    with_functions = any(score.wanted.functions for score in scores)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("metric", no_wrap=True)
    figures = {"value": _value, **_uncertainty(scores), "users": _users}
    for name in figures:
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("definition", overflow="fold")
    if with_functions:
        table.add_column("function", overflow="fold")
    for score in scores:
        cells = [score_title(score), *(show(score) for show in figures.values()), score_words(score)]
        if with_functions:
            cells.append(_functions(score))
        table.add_row(*(Text(printable(cell)) for cell in cells))
    console.print(Padding(table, (1, 0, 0, 0)))
    for text, functions in _notes(scores).items():
        console.print(Text(printable(f"! {text} ({', '.join(functions)})")))


def _uncertainty(scores: Sequence[Score]) -> dict[str, Callable[[Score], str]]:
    """Return the columns of intervals and of the comparison that some score has, each with how it is shown."""
    columns: dict[str, Callable[[Score], str]] = {}
    if any(score.values is not None and score.values.interval for score in scores):
        columns["interval"] = lambda score: _ends(score.values.interval if score.values else None)
    if any(score.comparison for score in scores):
        columns["other"] = lambda score: f"{score.comparison.other:.4f}" if score.comparison else "–"
        columns["difference"] = lambda score: f"{score.comparison.difference:+.4f}" if score.comparison else "–"
        columns["its interval"] = lambda score: _ends(score.comparison.interval if score.comparison else None)
        columns["p"] = lambda score: f"{score.comparison.p_value:.4f}" if score.comparison else "–"
    return columns


def _ends(interval: tuple[float, float] | None) -> str:
    return "–" if interval is None else f"{interval[0]:.4f} to {interval[1]:.4f}"


def summary_file(scores: Sequence[Score], told: str, path: Path) -> str | bytes:
    """Return the content of the file that lists the values, one row a score, in the format of its suffix.

    ``told`` are the lines that say which data they are of, and what is unusual in them: each row has them.
    """
    return data_file(COLUMNS, [score_row(score, told) for score in scores], path)


def by_user_file(scores: Sequence[Score], path: Path) -> str | bytes:
    """Return the content of the file that lists the values of users, one row a user and score."""
    rows: list[dict[str, Any]] = []
    for score in scores:
        if score.values is not None:
            own = score_row(score, "")
            shared = {name: own[name] for name in ("metric", "k", "signature")}
            rows += [shared | {"user": str(user), "value": value} for user, value in score.values.by_user().items()]
    return data_file(_BY_USER, rows, path)


def data_file(columns: Mapping[str, str], rows: Sequence[Mapping[str, Any]], path: Path) -> str | bytes:
    """Return rows in the format of a file's suffix; ``columns`` names the kind of each: text, whole or number."""
    if path.suffix == ".csv":
        return as_csv(list(columns), rows)
    import pyarrow as pa
    import pyarrow.parquet as pq

    types = {"text": pa.string(), "whole": pa.int64(), "number": pa.float64()}
    schema = pa.schema([(name, types[kind]) for name, kind in columns.items()])
    out = BytesIO()
    pq.write_table(pa.Table.from_pylist([dict(row) for row in rows], schema=schema), out)
    return out.getvalue()


def score_row(score: Score, told: str) -> dict[str, Any]:
    """Return a score as a row of a file, without the columns that its table has besides."""
    values, compared = score.values, score.comparison
    low, high = (values.interval if values is not None else None) or (None, None)
    ends = compared.interval if compared else (None, None)
    return {
        "metric": score.definition.metric, "k": score.definition.k, "value": None if values is None else values.mean,
        "low": low, "high": high, "users": None if values is None or values.terms is None else len(values.users),
        "other_value": compared.other if compared else None, "difference": compared.difference if compared else None,
        "difference_low": ends[0], "difference_high": ends[1], "p_value": compared.p_value if compared else None,
        "signature": score.definition.signature(),
        "functions": "; ".join(score.wanted.functions),
        "note": "; ".join(dict.fromkeys(filter(None, (score.refusal, *(note.text for note in score.wanted.notes))))),
        "data": "; ".join(line.strip().rstrip(".") for line in told.splitlines()),
    }  # fmt: skip


def _notes(scores: Sequence[Score]) -> dict[str, list[str]]:
    """Return the functions that each note is about."""
    out: dict[str, dict[str, None]] = {}
    for note in (note for score in scores for note in score.wanted.notes):
        out.setdefault(note.text, {})[note.function] = None
    return {text: list(functions) for text, functions in out.items()}


def score_title(score: Score) -> str:
    """Return the name of the metric, with its cut-off where it has one."""
    title = METRIC_TITLES.get(score.definition.metric, score.definition.metric)
    return title if score.definition.k is None else f"{title}@{score.definition.k}"


def _value(score: Score) -> str:
    return "–" if score.values is None else f"{score.values.mean:.4f}"


def _users(score: Score) -> str:
    """Return how many users are averaged; a ranking of all rows together has none."""
    return f"{len(score.values.users):,}" if score.values is not None and len(score.values.users) else "–"


def score_words(score: Score) -> str:
    """Return the definition in words, or why it has no value."""
    if score.refusal:
        return score.refusal
    formula = formula_of(score.definition)
    words = formula_words(formula.metric, formula.signature()) or "canonical formula"
    others = [name for name in score.definition.differs_on if name not in formula.differs_on]
    moved = ", ".join(f"{name}:{score.definition.axes[name]}" for name in others)
    return f"{words} ({moved})" if moved else words


def _functions(score: Score) -> str:
    first, *others = score.wanted.functions
    return f"{first} (and {len(others)} more)" if others else first
