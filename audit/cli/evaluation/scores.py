"""Provides the values of definitions on the user's data, as rows of a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from math import isnan
from operator import itemgetter

from recsys_metric_audit.audit.cli.evaluation.unusual_data import occurs
from recsys_metric_audit.audit.cli.evaluation.wanted import Wanted
from recsys_metric_audit.audit.data.dataset import Dataset
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.engines.blockwise import evaluate_tables
from recsys_metric_audit.reference.evaluation.prepared import InputRefusedError, Values, at_cutoffs
from recsys_metric_audit.reference.input.case import Case
from recsys_metric_audit.reference.input.conversion import LabelledCase
from recsys_metric_audit.reference.placement.tie_ranks import TooManyOrdersError
from recsys_metric_audit.reference.uncertainty.bootstrap import with_intervals
from recsys_metric_audit.reference.uncertainty.paired_comparison import PairedComparison, compare_pairs

EQUAL = 1e-9
"""Means that differ by no more are equal: they are computed in other orders."""


@dataclass(frozen=True, eq=False)
class Score:
    """Holds the value of a definition at one cut-off: ``values``, or None with ``refusal``: why there is no number."""

    wanted: Wanted
    definition: Definition
    values: Values | None
    refusal: str = ""
    comparison: PairedComparison | None = None


def scores(dataset: Dataset, wanted: Sequence[Wanted], cutoffs: Sequence[int]) -> list[Score]:
    """Evaluate definitions at each cut-off; a definition that refuses the data gives a row that says so."""
    held = LabelledCase(dataset.case, dataset.users.names, dataset.items.names)
    asked = points(wanted, cutoffs)
    found = dict(zip(definitions_of(asked), evaluate_tables(held, definitions_of(asked)), strict=True))
    return [score_of(point, found, dataset.case) for point in asked]


@dataclass(frozen=True)
class Point:
    """Holds what is evaluated at one cut-off: a definition, and others that may be right in its place, with why."""

    wanted: Wanted
    definition: Definition
    others: tuple[tuple[str, Definition], ...]


def points(wanted: Sequence[Wanted], cutoffs: Sequence[int]) -> list[Point]:
    """Return each definition at its own cut-off or at each of ``cutoffs``."""
    return [
        Point(each, definition, tuple((why, _at(other, definition.k)) for why, other in each.doubts.others))
        for each in wanted
        for definition in at_cutoffs(each.definition, cutoffs)
    ]


def _at(definition: Definition, k: int | str | None) -> Definition:
    return definition.with_(k=k) if isinstance(definition.k, str) and k is not None else definition


def definitions_of(asked: Sequence[Point]) -> list[Definition]:
    """Return all definitions that points ask for, each once."""
    return list(dict.fromkeys(each for point in asked for each in (point.definition, *(d for _, d in point.others))))


def joined(made: Sequence[Score]) -> list[Score]:
    """Return the scores with those of one definition in one row, if they have the same value or the same refusal."""
    rows: dict[tuple[Definition, str], Score] = {}
    for score in made:
        first = rows.setdefault((score.definition, score.refusal), score)
        if first is not score:
            own, other = first.wanted, score.wanted
            both = replace(own, functions=(*own.functions, *other.functions), notes=(*own.notes, *other.notes))
            rows[score.definition, score.refusal] = replace(first, wanted=both)
    return list(rows.values())


def with_score_intervals(made: Sequence[Score], level: float) -> list[Score]:
    """Return the scores with the confidence intervals of their means."""
    there = {str(number): score.values for number, score in enumerate(made) if score.values is not None}
    found = with_intervals(there, level)
    return [replace(score, values=found.get(str(number))) for number, score in enumerate(made)]


def with_comparisons(made: Sequence[Score], others: Sequence[Score], level: float) -> list[Score]:
    """Return the scores with the comparison of the other recommender's; none where one has no values of users."""
    pairs = zip(made, others, strict=True)
    return [replace(score, comparison=_comparison(score, other.values, level)) for score, other in pairs]


def _comparison(score: Score, second: Values | None, level: float) -> PairedComparison | None:
    if score.values is None or second is None or score.values.terms is None or second.terms is None:
        return None
    return compare_pairs(score.values.terms, second.terms, level)


def score_of(point: Point, found: Mapping[Definition, Values | ValueError], case: Case | None) -> Score:
    """Return the row of a definition: its values, or why it refuses the data or is not known for them.

    Args:
        point: What was evaluated.
        found: The values of all its definitions, or the errors with which they refuse the data.
        case: The data; None where they were read in batches.
    """
    wanted, definition, made = point.wanted, point.definition, found[point.definition]
    if doubts := list(_doubts(point, found, case)):
        return Score(wanted, definition, None, f"not known for these data: {'; '.join(doubts)}")
    if not isinstance(made, ValueError):
        return Score(wanted, definition, made)
    if isinstance(made, InputRefusedError):
        refusing = [f"{name}:{value}" for name, value in definition.values if value == "error"]
        return Score(wanted, definition, None, f"raises on this data ({', '.join(refusing)})")
    return Score(wanted, definition, None, str(made))


def _doubts(point: Point, found: Mapping[Definition, Values | ValueError], case: Case | None) -> Iterator[str]:
    """Yield what is not known of a function and matters for these data, with the values that it may have."""
    k = point.definition.k
    for kind, does in point.wanted.doubts.departs_on:
        if case is not None and occurs(kind, case, k if isinstance(k, int) else None):
            yield f"{kind} ({does})"
    for why, others in groupby(point.others, key=itemgetter(0)):
        made = [found[point.definition], *(found[other] for _, other in others)]
        means = [_mean(each) for each in made if not isinstance(each, TooManyOrdersError)]
        if not all(_are_equal(means[0], mean) for mean in means):
            numbers = [mean for mean in means if mean is not None and not isnan(mean)]
            yield f"{why} ({min(numbers):.4f} to {max(numbers):.4f})" if len(numbers) == len(means) else why


def _mean(made: Values | ValueError) -> float | None:
    return None if isinstance(made, ValueError) else made.mean


def _are_equal(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return abs(one - other) <= EQUAL or (isnan(one) and isnan(other))
