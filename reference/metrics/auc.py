"""AUC: the share of (relevant, irrelevant) pairs in the right order.

AUC = pairs in which the relevant item scores higher / (relevant × irrelevant), equal scores one half. Bradley 1997;
per user GAUC, over all rows at once SAUC (Tamm et al. 2021, §4.6); limited to the first k LAUC (Schröder, Thiele &
Lehner 2011, §5.2).
"""

from __future__ import annotations

import numpy as np

from reference.space.axis import axis
from reference.space.equalities import merge_listless
from reference.space.lists import Bools, Floats, Ints, Lists, Ratio
from reference.space.metric import Metric, Values, has_single_relevant, merge_pair_sums, refuse_all_relevant

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
        "catalogue": "items that exist and are neither relevant nor seen in training",
        "catalogue_plus_one": "one more than those that exist and are neither relevant nor seen in training",
        "every_row": "all rows of the list, relevant ones and the item itself too",
        "k": "k, also where there are fewer",
    },
    slug="wrong-negatives",
)  # fmt: skip
SHORT = axis(
    "short", "a list that misses relevant items and has fewer than k irrelevant ones (of the k best)",
    {"counted": "counts like any other", "undefined": "says nothing: 0/0"}, slug="short-list-undefined",
)  # fmt: skip
UNLISTED = axis(
    "unlisted", "relevant items that are not in the list",
    {"lost": "count as ranked last", "dropped": "do not count"}, slug="unlisted-dropped",
)  # fmt: skip


_TIED = {"half": 0.5, "win": 0.0, "lose": 1.0}
"""How much of a pair of equal scores is lost."""


def _relevant_rows(lists: Lists, keep: Bools) -> tuple[Ints, Ints]:
    """For each kept place, the kept rows with relevant items strictly above, and level with it."""
    list_of, above, fresh = lists.listed.list[keep], lists.above[keep], lists.fresh[keep]
    key = list_of * (int(above.max(initial=0)) + 1) + above
    by_level = np.argsort(key, kind="stable")  # quick on what is in order already, as it mostly is
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
    """Pairs that each place loses to the rows of its list, its own among them: it does not stand before itself."""
    if tied_scores == "ranked":
        return lists.listed.rank.astype(np.float64)
    return np.asarray(lists.above + lists.tied * _TIED[tied_scores], dtype=np.float64)


def _lost(lists: Lists, keep: Bools, depth: Ints, negatives: Ints, tied_scores: str) -> Floats:
    """Pairs that each kept place loses to the irrelevant rows within ``depth`` rows, the best ``negatives`` (per
    list) of them."""
    list_of = lists.listed.list[keep]
    most = np.maximum(negatives, 0)[list_of]
    if tied_scores == "ranked":
        misses_above = lists.listed.rank[keep] - lists.rows_down[keep]
        return np.asarray(np.minimum(misses_above, most), dtype=np.float64)
    higher, level = _relevant_rows(lists, keep)
    above = lists.above[keep]
    tied = np.minimum(above + lists.tied[keep], depth[list_of]) - above - level
    worse = np.minimum(above - higher, most)
    return np.asarray(worse + np.minimum(tied, most - worse) * _TIED[tied_scores], dtype=np.float64)


def _top(lists: Lists, tied_scores: str) -> Ratio:
    """Pairs inside the first k rows."""
    hits, negatives = lists.hits, lists.shown_negatives
    lost = _lost(lists, lists.inside, lists.depth, negatives, tied_scores)
    return Ratio(hits.sum(negatives[hits.list] - lost), (hits.count * negatives).astype(float))


def _limited(lists: Lists, negatives: Ints, positives: Ints) -> Ratio:
    """The curve of the first k, then a straight line to (1, 1): a trapezoid."""
    hits, shown = lists.hits, lists.shown_negatives
    misses_above = hits.rank - lists.rows_down[lists.inside]
    won = hits.sum(shown[hits.list] - misses_above) + (hits.count + positives) / 2 * (negatives - shown)
    return Ratio(won, (positives * negatives).astype(float))


def irrelevant(lists: Lists, *, list: str, negatives: str, **_: str) -> Ints:
    """Number of irrelevant items that pairs are made with."""
    if list == "topk":
        return lists.shown_negatives
    number = lists.negatives
    if negatives == "every_row":
        return lists.length
    if negatives == "k":
        return lists.k
    if negatives == "with_train":
        return number + lists.train
    if negatives.startswith("catalogue"):
        return lists.catalogue - lists.train - lists.relevant + (negatives == "catalogue_plus_one")
    return number + {"plus_one": 1, "minus_one": -1}.get(negatives, 0)


def auc(
    lists: Lists, *, scope: str, list: str, tied_scores: str, negatives: str, unlisted: str, short: str = "counted"
) -> Ratio:  # fmt: skip
    """Pairs won over pairs. ``scope`` acts on several users only (:mod:`reference.evaluation.evaluate`)."""
    if list == "topk":
        return _top(lists, tied_scores)
    listed = lists.listed
    number = irrelevant(lists, list=list, negatives=negatives)
    positives = lists.positives if unlisted == "lost" else listed.count
    if list == "limited":
        return _limited(lists, number, positives)
    keep, counted = np.ones(len(listed.rank), dtype=bool), lists.negatives
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
    else:
        lost = _lost(lists, np.ones_like(keep), lists.length, counted, tied_scores)[keep]
    chosen = listed.where(keep)
    pairs = (positives * number).astype(float)
    if short == "undefined":
        pairs[(lists.missed > 0) & (lists.negatives < lists.k)] = 0
    return Ratio(chosen.sum((number[chosen.list] - lost).astype(float)), pairs)


def simplify(values: dict[str, str]) -> dict[str, str]:
    """Inside the first k there is nothing unlisted, and the irrelevant items are those shown; LAUC orders its
    first k by rank, so equal scores are never asked. A pair inside a tie is won in half of all orders, in the best
    order, not in the worst; where equal scores are counted as such, their order does not act, nor does it matter which
    of the relevant items in one tie are among the best. Inside the first k all orders of the same k rows are equally
    likely: half of them win a tied pair. (Cut at the k best
    irrelevant items, half of all orders is not half of the pairs.)"""
    out = dict(values)
    if out.get("order") == "rows":  # where scores are not read, none are equal, but to itself a row still is
        itself = {"ranked": "lose"}.get(out["tied_scores"], out["tied_scores"])
        out["tied_scores"] = itself if out["negatives"] == "every_row" else "half"
    if out["list"] == "topk":
        out["unlisted"], out["negatives"] = "lost", "exact"
    if out["negatives"] == "exact" and out["scope"] == "user":
        out = merge_pair_sums(out)
    if out["list"] == "limited":
        out["tied_scores"] = "half"
    if out["list"] == "limited_hits":
        out["unlisted"] = "lost"
    pairs = out["short"] == "counted" and out["list"] in ("full", "top_negatives", "top_both")
    if pairs and "users" in out and _of_one(out) and out["no_hit"] == "0":
        # Of one relevant item nothing is won where it is not listed, and 0/0 counts as nothing.
        out["unlisted"] = "lost"
    if out["list"] == "full" and (out.get("users"), out.get("weight")) == ("hits", "listed"):
        # Who has nothing relevant in an uncut list weighs nothing.
        out |= {"users": "truth", "undefined": "skip", "no_hit": "0", "no_list": "0"}
    if out["scope"] == "stacked" and "users" in out and _listed_only(out):
        out = merge_listless(out)
    rule = {"average": "half", "best": "win", "worst": "lose"}.get(out.get("ties", ""))
    whole = out["list"] == "full" or (out["list"] == "top_negatives" and out.get("users") != "hits")
    whole &= out["negatives"] != "every_row"  # there it is tied with itself, which no order decides
    if out["tied_scores"] == "ranked" and rule is not None and whole and (rule != "half" or out["list"] == "full"):
        out["tied_scores"] = rule
    if (out["list"], out["tied_scores"], out.get("ties")) == ("topk", "ranked", "average"):
        out["tied_scores"] = "half"
    level = whole or (out["list"] == "top_both" and out.get("users") != "hits") or out["negatives"] == "every_row"
    if out["tied_scores"] != "ranked" and level and "ties" in out:
        out["ties"] = "given"
    return out


def _listed_only(values: Values) -> bool:
    """Whether a ranking is the same without the relevant items that are not in it, and without users who have none."""
    uncounted = values["short"] == "counted" and not _reads_r(values) and values.get("truth") != "first"
    return uncounted and values["negatives"] in ("exact", "plus_one", "every_row", "k")


def _of_one(values: Values) -> bool:
    """Whether a ranking holds one relevant item or what an edge says of it is not the formula's."""
    if "formula" in (values["undefined"], values["no_list"]):
        return False
    if values["scope"] == "stacked":
        return values.get("truth") == "first"
    return has_single_relevant(values) and values["pooling"] != "pooled"


def _uses_k(values: Values) -> bool:
    return values["list"] != "full"


def _refuse(values: Values) -> str | None:
    """Where pairs are not made with the k best irrelevant items, k is no number of them; and without an irrelevant
    item there are no pairs."""
    if values["negatives"] == "exact" and (reason := refuse_all_relevant(values)):
        return reason
    if values["negatives"] == "every_row" and values["list"] not in ("full", "topk"):
        return f"negatives:every_row compares with all rows, list:{values['list']} with irrelevant ones"
    if values["list"] not in ("top_negatives", "top_both"):
        for name, value in (("negatives", "k"), ("short", "undefined")):
            if values[name] == value:
                return f"{name}:{value} asks for the k best irrelevant items, list:{values['list']} for others"
    return None


def _empty(values: Values) -> str | None:
    """Without a row there is no irrelevant one among those in the list, nor a relevant one; of other irrelevant ones no
    pair is won, but that a straight line wins half of them."""
    dropped = values["unlisted"] == "dropped" and values["list"] != "limited_hits"
    nothing = values["list"] == "topk" or values["negatives"] in ("exact", "every_row")
    if dropped or nothing or values["short"] == "undefined":
        return "nan"
    if values["negatives"] in ("plus_one", "minus_one", "k"):
        return "half" if values["list"] == "limited" else "0"
    return None


def _reads_r(values: Values) -> bool:
    """Inside the first k, and where what is unlisted does not count, only places in the list do, but that the other
    items that exist are those that are not relevant."""
    beyond = values["unlisted"] == "lost" or values["negatives"].startswith("catalogue")
    return values["list"] != "topk" and (beyond or values["list"] == "limited_hits")


def _has_denominator(values: Values) -> bool:
    """Where unlisted items count there is a relevant one, and without an irrelevant one another edge acts."""
    lost = values["unlisted"] == "lost" and values["list"] in ("full", "limited", "top_negatives", "top_both")
    return (lost or values["list"] == "limited_hits") and values["short"] == "counted"


AUC = Metric(
    "auc", "AUC", (SCOPE, LIST, TIED_SCORES, NEGATIVES, SHORT, UNLISTED), auc,
    "per user over the full ranking (GAUC): users do not know of each other's lists (Tamm et al. 2021, §4.6)",
    inert=frozenset({"positions", "cutoff"}), simplify=simplify, uses_k=_uses_k, across_users=("scope",),
    stacked=("scope", "stacked"), negatives=irrelevant, refuse=_refuse, reads_r=_reads_r,
    has_denominator=_has_denominator,
    empty_list_policy=_empty,
    # No more irrelevant items stand above than there are.
    unsigned=lambda values: values["negatives"] == "exact" and values["list"] in ("full", "limited_hits"),
    vanishes=lambda values: True,
    needs_hit=lambda values: values["list"] == "topk" or (values["list"] == "full" and values["unlisted"] == "dropped"),
)  # fmt: skip
