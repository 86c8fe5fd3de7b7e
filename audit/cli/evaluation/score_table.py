"""Scores as a table on the terminal and as CSV and Parquet files: on the data as given, and under scenarios."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any, Literal

import numpy as np
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from recsys_metric_audit.audit.cli.evaluation.library_definitions import Wanted
from recsys_metric_audit.audit.cli.evaluation.scores import Score, scores
from recsys_metric_audit.audit.cli.shared.output import said_while, show_wrapped
from recsys_metric_audit.audit.data.dataset import Dataset
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.scenarios import Scenario
from recsys_metric_audit.reference.equality.projection import formula_of
from recsys_metric_audit.reference.evaluation.prepared import Values
from recsys_metric_audit.reference.input.case import Case
from recsys_metric_audit.reference.uncertainty.paired_comparison import EXCHANGES
from recsys_metric_audit.reports.model.grouping import grouped
from recsys_metric_audit.reports.renderers.data_files import as_csv, as_parquet
from recsys_metric_audit.reports.tables.tidy_rows import ColumnType
from recsys_metric_audit.reports.wording.formatting import printable
from recsys_metric_audit.reports.wording.formula_words import formula_words
from recsys_metric_audit.reports.wording.labels import METRIC_TITLES

DATA_SUFFIXES = (".csv", ".parquet")

COLUMNS: dict[str, ColumnType] = {
    "metric": "text", "k": "integer", "value": "number", "low": "number", "high": "number", "users": "integer",
    "other_value": "number", "difference": "number", "difference_low": "number", "difference_high": "number",
    "p_value": "number", "p_holm": "number", "signature": "text", "functions": "text", "note": "text", "data": "text",
}  # fmt: skip
_SHARED = ("metric", "k", "signature")
"""Names the columns that the values of users share with the table."""


def check_suffix(option: str, path: Path | None, suffixes: Sequence[str] = DATA_SUFFIXES) -> None:
    """Refuse a file to write whose suffix names no format.

    Raises:
        UserError: if it does not.
    """
    if path is not None and path.suffix not in suffixes:
        names = [f"{path.stem}{suffix}" for suffix in suffixes]
        raise UserError(f"{option} {path}: the suffix names no format", f"try {', '.join(names[:-1])} or {names[-1]}")


def figures(scores: Sequence[Score]) -> dict[str, Callable[[Score], str]]:
    """Return the columns of numbers that some score has, each with how a score is shown in it."""
    return {"value": _value, **_uncertainty(scores), "users": _users}


def print_scores(scores: Sequence[Score], console: Console) -> None:
    """Print one line a score, then what a reader should know about them.

    Numbers are never cut: columns for which there is no room follow in a table of their own, and words below.
    """
    with_functions = any(score.wanted.functions for score in scores)
    words: dict[str, Callable[[Score], str]] = {"definition": score_words}
    names, *blocks = _blocks({"metric": score_title, **figures(scores)}, scores, console.width)
    room = console.width - _room([names, *blocks[0]])
    beside = len(blocks) == 1 and room >= _LEAST_WORDS * (1 + with_functions)
    broad = room - min(_LEAST_WORDS, _room([[*map(score_words, scores)]])) - _GAP
    if with_functions:
        words["function"] = lambda score: _parted(score_functions(score), broad)
    for block in blocks:
        table = _empty_table(names[0], [head for head, *_ in block])
        for name in words if beside else ():
            table.add_column(name, overflow="fold", no_wrap=name == "function")
        for place, score in enumerate(scores, 1):
            cells = [column[place] for column in (names, *block)]
            cells += [show(score) for show in words.values()] if beside else []
            table.add_row(*(Text(printable(line)) for line in cells))
        console.print(Padding(table, (1, 0, 0, 0)))
    if not beside:
        _print_lines(_below(scores), console)
    for text, functions in _notes(scores).items():
        show_wrapped(f"! {text} ({', '.join(functions)})")


def _blocks(columns: Mapping[str, Callable[[Score], str]], scores: Sequence[Score], width: int) -> list[Any]:
    """Return the column of names, then the other columns in blocks that each fit beside it; each with its head."""
    names, *others = ([head, *map(show, scores)] for head, show in columns.items())
    blocks: list[list[list[str]]] = [[]]
    for column in others:
        if blocks[-1] and _room([names, *blocks[-1], column]) > width:
            blocks.append([])
        blocks[-1].append(column)
    return [names, *blocks]


def _empty_table(first: str, figures: Sequence[str]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), header_style="bold")
    table.add_column(first, no_wrap=True)
    for heading in figures:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def _room(columns: Sequence[Sequence[str]]) -> int:
    return sum(max(map(len, column)) + _GAP for column in columns)


_LEAST_WORDS = 24
"""Columns that words need beside a table."""


def _parted(text: str, width: int) -> str:
    """Break words that are wider than a column after their dots and before brackets: names of modules stay whole."""
    lines = [""]
    pieces = re.split(r"(?<=[.\s])|(?=\[)", text)
    for piece in (each[at : at + width] for each in pieces for at in range(0, len(each), width)):
        fits = len(lines[-1] + piece.rstrip()) <= width and not lines[-1].endswith("\n")
        lines = [*lines[:-1], lines[-1] + piece] if fits else [*lines, piece]
    return "\n".join(line.rstrip() for line in lines)


def _below(scores: Sequence[Score]) -> list[str]:
    """Return the definitions in words, each with the metrics that have it and the functions that compute it."""
    told = ((score_words(score), score_functions(score).replace("\n", ", ")) for score in scores)
    return _by_words(("; ".join(filter(None, each)) for each in told), scores)


def _by_words(words: Iterable[str], scores: Sequence[Score]) -> list[str]:
    """Return a line for each definition in words, with the metrics that have it."""
    titles = grouped(zip(words, map(score_title, scores), strict=True))
    return [f"{', '.join(those)}: {each}" for each, those in titles.items()]


def _uncertainty(scores: Sequence[Score]) -> dict[str, Callable[[Score], str]]:
    """Return the columns of intervals and of the comparison that some score has, each with how it is shown."""
    columns: dict[str, Callable[[Score], str]] = {}
    if any(score.values is not None and score.values.interval for score in scores):
        columns["interval"] = lambda score: _ends(score.values.interval if score.values else None)
    if any(score.comparison for score in scores):
        columns["other"] = lambda score: f"{score.comparison.other:.4f}" if score.comparison else "–"
        columns["difference"] = lambda score: f"{score.comparison.difference:+.4f}" if score.comparison else "–"
        columns["its interval"] = lambda score: _ends(score.comparison.interval if score.comparison else None)
        columns["p"] = lambda score: _p(score, score.comparison.p_value if score.comparison else None)
        if sum(score.comparison is not None for score in scores) > 1:
            columns["p (Holm)"] = lambda score: _p(score, score.p_holm)
    return columns


def _p(score: Score, value: float | None) -> str:
    """Show a p-value, as a bound where no exchange that was drawn gives as large a difference."""
    if score.comparison is None or value is None:
        return "–"
    least = not score.comparison.exact and score.comparison.p_value <= 1 / EXCHANGES
    return f"≤ {value:.4f}" if least else f"{value:.4f}"


def _ends(interval: tuple[float, float] | None) -> str:
    return "–" if interval is None else f"{interval[0]:.4f} to {interval[1]:.4f}"


def by_user_file(scores: Sequence[Score], path: Path) -> str | bytes:
    """Return the content of the file that lists the values of users, one row a user and score."""
    rows: list[dict[str, Any]] = []
    for score in scores:
        if score.values is not None:
            own = score_row(score, "")
            shared = {name: own[name] for name in _SHARED}
            rows += [shared | {"user": str(user), "value": value} for user, value in score.values.by_user().items()]
    return data_file({"user": "text", **{name: COLUMNS[name] for name in (*_SHARED, "value")}}, rows, path)


def data_file(columns: Mapping[str, ColumnType], rows: Sequence[Mapping[str, Any]], path: Path) -> str | bytes:
    """Return rows in the format of a file's suffix."""
    return as_csv(columns, rows) if path.suffix == ".csv" else as_parquet(columns, rows)


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
        "p_holm": score.p_holm,
        "signature": score.definition.signature(),
        "functions": "; ".join(score.wanted.functions),
        "note": "; ".join(dict.fromkeys(filter(None, (score.refusal, *(note.text for note in score.wanted.notes))))),
        "data": "; ".join(line.strip().rstrip(".") for line in told.splitlines()),
    }  # fmt: skip


def _notes(scores: Sequence[Score]) -> dict[str, list[str]]:
    """Return the functions that each note is about."""
    return grouped(dict.fromkeys((note.text, note.function) for score in scores for note in score.wanted.notes))


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


def score_functions(score: Score) -> str:
    """Return the first function that computes a definition and the number of others, a line for each library."""
    by_library = grouped((name.partition(": ")[0] if ": " in name else "", name) for name in score.wanted.functions)
    return "\n".join(f"{first} (and {len(others)} more)" if others else first for first, *others in by_library.values())


AS_GIVEN = "as given"
_RANKED = frozenset({
    "hit_rate", "precision", "recall", "f_score", "reciprocal_rank", "average_precision", "average_recall", "ndcg",
    "auc", "r_precision", "rbp", "err", "bpref",
})  # fmt: skip
"""The metrics that never fall when a relevant item rises in its list, so that two orders give bounds."""

End = Literal["", "lowest", "highest"]


@dataclass(frozen=True, eq=False)
class ScenarioScores:
    """Holds the scores of one case: ``scenario`` as typed, its ``seed`` where something is drawn, its ``notes``.

    ``end`` tells which of the possible orders the case has, where the lists do not tell the order of all candidates.
    """

    scenario: str
    seed: int | None
    end: End
    users: int
    scores: tuple[Score, ...]
    notes: tuple[str, ...] = ()


def scenario_scores(
    data: Dataset, scenarios: Sequence[Scenario], seeds: Sequence[int], wanted: Sequence[Wanted], cutoffs: Sequence[int]
) -> list[ScenarioScores]:
    """Evaluate definitions on the data as given, and then under each scenario with each seed.

    Args:
        data: The data.
        scenarios: The scenarios.
        seeds: Seeds of the scenarios in which something is drawn.
        wanted: The definitions.
        cutoffs: Cut-offs of definitions that name none.

    Raises:
        UserError: if the data cannot carry a scenario; nothing is evaluated before all were made once.
    """
    with said_while(f"evaluating scenarios of {data.name}"):
        for scenario in scenarios:
            scenario.apply(data.case, seeds[0])
        made = [_scores(data, data.case, AS_GIVEN, None, "", wanted, cutoffs)]
        for scenario in scenarios:
            for seed in seeds if scenario.drawn else (None,):
                made += _under(data, scenario, seed, wanted, cutoffs)
    return made


def _under(
    data: Dataset, scenario: Scenario, seed: int | None, wanted: Sequence[Wanted], cutoffs: Sequence[int]
) -> Iterator[ScenarioScores]:
    """Yield the scores under one scenario and seed: one row, or two where the lists leave an order open."""
    applied = scenario.apply(data.case, 0 if seed is None else seed)
    ends: list[tuple[End, Case]] = [("", applied.case)]
    if applied.highest is not None:
        ends = [("lowest", applied.case), ("highest", applied.highest)]
    for end, case in ends:
        row = _scores(data, case, scenario.name, seed, end, wanted, cutoffs)
        yield replace(row, notes=applied.notes, scores=tuple(_bound(score, data.case, end) for score in row.scores))


def _scores(
    data: Dataset, case: Case, name: str, seed: int | None, end: End, wanted: Sequence[Wanted], cutoffs: Sequence[int]
) -> ScenarioScores:
    made = scores(replace(data, case=case), wanted, cutoffs)
    return ScenarioScores(name, seed, end, len(np.unique(case.truth.user)), tuple(made))


def _bound(score: Score, case: Case, end: End) -> Score:
    """Return the score of one end, without a value where the two ends are no bounds of it."""
    bounded = score.definition.metric in _RANKED and float(case.truth.gain.min()) >= 0
    if not end or bounded:
        return score
    return replace(score, values=None, refusal="depends on candidates whose order the lists do not tell")


_GAP = 2


def print_scenarios(rows: Sequence[ScenarioScores], scenarios: Sequence[Scenario], console: Console) -> None:
    """Print the values of each scenario beside those of the data as given, then what each scenario is.

    Under several seeds the mean of the values stands in the row, and the lowest and the highest below it.
    """
    titles = [score_title(score) for score in rows[0].scores]
    name = max(len(cells[0]) for cells in _lines(rows, range(0)))
    left = console.width - name - len("users") - 2 * _GAP
    at_once = max(1, left // (max(map(len, titles)) + _GAP))  # columns of values that fit beside the names
    for start in range(0, len(titles), at_once):
        _print_table(rows, range(start, min(start + at_once, len(titles))), console)
    _print_lines(_by_words(map(score_words, rows[0].scores), rows[0].scores), console)
    if seeds := [str(seed) for seed in dict.fromkeys(row.seed for row in rows) if seed is not None]:
        shown = f"seed {seeds[0]}" if len(seeds) == 1 else f"the mean over seeds {', '.join(seeds)}"
        _print_lines([f"Where a scenario draws: {shown}."], console)
    _print_lines([line for each in scenarios for line in _told(each, rows)], console)


def _told(scenario: Scenario, rows: Sequence[ScenarioScores]) -> Iterator[str]:
    """Yield what a scenario is, and what a reader of its values should know."""
    yield f"{scenario.name}: {scenario.words}"
    first = next(row for row in rows if row.scenario == scenario.name)
    at = "" if first.seed is None else f" (seed {first.seed})"
    yield from (f"! {note}{at}" for note in first.notes)


def _print_lines(lines: Sequence[str], console: Console) -> None:
    console.print(Padding(Text(printable("\n".join(lines))), (1, 0, 0, 0)))


def _print_table(rows: Sequence[ScenarioScores], places: range, console: Console) -> None:
    table = _empty_table("scenario", ["users", *(score_title(rows[0].scores[place]) for place in places)])
    for cells in _lines(rows, places):
        table.add_row(*(Text(printable(cell)) for cell in cells))
    console.print(Padding(table, (1, 0, 0, 0)))


def _lines(rows: Sequence[ScenarioScores], places: range) -> Iterator[list[str]]:
    """Yield the cells of each line: a scenario, or the mean and the ends of its seeds."""
    order = list(dict.fromkeys(row.scenario for row in rows))
    lowest_first = sorted(rows, key=lambda row: (order.index(row.scenario), row.end == "highest"))
    for (name, end), group in groupby(lowest_first, key=lambda row: (row.scenario, row.end)):
        same = list(group)
        values = [[row.scores[place].values for row in same] for place in places]
        at = f"{name}, {_AT[end]}" if end else name
        yield [at, _users_of(same), *(_shown(each, _mean) for each in values)]
        if len(same) > 1:
            yield [f"  lowest of {len(same)} seeds", "", *(_shown(each, min) for each in values)]
            yield [f"  highest of {len(same)} seeds", "", *(_shown(each, max) for each in values)]


_AT = {"lowest": "at least", "highest": "at most"}


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _shown(values: Sequence[Values | None], of: Callable[[Sequence[float]], float]) -> str:
    means = [each.mean for each in values if each is not None]
    return f"{of(means):.4f}" if len(means) == len(values) else "–"


def _users_of(rows: Sequence[ScenarioScores]) -> str:
    """Return how many users have held-out items, one number or two."""
    counts = sorted({row.users for row in rows})
    return f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,}–{counts[-1]:,}"


def scenario_file(rows: Sequence[ScenarioScores], told: str, path: Path) -> str | bytes:
    """Return the content of the file that lists every value: one row a scenario, seed, end and definition.

    ``told`` are the lines on the data, as in :func:`score_documents.score_file`.
    """
    own: dict[str, ColumnType] = {"scenario": "text", "seed": "integer", "end": "text"}
    listed = [
        {"scenario": row.scenario, "seed": row.seed, "end": row.end or None, **score_row(score, told)}
        for row in rows
        for score in row.scores
    ]
    return data_file(own | COLUMNS, listed, path)
