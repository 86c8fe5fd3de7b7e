"""Evaluates definitions on scenarios: the expected side of a metamorphic test, and the range of a metric."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.audit.behaviours.judges.returned_values import Bounds
from recsys_metric_audit.audit.behaviours.responses import Responses, Returned
from recsys_metric_audit.audit.behaviours.scenarios import HIT_PLACES, SCENARIOS, SEPARATE_CHANGES, single_hit_name
from recsys_metric_audit.audit.behaviours.transformations import rescale_scores
from recsys_metric_audit.reference.cases import EXHAUSTIVE, PROBES
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.input.case import Case

Floats = NDArray[np.float64]

_CASES = {probe.name: (probe.case, probe.k) for probe in PROBES} | {
    scenario.name: (scenario.case, scenario.ks[0]) for scenario in (*SCENARIOS, *SEPARATE_CHANGES)
}


@cache
def _problem(names: tuple[str, str]) -> Problem:
    return Problem.of([_CASES[name][0] for name in names], [_CASES[name][1] for name in names])


def _means(definition: Definition, names: tuple[str, str]) -> Floats:
    return evaluate(definition, _problem(names)).mean


@cache
def canonical_stays(metric: str, names: tuple[str, str], *, has_k: bool) -> bool:
    """Return True if the canonical definition of ``metric`` has equal values on two scenarios or probes."""
    one, other = _means(canonical(metric, has_k=has_k), names)
    return bool(abs(one - other) < 1e-12)


def canonical(metric: str, *, has_k: bool) -> Definition:
    """Return the canonical definition of ``metric``, on whole lists if the function takes no cut-off."""
    known = Definition.of(metric)
    return known if has_k or known.k is None else Definition.of(metric, {"cutoff": "none"})


def explained(definitions: Sequence[Definition], names: tuple[str, str], responses: Responses) -> bool:
    """Return True if one of ``definitions`` gives the function's values on both scenarios.

    An axis of that definition then says already why the values differ.
    """
    returned = [responses.to(name) for name in names]
    if not all(isinstance(each, Returned) and each.number is not None for each in returned):
        return False
    values = np.array([each.number for each in returned if isinstance(each, Returned)], dtype=float)
    return any(bool(responses.tolerance.close(_means(each, names), values).all()) for each in definitions)


def _has_repeats(case: Case) -> bool:
    """Return True if a user has an item twice, in the predictions or in the truth."""
    return any(
        len(np.unique(np.stack([part.user, part.item]), axis=1).T) < len(part.user)
        for part in (case.predictions, case.truth)
    )


RANGE_PROBES = tuple(probe.name for probe in (*PROBES, *EXHAUSTIVE) if not _has_repeats(probe.case))
"""Probes on which the range of a function is judged, in their order; where a row occurs twice, one that counts it twice
can exceed the range of its metric."""
RANGE_SCENARIOS = frozenset(each.name for each in (*SCENARIOS, *SEPARATE_CHANGES) if not _has_repeats(each.case))
"""Scenarios on which it is judged as well, for the same reason."""


@cache
def bounds(metric: str) -> Bounds:
    """Return the range of a metric, from its canonical values on all probes, as they are and with scores × 100.

    Shares of hits lie between 0 and 1, correlations between −1 and 1, errors have no upper end.
    """
    probes = [probe for probe in PROBES if probe.name in RANGE_PROBES]
    cases = [*(probe.case for probe in probes), *(rescale_scores(probe.case, times=100.0) for probe in probes)]
    values = evaluate(Definition.of(metric), Problem.of(cases, [probe.k for probe in probes] * 2)).mean
    values = values[np.isfinite(values)]
    lowest, highest = values.min(initial=0), values.max(initial=0)
    low = 0.0 if lowest >= 0 else -1.0 if lowest >= -1 else -np.inf
    return low, 1.0 if highest <= 1 else np.inf


@cache
def top_and_bottom_values(definition: Definition) -> tuple[float, float]:
    """Return the definition's values of the single-hit list with its hit at the first and at the last place."""
    one, other = _means(definition, (single_hit_name(HIT_PLACES[0]), single_hit_name(HIT_PLACES[-1])))
    return float(one), float(other)
