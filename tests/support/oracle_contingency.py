"""The slow oracle's formulas of hits, misses and rejections."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from tests.support.oracle import Ranking, Values
from tests.support.oracle_ratio import ZERO, Ratio


def decided(ranking: Ranking, v: Values) -> Ranking:
    """Return the ranking cut behind the last score of at least one half, if that decides what is recommended."""
    if v.get("decision", "top_k") == "top_k":
        return ranking
    high = sum(row.score >= Fraction(1, 2) for row in ranking.list_rows)
    return replace(ranking, k=high, depth=high)


def table_negatives(ranking: Ranking, v: Values) -> int:
    unhit = sum(not row.gains for row in ranking.list_rows)
    return {
        "candidates": unhit, "with_train": unhit + ranking.user.train, "catalogue": ranking.user.catalogue - ranking.r,
    }[v.get("negatives", "candidates")]  # fmt: skip


def _table(ranking: Ranking, v: Values, depth: int, hits: int) -> tuple[int, int, int, int]:
    """tp, fp, fn, tn of the first ``depth`` rows, of which ``hits`` hits count."""
    fp = sum(not row.gains for row in ranking.list_rows[: max(depth, 0)])
    if v.get("short_lists") == "filled":
        fp += max(depth - len(ranking.list_rows), 0)
    return hits, fp, len(ranking.listed) + ranking.missed - hits, table_negatives(ranking, v) - fp


def _matthews(tp: int, fp: int, fn: int, tn: int) -> Ratio:
    return tp * tn - fp * fn, math.sqrt(max((tp + fn) * (fp + tn) * (tp + fp) * (fn + tn), 0))


def _sum_less_one(first: Ratio, second: Ratio) -> Ratio:
    """a/b + c/d - 1 with the pooled terms that its common denominator gives."""
    (a, b), (c, d) = first, second
    return a * d + c * b - b * d, b * d


CELLS: dict[str, Callable[[int, int, int, int], Ratio]] = {
    "fallout": lambda tp, fp, fn, tn: (fp, fp + tn),
    "miss_rate": lambda tp, fp, fn, tn: (fn, tp + fn),
    "inverse_precision": lambda tp, fp, fn, tn: (tn, fn + tn),
    "inverse_recall": lambda tp, fp, fn, tn: (tn, fp + tn),
    "accuracy": lambda tp, fp, fn, tn: (tp + tn, tp + fp + fn + tn),
    "informedness": lambda tp, fp, fn, tn: _sum_less_one((tp, tp + fn), (tn, fp + tn)),
    "markedness": lambda tp, fp, fn, tn: _sum_less_one((tp, tp + fp), (tn, fn + tn)),
    "matthews_correlation": _matthews,
}


def contingency(name: str) -> Callable[[Ranking, Values], Ratio]:
    def of(ranking: Ranking, v: Values) -> Ratio:
        ranking = decided(ranking, v)
        return CELLS[name](*_table(ranking, v, ranking.depth, len(ranking.hits)))

    return of


def mean_average_markedness(ranking: Ranking, v: Values) -> Ratio:
    total = ZERO
    for number, hit in enumerate(ranking.hits, 1):
        top, below = CELLS["markedness"](*_table(ranking, v, hit.place, number))
        total += Fraction(top, below) if below else ZERO
    return total, ranking.r
