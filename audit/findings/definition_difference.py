"""Tells how two definitions differ: by level, on given data, on the smallest input; and what to call instead."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from recsys_metric_audit.audit.findings.attribution import decompose
from recsys_metric_audit.audit.findings.issue_script import FunctionName
from recsys_metric_audit.audit.observations import probe_tables
from recsys_metric_audit.reference.cases import Kind, Probe, Role
from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.equality.observed import are_equal
from recsys_metric_audit.reference.equality.projection import formula_of
from recsys_metric_audit.reference.equality.shortest import shortest
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.space.input_axes import WITHOUT_RULE
from recsys_metric_audit.reference.space.levels import Level, by_level
from recsys_metric_audit.reports.model.result import Finding, Result, Step
from recsys_metric_audit.reports.wording.meanings import open_cutoff

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
            for level, axes in by_level(differing).items()
            if axes
        }
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


@dataclass(frozen=True)
class AgreeingFunction:
    """Names a function of a library that computes a definition, or its formula.

    Attributes:
        library: The library.
        version: Its version.
        function: The function's name, options included.
        arguments: The arguments to pass, as Python writes them; empty where it is another function.
        dropped: The arguments that the function it is compared with has and that are not to be passed.
        differs_on: The axes of who counts and input handling that still differ; empty where it is the definition.
    """

    library: str
    version: str
    function: str
    arguments: str
    dropped: str
    differs_on: tuple[str, ...]


def agreeing_functions(result: Result, start: Finding, wanted: Definition) -> tuple[AgreeingFunction, ...]:
    """Return what to call instead of one function so that a definition is computed, the nearest first.

    The same function with other arguments goes before other functions of the library, and the definition itself before
    its formula with other rules for unusual users and rows. Empty where the library has neither.

    Args:
        result: what an audit found.
        start: the finding of the function that is called now.
        wanted: the definition that is to be computed.
    """
    target = shortest(wanted.with_(k="k"))
    gap = _differing_axes(start, target)
    found = [each for each in _fitting(result, start, target) if gap is None or len(each.differs_on) < len(gap)]
    return tuple(sorted(found, key=lambda each: (len(each.differs_on), _is_other(start, each.function))))


def _fitting(result: Result, start: Finding, target: Definition) -> Iterator[AgreeingFunction]:
    own = FunctionName.parse(start.function)
    seen = {start.function}
    for each in result.findings:
        if (each.library, each.version) != (start.library, start.version) or each.function in seen:
            continue
        seen.add(each.function)
        differs = _differing_axes(each, target)
        if differs is None:
            continue
        name, other = FunctionName.parse(each.function), _is_other(start, each.function)
        dropped = ", ".join(sorted(set(own.options) - set(name.options)))
        yield AgreeingFunction(
            each.library, each.version, each.function, "" if other else name.arguments, "" if other else dropped,
            differs,
        )  # fmt: skip


def _differing_axes(finding: Finding, target: Definition) -> tuple[str, ...] | None:
    """Return the axes beside the formula on which a function differs; None if the formula does, or is not known."""
    if finding.signature is None or finding.verdict == "ambiguous":
        return None
    computed = shortest(parse(open_cutoff(finding.signature)).with_(k="k"))
    if computed.metric != target.metric or not are_equal(formula_of(computed), formula_of(target)):
        return None
    return tuple(axis for axis, value in computed.values if target.axes[axis] != value)


def _is_other(start: Finding, function: str) -> bool:
    """Return True for another function, False for the same one with other arguments."""
    one, two = FunctionName.parse(start.function), FunctionName.parse(function)
    bases = [each.partition("[")[0] for each in (start.function, function)]
    return bases[0] != bases[1] or (one.words, one.inner) != (two.words, two.inner)
