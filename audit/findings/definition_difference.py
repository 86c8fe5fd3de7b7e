"""Tells how two definitions differ: on which level, what each axis moves on given data, and on which smallest input."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from recsys_metric_audit.audit.findings.attribution import decompose
from recsys_metric_audit.audit.observations import probe_tables
from recsys_metric_audit.reference.cases import Kind, Probe, Role
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.equality.observed import are_equal
from recsys_metric_audit.reference.equality.shortest import shortest
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.space.input_axes import WITHOUT_RULE
from recsys_metric_audit.reference.space.levels import Level, by_level
from recsys_metric_audit.reports.model.result import Step

_VISIBLE = 1e-6

_ROLES: Mapping[Role, str] = {
    "single_user": "", "order": "ties", "relevance": "counted_scores", "multi_user": "", "duplicates": "duplicates",
    "truth_duplicates": "truth_duplicates",
}  # fmt: skip
"""Roles of probes, the easiest to read first, each with the axis that decides on them ("" for none)."""


@dataclass(frozen=True, eq=False)
class SmallestInput:
    """Holds the smallest probe on which two definitions have different values, and both."""

    probe: Probe
    first: float
    second: float


@dataclass(frozen=True, eq=False)
class DefinitionDifference:
    """Holds the difference between two definitions.

    Attributes:
        first: The one definition.
        second: The other one.
        levels: The axes that differ, with both values, by level; empty for equal definitions, and for two
            metrics that have no common axes to compare.
        steps: From the first to the second, axis by axis, each with its value on the data.
        users: Users whose values on the data differ; None for a definition of all rows together.
        smallest: The smallest input that shows a difference; None if no probe does.
    """

    first: Definition
    second: Definition
    levels: Mapping[Level, Mapping[str, tuple[str, str]]]
    steps: tuple[Step, ...]
    users: int | None
    smallest: SmallestInput | None

    @property
    def same(self) -> bool:
        """Return whether both definitions are equal."""
        return are_equal(self.first, self.second)

    def as_json(self) -> dict[str, Any]:
        """Return the difference as JSON values."""
        small = self.smallest
        return {
            "first": self.first.signature(), "second": self.second.signature(), "same": self.same,
            "levels": {level: {axis: list(pair) for axis, pair in axes.items()} for level, axes in self.levels.items()},
            "steps": [{"axis": step.axis, "signature": step.signature, "value": _finite(step.value)}
                      for step in self.steps],
            "users_that_differ": self.users,
            "smallest_input": None if small is None else {
                "probe": small.probe.name, "why": small.probe.case.why, "k": small.probe.k,
                "values": [_finite(small.first), _finite(small.second)],
            },
        }  # fmt: skip


def difference(first: Definition, second: Definition, data: Problem) -> DefinitionDifference:
    """Compare two definitions, on data and on every probe."""
    one, two = shortest(first), shortest(second)
    levels: dict[Level, dict[str, tuple[str, str]]] = {}
    if one.metric == two.metric:
        differing = tuple(axis for axis, value in one.values if two.axes[axis] != value)
        levels = {
            level: {axis: (one.axes[axis], two.axes[axis]) for axis in axes}
            for level, axes in by_level(differing).items() if axes
        }  # fmt: skip
    steps = decompose(one, two, data)
    return DefinitionDifference(first, second, levels, steps, _users(one, two, data), smallest_input(one, two))


def smallest_input(
    first: Definition, second: Definition, admits: Callable[[Probe], bool] = lambda _: True
) -> SmallestInput | None:
    """Return the smallest probe on which two definitions have different values; None if there is none.

    Args:
        first: One definition.
        second: Another one.
        admits: Tells which probes are looked at; by default all.
    """
    best: SmallestInput | None = None
    for role, axis in _ROLES.items():
        if not WITHOUT_RULE.isdisjoint((first.axes.get(axis, ""), second.axes.get(axis, ""))):
            continue  # such a value has no rule, so such a definition has no value on these probes
        ones, twos = (_means(each, probe_tables.problem(Kind(role))) for each in (first, second))
        for probe, one, two in zip(probe_tables.probes(Kind(role)), ones, twos, strict=True):
            if _differ(one, two) and (best is None or probe.size < best.probe.size) and admits(probe):
                best = SmallestInput(probe, one, two)
    return best


def _means(definition: Definition, problem: Problem) -> list[float]:
    """Return the mean of each case; NaN where the library raises."""
    made = evaluate(definition, problem)
    means: list[float] = np.where(made.refused, np.nan, made.mean).tolist()
    return means


def _users(first: Definition, second: Definition, data: Problem) -> int | None:
    one, two = (evaluate(each, data.at(each.k if isinstance(each.k, int) else None)) for each in (first, second))
    if not len(one.value) == len(two.value) == len(data.placement):
        return None
    apart = ~np.isclose(one.value, two.value, equal_nan=True) & one.counted & two.counted
    return int((apart | (one.counted != two.counted)).sum())


def _differ(one: float, two: float) -> bool:
    return (one == one) != (two == two) or abs(one - two) > _VISIBLE


def _finite(value: float) -> float | None:
    return value if np.isfinite(value) else None
