"""The values of definitions on the user's data, as rows of a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from audit.cli.evaluation.wanted import Wanted
from audit.data.dataset import Dataset
from reference.definitions.definition import Definition
from reference.evaluation.prepared import InputRefusedError, PreparedData, Values, at_cutoffs
from reference.input.conversion import LabelledCase
from reference.placement.tie_ranks import TooManyOrdersError


@dataclass(frozen=True, eq=False)
class Score:
    """The value of a definition at one cut-off: ``values``, or None with ``refusal``: why there is no number."""

    wanted: Wanted
    definition: Definition
    values: Values | None
    refusal: str = ""


def prepared(dataset: Dataset) -> PreparedData:
    """Return the data, ready for any number of definitions."""
    return PreparedData.of(LabelledCase(dataset.case, dataset.users.names, dataset.items.names))


def scores(data: PreparedData, wanted: Iterable[Wanted], cutoffs: Sequence[int]) -> list[Score]:
    """Evaluate definitions at each cut-off; a definition that refuses the data gives a row that says so."""
    return [_score(data, each, point) for each in wanted for point in at_cutoffs(each.definition, cutoffs)]


def _score(data: PreparedData, wanted: Wanted, definition: Definition) -> Score:
    try:
        return Score(wanted, definition, data.values(definition))
    except InputRefusedError:
        refusing = [f"{name}:{value}" for name, value in definition.values if value == "error"]
        return Score(wanted, definition, None, f"raises on this data ({', '.join(refusing)})")
    except TooManyOrdersError as error:
        return Score(wanted, definition, None, str(error))
