"""Provides the values of definitions on the user's data, as rows of a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from audit.cli.evaluation.wanted import Wanted
from audit.data.dataset import Dataset
from reference.definitions.definition import Definition
from reference.evaluation.prepared import InputRefusedError, PreparedData, Values, at_cutoffs
from reference.input.conversion import LabelledCase
from reference.placement.tie_ranks import TooManyOrdersError
from reference.uncertainty.bootstrap import with_intervals
from reference.uncertainty.paired_comparison import PairedComparison, compare_pairs


@dataclass(frozen=True, eq=False)
class Score:
    """Holds the value of a definition at one cut-off: ``values``, or None with ``refusal``: why there is no number."""

    wanted: Wanted
    definition: Definition
    values: Values | None
    refusal: str = ""
    comparison: PairedComparison | None = None


def prepared(dataset: Dataset) -> PreparedData:
    """Return the data, ready for any number of definitions."""
    return PreparedData.of(LabelledCase(dataset.case, dataset.users.names, dataset.items.names))


def scores(data: PreparedData, wanted: Iterable[Wanted], cutoffs: Sequence[int]) -> list[Score]:
    """Evaluate definitions at each cut-off; a definition that refuses the data gives a row that says so."""
    return [_score(data, each, point) for each in wanted for point in at_cutoffs(each.definition, cutoffs)]


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


def _score(data: PreparedData, wanted: Wanted, definition: Definition) -> Score:
    try:
        return Score(wanted, definition, data.values(definition))
    except (InputRefusedError, TooManyOrdersError) as refusal:
        return refused_score(wanted, definition, refusal)


def refused_score(wanted: Wanted, definition: Definition, refusal: ValueError) -> Score:
    """Return the row of a definition that refuses the data."""
    if isinstance(refusal, InputRefusedError):
        refusing = [f"{name}:{value}" for name, value in definition.values if value == "error"]
        return Score(wanted, definition, None, f"raises on this data ({', '.join(refusing)})")
    return Score(wanted, definition, None, str(refusal))
