"""Rating errors: how far scores are from true ratings, over the pairs that have both.

MAE = mean |s - g|, MSE = mean (s - g)², RMSE = sqrt(MSE), NMAE = MAE / (highest - lowest rating). Schröder et al.
2011, §4.1.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from reference.lists import Floats, Lists, Ratio
from reference.metric import Metric, Values


def _error(lists: Lists) -> Floats:
    return lists.score - lists.listed.gain


def _count(lists: Lists) -> Floats:
    return lists.listed.count.astype(float)


def mae(lists: Lists) -> Ratio:
    """Mean absolute error."""
    return Ratio(lists.listed.sum(np.abs(_error(lists))), _count(lists))


def mse(lists: Lists) -> Ratio:
    """Mean squared error."""
    return Ratio(lists.listed.sum(_error(lists) ** 2), _count(lists))


def rmse(lists: Lists) -> Ratio:
    """Root of the mean squared error."""
    squared = mse(lists)
    return Ratio(squared.numerator, squared.denominator, root=True)


def nmae(lists: Lists) -> Ratio:
    """Mean absolute error over the range of the rating scale."""
    return Ratio(lists.listed.sum(np.abs(_error(lists))), _count(lists) * (lists.highest - lists.lowest))


def _spread(lists: Lists, values: Floats) -> Floats:
    """Sum of squared deviations from the list's mean."""
    centre = lists.listed.sum(values) / np.maximum(lists.listed.count, 1)
    return lists.listed.sum((values - centre[lists.listed.list]) ** 2)


def r_squared(lists: Lists) -> Ratio:
    """1 - squared errors / squared deviations of the true ratings."""
    spread = _spread(lists, lists.listed.gain)
    return Ratio(spread - lists.listed.sum(_error(lists) ** 2), spread)


def explained_variance(lists: Lists) -> Ratio:
    """1 - variance of the errors / variance of the true ratings."""
    spread = _spread(lists, lists.listed.gain)
    return Ratio(spread - _spread(lists, _error(lists)), spread)


def log_loss(lists: Lists) -> Ratio:
    """Mean of -ln of the probability given to the true label (gain 0 or 1), scores clipped to (0, 1) by one
    double-precision step."""
    step = np.finfo(np.float64).eps
    p, g = np.clip(lists.score, step, 1 - step), lists.listed.gain
    return Ratio(lists.listed.sum(-(g * np.log(p) + (1 - g) * np.log(1 - p))), _count(lists))


def _never(values: Values) -> bool:
    return False


def _metric(name: str, title: str, formula: Callable[[Lists], Ratio]) -> Metric:
    return Metric(
        name, title, (), formula, "over all pairs at once, as errors are usually reported",
        inert=frozenset({"no_negatives", "positions", "cutoff", "ties", "order", "truth"}),
        own={"pooling": "pooled"}, proportional=False, uses_k=_never, stacked=("pooling", "pooled"),
    )  # fmt: skip


RATING = (
    _metric("mae", "MAE", mae),
    _metric("mse", "MSE", mse),
    _metric("rmse", "RMSE", rmse),
    _metric("nmae", "NMAE", nmae),
    _metric("r_squared", "R²", r_squared),
    _metric("explained_variance", "Explained variance", explained_variance),
    _metric("log_loss", "Log loss", log_loss),
)
