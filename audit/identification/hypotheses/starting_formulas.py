"""Finds the formulas of a metric that agree with most answers about single users: a search starts from them."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from audit.observations.evidence import gather_evidence
from audit.observations.observation import Observation, Tolerance
from audit.observations.probe_tables import probes
from reference.cases import Kind, Probe, Variant
from reference.definitions.definition import Definition
from reference.evaluation.evaluate import Problem
from reference.metrics import METRICS
from reference.metrics.ndcg import CUT_GAINS

Floats = NDArray[np.float64]

_VARIANTS: tuple[Variant, ...] = (
    "usual", "unit_gains", "above_threshold", "one_relevant", "one_relevant_unit_gain", "rated_misses"
)  # fmt: skip
_KINDS = (*(Kind("single_user", variant) for variant in _VARIANTS), Kind("fractions"), Kind("relevance"))
"""The kinds of probes that show all that is read of a list: gains of all sorts, also below 0 and between grades."""
_STARTS = 20
"""So many formulas are returned at most."""


class Nearest(NamedTuple):
    """Holds the formulas of a metric that agree with most answers.

    Attributes:
        definitions: The formulas, each as a definition that is canonical elsewhere: the nearest first, and of those
            that are as near the canonical-most.
        share: The share of the answered numbers that the nearest one gives.
    """

    definitions: tuple[Definition, ...] = ()
    share: float = 0.0


def nearest_formulas(metric: str, observation: Observation, tolerance: Tolerance, *, has_k: bool) -> Nearest:
    """Compare all formulas of a metric with the answers about single users.

    Gains cut to whole numbers are tried only if gains with fractions were answered.

    Args:
        metric: Name of the metric.
        observation: The answers of a function.
        tolerance: Deviations up to which numbers count as equal.
        has_k: Whether the function takes a cut-off.
    """
    chosen, asked = _asked(observation.k)
    evidence = gather_evidence(observation.probes, chosen, asked)
    numbers = evidence.measured & np.isfinite(evidence.value)
    points, values = _formula_values(metric, observation.k, has_k)
    agreeing = tolerance.close(values[:, numbers], evidence.value[numbers]).sum(axis=1)
    if not asked.has_fractions[numbers].any():
        agreeing[[point.get("gain") in CUT_GAINS for point in points]] = 0
    best = [number for number in np.argsort(-agreeing, kind="stable")[:_STARTS] if agreeing[number]]
    if not best:
        return Nearest()
    share, uncut = float(agreeing[best[0]] / numbers.sum()), {} if has_k else _whole_list(metric)
    made = (Definition.of(metric, {**uncut, **points[number]}, "k" if has_k else None) for number in best)
    return Nearest(tuple(made), share)


@cache
def _asked(k: int | None) -> tuple[tuple[Probe, ...], Problem]:
    """Return the probes of one user each on which formulas are compared, and their cases."""
    chosen = tuple(probe for kind in _KINDS for probe in probes(kind, k))
    return chosen, Problem.of([probe.case for probe in chosen], [probe.k for probe in chosen])


@lru_cache(maxsize=200)
def _formula_values(metric: str, k: int | None, has_k: bool) -> tuple[tuple[dict[str, str], ...], Floats]:
    """Return the n formulas of a metric that differ on the probes, canonical-most first, and their values.

    The values have shape (n, probes), NaN where a formula is 0/0.
    """
    known, asked = METRICS[metric], _asked(k)[1]
    lists = asked.lists({**known.canonical, **({} if has_k else _whole_list(metric))}, uncut=not has_k)

    def changes(point: dict[str, str]) -> int:
        return sum(known.canonical[axis] != value for axis, value in point.items())

    first: dict[tuple[bytes, bool], tuple[dict[str, str], Floats]] = {}
    for point in sorted(known.points(), key=changes):
        # Without a cut-off a formula may read the length of the list, if it is told that; there is no k otherwise.
        if has_k or _whole_list(metric) or not known.uses_k(point):
            value = known.formula(lists, **point).value
            first.setdefault((value.tobytes(), known.uses_k(point)), (point, value))
    values = np.array([value for _, value in first.values()]).reshape(len(first), len(asked.cases))
    return tuple(point for point, _ in first.values()), values


def _whole_list(metric: str) -> dict[str, str]:
    """Return the values of a metric that is told no cut-off."""
    return {"cutoff": "none"} if "cutoff" in METRICS[metric].canonical else {}
