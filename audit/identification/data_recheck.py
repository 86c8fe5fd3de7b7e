"""What of that which fits the probes also fits the data."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan

import numpy as np
from numpy.typing import NDArray

from audit.observations.evidence import apart, per_user
from audit.observations.fit import Fit
from audit.observations.observation import scalar
from audit.process.protocol import Measured
from reference.definitions.definition import Definition
from reference.evaluation.evaluate import Evaluated, Problem, evaluate
from reference.placement.tie_ranks import TooManyOrdersError

Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Settled:
    """``definitions`` that fit, the largest deviation (of the first that does not, where none does), the first
    one's mean on the data, and in words what was compared."""

    definitions: tuple[Definition, ...]
    gap: float
    value: float | None
    compared: str


def settle(fit: Fit, outcome: Measured, data: Problem) -> Settled:
    """Hold what fits the probes against the library's answer on the data at one cut-off. A mean over the orders of more
    ties than can be averaged is not compared, and stays."""
    staying, gaps, value, others, not_compared = [], [0.0], None, [0.0], ""
    for definition in fit.definitions:
        try:
            made = evaluate(definition, data)
        except TooManyOrdersError as error:
            staying.append(definition)
            not_compared = f"nothing: {error}"
            continue
        good, gap = _fits(made, outcome, data, fit, _untold(definition, data))
        (gaps if good else others).append(gap)
        if good:
            staying.append(definition)
            value = float(made.mean[0]) if value is None else value
    if not_compared:
        return Settled(tuple(staying), max(gaps), value, not_compared)
    first = (staying or fit.definitions)[:1]
    untold = int(_untold(first[0], data).sum()) if first else 0
    return Settled(tuple(staying), max(gaps if staying else others), value, _compared(outcome, untold))


def _untold(definition: Definition, data: Problem) -> Bools:
    """Users of whom the definition says nothing: they have ties or repeats, which it meets in an ``other`` way."""
    placement, out = data.placement, np.zeros(len(data.placement), dtype=bool)
    other = {axis for axis, value in definition.values if value == "other"}
    if "ties" in other:
        out[placement.user[placement.tied > 1]] = True
    if "duplicates" in other:
        out |= placement.repeats > 0
    if "truth_duplicates" in other:
        out[placement.user[placement.copy > 0]] = True
    return out


def _fits(made: Evaluated, outcome: Measured, data: Problem, fit: Fit, untold: Bools) -> tuple[bool, float]:
    mean = scalar(outcome)
    if mean is None and outcome.users is not None:
        if len(made.value) != len(untold):
            return False, 0.0  # one ranking of all rows has no value of a user
        value, given = per_user(outcome, data.placement.users)
        off = np.abs(made.value - value)[made.counted & given & ~untold]
        wrong = apart(made, value, given, fit.tolerance) & ~untold
        return not wrong.any(), float(np.nan_to_num(off).max(initial=0))
    if mean is None:
        return True, 0.0
    gap = abs(float(made.mean[0]) - mean)
    # Users of whom nothing is said can move the mean of values from 0 to 1 by their share at most.
    near = bool(fit.tolerance.close(made.mean[:1], np.array([mean]))[0])
    return near or gap * (1 - fit.tolerance.width) <= untold.mean() * bool(untold.any()), 0.0 if isnan(gap) else gap


def _compared(outcome: Measured, untold: int) -> str:
    but = f", but for {untold} user(s) with ties or repeats, of whom the definition says nothing" if untold else ""
    if outcome.mean is not None:
        return f"the mean{but}"
    if outcome.users is not None:
        return f"the values of {len(outcome.users)} users{but}; the function gives no mean"
    return "nothing: the function gives neither a mean nor whose its values are"
