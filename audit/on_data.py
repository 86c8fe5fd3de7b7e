"""What of that which fits the probes also fits the data."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan

import numpy as np

from audit.fit import Fit
from audit.heard import apart, per_user
from audit.observation import scalar
from audit.protocol import Measured
from reference.definition import Definition
from reference.evaluate import Evaluated, Problem, evaluate


@dataclass(frozen=True)
class Settled:
    """``definitions`` that fit, the largest deviation (of the first that does not, where none does), the first
    one's mean on the data, and in words what was compared."""

    definitions: tuple[Definition, ...]
    gap: float
    value: float | None
    compared: str


def settle(fit: Fit, outcome: Measured, data: Problem) -> Settled:
    """Hold what fits the probes against the library's answer on the data at one cut-off."""
    staying, gaps, value, others = [], [0.0], None, [0.0]
    for definition in fit.definitions:
        made = evaluate(definition, data)
        good, gap = _fits(made, outcome, data, fit)
        (gaps if good else others).append(gap)
        if good:
            staying.append(definition)
            value = float(made.mean[0]) if value is None else value
    return Settled(tuple(staying), max(gaps if staying else others), value, _compared(outcome))


def _fits(made: Evaluated, outcome: Measured, data: Problem, fit: Fit) -> tuple[bool, float]:
    mean = scalar(outcome)
    if mean is None and outcome.users is not None:
        value, given = per_user(outcome, data.placement.users)
        off = np.abs(made.value - value)[made.counted & given]
        return not apart(made, value, given, fit.tolerance).any(), float(np.nan_to_num(off).max(initial=0))
    if mean is None:
        return True, 0.0
    gap = abs(float(made.mean[0]) - mean)
    good = bool(fit.tolerance.close(made.mean[:1], np.array([mean]))[0])
    return good, 0.0 if isnan(gap) else gap


def _compared(outcome: Measured) -> str:
    if outcome.mean is not None:
        return "the mean"
    if outcome.users is not None:
        return f"the values of {len(outcome.users)} users; the function gives no mean"
    return "nothing: the function gives neither a mean nor whose its values are"
