"""Provides the values of definitions on the user's data, as rows of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from recsys_metric_audit.audit.cli.evaluation.wanted import Wanted
from recsys_metric_audit.audit.data.dataset import Dataset
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.engines.blockwise import evaluate_tables
from recsys_metric_audit.reference.evaluation.prepared import InputRefusedError, Values, at_cutoffs
from recsys_metric_audit.reference.input.conversion import LabelledCase
from recsys_metric_audit.reference.uncertainty.bootstrap import with_intervals
from recsys_metric_audit.reference.uncertainty.paired_comparison import PairedComparison, compare_pairs


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
    points = definitions_at(wanted, cutoffs)
    asked = list(dict.fromkeys(point for _, point in points))
    found = dict(zip(asked, evaluate_tables(held, asked), strict=True))
    return [score_of(each, point, found[point]) for each, point in points]


def definitions_at(wanted: Sequence[Wanted], cutoffs: Sequence[int]) -> list[tuple[Wanted, Definition]]:
    """Return each definition at its own cut-off or at each of ``cutoffs``, with what was asked for."""
    return [(each, point) for each in wanted for point in at_cutoffs(each.definition, cutoffs)]


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


def score_of(wanted: Wanted, definition: Definition, made: Values | ValueError) -> Score:
    """Return the row of a definition: its values, or why it refuses the data."""
    if not isinstance(made, ValueError):
        return Score(wanted, definition, made)
    if isinstance(made, InputRefusedError):
        refusing = [f"{name}:{value}" for name, value in definition.values if value == "error"]
        return Score(wanted, definition, None, f"raises on this data ({', '.join(refusing)})")
    return Score(wanted, definition, None, str(made))
