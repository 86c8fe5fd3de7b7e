"""Relations between documented formulas that hold for every user: which of them cannot both have given a table.

A relation bounds the value of one formula for a user by a multiple of another's: a reciprocal rank is at most the hit
rate, since both are 0 without a hit. It then bounds the means over any users, as long as both are plain means over the
same users. Relations are chained: MRR@5 ≤ HitRate@5 ≤ HitRate@10.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple


class Relation(NamedTuple):
    """States that the value of ``low`` is at most ``factor(k)`` times that of ``high`` for every user, and why."""

    low: str
    high: str
    why: str
    factor: Callable[[int], float] = lambda k: 1.0


class Bound(NamedTuple):
    """States that the value of one formula is at most ``factor`` times that of another, with the reasons chained."""

    factor: float
    why: tuple[str, ...]


Node = tuple[str, int]
"""A formula and its cut-off."""
ONE = "1"
"""Stands for the number 1 among formulas."""

_HIT, _HITS, _HIT_RECALL = "hit_rate@k", "hit_rate@k|counts:hits", "hit_rate@k|counts:recall"
_PRECISION, _SHOWN = "precision@k", "precision@k|denominator:shown"
_RECALL, _RECALL_MIN, _PRECISION_MIN = "recall@k", "recall@k|denominator:min", "precision@k|denominator:min"
_RANK, _RANKS, _LAST = "reciprocal_rank@k", "reciprocal_rank@k|ranks:sum", "reciprocal_rank@k|ranks:last"
_AP = "average_precision@k"
_AP_R, _AP_K, _AP_HITS, _AP_SHOWN = (f"{_AP}|denominator:{name}" for name in ("r", "k", "hits", "shown"))
_NDCG, _NDCG_ALL, _NDCG_ONES, _NDCG_HITS = (
    f"ndcg@k{part}" for part in ("", "|ideal:all", "|ideal:ones", "|ideal:retrieved")
)
_GRADED = tuple(f"ndcg@k|gain:{part}" for part in ("linear", "exp2", "exp2|ideal:all", "exp2|ideal:retrieved"))


def _ideal(k: int) -> float:
    """Return the DCG of k items of gain 1."""
    return sum(1 / math.log2(rank + 1) for rank in range(1, k + 1))


_NOTHING = "without a hit it is 0, and it is never above 1"
_OVER_MORE = "the same numerator over a denominator that is not smaller"
_EACH_HIT = "its sum has a term for each hit, none above 1"
# fmt: off
_SAME_K: tuple[Relation, ...] = (
    Relation(_HIT, ONE, "it is never above 1"),
    Relation(_HITS, ONE, "there are at most k hits", float),
    *(
        Relation(low, _HIT, _NOTHING)
        for low in (_RANK, _RECALL, _RECALL_MIN, _SHOWN, _AP, _AP_HITS, _AP_SHOWN, _NDCG, _NDCG_HITS, *_GRADED)
    ),
    Relation(_HIT, _HITS, "a user with a hit has at least one"),
    Relation(_HITS, _PRECISION, "precision is the number of hits over k", float),
    Relation(_PRECISION, _HITS, "precision is the number of hits over k", lambda k: 1 / k),
    Relation(_RECALL, _HIT_RECALL, "both are hits over r"),
    Relation(_HIT_RECALL, _RECALL, "both are hits over r"),
    Relation(_RECALL_MIN, _PRECISION_MIN, "both are hits over min(k, r)"),
    Relation(_PRECISION_MIN, _RECALL_MIN, "both are hits over min(k, r)"),
    *(
        Relation(low, high, _OVER_MORE)
        for low, high in (
            (_PRECISION, _SHOWN), (_PRECISION, _RECALL_MIN), (_RECALL, _RECALL_MIN), (_AP_R, _AP), (_AP_K, _AP),
            (_AP, _AP_HITS), (_NDCG_ALL, _NDCG), (_NDCG_ONES, _NDCG), (_NDCG, _NDCG_HITS),
        )
    ),
    *(
        Relation(low, high, _EACH_HIT)
        for low, high in ((_AP_R, _RECALL), (_AP, _RECALL_MIN), (_AP_K, _PRECISION), (_AP_SHOWN, _SHOWN),
                          (_RANKS, _HITS))
    ),
    Relation(_HIT, _RANK, "the first hit is at rank k or above", float),
    Relation(_HIT, _RECALL_MIN, "one hit of at most k", float),
    Relation(_RANK, _AP_K, "the precision at the first hit is its reciprocal rank", float),
    Relation(_LAST, _RANK, "the last hit is not above the first"),
    Relation(_RANK, _RANKS, "the first hit is one of those summed"),
    Relation(_HIT, _LAST, "the last hit is at rank k or above", float),
    Relation(
        _HIT, _NDCG_ONES, "a hit at rank k is worth 1 / log2(k + 1)", lambda k: _ideal(k) * math.log2(k + 1)
    ),
)
"""The relations at one cut-off; relevance is yes or no, but for NDCG of other gains, none of which is negative."""

_GROWING: tuple[Relation, ...] = tuple(
    Relation(each, each, "more rows show no fewer hits, and its denominator does not depend on k")
    for each in (_HIT, _HITS, _RECALL, _RANK, _RANKS, _AP_R, _NDCG_ALL, "ndcg@k|gain:exp2|ideal:all")
)
"""The formulas that no user has less of at a larger cut-off."""

_SINGLE = "with one relevant item for every user both are equal"
_ONE_RELEVANT: tuple[Relation, ...] = (
    *(
        Relation(one, other, _SINGLE)
        for group in (
            (_HIT, _HITS, _RECALL, _RECALL_MIN), (_RANK, _RANKS, _LAST, _AP, _AP_R, _AP_HITS),
            (_NDCG, _NDCG_ALL, _NDCG_HITS, *_GRADED),
        )
        for one in group for other in group if one != other
    ),
    Relation(_RANK, _NDCG, "1 / rank is at most 1 / log2(rank + 1)"),
    Relation(_HIT, _NDCG, "a hit at rank k is worth 1 / log2(k + 1)", lambda k: math.log2(k + 1)),
)
"""The relations where every user has one relevant item, as in leave-one-out."""
# fmt: on


def bounds_between(ks: tuple[int, int], *, one_relevant: bool = False) -> dict[tuple[Node, Node], Bound]:
    """Return the tightest bounds between formulas at two cut-offs that follow from the relations.

    Args:
        ks: The cut-offs.
        one_relevant: Whether every user has one relevant item.

    Returns:
        By (formula, cut-off) of the smaller value and of the larger.
    """
    found: dict[tuple[Node, Node], Bound] = {}
    for low, high, bound in _stated(ks, one_relevant=one_relevant):
        if bound.factor < found.get((low, high), Bound(math.inf, ())).factor:
            found[low, high] = bound
    nodes = list(dict.fromkeys(node for pair in found for node in pair))
    for middle in nodes:
        to_middle = [(low, found[low, middle]) for low in nodes if (low, middle) in found]
        from_middle = [(high, found[middle, high]) for high in nodes if (middle, high) in found]
        for low, first in to_middle:
            for high, then in from_middle:
                factor = first.factor * then.factor
                known = found.get((low, high))
                if low != high and (known is None or factor < known.factor * (1 - 1e-12)):
                    found[low, high] = Bound(factor, (*first.why, *then.why))
    return found


def _stated(ks: tuple[int, int], *, one_relevant: bool) -> Iterator[tuple[Node, Node, Bound]]:
    relations = (*_SAME_K, *_ONE_RELEVANT) if one_relevant else _SAME_K
    for k in sorted(set(ks)):
        for each in relations:
            high = (ONE, 0) if each.high == ONE else (each.high, k)
            yield (each.low, k), high, Bound(each.factor(k), (_said(each, k, k),))
    small, large = min(ks), max(ks)
    if small != large:
        for each in _GROWING:
            yield (each.low, small), (each.high, large), Bound(1.0, (_said(each, small, large),))


def _said(relation: Relation, small: int, large: int) -> str:
    factor = relation.factor(small)
    times = "" if factor == 1 else f"{factor:.4g} × "
    high = f"{factor:.4g}" if relation.high == ONE else f"{times}{at(relation.high, large)}"
    return f"{at(relation.low, small)} ≤ {high}: {relation.why}"


def at(formula: str, k: int) -> str:
    """Return the signature of a formula at a cut-off."""
    return formula.replace("@k", f"@{k}", 1)
