"""Rating errors: how far scores are from true ratings, over the pairs that have both.

MAE = mean |s - g|, MSE = mean (s - g)², RMSE = sqrt(MSE), NMAE = MAE / (highest - lowest rating). Schröder et al.
2011, §4.1.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from recsys_metric_audit.reference.space.axis import Axis, axis
from recsys_metric_audit.reference.space.input_axes import RELEVANCE_BY_RULE
from recsys_metric_audit.reference.space.lists import Floats, Lists, Ratio
from recsys_metric_audit.reference.space.metric import Metric, Values, never

# fmt: off
PAIRS = axis("pairs", "which pairs are looked at, and what scores should be", {
    "rated": "pairs with a true rating, which the score should be",
    "rated_0_1": "pairs with a true rating; the score should be 1 if it is relevant, else 0",
    "all_0_1": "every row; the score should be 1 if the item is relevant, else 0",
}, slug="other-pairs", part="order")
CLIP = axis("clip", "how far probabilities are kept from 0 and 1",
    {"2.220446049250313e-16": "one double-precision step", "1e-15": "1e-15", "1e-11": "1e-11"},
    slug="other-clip", numeric=(1e-17, 0.1))


MISSING = axis("missing", "a true rating without a score", {
    "left_out": "does not count",
    "zero_error": "counts as predicted without error",
    "lowest": "counts as predicted with the lowest rating of the scale",
}, slug="missing-scores",
    sources={"lowest": "DL RS Evaluation, Base/Evaluation/metrics.py, RMSE: scores of minus infinity are clipped"})
CLIPPED = axis("clipped", "what a score outside the rating scale counts as",
    {"no": "itself", "yes": "the nearest end of the scale"}, slug="clipped-scores")
# fmt: on


def _error(lists: Lists, clipped: str) -> Floats:
    scores, of = lists.score, lists.listed.list
    if clipped == "yes":
        scores = np.clip(scores, lists.lowest[of], lists.highest[of])
    return np.asarray(scores - lists.listed.gain)


def _count(lists: Lists, missing: str = "left_out") -> Floats:
    return (lists.listed.count if missing == "left_out" else lists.positives).astype(float)


def _total(lists: Lists, missing: str, clipped: str, size: Callable[[Floats], Floats]) -> Floats:
    """Return the sum of the sizes of all errors of each list: shape (lists,)."""
    total = lists.listed.sum(size(_error(lists, clipped)))
    if missing != "lowest":
        return total
    found = lists.listed.where(lists.once)
    every, of_found = (each.sum(size(lists.lowest[each.list] - each.gain)) for each in (lists.ideal, found))
    return np.where(lists.missed > 0, total + (every - of_found), total)


def mae(lists: Lists, *, missing: str, clipped: str) -> Ratio:
    """Return the mean absolute error. Schröder et al. 2011, §4.1, as for the three errors below."""
    return Ratio(_total(lists, missing, clipped, np.abs), _count(lists, missing))


def mse(lists: Lists, *, missing: str, clipped: str) -> Ratio:
    """Return the mean squared error."""
    return Ratio(_total(lists, missing, clipped, np.square), _count(lists, missing))


def rmse(lists: Lists, *, missing: str, clipped: str) -> Ratio:
    """Return the square root of the mean squared error."""
    squared = mse(lists, missing=missing, clipped=clipped)
    return Ratio(squared.numerator, squared.denominator, root=True)


def nmae(lists: Lists, *, missing: str, clipped: str) -> Ratio:
    """Return the mean absolute error over the range of the rating scale."""
    absolute = mae(lists, missing=missing, clipped=clipped)
    return Ratio(absolute.numerator, absolute.denominator * (lists.highest - lists.lowest))


def _spread(lists: Lists, values: Floats) -> Floats:
    """Return the sum of squared deviations from the list's mean: shape (lists,)."""
    centre = lists.listed.sum(values) / np.maximum(lists.listed.count, 1)
    return lists.listed.sum((values - centre[lists.listed.list]) ** 2)


def r_squared(lists: Lists, *, clipped: str) -> Ratio:
    """Return 1 - squared errors / squared deviations of the true ratings from their mean."""
    spread = _spread(lists, lists.listed.gain)
    return Ratio(spread - lists.listed.sum(_error(lists, clipped) ** 2), spread)


def explained_variance(lists: Lists, *, clipped: str) -> Ratio:
    """Return 1 - variance of the errors / variance of the true ratings."""
    spread = _spread(lists, lists.listed.gain)
    return Ratio(spread - _spread(lists, _error(lists, clipped)), spread)


def log_loss(lists: Lists, *, clip: str) -> Ratio:
    """Return the mean of -ln of the probability given to the true label (gain 0 or 1).

    Scores are the probabilities of label 1, clipped to [``clip``, 1 - ``clip``].
    """
    step = float(clip)
    p, g = np.clip(lists.score, step, 1 - step), lists.listed.gain
    return Ratio(lists.listed.sum(-(g * np.log(p) + (1 - g) * np.log(1 - p))), _count(lists))


def _refuse(values: Values) -> str | None:
    if (values.get("pairs"), values.get("candidates")) == ("all_0_1", "test_only"):
        return "all rows that are of rated pairs are pairs:rated_0_1"
    clip = float(values.get("clip", "0"))
    return None if 0 <= clip < 0.5 else f"clip is how far a probability stays from 0 and 1, not {values['clip']}"


def _refuse_spread(values: Values) -> str | None:
    """Return why the values contradict each other, for metrics that divide by the variance of the targets."""
    if (values["pairs"], values["relevance"]) == ("rated_0_1", "every_row"):
        return "with relevance:every_row every target of pairs:rated_0_1 is 1: they do not vary"
    if (values["pairs"], values["relevance"]) == ("rated", "equal_1"):
        return "relevance:equal_1 leaves pairs whose targets are all 1: they do not vary"
    return _refuse(values)


def _metric(
    name: str, title: str, formula: Callable[..., Ratio], *axes: Axis, refuse: Callable[[Values], str | None] = _refuse
) -> Metric:
    return Metric(
        name, title, axes, formula, "over all pairs at once, as errors are usually reported",
        inert=frozenset({"no_negatives", "positions", "cutoff", "ties", "order", "truth", "relevance"}),
        canonical_overrides={"pooling": "pooled"}, uses_k=never, stacked=("pooling", "pooled"),
        inputs=(RELEVANCE_BY_RULE, PAIRS), refuse=refuse,
    )  # fmt: skip


RATING = (
    _metric("mae", "MAE", mae, MISSING, CLIPPED),
    _metric("mse", "MSE", mse, MISSING, CLIPPED),
    _metric("rmse", "RMSE", rmse, MISSING, CLIPPED),
    _metric("nmae", "NMAE", nmae, MISSING, CLIPPED),
    _metric("r_squared", "R²", r_squared, CLIPPED, refuse=_refuse_spread),
    _metric("explained_variance", "Explained variance", explained_variance, CLIPPED, refuse=_refuse_spread),
    _metric("log_loss", "Log loss", log_loss, CLIP),
)
