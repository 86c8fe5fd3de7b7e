"""The experiment of the second route: do two functions of one library that bear one metric's name agree?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.audit.behaviours.function_under_test import FunctionUnderTest
from recsys_metric_audit.audit.behaviours.responses import Returned, response_of
from recsys_metric_audit.audit.observations.user_states import undescribed_axes, undescribed_cases
from recsys_metric_audit.audit.process.protocol import Measured
from recsys_metric_audit.reference.cases import Probe
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.equality.observed import are_equal
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.space.averaging import NOBODY
from recsys_metric_audit.reports.model.result import Behaviour


def second_route(tested: FunctionUnderTest, siblings: Sequence[FunctionUnderTest]) -> Behaviour:
    """Compare a function with the sibling of the same metric that differs from it on the fewest probes.

    Where one of them was asked a probe and the other was not, the definition of the other answers, if it is known. Two
    that agree on all that both were asked differ where they were identified as different definitions.

    Args:
        tested: the function.
        siblings: the functions of its library; the function itself may be among them.
    """
    own = tested.function
    routes = [
        each
        for each in siblings
        if each.function.metric == own.metric and each.function.cutoff == own.cutoff and each.function.name != own.name
    ]
    if not routes:
        return Behaviour(name="not_askable", text="there is none")
    best: tuple[int, bool, int, str] | None = None
    for route in routes:
        probes = {probe.name: probe for probe in (*tested.further, *route.further)}
        names = tuple(dict.fromkeys((*tested.probes, *probes)))
        values, other = (_numbers(each, names, probes) for each in (tested, route))
        both = np.isfinite(values) & np.isfinite(other)
        wrong = int((both & ~tested.tolerance.close(values, other)).sum())
        other_definition = not wrong and _are_defined_otherwise(tested, route)
        if both.any() and (best is None or (wrong, other_definition) < best[:2]):
            best = wrong, other_definition, int(both.sum()), route.function.name
    return _agreement(best)


def _are_defined_otherwise(one: FunctionUnderTest, other: FunctionUnderTest) -> bool:
    """Return True if two functions were identified as different definitions of one metric.

    What comes out where nobody is left makes no difference, nor what is not known of one of them, or decided by its
    contract or adapter.
    """
    if len(one.definitions) != 1 or len(other.definitions) != 1:
        return False
    first, second = one.definitions[0], other.definitions[0]
    silent = {NOBODY.name, *one.unknown, *other.unknown, *one.function.ruled_out, *other.function.ruled_out}
    beside = second.with_(**{axis: value for axis, value in first.axes.items() if axis in silent & second.axes.keys()})
    return first.metric == second.metric and not are_equal(first, beside)


def _agreement(best: tuple[int, bool, int, str] | None) -> Behaviour:
    """Name the agreement with the nearest route.

    Args:
        best: How many cases differ, whether the definition does, how many cases were compared, the name of the route.
    """
    if best is None:
        return Behaviour(name="not_askable", text="no other one answers the same cases")
    wrong, other_definition, asked, name = best
    if wrong:
        return Behaviour(name="differs", text=f"nearest is {name}, other on {wrong} of {asked} cases")
    if other_definition:
        text = f"nearest is {name}, which gives the same on {asked} cases; its definition is another"
        return Behaviour(name="differs", text=text)
    return Behaviour(name="agrees", text=f"{name}, on {asked} cases")


def _numbers(
    tested: FunctionUnderTest, names: Sequence[str], probes: Mapping[str, Probe]
) -> NDArray[np.float64]:  # fmt: skip
    """Return the function's number on each probe, NaN where it gave none.

    On a probe in ``probes`` that the function was not asked, the number is that of its definition, if it is known.
    """
    missing = [probe for name, probe in probes.items() if name not in tested.probes]
    told = _told(tested.known, missing) if tested.known is not None and missing else {}
    out = np.full(len(names), np.nan)
    for column, name in enumerate(names):
        outcome = tested.probes.get(name)
        response = response_of(outcome) if isinstance(outcome, Measured) else None
        if isinstance(response, Returned) and response.number is not None:
            out[column] = response.number
        elif outcome is None:
            out[column] = told.get(name, np.nan)
    return out


def _told(known: Definition, probes: Sequence[Probe]) -> dict[str, float]:
    """Return what a definition gives on some probes; nothing where it has no rule, or nobody is left."""
    asked = Problem.of([probe.case for probe in probes], [probe.k for probe in probes])
    made = evaluate(known, asked)
    silent = made.refused | made.nobody | undescribed_cases(undescribed_axes(known), asked)
    return {
        probe.name: mean
        for probe, mean, nothing in zip(probes, made.mean.tolist(), silent.tolist(), strict=True)
        if not nothing
    }
