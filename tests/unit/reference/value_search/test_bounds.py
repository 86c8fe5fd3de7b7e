"""Bounds of canonical formulas, and formulas beyond them, on one list: items 1 to 3 of 4 are relevant, k = 3."""

from __future__ import annotations

import math

import pytest

from recsys_metric_audit.reference.metrics import METRICS
from recsys_metric_audit.reference.value_search.bounds import bounds, formulas_above_one


@pytest.mark.parametrize(
    ("metric", "lowest", "highest"),
    [
        ("reciprocal_rank", 0.0, 1.0), ("auc", 0.0, 1.0), ("log_loss", 0.0, math.inf), ("rmse", 0.0, math.inf),
        ("kendall_tau", -1.0, 1.0), ("markedness", -1.0, 1.0),
        # 1 - SSE / SST: without a bound below, since predictions can be worse than the mean.
        ("r_squared", -math.inf, 1.0),
    ],
)  # fmt: skip
def test_the_bounds_follow_from_the_formula(metric: str, lowest: float, highest: float) -> None:
    assert bounds(metric) == (lowest, highest)


def test_every_metric_has_bounds() -> None:
    assert all(low < high for low, high in map(bounds, METRICS))


@pytest.mark.parametrize(
    ("metric", "above"),
    [
        # 1/1 + 1/2 + 1/3 > 1; no other formula of reciprocal ranks one change away sums over hits.
        ("reciprocal_rank", ["reciprocal_rank@k|ranks:sum"]),
        ("kendall_tau", []),
        # 3 hits, not 1 for any; over r or over k they are 1.
        ("hit_rate", ["hit_rate@k|counts:hits"]),
        # Hits over all relevant items, or gains over all gains.
        ("recall", []),
        # Gains 5 + 4 + 3 over k = 3.
        ("precision", ["precision@k|numerator:gains"]),
        # No irrelevant item is above: all three at rank 1, (1/1 + 2/1 + 3/1) / 3.
        ("average_precision", ["average_precision@k|positions:negatives_only"]),
    ],
)
def test_formulas_one_change_away_that_exceed_1(metric: str, above: list[str]) -> None:
    assert list(map(str, formulas_above_one(metric))) == above
