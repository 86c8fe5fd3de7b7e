"""AUC: the share of (relevant, irrelevant) pairs in the right order.

AUC = pairs in which the relevant item scores higher / (relevant × irrelevant), equal scores one half. Bradley 1997;
per user GAUC, over all rows at once SAUC (Tamm et al. 2021, §4.6); limited to the first k LAUC (Schröder, Thiele &
Lehner 2011, §5.2).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reference.axis import axis
from reference.lists import Floats, Ints, Lists, Places, Ratio
from reference.metric import Metric, Values

SCOPE = axis(
    "scope", "what is one ranking",
    {"user": "each user's list (GAUC)", "stacked": "all rows of all users together (SAUC)"}, slug="stacked",
)  # fmt: skip
LIST = axis(
    "list", "which pairs",
    {
        "full": "of the whole list",
        "topk": "inside the first k only",
        "limited": "LAUC: exact for the first k, the rest spread evenly over the ranks after them",
        "limited_hits": "hits of the first k against all irrelevant items, over min(k, r)",
        "top_negatives": "all relevant items against the k best irrelevant ones",
        "top_both": "the min(k, r) best relevant items against the k best irrelevant ones",
    },
    slug="cut-off", slugs={"limited": "limited-auc", "limited_hits": "limited-auc"},
)  # fmt: skip
TIED_SCORES = axis(
    "tied_scores", "a pair of equal scores",
    {"half": "one half", "win": "won", "lose": "lost", "ranked": "as the list orders them"},
    slug="tied-scores",
)  # fmt: skip
NEGATIVES = axis(
    "negatives", "number of irrelevant items",
    {
        "exact": "those in the list",
        "plus_one": "one more",
        "minus_one": "one less",
        "with_train": "and the user's train items",
    },
    slug="wrong-negatives",
)  # fmt: skip
UNLISTED = axis(
    "unlisted", "relevant items that are not in the list",
    {"lost": "count as ranked last", "dropped": "do not count"}, slug="unlisted-dropped",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Pairs:
    """Relevant places of lists, the irrelevant rows above and level with each, and their numbers per list."""

    places: Places
    worse: Floats
    tied: Floats
    negatives: Ints


def _pairs(lists: Lists) -> _Pairs:
    """Irrelevant rows strictly above, and level with, each listed relevant item."""
    listed = lists.listed
    by_level = np.lexsort((lists.above, listed.list))
    key = listed.list[by_level] * (int(lists.above.max(initial=0)) + 1) + lists.above[by_level]
    first, last = np.searchsorted(key, key), np.searchsorted(key, key, side="right")
    start = np.searchsorted(listed.list, listed.list)
    relevant_above, relevant_tied = np.empty_like(first), np.empty_like(first)
    relevant_above[by_level] = first - start
    relevant_tied[by_level] = last - first
    return _Pairs(
        listed, (lists.above - relevant_above).astype(float), (lists.tied - relevant_tied).astype(float),
        lists.length - listed.count,
    )  # fmt: skip


def _lost(lists: Lists, pairs: _Pairs, tied_scores: str) -> Floats:
    """Pairs that each listed relevant item loses, ties as asked."""
    if tied_scores == "ranked":
        return (pairs.places.rank - pairs.places.ordinal).astype(float)
    return pairs.worse + pairs.tied * {"half": 0.5, "win": 0.0, "lose": 1.0}[tied_scores]


def _top(lists: Lists, tied_scores: str) -> Ratio:
    """Pairs inside the first k rows."""
    hits, negatives = lists.hits, np.minimum(lists.depth, lists.length) - lists.hits.count
    lost = (hits.rank - hits.ordinal).astype(float)
    if tied_scores != "ranked":
        inside = lists.listed.rank <= lists.depth[lists.listed.list]
        above, tied = lists.above[inside], lists.tied[inside]
        within = np.minimum(above + tied, lists.depth[hits.list]) - above
        key = hits.list * (int(above.max(initial=0)) + 1) + above
        order = np.argsort(key, kind="stable")
        ordered = key[order]
        first, last = np.searchsorted(ordered, key), np.searchsorted(ordered, key, side="right")
        relevant_above = first - np.searchsorted(hits.list, hits.list)
        share = {"half": 0.5, "win": 0.0, "lose": 1.0}[tied_scores]
        lost = above - relevant_above + (within - (last - first)) * share
    won = hits.sum(negatives[hits.list] - lost)
    return Ratio(won, (hits.count * negatives).astype(float))


def _limited(lists: Lists, pairs: _Pairs, negatives: Ints, positives: Ints) -> Ratio:
    """The curve of the first k, then a straight line to (1, 1): a trapezoid."""
    hits = lists.hits
    shown = np.minimum(lists.depth, lists.length) - hits.count
    won = hits.sum(shown[hits.list] - (hits.rank - hits.ordinal)) + (hits.count + positives) / 2 * (negatives - shown)
    return Ratio(won, (positives * negatives).astype(float))


def irrelevant(lists: Lists, *, list: str, negatives: str, **_: str) -> Ints:
    """Number of irrelevant items that pairs are made with."""
    if list == "topk":
        return np.minimum(lists.depth, lists.length) - lists.hits.count
    number = lists.length - lists.listed.count
    if negatives == "with_train":
        return number + lists.train
    return number + {"plus_one": 1, "minus_one": -1}.get(negatives, 0)


def auc(
    lists: Lists, *, scope: str, list: str, tied_scores: str, negatives: str, unlisted: str
) -> Ratio:  # fmt: skip
    """Pairs won over pairs. ``scope`` acts on several users only (:mod:`reference.evaluate`)."""
    if list == "topk":
        return _top(lists, tied_scores)
    pairs = _pairs(lists)
    number = irrelevant(lists, list=list, negatives=negatives)
    positives = np.maximum(lists.relevant, pairs.places.count) if unlisted == "lost" else pairs.places.count
    if list == "limited":
        return _limited(lists, pairs, number, positives)
    lost = _lost(lists, pairs, tied_scores)
    keep = np.ones(len(lost), dtype=bool)
    if list in ("top_negatives", "top_both"):
        number = np.minimum(number, lists.k)
        lost = np.minimum(lost, number[pairs.places.list])
    if list == "top_both":
        keep = pairs.places.ordinal <= lists.k[pairs.places.list]
        positives = np.minimum(positives, lists.k)
    if list == "limited_hits":
        keep = pairs.places.rank <= lists.depth[pairs.places.list]
        positives = lists.reachable
    chosen = pairs.places.where(keep)
    won = chosen.sum((number[chosen.list] - lost[keep]).astype(float))
    return Ratio(won, (positives * number).astype(float))


def simplify(values: dict[str, str]) -> dict[str, str]:
    """Inside the first k there is nothing unlisted, and the irrelevant items are those shown; LAUC orders its
    first k by rank, so equal scores are never asked. A pair inside a tie is won in half of all orders, in the best
    order, not in the worst; where equal scores are counted as such, their order does not act."""
    out = dict(values)
    if out["list"] == "topk":
        out["unlisted"], out["negatives"] = "lost", "exact"
    if out["list"] == "limited":
        out["tied_scores"] = "half"
    if out["list"] == "limited_hits":
        out["unlisted"] = "lost"
    rule = {"average": "half", "best": "win", "worst": "lose"}.get(out.get("ties", ""))
    if out["tied_scores"] == "ranked" and rule is not None and out["list"] in ("full", "top_negatives"):
        out["tied_scores"] = rule
    if out["tied_scores"] != "ranked" and out["list"] in ("full", "top_negatives") and "ties" in out:
        out["ties"] = "given"
    return out


def _uses_k(values: Values) -> bool:
    return values["list"] != "full"


AUC = Metric(
    "auc", "AUC", (SCOPE, LIST, TIED_SCORES, NEGATIVES, UNLISTED), auc,
    "per user over the full ranking (GAUC): users do not know of each other's lists (Tamm et al. 2021, §4.6)",
    inert=frozenset({"positions", "cutoff"}), simplify=simplify, uses_k=_uses_k, whole=("scope",),
    stacked=("scope", "stacked"), negatives=irrelevant,
)  # fmt: skip
