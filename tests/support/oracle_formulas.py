"""The formulas of the slow oracle: (numerator, denominator) of one resolved list; 0/0 says nothing."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from tests.support.oracle import Number, Ranking, Values
from tests.support.oracle_auc import auc, auc_negatives
from tests.support.oracle_contingency import CELLS, contingency, decided, mean_average_markedness, table_negatives
from tests.support.oracle_ratings import explained_variance, fcp, log_loss, mae, mse, nmae, r_squared, spearman_rho
from tests.support.oracle_ratio import ZERO, Ratio


def _hits_or_gains(ranking: Ranking, numerator: str) -> Fraction:
    return sum((hit.gain if numerator == "gains" else Fraction(1) for hit in ranking.hits), ZERO)


def hit_rate(ranking: Ranking, v: Values) -> Ratio:
    h = len(ranking.hits)
    shown = {"any": (min(h, 1), 1), "hits": (h, 1), "recall": (h, ranking.r), "precision": (h, ranking.k)}
    return {**shown, "only": (min(h, 1) if ranking.r == 1 else 0, 1)}[v["counts"]]


def precision(ranking: Ranking, v: Values) -> Ratio:
    can_hit = {"min": min(ranking.k, ranking.r), "min_shown": min(ranking.shown, ranking.r)}
    over = {"k": ranking.k, "shown": ranking.shown, **can_hit}
    return _hits_or_gains(ranking, v["numerator"]), over[v["denominator"]]


def recall(ranking: Ranking, v: Values) -> Ratio:
    r = sum(ranking.gains) if v["numerator"] == "gains" else ranking.r
    over = {"r": r, "min": min(ranking.k, ranking.r), "k": ranking.k, "hits": len(ranking.hits)}
    return _hits_or_gains(ranking, v["numerator"]), over[v["denominator"]]


def f_operands(ranking: Ranking, v: Values) -> tuple[Ratio, Ratio]:
    ranking = decided(ranking, v)
    if v["operands"] == "average_precision_recall":
        return (
            average_precision(ranking, {"denominator": v["precision"], "indicator": "kept"}),
            average_recall(ranking, {"denominator": v["recall"], "indicator": "kept"}),
        )
    return (
        precision(ranking, {"denominator": v["precision"], "numerator": "hits"}),
        recall(ranking, {"denominator": v["recall"], "numerator": "hits"}),
    )


def f_score(ranking: Ranking, v: Values) -> Ratio:
    """(1 + b²) P R / (b² P + R); of H/d_P and H/d_R it is (1 + b²) H / (b² d_R + d_P)."""
    ranking, weight = decided(ranking, v), Fraction(v["beta"]) ** 2
    (p, over_p), (r, over_r) = f_operands(ranking, v)
    if v["operands"] == "precision_recall":
        return (1 + weight) * p, weight * over_r + over_p
    if not over_p or not over_r:
        return 0, 0
    first, second = Fraction(p) / over_p, Fraction(r) / over_r
    return (1 + weight) * first * second, weight * first + second


def reciprocal_rank(ranking: Ranking, v: Values) -> Ratio:
    ranks, more = [hit.position for hit in ranking.hits], Fraction(v["offset"])
    total = sum((1 / (rank + more) for rank in ranks), ZERO)
    reach = min(ranking.k, ranking.r)
    best = sorted(ranking.hits, key=lambda hit: (-hit.gain, hit.position))
    return {
        "first": lambda: (1 / (ranks[0] + more) if ranks else 0, 1),
        "sum": lambda: (total, 1),
        "mean_hits": lambda: (total, len(ranks)),
        "mean_relevant": lambda: (total, ranking.r),
        "normalised": lambda: (total, sum((1 / (j + more) for j in range(1, reach + 1)), ZERO)),
        "normalised_shown": lambda: (
            total,
            sum((1 / (j + more) for j in range(1, min(ranking.r, ranking.shown) + 1)), ZERO),
        ),
        "top_only": lambda: (int(1 in ranks), 1),
        "last": lambda: (1 / (ranks[-1] + more) if ranks else 0, 1),
        "best_gain": lambda: (1 / (best[0].position + more) if best else 0, 1),
    }[v["ranks"]]()


def _average_denominator(ranking: Ranking, name: str) -> int:
    k, r, n = ranking.k, ranking.r, ranking.shown
    return {
        "min": min(k, r), "r": r, "k": k, "hits": len(ranking.hits), "shown": n, "min_shown": min(r, n),
        "cumulative": sum(min(j, r) for j in range(1, k + 1)),
    }[name]  # fmt: skip


def _summed(ranking: Ranking, indicator: str, over: Callable[[int], Number]) -> Number:
    """Hits down to a place, divided by ``over`` its rank, summed over the hits, over all ranks shown, or over every
    rank of the cut-off."""
    if indicator in ("kept", "first_r"):
        return sum((Fraction(number) / over(hit.position) for number, hit in enumerate(ranking.hits, 1)), ZERO)
    down_to = ranking.depth if indicator == "every" else min(ranking.depth, len(ranking.list_rows))
    return sum(
        (Fraction(sum(hit.position <= j for hit in ranking.hits)) / over(j) for j in range(1, down_to + 1)), ZERO
    )


def within_r(ranking: Ranking, v: Values) -> Ranking:
    """Return the ranking with the hits that count: under ``first_r`` none further down than rank r."""
    return replace(ranking, depth=min(ranking.depth, ranking.r)) if v.get("indicator") == "first_r" else ranking


def average_precision(ranking: Ranking, v: Values) -> Ratio:
    ranking = within_r(ranking, v)
    return _summed(ranking, v["indicator"], lambda j: j), _average_denominator(ranking, v["denominator"])


def average_recall(ranking: Ranking, v: Values) -> Ratio:
    summed = _summed(ranking, v["indicator"], lambda j: 1)
    return summed, ranking.r * _average_denominator(ranking, v["denominator"])


def _gain(ranking: Ranking, g: Fraction, name: str) -> float:
    t = ranking.user.threshold
    return {
        "binary": 1.0, "linear": float(g), "exp2": 2.0**g - 1, "exp2_threshold": 2.0 ** (g - t + 1) - 1,
        "exp2_plus1": 2.0 ** (g + 1) - 1, "square_minus_1": float(g) ** 2 - 1,
        "linear_whole": float(int(g)), "exp2_whole": 2.0 ** int(g) - 1,
    }[name]  # fmt: skip


def _discount(j: int, name: str) -> float:
    if name.replace(".", "").isdigit():
        return math.log(float(name)) / math.log(j + 1)
    return 1 / {
        "log2": math.log2(j + 1), "ln": math.log(j + 1), "log10": math.log10(j + 1),
        "log2_clipped": math.log2(max(j, 2)), "log2_off_by_one": math.log2(j + 2), "reciprocal": j,
    }[name]  # fmt: skip


def ndcg(ranking: Ranking, v: Values) -> Ratio:
    k, hits = ranking.k, ranking.hits
    dcg = math.fsum(_gain(ranking, hit.gain, v["gain"]) * _discount(hit.position, v["discount"]) for hit in hits)
    if v["miss_gain"] == "-1":
        dcg -= sum(
            _discount(place, v["discount"])
            for place, row in enumerate(ranking.list_rows[: max(ranking.depth, 0)], 1)
            if not row.gains
        )
    gain = v["gain"] if v["ideal_gain"] == "same" else v["ideal_gain"]
    discount = v["discount"] if v["ideal_discount"] == "same" else v["ideal_discount"]
    if v["ideal"] == "none":
        return dcg, 1
    if v["ideal"] in ("ones", "ones_shown"):
        ones = k if v["ideal"] == "ones" else ranking.shown
        return dcg, math.fsum(_discount(j, discount) for j in range(1, ones + 1))
    every = sorted((_gain(ranking, g, gain) for g in ranking.gains), reverse=True)
    listed = [_gain(ranking, hit.gain, gain) for hit in ranking.listed]
    best = {
        "k": every[: max(k, 0)],
        "all": every,
        "shown": every[: max(min(ranking.r, ranking.shown), 0)],
        "listed": sorted(listed, reverse=True)[: max(k, 0)],
        "rows": sorted([*listed, *(0.0 for row in ranking.list_rows if not row.gains)], reverse=True)[: max(k, 0)],
        "retrieved": sorted((_gain(ranking, hit.gain, gain) for hit in hits), reverse=True)[: max(k, 0)],
    }[v["ideal"]]
    return dcg, math.fsum(g * _discount(j, discount) for j, g in enumerate(best, 1))


def r_precision(ranking: Ranking, v: Values) -> Ratio:
    depth = ranking.r if v["cut"] == "r" else min(ranking.k, ranking.r)
    return sum(hit.position <= depth for hit in ranking.listed), depth if v["cut"] == "min" else ranking.r


def bpref(ranking: Ranking, v: Values) -> Ratio:
    """Every listed relevant item: rated irrelevant rows above it, at most the bound, over the bound."""
    r = ranking.r
    irrelevant = max(len(ranking.user.truth) - r, sum(not row.gains for row in ranking.list_rows))
    most = r + 10 if v["bound"] == "r_plus_10" else r
    over = min(r, irrelevant) if v["bound"] == "min" else most
    shared, total = v["ties"] == "shared" and v["order"] == "score", ZERO
    for hit in ranking.listed:
        level = ranking.list_rows[hit.place - 1].level
        higher = [row for row in ranking.list_rows if row.level > level]
        above = sum(not row.gains for row in (higher if shared else ranking.list_rows[: hit.place - 1]))
        total += 1 - (Fraction(min(above, most), over) if above else 0)
    return total, r


def rbp(ranking: Ranking, v: Values) -> Ratio:
    p = Fraction(v["persistence"])
    total = sum(((hit.gain if v["gain"] == "linear" else 1) * p ** (hit.position - 1) for hit in ranking.hits), ZERO)
    if v["normalised"] == "no":
        return total, 1 / (1 - p)
    reach = min(ranking.k if v["normalised"] == "yes" else ranking.shown, ranking.r)
    return total, sum((p**j for j in range(reach)), ZERO)


def _stop(ranking: Ranking, gain: Fraction, v: Values) -> float:
    g, top = float(gain), float(ranking.user.highest if v["top"] == "scale" else v["top"])
    return {"exp2": (2**g - 1) / 2**top, "linear": g / top, "binary": 0.5, "gain": g}[v["satisfaction"]]


def _chance(ranking: Ranking, gain: Fraction, v: Values) -> float:
    """Limit what is scaled to a probability, for gains outside of the scale."""
    stop = _stop(ranking, gain, v)
    return stop if v["satisfaction"] == "gain" else min(1.0, max(0.0, stop))


def _cascade(
    ranking: Ranking, v: Values, weight: Callable[[int], float], chance: Callable[..., float] = _stop
) -> float:
    """Every hit: its weight, times the chance to stop there, times the chance that no hit above stopped the reader."""
    total, going_on = 0.0, 1.0
    for hit in ranking.hits:
        stop = chance(ranking, hit.gain, v)
        total += going_on * stop * weight(hit.position)
        going_on *= 1 - stop
    return total


def err(ranking: Ranking, v: Values) -> Ratio:
    return _cascade(ranking, v, lambda j: 1 / j), 1


def pfound(ranking: Ranking, v: Values) -> Ratio:
    return _cascade(ranking, v, lambda j: float(v["decay"]) ** (j - 1)), 1


def nerr(ranking: Ranking, v: Values) -> Ratio:
    """Walk down rank by rank: the share of readers who look at each rank is what the gain is divided by."""
    named: dict[str, Callable[[int], float]] = {"all": lambda j: 1.0, "rank": lambda j: 1 / j}
    endless = v["patience"] not in named
    weight = named.get(v["patience"]) or (lambda j: float(v["patience"]) ** (j - 1))
    last = max((hit.position for hit in ranking.hits), default=0)
    looked, going_on = 0.0, 1.0
    for rank in range(1, (last if endless else ranking.k) + 1):
        looked += weight(rank) * going_on
        for hit in ranking.hits:
            if hit.position == rank:
                going_on *= 1 - _chance(ranking, hit.gain, v)
    if endless:
        looked += going_on * weight(last + 1) / (1 - float(v["patience"]))
    return _cascade(ranking, v, weight, _chance), looked


def interpolated_precision(ranking: Ranking, v: Values) -> Ratio:
    """Take the largest number of hits over their rank, from where enough of the relevant items are found."""
    points = [f"{tenth / 10:g}" for tenth in range(11)] if v["at"] == "eleven" else [v["at"]]
    total = ZERO
    for point in points:
        exact = Fraction(point) * ranking.r
        enough = {
            "up": math.ceil(exact), "nearest": math.floor(exact + Fraction(1, 2)),
            "plus_0.9": int(float(point) * ranking.r + 0.9),
        }[v["needed"]]  # fmt: skip
        found = [Fraction(n, hit.position) for n, hit in enumerate(ranking.listed, 1) if n >= enough]
        total += max(found, default=ZERO)
    return total, len(points)


def kendall_tau(ranking: Ranking, v: Values) -> Ratio:
    """(concordant - discordant) / pairs of a relevant and an irrelevant item; what is level counts for neither."""
    last = -Fraction(10**9)
    levels: dict[str, Callable[[int], Fraction]] = {
        "list": lambda place: ranking.list_rows[place - 1].level,
        "limited": lambda place: -Fraction(place) if place <= ranking.depth else last,
        "recommended_or_not": lambda place: Fraction(place <= ranking.depth),
    }
    level = levels[v["compared"]]
    unlisted = {"list": -last * last, "limited": last, "recommended_or_not": ZERO}[v["compared"]]
    relevant = [level(hit.place) for hit in ranking.listed] + [unlisted] * ranking.missed
    rest = [level(place) for place, row in enumerate(ranking.list_rows, 1) if not row.gains]
    balance = sum((a > b) - (a < b) for a in relevant for b in rest)
    return balance, len(relevant) * len(rest)


FORMULAS: dict[str, Callable[[Ranking, Values], Ratio]] = {
    "hit_rate": hit_rate, "precision": precision, "recall": recall, "f_score": f_score,
    "reciprocal_rank": reciprocal_rank, "average_precision": average_precision, "average_recall": average_recall,
    "ndcg": ndcg, "auc": auc, "r_precision": r_precision, "bpref": bpref, "rbp": rbp, "err": err,
    "pfound": pfound, "nerr": nerr, "interpolated_precision": interpolated_precision,
    **{name: contingency(name) for name in CELLS}, "mean_average_markedness": mean_average_markedness,
    "kendall_tau": kendall_tau, "spearman_rho": spearman_rho, "fcp": fcp, "mae": mae, "mse": mse, "rmse": mse,
    "nmae": nmae, "r_squared": r_squared, "explained_variance": explained_variance, "log_loss": log_loss,
}  # fmt: skip

NEGATIVES: dict[str, Callable[[Ranking, Values], int]] = {
    "auc": auc_negatives,
    "kendall_tau": lambda ranking, v: sum(not row.gains for row in ranking.list_rows),
    **dict.fromkeys([*(name for name in CELLS if name != "miss_rate"), "mean_average_markedness"], table_negatives),
    # Where scores decide, the share of right decisions is one of relevant items alone, too.
    "accuracy": lambda ranking, v: 1 if v["decision"] == "at_half" else table_negatives(ranking, v),
}
