"""Computes AUC for the slow oracle: pairs are enumerated."""

from __future__ import annotations

from fractions import Fraction

from tests.support.oracle import Ranking, Values
from tests.support.oracle_ratio import ZERO, Ratio


def _extra(ranking: Ranking, v: Values) -> int:
    train = ranking.user.train
    more = {"exact": 0, "plus_one": 1, "minus_one": -1, "with_train": train, "with_train_plus_one": train + 1}
    return more[v["negatives"]]


def auc_negatives(ranking: Ranking, v: Values) -> int:
    """Irrelevant items that pairs are made with."""
    if v["list"] == "topk":
        return sum(not row.gains for row in ranking.list_rows[: ranking.depth])
    if v["negatives"] == "k":
        return ranking.k
    if v["negatives"] == "catalogue_with_train":
        return ranking.user.catalogue - ranking.r
    if v["negatives"] in ("catalogue", "catalogue_plus_one"):
        unseen = ranking.user.catalogue - ranking.user.train - ranking.r
        return unseen + 1 if v["negatives"] == "catalogue_plus_one" else unseen
    if v["negatives"] == "every_row":
        return len(ranking.list_rows)
    return sum(not row.gains for row in ranking.list_rows) + _extra(ranking, v)


def _won(ranking: Ranking, positive: int, negative: int, tied_scores: str, *, shared: bool) -> Fraction:
    """Return what a pair of 1-based places earns; if two rows share a rank, neither is ranked below the other.

    A row paired with itself is not ranked above itself, whatever it shares its rank with.
    """
    above, below = ranking.list_rows[positive - 1].level, ranking.list_rows[negative - 1].level
    if tied_scores == "ranked":
        return Fraction(above >= below if shared and positive != negative else positive < negative)
    if above == below:
        return {"half": Fraction(1, 2), "win": Fraction(1), "lose": ZERO}[tied_scores]
    return Fraction(above > below)


def auc(ranking: Ranking, v: Values) -> Ratio:
    """Pairs enumerated; an unlisted relevant item loses all of its own, an item that is only counted loses to all."""
    k = ranking.k
    positives = [hit.place for hit in ranking.listed]
    everyone = v["negatives"] == "every_row" and v["list"] != "topk"
    negatives = [place for place, row in enumerate(ranking.list_rows, 1) if everyone or not row.gains]
    number, missed = auc_negatives(ranking, v), ranking.missed if v["unlisted"] == "lost" else 0
    if v["list"] == "limited":
        return lauc(ranking, number, len(positives) + missed, filled=v["short"] == "filled")
    if v["list"] == "topk":
        positives = [place for place in positives if place <= ranking.depth]
        negatives, missed = [place for place in negatives if place <= ranking.depth], 0
    counted = len(positives) + missed
    if v["list"] in ("top_negatives", "top_both"):
        number = min(number, k)
        negatives = negatives[: max(number, 0)]
    if v["list"] == "top_both":
        positives, counted = positives[: max(k, 0)], min(counted, k)
    if v["list"] == "limited_hits":
        positives, counted = [place for place in positives if place <= ranking.depth], min(k, ranking.r)
    shared = v["ties"] == "shared" and v["order"] == "score"
    won = sum((_won(ranking, a, b, v["tied_scores"], shared=shared) for a in positives for b in negatives), ZERO)
    enough = ranking.missed == 0 or sum(not row.gains for row in ranking.list_rows) >= k
    if v["short"] == "undefined" and not enough:
        counted = 0
    return won + len(positives) * (number - len(negatives)), counted * number


def lauc(ranking: Ranking, negatives: int, positives: int, *, filled: bool = False) -> Ratio:
    """Area under the curve of the first k, then a straight line to the upper right corner, in pairs."""
    area, x, y = ZERO, 0, 0
    for row in ranking.list_rows[: ranking.depth]:
        if row.gains:
            y += len(row.gains)
        else:
            x, area = x + 1, area + y
    for _ in range(len(ranking.list_rows), ranking.depth if filled else 0):
        x, area = x + 1, area + y
    return area + Fraction(y + positives, 2) * (negatives - x), positives * negatives
