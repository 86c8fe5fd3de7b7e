"""The changes of input and cut-off under which every formula of a metric is tried."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import Any

from audit.observations.probe_tables import problem
from reference.cases import Kind, Variant
from reference.metrics import METRICS
from reference.space.lists import Lists, Ratio

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
_SHOWING_FORMULAS = (Kind("single_user"), Kind("single_user", "rated_misses"), Kind("fractions"), Kind("relevance"))
"""The kinds of probes that show all that is read of a list: gains of all sorts, also below 0 and between grades."""


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
        if known.axis(name).admits(value)  # ratings are compared from no constant threshold on
        # Where another axis says what becomes of unlisted relevant items, that is tried.
        and ((name, value) != ("truth", "listed") or "unlisted" not in acting)
    ]  # fmt: skip
    fixed = tuple(base.items())
    pairs = (pair for pair in combinations(free, 2) if pair[0][0] != pair[1][0])
    changed = (tuple((*fixed, change) for change in free), tuple((*fixed, *pair) for pair in pairs))
    return ((fixed,), *(level for level in changed if level))


@cache
def formula_points(metric: str) -> list[dict[str, str]]:
    """Return the formula points of a metric; of those that make one fraction of plain lists, the first."""
    known, numbers = METRICS[metric], dict[int, tuple[Any, bytes]]()

    def parts(ratio: Ratio) -> Iterator[bytes]:
        for part in (ratio.numerator, ratio.denominator):
            # Thousands of formulas share few numerators and denominators, each of which is one and the same array.
            if id(part) not in numbers:
                numbers[id(part)] = part, part.tobytes()
            yield numbers[id(part)][1]

    lists = Lists.join([problem(kind).lists(known.canonical) for kind in _SHOWING_FORMULAS])
    first: dict[tuple[object, ...], dict[str, str]] = {}
    for point in known.points():
        ratio = known.formula(lists, **point)
        first.setdefault((*parts(ratio), ratio.root, known.uses_k(point)), point)
    return list(first.values())


@cache
def _is_signed(metric: str) -> bool:
    """Return whether a formula of a metric is below 0 on some plain probe."""
    lists = problem(Kind("single_user")).lists(METRICS[metric].canonical)
    return any((METRICS[metric].formula(lists, **point).value < 0).any() for point in formula_points(metric))
