"""Orders of recommenders by a metric: ranking with ties, swapped pairs, Kendall's τ-b."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations

Order = tuple[tuple[str, ...], ...]
"""Names best first; names that are tied share a level."""


def finite_values(values: Mapping[str, float | None]) -> dict[str, float]:
    """Return the entries of ``values`` that are finite numbers."""
    return {name: value for name, value in values.items() if value is not None and math.isfinite(value)}


def order_by_value(values: Mapping[str, float], lower_is_better: bool = False) -> Order:
    """Return the names best first; values that differ by less than 1e-12, relative above 1, are tied, and by name.

    Args:
        values: Value of each name; finite.
        lower_is_better: Whether the smallest value comes first.
    """
    levels: list[list[str]] = []
    last = math.inf
    sign = 1 if lower_is_better else -1
    for name in sorted(values, key=lambda each: (sign * values[each], each)):
        if levels and abs(last - values[name]) <= 1e-12 * max(1.0, abs(last)):
            levels[-1].append(name)
        else:
            levels.append([name])
        last = values[name]
    return tuple(tuple(sorted(level)) for level in levels)  # by name: what differs by rounding only is one order


def swapped_pairs(one: Sequence[Sequence[str]], other: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Return the pairs that ``one`` orders contrary to ``other``, each as ``better over worse`` of ``one``."""
    first, second = _levels(one), _levels(other)
    pairs = combinations([name for name in second if name in first], 2)
    swapped = [sorted(pair, key=first.__getitem__) for pair in pairs if _is_swapped(first, second, *pair)]
    return tuple(f"{better} over {worse}" for better, worse in swapped)


def _levels(order: Sequence[Sequence[str]]) -> dict[str, int]:
    return {name: number for number, level in enumerate(order) for name in level}


def _is_swapped(first: Mapping[str, int], second: Mapping[str, int], a: str, b: str) -> bool:
    return (first[a] - first[b]) * (second[a] - second[b]) < 0


def kendall_tau_b(one: Sequence[Sequence[str]], other: Sequence[Sequence[str]]) -> float:
    """Return Kendall's τ-b of two orders over the names that both rank; NaN if one of them ties all names.

    τ-b = (C − D) / √((C + D + T₁)(C + D + T₂)), where C and D count concordant and discordant pairs and T₁ and T₂ the
    pairs tied in one order only (Kendall 1945).
    """
    first, second = _levels(one), _levels(other)
    both = [name for name in first if name in second]
    concordant = discordant = tied_first = tied_second = 0
    for a, b in combinations(both, 2):
        left, right = first[a] - first[b], second[a] - second[b]
        concordant += left * right > 0
        discordant += left * right < 0
        tied_first += left == 0 and right != 0
        tied_second += right == 0 and left != 0
    size = math.sqrt((concordant + discordant + tied_first) * (concordant + discordant + tied_second))
    return (concordant - discordant) / size if size else math.nan
