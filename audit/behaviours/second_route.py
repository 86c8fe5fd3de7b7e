"""The experiment of the second route: do two functions of one library that bear one metric's name agree?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from audit.behaviours.function_under_test import FunctionUnderTest
from audit.behaviours.responses import Returned, response_of
from audit.process.protocol import Measured, Outcome
from reports.model.result import Behaviour


def second_route(tested: FunctionUnderTest, siblings: Sequence[FunctionUnderTest]) -> Behaviour:
    """Compare a function with the sibling of the same metric that differs from it on the fewest probes.

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
    names = tuple(tested.probes)
    values = _numbers(tested.probes, names)
    best: tuple[int, int, str] | None = None
    for route in routes:
        other = _numbers(route.probes, names)
        both = np.isfinite(values) & np.isfinite(other)
        wrong = int((both & ~tested.tolerance.close(values, other)).sum())
        if both.any() and (best is None or wrong < best[0]):
            best = wrong, int(both.sum()), route.function.name
    return _agreement(best)


def _agreement(best: tuple[int, int, str] | None) -> Behaviour:
    """Name the agreement with the nearest route: (cases that differ, cases compared, its name)."""
    if best is None:
        return Behaviour(name="not_askable", text="no other one answers the same cases")
    wrong, asked, name = best
    if not wrong:
        return Behaviour(name="agrees", text=f"{name}, on {asked} cases")
    return Behaviour(name="differs", text=f"nearest is {name}, other on {wrong} of {asked} cases")


def _numbers(probes: Mapping[str, Outcome], names: Sequence[str]) -> NDArray[np.float64]:
    """Return the function's number on each probe, NaN where it gave none."""
    out = np.full(len(names), np.nan)
    for column, name in enumerate(names):
        outcome = probes.get(name)
        response = response_of(outcome) if isinstance(outcome, Measured) else None
        if isinstance(response, Returned) and response.number is not None:
            out[column] = response.number
    return out
