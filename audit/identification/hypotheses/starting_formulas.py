"""Finds the formulas of a metric that agree with most answers to plain probes: a search starts from them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cache, lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np

from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.evidence import gather_evidence
from recsys_metric_audit.audit.observations.observation import Observation, Tolerance
from recsys_metric_audit.audit.observations.probe_tables import probes, problem_of
from recsys_metric_audit.audit.questions.item_cases import asked_of, reads_items
from recsys_metric_audit.reference.cases import Kind, Probe, Variant
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.input.case import Floats
from recsys_metric_audit.reference.metrics import FAMILIES, METRICS
from recsys_metric_audit.reference.metrics.ndcg import CUT_GAINS
from recsys_metric_audit.reference.space.lists import Lists
from recsys_metric_audit.reference.space.metric import Metric

_VARIANTS: tuple[Variant, ...] = (
    "usual", "unit_gains", "above_threshold", "one_relevant", "one_relevant_unit_gain", "rated_misses"
)  # fmt: skip
_KINDS = (*(Kind("single_user", variant) for variant in _VARIANTS), Kind("fractions"), Kind("relevance"))
"""The kinds of probes that show all that is read of a list: gains of all sorts, also below 0 and between grades."""
STARTS = 20
"""So many formulas are returned at most."""
_CHANGES = {
    "cutoff": ("none", "hits_uncut", "hits_k_plus_1", "k_plus_1", "k_minus_1", "5", "10"),
    "positions": ("negatives_only",),
    "relevance": ("equal_1", "4"),
    "truth": ("first", "listed"),
    "pairs": ("rated_0_1", "all_0_1"),
    "candidates": ("test_only",),
}
"""Values of input and cut-off that change the number of a formula on a probe of one user without ties or repeats."""
_RATED_ALONE = {"candidates": "test_only", "relevance": "at_least_t"}
"""The changes of a function that reads rated pairs alone: of these, not all are relevant."""
_CHANGED = 60
"""Under such changes so many formulas are compared, the canonical-most: all there are, but for NDCG and AUC."""


class Nearest(NamedTuple):
    """Holds the formulas of a metric that agree with most answers.

    Attributes:
        definitions: The formulas, each as a definition that is canonical elsewhere but for the changes tried: the
            nearest first, and of those that are as near the canonical-most.
        share: The share of the answered numbers that the nearest one gives.
    """

    definitions: tuple[Definition, ...] = ()
    share: float = 0.0


def nearest_formulas(
    metric: str, function: Function, observation: Observation, tolerance: Tolerance, *, changed: bool = False
) -> Nearest:
    """Compare all formulas of a metric with the answers about single users with relevant items, or ordinary rows.

    An answer that contradicts a formula counts against it as much as one that it gives counts for it. Gains cut to
    whole numbers are tried only if gains with fractions were answered.

    Args:
        metric: Name of the metric, which is one beyond accuracy if that of the function is.
        function: The function.
        observation: Its answers.
        tolerance: Deviations up to which numbers count as equal.
        changed: Change input and cut-off in one or two ways, instead of comparing all formulas without a change.
    """
    has_k, items = function.cutoff, reads_items(function)
    chosen, asked = asked_of(function.metric, ordinary=True) if items else plain_probes(observation.k)
    evidence = gather_evidence(observation.probes, chosen, asked)
    numbers = evidence.measured & np.isfinite(evidence.value)
    if items:
        points, values = _values_of_items(metric, asked, has_k)
    else:
        points, values = (_changed_values if changed else _formula_values)(metric, observation.k, has_k)
    agrees = tolerance.close(values[:, numbers], evidence.value[numbers])
    agreeing = agrees.sum(axis=1)
    # Where a formula has no value, a number may be what a policy says there.
    score = agreeing - (~agrees & np.isfinite(values[:, numbers])).sum(axis=1)
    if not asked.has_fractions[numbers].any():
        agreeing[[point.get("gain") in CUT_GAINS for point in points]] = 0
    best = [number for number in np.argsort(-score, kind="stable") if agreeing[number]][:STARTS]
    if not best:
        return Nearest()
    made = (Definition.of(metric, points[number], "k" if has_k else None) for number in best)
    return Nearest(tuple(made), float(agreeing[best[0]] / numbers.sum()))


@lru_cache(maxsize=200)
def _values_of_items(metric: str, asked: Problem, has_k: bool) -> tuple[tuple[dict[str, str], ...], Floats]:
    """Return the n formulas of a metric beyond accuracy, and their means: shape (n, cases), NaN where there is none."""
    known, uncut = FAMILIES[metric], {} if has_k else whole_list(metric)
    made = [{**uncut, **point} for point in known.points()]
    points = [each for each in made if known.refusal({**known.canonical, **each}) is None]
    every = [evaluate(Definition.of(metric, point, "k" if has_k else None), asked) for point in points]
    return tuple(points), np.array([np.where(each.refused, np.nan, each.mean) for each in every])


@cache
def plain_probes(k: int | None) -> tuple[tuple[Probe, ...], Problem]:
    """Return the probes of one user each on which formulas are compared, and their cases."""
    chosen = tuple(probe for kind in _KINDS for probe in probes(kind, k))
    return chosen, problem_of(chosen)


@lru_cache(maxsize=200)
def _formula_values(metric: str, k: int | None, has_k: bool) -> tuple[tuple[dict[str, str], ...], Floats]:
    """Return the n formulas of a metric that differ on the probes, canonical-most first, and their values.

    The values have shape (n, probes), NaN where a formula is 0/0 or the user has no relevant item.
    """
    known, uncut = METRICS[metric], {} if has_k else whole_list(metric)

    def changes(point: dict[str, str]) -> int:
        return sum(known.canonical[axis] != value for axis, value in point.items())

    # Without a cut-off a formula may read the length of the list, if it is told that; there is no k otherwise.
    readable = (point for point in known.points() if has_k or uncut or not known.uses_k(point))
    return _different(metric, k, has_k, ((uncut, point) for point in sorted(readable, key=changes)))


@lru_cache(maxsize=200)
def _changed_values(metric: str, k: int | None, has_k: bool) -> tuple[tuple[dict[str, str], ...], Floats]:
    """Return the canonical-most formulas under one or two changes of input and cut-off, and their values."""
    known, uncut = METRICS[metric], {} if has_k else whole_list(metric)
    own = {axis.name for axis in known.axes}
    points = [{axis: point[axis] for axis in own} for point in _formula_values(metric, k, has_k)[0][:_CHANGED]]
    free = free_changes(known, uncut)
    if _RATED_ALONE.keys() <= known.canonical.keys():
        free.append(_RATED_ALONE)
    changes = [*free, *({**one, **other} for one, other in combinations(free, 2) if one.keys().isdisjoint(other))]
    every = (({**uncut, **change}, point) for change in changes for point in points)
    meant = ((outside, point) for outside, point in every if not known.refusal({**known.canonical, **outside, **point}))
    return _different(metric, k, has_k, meant)


def free_changes(known: Metric, fixed: Collection[str]) -> list[dict[str, str]]:
    """Return the changes of input and cut-off that a metric takes, each of one axis, but for axes that are fixed."""
    return [
        {name: value} for name, values in _CHANGES.items() if name in known.canonical and name not in fixed
        for value in values if known.axis(name).admits(value)
    ]  # fmt: skip


def _different(
    metric: str, k: int | None, has_k: bool, formulas: Iterable[tuple[dict[str, str], dict[str, str]]]
) -> tuple[tuple[dict[str, str], ...], Floats]:
    """Return the formulas, each given as values outside it and its own, that differ on the probes, and their values."""
    known, asked = METRICS[metric], plain_probes(k)[1]
    first: dict[tuple[bytes, bool], tuple[dict[str, str], Floats]] = {}
    lists: dict[tuple[tuple[str, str], ...], Lists] = {}
    for outside, point in formulas:
        key = tuple(outside.items())
        if key not in lists:
            lists[key] = asked.lists({**known.canonical, **outside}, uncut=not has_k)
        value = np.where(lists[key].relevant > 0, known.formula(lists[key], **point).value, np.nan)
        first.setdefault((value.tobytes(), known.uses_k(point)), ({**outside, **point}, value))
    every = np.array([value for _, value in first.values()]).reshape(len(first), len(asked.cases))
    return tuple(formula for formula, _ in first.values()), every


def whole_list(metric: str) -> dict[str, str]:
    """Return the values of a metric that is told no cut-off."""
    return {"cutoff": "none"} if "cutoff" in FAMILIES[metric].canonical else {}
