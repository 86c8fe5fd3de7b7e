"""The values of every formula of a metric on some probes, computed once and shared by all functions of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from audit.observations.probe_tables import problem
from reference.cases import Kind, Variant
from reference.evaluation.evaluate import Problem
from reference.metrics import METRICS
from reference.space.lists import Lists, Ratio

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Setting = tuple[tuple[str, str], ...]
"""Values on axes outside the formula, as (axis, value)."""

_CHANGES = {
    "cutoff": ("none", "hits_uncut", "hits_k_plus_1", "k_plus_1", "k_minus_1", "10"),
    "positions": ("negatives_only",),
    "relevance": ("equal_1", "4"),
    "truth": ("first", "listed"),
    "pairs": ("rated_0_1", "all_0_1"),
    "candidates": ("test_only",),
    "users": ("hits",),
    "mean": ("quadratic", "geometric"),
}
"""Values of input and cut-off that change the formula's number on a probe of one user without ties or repeats."""
_ASSUMED: dict[Variant, dict[str, str]] = {
    "rated_misses": {"candidates": "test_only", "relevance": "at_least_t"},
    "unit_gains": {"relevance": "equal_1"},
    "above_threshold": {"relevance": "above_t"},
    "one_relevant": {"users": "one_relevant"},
    "one_relevant_unit_gain": {"users": "one_relevant", "relevance": "equal_1"},
}
"""States what is assumed of a function without numbers on the usual probes that is asked a variant of them instead."""
_AT_ONCE = 256
"""Formulas whose values are made together: enough to divide quickly, few enough to be a small part of a table."""
_MAKING_A_TABLE = Lock()


@dataclass(frozen=True, eq=False)
class FormulaTable:
    """Formula values on p probes: a row for every setting and formula point, settings outside, a column for each probe.

    Attributes:
        settings: The s settings.
        points: The n formula points; each gives a value on every axis of the formula.
        values: Formula values, shape (s * n, p).
        irregular: Mask of values that an edge policy decides, shape (s * n, p).
        policy_only: Mask of those irregular values where the user has relevant items and a list: the formula itself
            is 0/0, so that only a policy's number can be observed.
        conventional: Mask of values that are 0 by convention for want of a hit: a policy may replace them.
    """

    settings: tuple[Setting, ...]
    points: tuple[dict[str, str], ...]
    values: Floats
    irregular: Bools
    policy_only: Bools
    conventional: Bools

    def point(self, row: int) -> dict[str, str]:
        """Return the values on the axes that a row stands for."""
        setting, point = divmod(row, len(self.points))
        return {**self.points[point], **dict(self.settings[setting])}


@cache
def setting_levels(metric: str, has_k: bool, variant: Variant = "usual") -> tuple[tuple[Setting, ...], ...]:
    """Return the settings under which formulas are tried: those without a change, with one, and with two changes.

    Args:
        metric: Name of the metric.
        has_k: Whether the function takes a cut-off.
        variant: The variant of the probes; for most, some values are assumed of the function (see ``_ASSUMED``).
    """
    known = METRICS[metric]
    # The mean shows in a single user's value only where that can be below 0.
    acting = {axis.name for axis in known.all_axes} - (set() if _is_signed(metric) else {"mean"})
    base: dict[str, str] = {} if has_k or "cutoff" not in acting else {"cutoff": "none"}
    base |= {name: value for name, value in _ASSUMED.get(variant, {}).items() if name in acting}
    base = {name: value for name, value in base.items() if known.canonical[name] != value}
    free = [
        (name, value) for name, values in _CHANGES.items() if name in acting and name not in base for value in values
        # Where another axis says what becomes of unlisted relevant items, that is tried.
        if (name, value) != ("truth", "listed") or "unlisted" not in acting
    ]  # fmt: skip
    fixed = tuple(base.items())
    pairs = (pair for pair in combinations(free, 2) if pair[0][0] != pair[1][0])
    changed = (tuple((*fixed, change) for change in free), tuple((*fixed, *pair) for pair in pairs))
    return ((fixed,), *(level for level in changed if level))


def formula_table(metric: str, settings: tuple[Setting, ...], has_k: bool, probes: Problem) -> FormulaTable:
    """Evaluate every formula point of a metric under every setting; cached.

    Args:
        metric: Name of the metric.
        settings: The settings.
        has_k: Whether the function takes a cut-off.
        probes: Probes of one user each; a problem of :func:`audit.observations.probe_tables.problem`.
    """
    with _MAKING_A_TABLE:  # a second thread that needs this table waits for it rather than making it too
        return _formula_table(metric, settings, has_k, probes)


@cache
def _points(metric: str) -> list[dict[str, str]]:
    return METRICS[metric].points()


@cache
def _is_signed(metric: str) -> bool:
    """Return whether a formula of a metric is below 0 on some plain probe."""
    lists = problem(Kind("single_user")).lists(METRICS[metric].canonical)
    return any((METRICS[metric].formula(lists, **point).value < 0).any() for point in _points(metric))


@cache
def _formula_table(metric: str, settings: tuple[Setting, ...], has_k: bool, probes: Problem) -> FormulaTable:
    known, points = METRICS[metric], _points(metric)
    chosen = [{**known.canonical, **dict(setting)} for setting in settings]
    # One call of a formula for all settings: there are thousands of formulas, and few lists in each setting.
    lists = Lists.join([probes.lists(values, uncut=not has_k) for values in chosen])
    shape = (len(settings), len(points), len(probes.cases))
    values, (irregular, policy_only, conventional) = np.empty(shape), np.zeros((3, *shape), dtype=bool)
    unusual, no_hit = (lists.relevant == 0) | (lists.length == 0), lists.hits.count == 0
    hit, one = np.empty(shape, dtype=bool), (lists.relevant == 1).reshape(len(settings), 1, -1)
    for start in range(0, len(points), _AT_ONCE):
        some = points[start : start + _AT_ONCE]
        here, by_setting = (slice(None), slice(start, start + len(some))), (len(some), len(settings), -1)
        number, undefined = _values([known.formula(lists, **point) for point in some])
        undefined |= unusual
        if known.negatives is not None:
            undefined |= np.stack([known.negatives(lists, **point) for point in some]) == 0
        values[here] = number.reshape(by_setting).swapaxes(0, 1)
        irregular[here] = undefined.reshape(by_setting).swapaxes(0, 1)
        policy_only[here] = (undefined & ~unusual).reshape(by_setting).swapaxes(0, 1)
        # A formula without cut-off looks for hits in the whole list.
        hits = [
            known.hit_count(lists, each) if known.hits or known.uses_k(each) else lists.listed.count for each in some
        ]
        hit[here] = (np.stack(hits) > 0).reshape(by_setting).swapaxes(0, 1)
        convention = [
            column for column, each in enumerate(some, start) if known.zero_by_convention({**known.canonical, **each})
        ]
        conventional[:, convention] = no_hit.reshape(len(settings), 1, -1)
    needs_k = np.array([known.uses_k(point) for point in points])
    for row, own in enumerate(chosen):
        averaged = {"hits": hit[row], "one_relevant": one[row]}.get(own["users"], np.ones_like(hit[row]))
        averaged = averaged | unusual.reshape(len(settings), -1)[row]
        _take_mean_of_one(values[row], irregular[row], averaged, own["mean"])
        if not has_k and "cutoff" not in dict(settings[row]):
            irregular[row, needs_k] = True  # there is no k that these formulas could read
    flat = (-1, shape[2])
    masks = (mask.reshape(flat) for mask in (irregular, policy_only, conventional))
    return FormulaTable(settings, tuple(points), values.reshape(flat), *masks)


def _values(ratios: Sequence[Ratio]) -> tuple[Floats, Bools]:
    """Return the values of some formulas on the same lists, shape (formulas, lists), and a mask where they are 0/0.

    One division for all of them: a division of a few numbers takes as long as one of thousands.
    """
    top = np.stack([np.asarray(ratio.numerator, dtype=np.float64) for ratio in ratios])
    below = np.stack([np.asarray(ratio.denominator, dtype=np.float64) for ratio in ratios])
    values = Ratio(top, below).value
    roots = np.array([ratio.root for ratio in ratios])
    values[roots] = np.sqrt(values[roots])
    return values, below == 0


def _take_mean_of_one(values: Floats, irregular: Bools, averaged: Bools, mean: str) -> None:
    """Replace a user's values by the mean of that one user, in place; irregular where it has no number."""
    irregular |= ~averaged
    if mean == "quadratic":
        values[:] = np.abs(values)
    if mean == "geometric":
        irregular |= values < 0
