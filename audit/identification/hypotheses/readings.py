"""Says how the answers of a function are read: all of them and exactly, or more leniently where no definition fits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import NamedTuple

from recsys_metric_audit.audit.identification.hypotheses.pool_answers import PoolAnswers
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.observation import (
    SINGLE_PRECISION,
    Observation,
    Tolerance,
    percent_tolerance,
)
from recsys_metric_audit.audit.questions.item_cases import reads_items
from recsys_metric_audit.reference.cases import Role
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.metrics import FAMILIES
from recsys_metric_audit.reference.space.edges import AXES as EDGES

_SHOWN_BY_ROLE: Mapping[Role, tuple[str, ...]] = {
    "rated_users": ("users",), "seen": ("candidates",), "fractions": ("relevance",),
    "order": ("order", "ties"), "duplicates": ("duplicates",), "truth_duplicates": ("truth_duplicates",),
}  # fmt: skip
"""The roles of probes whose answers may follow no definition, each with the axes of which nothing is known then."""


class Reading(NamedTuple):
    """Says how the answers of a function are read.

    Attributes:
        left_out: Roles of probes whose answers no definition explains: nothing is told of what they show.
        tolerance: Deviations up to which numbers count as equal; None to infer them from the numbers.
        open_edges: Edges that no policy describes: answers that depend on one say nothing.
    """

    left_out: frozenset[Role] = frozenset()
    tolerance: Tolerance | None = None
    open_edges: tuple[str, ...] = ()

    @property
    def open_axes(self) -> tuple[str, ...]:
        """Return the axes of which nothing is known, since no value explains what was answered."""
        return (*(axis for role in sorted(self.left_out) for axis in _SHOWN_BY_ROLE[role]), *self.open_edges)

    def of(self, function: Function, observation: Observation) -> PoolAnswers:
        """Collect the answers of a function."""
        return PoolAnswers.of(function, observation, self.left_out, self.tolerance, self.open_edges)


EVERYTHING = Reading()
"""Reads all answers, exactly."""
_ROLES: tuple[Role, ...] = ("rated_users", "seen", "fractions")
_LENIENT = (
    *(Reading(frozenset({role})) for role in _ROLES),
    *(Reading(open_edges=(axis.name,)) for axis in EDGES),
    Reading(frozenset(_ROLES)),
)
_ROLES_OF_ITEMS: tuple[Role, ...] = ("order", "duplicates", "truth_duplicates")
_LENIENT_WITH_ITEMS = tuple(
    Reading(frozenset(roles)) for size in (1, 2, 3) for roles in combinations(_ROLES_OF_ITEMS, size)
)
"""No axis of functions beyond accuracy has a value for what follows no rule: what shows it is left out."""


def lenient_readings(function: Function, definition: Definition) -> Iterator[Reading]:
    """Yield how answers are read where nothing fits all, one after the other.

    Every role that is left out shows an axis of the definition that is nearest to the answers, so that something is
    told to be unknown.
    """
    for reading in _LENIENT_WITH_ITEMS if reads_items(function) else _LENIENT:
        if all(definition.axes.keys() & {*_SHOWN_BY_ROLE[role]} for role in reading.left_out):
            yield reading


def coarser_readings(function: Function, observation: Observation) -> Iterator[Reading]:
    """Yield how answers are read where numbers need to agree less: to single precision, or as rounded percentages."""
    yield Reading(tolerance=SINGLE_PRECISION)
    in_percent = "unit" in FAMILIES[function.metric].canonical
    if in_percent and (rounded := percent_tolerance(observation.probes.values())):
        yield Reading(tolerance=rounded)
