"""AUC: the share of (relevant, irrelevant) pairs in the right order.

AUC = pairs in which the relevant item scores higher / (relevant × irrelevant), equal scores one half. Bradley 1997;
per user GAUC, over all rows at once SAUC (Tamm et al. 2021, §4.6); limited to the first k LAUC (Schröder, Thiele &
Lehner 2011, §5.2).
"""

from __future__ import annotations

import numpy as np

from recsys_metric_audit.reference.space.axis import axis
from recsys_metric_audit.reference.space.lists import Bools, Floats, Ints, Lists, Ratio, kept_with_lists
from recsys_metric_audit.reference.space.metric import Metric, Values, refuse_all_relevant, refuse_shared_ranks

# fmt: off
SCOPE = axis("scope", "what is one ranking",
    {"user": "each user's list (GAUC)", "stacked": "all rows of all users together (SAUC)"}, slug="stacked")
LIST = axis("list", "which pairs", {
    "full": "of the whole list",
    "topk": "inside the first k only",
    "limited": "LAUC: exact for the first k, the rest spread evenly over the ranks after them",
    "limited_hits": "hits of the first k against all irrelevant items, over min(k, r)",
    "top_negatives": "all relevant items against the k best irrelevant ones",
    "top_both": "the min(k, r) best relevant items against the k best irrelevant ones",
}, slug="cut-off", slugs={"limited": "limited-auc", "limited_hits": "limited-auc"})
TIED_SCORES = axis("tied_scores", "a pair of equal scores", {
    "half": "one half",
    "win": "won",
    "lose": "lost",
    "ranked": "as the list orders them",
    "other": "in a way that none of these values describes; evaluated as one half",
}, slug="tied-scores")
NEGATIVES = axis("negatives", "number of irrelevant items", {
    "exact": "those in the list",
    "plus_one": "one more",
    "minus_one": "one less",
    "with_train": "and the user's train items",
    "with_train_plus_one": "and the user's train items, and one more",
    "catalogue": "items that exist and are neither relevant nor seen in training",
    "catalogue_with_train": "items that exist and are not relevant, those seen in training too",
    "catalogue_plus_one": "one more than those that exist and are neither relevant nor seen in training",
    "every_row": "all rows of the list, relevant ones and the item itself too",
    "k": "k, also where there are fewer",
}, slug="wrong-negatives")
SHORT = axis("short", "a list too short for k", {
    "counted": "counts like any other",
    "undefined": "says nothing, 0/0, if it misses relevant items and has fewer than k irrelevant ones",
    "filled": "is filled up to k with irrelevant items",
}, slug="short-list-undefined", slugs={"filled": "short-list-filled"})
UNLISTED = axis("unlisted", "relevant items that are not in the list",
    {"lost": "count as ranked last", "dropped": "do not count"}, slug="unlisted-dropped")
# fmt: on


_TIED = {"half": 0.5, "win": 0.0, "lose": 1.0, "other": 0.5}
"""Share of a pair of equal scores that the relevant item loses."""


def _relevant_rows(lists: Lists, keep: Bools) -> tuple[Ints, Ints]:
    """Return, for each kept place, how many kept rows with relevant items score higher and how many as much.

    Rows that score as much include the place's own. Both have shape (kept places,).
    """
    list_of, above, fresh = lists.listed.list[keep], lists.above[keep], lists.fresh[keep]
    key = list_of * (int(above.max(initial=0)) + 1) + above
    by_level = np.argsort(key, kind="stable")  # fast here: the keys are mostly in order already
    key = key[by_level]
    rows = np.concatenate([[0], np.cumsum(fresh[by_level])])
    edge = np.flatnonzero(np.diff(key, prepend=-1, append=-1))
    size = np.diff(edge)
    first, last = np.repeat(edge[:-1], size), np.repeat(edge[1:], size)
    count = np.bincount(list_of, minlength=len(lists))
    start = np.repeat(np.cumsum(count) - count, count)
    higher, level = np.empty(len(key), dtype=np.int64), np.empty(len(key), dtype=np.int64)
    higher[by_level], level[by_level] = rows[first] - rows[start], rows[last] - rows[first]
    return higher, level


def _lost_to_all(lists: Lists, tied_scores: str) -> Floats:
    """Return the pairs that each place loses if it is paired with every row of its list, its own row included."""
    if tied_scores == "ranked":
        return lists.listed.rank.astype(np.float64)
    return np.asarray(lists.above + lists.tied * _TIED[tied_scores], dtype=np.float64)


def _lost(lists: Lists, keep: Bools, depth: Ints, negatives: Ints, tied_scores: str) -> Floats:
    """Return the pairs that each kept place loses to irrelevant rows.

    Only the best ``negatives`` irrelevant rows within the first ``depth`` rows count (both of shape (lists,)).
    """
    list_of = lists.listed.list[keep]
    most = np.maximum(negatives, 0)[list_of]
    if tied_scores == "ranked":
        return np.asarray(np.minimum(lists.irrelevant_above[keep], most), dtype=np.float64)
    higher, level = _relevant_rows(lists, keep)
    above = lists.above[keep]
    tied = np.minimum(above + lists.tied[keep], depth[list_of]) - above - level
    worse = np.minimum(above - higher, most)
    return np.asarray(worse + np.minimum(tied, most - worse) * _TIED[tied_scores], dtype=np.float64)


@kept_with_lists
def _lost_to_irrelevant(lists: Lists, tied_scores: str) -> Floats:
    """Return the pairs that each place loses to all irrelevant rows of its list."""
    every = np.ones(len(lists.listed.rank), dtype=bool)
    return _lost(lists, every, lists.length, lists.negatives, tied_scores)


def _top(lists: Lists, tied_scores: str) -> Ratio:
    """Return pairs won over pairs among the first k rows."""
    hits, negatives = lists.hits, lists.shown_negatives
    lost = _lost(lists, lists.inside, lists.depth, negatives, tied_scores)
    return Ratio(hits.sum(negatives[hits.list] - lost), (hits.count * negatives).astype(float))


def _limited(lists: Lists, negatives: Ints, positives: Ints, short: str) -> Ratio:
    """Return LAUC: the area under the ROC curve of the first k, continued as a straight line to (1, 1)."""
    hits, shown = lists.hits, lists.shown_negatives
    if short == "filled":
        shown = shown + np.maximum(lists.depth - lists.length, 0)
    won = hits.sum(shown[hits.list] - lists.irrelevant_above[lists.inside]) + (hits.count + positives) / 2 * (
        negatives - shown
    )
    return Ratio(won, (positives * negatives).astype(float))


def irrelevant(lists: Lists, *, list: str, negatives: str, **_: str) -> Ints:
    """Return the number of irrelevant items of each list that relevant items are paired with; shape (lists,)."""
    if list == "topk":
        return lists.shown_negatives
    number = lists.negatives
    if negatives == "every_row":
        return lists.length
    if negatives == "k":
        return lists.k
    if negatives.startswith("with_train"):
        return number + lists.train + (negatives == "with_train_plus_one")
    if negatives.startswith("catalogue"):
        seen = 0 if negatives == "catalogue_with_train" else lists.train
        return lists.catalogue - seen - lists.relevant + (negatives == "catalogue_plus_one")
    return number + {"plus_one": 1, "minus_one": -1}.get(negatives, 0)


def auc(
    lists: Lists, *, scope: str, list: str, tied_scores: str, negatives: str, unlisted: str, short: str = "counted"
) -> Ratio:
    """Return pairs won over pairs, per list.

    ``scope`` acts where users are put together (:mod:`reference.evaluation.evaluate`). Bradley 1997; Tamm et al.
    2021, §4.6; LAUC: Schröder, Thiele & Lehner 2011, §5.2.
    """
    if list == "topk":
        return _top(lists, tied_scores)
    listed = lists.listed
    number = irrelevant(lists, list=list, negatives=negatives)
    positives = lists.positives if unlisted == "lost" else listed.count
    if list == "limited":
        return _limited(lists, number, positives, short)
    keep, counted = np.ones(len(listed.rank), dtype=bool), None
    if list in ("top_negatives", "top_both"):
        number = np.minimum(number, lists.k)
        counted = np.minimum(number, lists.negatives) if negatives == "k" else number
    if list == "top_both":
        keep = listed.ordinal <= lists.k[listed.list]
        positives = np.minimum(positives, lists.k)
    if list == "limited_hits":
        keep, positives = lists.inside, lists.reachable
    if negatives == "every_row":
        lost = _lost_to_all(lists, tied_scores)[keep]
    elif counted is None:
        lost = _lost_to_irrelevant(lists, tied_scores)[keep]
    else:
        lost = _lost(lists, np.ones_like(keep), lists.length, counted, tied_scores)[keep]
    chosen = listed.where(keep)
    pairs = (positives * number).astype(float)
    if short == "undefined":
        pairs[(lists.missed > 0) & (lists.negatives < lists.k)] = 0
    return Ratio(chosen.sum((number[chosen.list] - lost).astype(float)), pairs)


def _refuse(values: Values) -> str | None:
    """Return why the values contradict each other, or None.

    Pairs need an irrelevant item, two options a list cut at the k best irrelevant items, and one the first k.
    """
    if values["negatives"] == "exact" and (reason := refuse_all_relevant(values)):
        return reason
    if values["list"] in ("topk", "limited", "limited_hits") and (reason := refuse_shared_ranks(values)):
        return reason
    if values["negatives"] == "every_row" and values["list"] not in ("full", "topk"):
        return f"negatives:every_row compares with all rows, list:{values['list']} with irrelevant ones"
    if values["short"] == "filled" and values["list"] != "limited":
        return f"short:filled fills the first k places up, list:{values['list']} does not look at them alone"
    if values["list"] not in ("top_negatives", "top_both"):
        for name, value in (("negatives", "k"), ("short", "undefined")):
            if values[name] == value:
                return f"{name}:{value} asks for the k best irrelevant items, list:{values['list']} for others"
    return None


AUC = Metric(
    "auc", "AUC", (SCOPE, LIST, TIED_SCORES, NEGATIVES, SHORT, UNLISTED), auc,
    "per user over the full ranking (GAUC): users do not know of each other's lists (Tamm et al. 2021, §4.6)",
    inert=frozenset({"positions", "cutoff"}), uses_k=lambda values: values["list"] != "full", across_users=("scope",),
    stacked=("scope", "stacked"), negatives=irrelevant, refuse=_refuse,
)  # fmt: skip
