"""Shows values under scenarios as tables on the terminal, one row a scenario, and as rows of a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from recsys_metric_audit.audit.cli.evaluation.scenario_scores import ScenarioScores
from recsys_metric_audit.audit.cli.evaluation.score_table import COLUMNS, data_file, score_row, score_title, score_words
from recsys_metric_audit.audit.scenarios import Scenario
from recsys_metric_audit.reports.wording.formatting import printable

_GAP = 2


def print_scenarios(rows: Sequence[ScenarioScores], scenarios: Sequence[Scenario], console: Console) -> None:
    """Print the values of each scenario beside those of the data as given, then what each scenario is.

    Under several seeds the mean of the values stands in the row, and the lowest and the highest below it.
    """
    titles = [score_title(score) for score in rows[0].scores]
    name = max(len(cells[0]) for cells in _lines(rows, range(0)))
    left = console.width - name - _GAP - _width(["users"])
    at_once = max(1, left // (max(map(len, titles)) + _GAP))  # columns of values that fit beside the names
    for start in range(0, len(titles), at_once):
        _print_table(rows, range(start, min(start + at_once, len(titles))), console)
    words: dict[str, list[str]] = {}
    for title, score in zip(titles, rows[0].scores, strict=True):
        words.setdefault(score_words(score), []).append(title)
    _print_lines([f"{', '.join(those)}: {each}" for each, those in words.items()], console)
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


def _width(headings: Sequence[str]) -> int:
    return sum(len(heading) + _GAP for heading in headings)


def _print_lines(lines: Sequence[str], console: Console) -> None:
    console.print(Padding(Text(printable("\n".join(lines))), (1, 0, 0, 0)))


def _print_table(rows: Sequence[ScenarioScores], places: range, console: Console) -> None:
    table = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), header_style="bold")
    table.add_column("scenario", no_wrap=True)
    for heading in ("users", *(score_title(rows[0].scores[place]) for place in places)):
        table.add_column(heading, justify="right", no_wrap=True)
    for cells in _lines(rows, places):
        table.add_row(*(Text(printable(cell)) for cell in cells))
    console.print(Padding(table, (1, 0, 0, 0)))


def _lines(rows: Sequence[ScenarioScores], places: range) -> Iterator[list[str]]:
    """Yield the cells of each line: a scenario, or the mean and the ends of its seeds."""
    for (name, end), group in groupby(sorted_ends(rows), key=lambda row: (row.scenario, row.end)):
        same = list(group)
        values = [[_value(row, place) for row in same] for place in places]
        at = f"{name}, {_AT[end]}" if end else name
        yield [at, _users(same), *(_shown(each, _mean) for each in values)]
        if len(same) > 1:
            yield [f"  lowest of {len(same)} seeds", "", *(_shown(each, min) for each in values)]
            yield [f"  highest of {len(same)} seeds", "", *(_shown(each, max) for each in values)]


_AT = {"lowest": "at least", "highest": "at most"}


def sorted_ends(rows: Sequence[ScenarioScores]) -> list[ScenarioScores]:
    """Return the rows with the lowest ends of a scenario before its highest, seeds in the order given."""
    order = list(dict.fromkeys(row.scenario for row in rows))
    return sorted(rows, key=lambda row: (order.index(row.scenario), row.end == "highest"))


def _value(row: ScenarioScores, place: int) -> float | None:
    values = row.scores[place].values
    return None if values is None else values.mean


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _shown(values: Sequence[float | None], of: Any) -> str:
    there = [value for value in values if value is not None]
    return f"{of(there):.4f}" if there and len(there) == len(values) else "–"


def _users(rows: Sequence[ScenarioScores]) -> str:
    """Return how many users have held-out items, one number or two."""
    counts = sorted({row.users for row in rows})
    return f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,}–{counts[-1]:,}"


def scenario_file(rows: Sequence[ScenarioScores], told: str, path: Path) -> str | bytes:
    """Return the content of the file that lists every value: one row a scenario, seed, end and definition.

    ``told`` are the lines on the data, as in :func:`score_table.summary_file`.
    """
    own = {"scenario": "text", "seed": "whole", "end": "text"}
    listed = [
        {"scenario": row.scenario, "seed": row.seed, "end": row.end or None, **score_row(score, told)}
        for row in rows
        for score in row.scores
    ]
    return data_file(own | COLUMNS, listed, path)
