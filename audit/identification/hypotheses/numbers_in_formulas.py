"""Finds the number in a formula where it has no name, such as the p of RBP: from one answer, checked on all others.

A few numbers of an axis with a range have names, which a search tries. For any other the formula is solved. All answers
that depend on the number lead to one and the same where the rest of the formula is right: where most of them are met in
one step of a grid, one is solved by bisection, and the number is cut to the fewest digits that meet as many. A cut-off
is a whole number of rows: each of the first is tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from recsys_metric_audit.audit.identification.hypotheses.starting_formulas import (
    STARTS,
    free_changes,
    plain_probes,
    whole_list,
)
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.evidence import gather_evidence
from recsys_metric_audit.audit.observations.observation import Observation, Tolerance
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.input.case import Floats
from recsys_metric_audit.reference.metrics import METRICS
from recsys_metric_audit.reference.space.axis import Axis, shortest_number
from recsys_metric_audit.reference.space.input_axes import CUTOFF
from recsys_metric_audit.reference.space.metric import Metric

_FORMULAS = 32
"""The number is looked for in so many formulas, the canonical-most; with fewer, under changes of input too."""
_STEPS = 10
_HALVINGS = 60
_MOST_DIGITS = 15
_LEAST_SHARE = 0.7
"""The share of the answers that depend on the number which must lead to it, and of all that a cut-off must give."""
_LEAST_THAT_DEPEND = 3
"""Fewer answers are met by some number in a wrong formula, too."""
_ROWS = range(1, 21)
"""The cut-offs that are tried: the lists of the probes are not longer."""
_Point = dict[str, str]
_Values = Callable[[float], Floats]
"""The values of a formula on the answered probes, by its number."""


def formulas_with_numbers(
    metric: str, function: Function, observation: Observation, tolerance: Tolerance
) -> list[Definition]:
    """Return the formulas of a metric with a number that has no name, those first that give the most answers.

    Args:
        metric: Name of a metric of accuracy.
        function: The function.
        observation: Its answers.
        tolerance: Deviations up to which numbers count as equal.
    """
    known, (chosen, asked), has_k = METRICS[metric], plain_probes(observation.k), function.cutoff
    evidence = gather_evidence(observation.probes, chosen, asked)
    measured = evidence.measured & np.isfinite(evidence.value)
    uncut = {} if has_k else whole_list(metric)
    # Without a cut-off a formula may read the length of the list, if it is told that; there is no k otherwise.
    points = [each for each in _plainest_first(known) if has_k or uncut or not known.uses_k(each)][:_FORMULAS]
    made: dict[Definition, int] = {}

    def answered(outside: _Point) -> tuple[Floats, Callable[[_Point], Floats]]:
        """Return the answers about users with relevant items, and what gives a formula's values on the same probes."""
        lists = asked.lists({**known.canonical, **outside}, uncut=not has_k)
        chosen = measured & (lists.relevant > 0)
        return evidence.value[chosen], lambda point: known.formula(lists, **point).value[chosen]

    def keep(values: _Point, agreeing: int) -> None:
        made[Definition.of(metric, values, "k" if has_k else None)] = agreeing

    for axis, outside, point in _to_solve(known, points, uncut):
        answers, given = answered(outside)

        def values(number: float, name: str = axis.name) -> Floats:
            return given({**point, name: repr(number)})  # noqa: B023 - called before the next one

        if (number := _solved(values, answers, axis, tolerance)) is not None:
            agreeing = int(tolerance.close(values(number), answers).sum())
            keep({**outside, **point, axis.name: shortest_number(repr(number))}, agreeing)
    for rows in _ROWS if has_k and CUTOFF.name in known.canonical else ():
        answers, given = answered({CUTOFF.name: str(rows)})
        for point in points if len(answers) else ():
            agreeing = int(tolerance.close(given(point), answers).sum())
            if agreeing >= _LEAST_SHARE * len(answers):
                keep({CUTOFF.name: str(rows), **point}, agreeing)
    # Two bases of logarithms, one for the ideal, make one factor: the plainer of the numbers is likelier.
    return sorted(made, key=lambda each: (-made[each], len(each.signature())))[:STARTS]


def _to_solve(known: Metric, points: list[_Point], uncut: _Point) -> Iterator[tuple[Axis, _Point, _Point]]:
    """Yield each axis with a range, with values outside the formula and a formula in which the axis is canonical."""
    for axis in known.axes:
        if axis.numeric is not None:
            of_axis = [point for point in points if point[axis.name] == axis.canonical]
            changed = [({**uncut, **change}, point) for point in of_axis for change in free_changes(known, uncut)]
            for outside, point in [*((uncut, point) for point in of_axis), *changed][:_FORMULAS]:
                if known.refusal({**known.canonical, **outside, **point}) is None:
                    yield axis, outside, point


def _plainest_first(known: Metric) -> list[_Point]:
    def changes(point: _Point) -> int:
        return sum(known.canonical[axis] != value for axis, value in point.items())

    return sorted(known.points(), key=changes)


def _solved(values: _Values, answers: Floats, axis: Axis, tolerance: Tolerance) -> float | None:
    """Return the number by which a formula gives most answers, in the fewest digits; None if they lead to several."""
    low, high = axis.numeric or (0.0, 0.0)
    steps = np.union1d(np.linspace(low, high, _STEPS), np.geomspace(max(low, high / 1e4), high, _STEPS))
    with np.errstate(all="ignore"):
        table = np.array([values(float(step)) for step in steps])
        depends = np.ptp(table, axis=0) > tolerance.width
        met = (np.sign(table[:-1] - answers) * np.sign(table[1:] - answers) <= 0) & depends
        at, enough = int(met.sum(axis=1).argmax()), _LEAST_SHARE * depends.sum()
        if depends.sum() < _LEAST_THAT_DEPEND or met[at].sum() < enough:
            return None
        chosen = int(np.where(met[at], np.abs(table[at + 1] - table[at]), -1.0).argmax())
        found = _crossing(
            lambda number: values(number)[chosen] - answers[chosen], float(steps[at]), float(steps[at + 1])
        )
        agrees = tolerance.close(values(found), answers)
        if agrees[depends].sum() < enough:
            return None
        plainer = (float(f"{found:.{digits}g}") for digits in range(1, _MOST_DIGITS + 1))
        return next((each for each in plainer if tolerance.close(values(each), answers).sum() >= agrees.sum()), None)


def _crossing(difference: Callable[[float], float], low: float, high: float) -> float:
    """Return where a difference changes its sign, by bisection."""
    rises = difference(high) > difference(low)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if (difference(middle) < 0) == rises:
            low = middle
        else:
            high = middle
    return (low + high) / 2
