"""NDCG: gains discounted by rank, over the best that could be.

NDCG@k = DCG@k / IDCG@k, DCG@k = sum over ranks j ≤ k of gain / log2(j + 1). Tamm et al. 2021, §4.5 (binary: BNDCG,
2^g - 1: WNDCG); Järvelin & Kekäläinen 2002, Cumulated gain-based evaluation of IR techniques.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import numpy as np

from recsys_metric_audit.reference.input.ordering import order_by
from recsys_metric_audit.reference.metrics.average_precision import OVER
from recsys_metric_audit.reference.space.axis import axis
from recsys_metric_audit.reference.space.lists import Floats, Ints, Lists, Places, Ratio, cumulated, kept_with_lists
from recsys_metric_audit.reference.space.metric import Metric, Values, refuse_all_relevant, refuse_shared_ranks

_GAINS = {
    "binary": "1",
    "linear": "g",
    "exp2": "2^g - 1",
    "exp2_threshold": "2^(g - t + 1) - 1, t the relevance threshold",
    "exp2_plus1": "2^(g + 1) - 1",
    "square_minus_1": "g² - 1",
}
CUT_GAINS = {"linear_whole": "g cut to a whole number", "exp2_whole": "2^g - 1, g cut to a whole number first"}
"""Lists the gains that differ from others only where g is not a whole number; -0.5 is cut to 0."""
_DISCOUNTS = {
    "log2": "1 / log2(j + 1)",
    "ln": "1 / ln(j + 1)",
    "log10": "1 / log10(j + 1)",
    "log2_clipped": "1 / log2(max(j, 2))",
    "log2_off_by_one": "1 / log2(j + 2)",
    "reciprocal": "1 / j",
}
# fmt: off
GAIN = axis("gain", "what a relevant item of gain g adds", _GAINS | CUT_GAINS, slug="graded-gain",
    slugs={"exp2": "exponential-gain", "exp2_threshold": "threshold-gain", **dict.fromkeys(CUT_GAINS, "whole-gain")},
    sources={
        "linear_whole": "trec_eval, get_qrels.c: a relevance is read as a whole number",
        "exp2_whole": "XGBoost up to 1.7, src/metric/rank_metric.cc, EvalRank::Eval: labels are cast to int",
    })
MISS_GAIN = axis("miss_gain", "what an irrelevant shown item adds", {"0": "0", "-1": "-1"}, slug="miss-gain")
DISCOUNT = axis("discount", "weight of rank j (a number b: 1 / log_b(j + 1))", _DISCOUNTS, slug="discount-shape",
    slugs={"ln": "log-base", "log10": "log-base"}, numeric=(1.01, 1000.0))
IDEAL = axis("ideal", "what DCG is divided by", {
    "k": "the DCG of the k best relevant items",
    "all": "the DCG of all relevant items, not cut at k",
    "ones": "the DCG of k relevant items of gain 1",
    "ones_shown": "the DCG of as many relevant items of gain 1 as rows are shown",
    "listed": "the DCG of the k best of the relevant items that stand anywhere in the list",
    "rows": "the DCG of the k best rows of the list: an irrelevant one, of gain 0, before one of a negative gain",
    "retrieved": "the DCG of the hits, best first",
    "shown": "the DCG of the min(r, n) best relevant items",
    "none": "1: plain DCG",
}, slug="ideal-not-cut", slugs={
    **dict.fromkeys(("ones", "ones_shown"), "ideal-of-ones"),
    **dict.fromkeys(("listed", "rows", "retrieved"), "ideal-from-retrieved"),
    "shown": "ideal-from-list-length", "none": "missing-idcg",
})
IDEAL_DISCOUNT = axis("ideal_discount", "discount of the ideal", {"same": "as in DCG", **_DISCOUNTS},
    slug="ideal-discount-differs", numeric=(1.01, 1000.0))
# fmt: on
IDEAL_GAIN = axis("ideal_gain", "gain in the ideal", {"same": "as in DCG", **_GAINS}, slug="ideal-gain-differs")

_DIVISORS: dict[str, Callable[[Floats], Floats]] = {
    "log2": lambda rank: np.log2(rank + 1),
    "ln": lambda rank: np.log(rank + 1),
    "log10": lambda rank: np.log10(rank + 1),
    "log2_clipped": lambda rank: np.log2(np.maximum(rank, 2)),
    "log2_off_by_one": lambda rank: np.log2(rank + 2),
    "reciprocal": lambda rank: rank,
}
_TERMS: dict[str, Callable[[Floats], Floats]] = {
    "binary": np.ones_like,
    "linear": lambda gain: gain,
    "exp2": lambda gain: np.exp2(gain) - 1,
    "exp2_plus1": lambda gain: np.exp2(gain + 1) - 1,
    "square_minus_1": lambda gain: gain**2 - 1,
    "linear_whole": np.trunc,
    "exp2_whole": lambda gain: np.exp2(np.trunc(gain)) - 1,
}


def discounts(rank: Ints, name: str) -> Floats:
    """Return the weights of 1-based ranks, in the shape of ``rank``; ``name`` is a named discount or a base."""
    top = int(rank.max(initial=0))
    if len(rank) > top + 1 and rank.min() >= 0:  # looking up takes less time than logarithms
        return discounts(np.arange(top + 1), name).take(rank)
    at = np.maximum(rank, 1).astype(float)
    if name not in _DIVISORS:
        return np.asarray(math.log(float(name)) / np.log(at + 1))
    return 1.0 / _DIVISORS[name](at)


def gains(places: Places, threshold: Floats, name: str) -> Floats:
    """Return the undiscounted gain term of each place; ``threshold`` has one entry per list."""
    if name == "exp2_threshold":
        return _TERMS["exp2_plus1"](places.gain - threshold[places.list])
    return _TERMS[name](places.gain)


def without_cut_gains(points: Iterable[dict[str, str]]) -> list[dict[str, str]]:
    """Return the points of a metric but for those that cut gains, which are equal to others where gains are whole."""
    return [values for values in points if values.get("gain") not in CUT_GAINS]


def dcg(places: Places, threshold: Floats, gain: str, discount: str) -> Floats:
    """Return the discounted cumulative gain of each list: shape (lists,)."""
    return places.sum(gains(places, threshold, gain) * discounts(places.rank, discount))


@kept_with_lists
def _list_dcg(lists: Lists, gain: str, miss_gain: str, discount: str) -> Floats:
    """Return the DCG of each list."""
    of_hits = dcg(lists.hits, lists.threshold, gain, discount)
    return of_hits - _misses(lists, discount) if miss_gain == "-1" else of_hits


def _sorted_gains(lists: Lists, places: Places, gain: str, bound: Ints) -> Places:
    """Return each list's places ranked by their gain term, best first, cut after ``bound`` (per list)."""
    value = gains(places, lists.threshold, gain)
    by_gain = order_by(places.list, -value)
    ranked = Places(places.list[by_gain], places.rank[by_gain], places.gain[by_gain], len(lists))
    ranked = Places(ranked.list, ranked.ordinal, ranked.gain, len(lists))
    return ranked.where(ranked.rank <= bound[ranked.list])


def _sorted_rows(lists: Lists, gain: str) -> Places:
    """Return the relevant ones of the k best rows of each list, each ranked among all rows, best first.

    An irrelevant row has gain 0, so that those of a negative gain stand behind all of them.
    """
    ranked = _sorted_gains(lists, lists.listed, gain, np.full(len(lists), np.iinfo(np.int64).max))
    misses = lists.length - np.bincount(lists.listed.list[lists.fresh], minlength=len(lists))
    behind = gains(ranked, lists.threshold, gain) < 0
    rank = ranked.rank + behind * misses[ranked.list]
    moved = Places(ranked.list, rank, ranked.gain, len(lists))
    return moved.where(rank <= lists.k[ranked.list])


@kept_with_lists  # the search over definitions asks for equal sums thousands of times
def ideal_dcg(lists: Lists, ideal: str, gain: str, discount: str) -> Floats:
    """Return the ideal DCG of each list, which DCG is divided by: shape (lists,)."""
    match ideal:
        case "none":
            return np.ones(len(lists))
        case "ones" | "ones_shown":
            ones = np.maximum(lists.k if ideal == "ones" else lists.shown, 0)
            return cumulated(ones, discounts(np.arange(1, int(ones.max(initial=0)) + 1), discount))
        case "listed":
            best = _sorted_gains(lists, lists.listed, gain, lists.k)
        case "rows":
            best = _sorted_rows(lists, gain)
        case "retrieved":
            best = _sorted_gains(lists, lists.hits, gain, lists.k)
        case "all":
            best = lists.ideal
        case "shown":
            best = lists.ideal_within(np.minimum(lists.relevant, lists.shown))
        case _:
            best = lists.ideal_at_k
    return dcg(best, lists.threshold, gain, discount)


@kept_with_lists
def _misses(lists: Lists, discount: str) -> Floats:
    """Return, for each list, the sum of the discounts of the shown ranks without a hit."""
    depth = np.maximum(np.minimum(lists.depth, lists.length), 0)
    every = discounts(np.arange(1, int(depth.max(initial=0)) + 1), discount)
    taken = lists.listed.where(lists.inside & lists.fresh)
    return cumulated(depth, every) - taken.sum(discounts(taken.rank, discount))


def ndcg(
    lists: Lists,
    *,
    gain: str,
    miss_gain: str,
    discount: str,
    ideal: str,
    ideal_discount: str,
    ideal_gain: str,
    over: str = "user",
) -> Ratio:
    """Return DCG over the ideal DCG, per list; ``over`` acts where users are put together.

    Järvelin & Kekäläinen 2002 (clipped discount, b = 2); Burges et al. 2005 (2^g - 1); Tamm et al. 2021, §4.5.
    """
    top = _list_dcg(lists, gain, miss_gain, discount)
    below = ideal_dcg(
        lists, ideal, gain if ideal_gain == "same" else ideal_gain,
        discount if ideal_discount == "same" else ideal_discount,
    )  # fmt: skip
    return Ratio(top, below)


def _refuse(values: Values) -> str | None:
    """Return why the values contradict each other, or None.

    Bases of logarithms are above 1. Where only irrelevant items move a rank, a miss has no rank of its own.
    """
    for name in ("discount", "ideal_discount"):
        if values[name] not in (*_DISCOUNTS, "same") and float(values[name]) <= 1:
            return f"{name} is the base of a logarithm, above 1, not {values[name]}"
    if values["gain"] == "binary" and (reason := refuse_all_relevant(values)):
        return reason
    ideal_gain = values["gain"] if values["ideal_gain"] == "same" else values["ideal_gain"]
    if values["gain"] in CUT_GAINS and values["ideal_gain"] != "same":
        return f"gain:{values['gain']} cuts gains where they are read, also for the ideal: ideal_gain is same"
    if values["ideal"] == "rows" and ideal_gain not in ("binary", "linear", "exp2", *CUT_GAINS):
        return f"ideal:rows takes irrelevant rows to add nothing, as a gain of 0 does, but not with {ideal_gain}"
    if values["miss_gain"] != "0" and (reason := refuse_shared_ranks(values)):
        return reason
    if values["miss_gain"] != "0" and values.get("positions") == "negatives_only":
        return "miss_gain asks for the ranks of misses, which positions:negatives_only does not give"
    return None


NDCG = Metric(
    "ndcg", "NDCG", (GAIN, MISS_GAIN, DISCOUNT, IDEAL, IDEAL_DISCOUNT, IDEAL_GAIN, OVER), ndcg,
    "binary gains and an ideal cut at k: what most libraries compute on implicit data (Tamm et al. 2021, §4.5)",
    inert=frozenset({"no_negatives"}), refuse=_refuse, across_users=("over",), stacked=("over", "stacked"),
)  # fmt: skip
