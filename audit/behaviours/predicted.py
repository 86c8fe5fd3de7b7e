"""What a definition says of an experiment: whether its value stays, and whether it explains what was seen."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from audit.behaviours.case_changes import rescored
from audit.behaviours.readings import Reading, View
from audit.behaviours.repeated_calls import Bounds
from audit.behaviours.scenes import APART, SCENES, SELF_PLACES
from reference.cases import PROBES
from reference.definitions.definition import Definition
from reference.evaluation.evaluate import Problem, evaluate

Floats = NDArray[np.float64]

_CASES = {probe.name: (probe.case, probe.k) for probe in PROBES} | {
    scene.name: (scene.case, scene.ks[0]) for scene in (*SCENES, *APART)
}


@cache
def _pair(names: tuple[str, str]) -> Problem:
    return Problem.of([_CASES[name][0] for name in names], [_CASES[name][1] for name in names])


def _means(definition: Definition, names: tuple[str, str]) -> Floats:
    return evaluate(definition, _pair(names)).mean


@cache
def canonical_stays(metric: str, names: tuple[str, str], *, has_k: bool) -> bool:
    """Whether the canonical definition of a metric has the same value on both."""
    one, other = _means(canonical(metric, has_k=has_k), names)
    return bool(abs(one - other) < 1e-12)


def canonical(metric: str, *, has_k: bool) -> Definition:
    """The canonical definition, on whole lists where the function takes no cut-off."""
    known = Definition.of(metric)
    return known if has_k or known.k is None else Definition.of(metric, {"cutoff": "none"})


def explained(definitions: Sequence[Definition], names: tuple[str, str], view: View) -> bool:
    """Whether a definition that fits gives both of the values seen: its axes then carry the class already."""
    seen = [view.at(name) for name in names]
    if not all(isinstance(each, Reading) and each.number is not None for each in seen):
        return False
    values = np.array([each.number for each in seen if isinstance(each, Reading)], dtype=float)
    return any(bool(view.tolerance.close(_means(each, names), values).all()) for each in definitions)


REPEATING = frozenset(probe.name for probe in PROBES if probe.kind.endswith("duplicates"))
"""Probes in which something is there twice: counted twice, a share of hits can exceed 1."""


@cache
def bounds(metric: str) -> Bounds:
    """Where a metric can lie: where its canonical values do on all probes, with their scores and with larger ones.

    Shares of hits lie between 0 and 1, correlations between −1 and 1, errors have no upper end.
    """
    probes = [probe for probe in PROBES if probe.name not in REPEATING]
    cases = [*(probe.case for probe in probes), *(rescored(probe.case, times=100.0) for probe in probes)]
    values = evaluate(Definition.of(metric), Problem.of(cases, [probe.k for probe in probes] * 2)).mean
    values = values[np.isfinite(values)]
    lowest, highest = values.min(initial=0), values.max(initial=0)
    low = 0.0 if lowest >= 0 else -1.0 if lowest >= -1 else -np.inf
    return low, 1.0 if highest <= 1 else np.inf


@cache
def placed_values(definition: Definition) -> tuple[float, float]:
    """What a definition gives for the self-audit's list with its hit on top, and at the end."""
    one, other = _means(definition, (f"hit at {SELF_PLACES[0]} of 8", f"hit at {SELF_PLACES[-1]} of 8"))
    return float(one), float(other)
