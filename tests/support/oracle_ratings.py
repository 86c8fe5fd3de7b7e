"""The slow oracle's formulas of scores: correlations with ratings, concordance, errors."""

from __future__ import annotations

import math
from fractions import Fraction
from statistics import correlation

from tests.support.oracle import Hit, Ranking, Values
from tests.support.oracle_ratio import ZERO, Ratio


def _average_ranks(values: list[Fraction]) -> list[float]:
    return [sum(other < one for other in values) + sum(other == one for other in values) / 2 for one in values]


def spearman_rho(ranking: Ranking, v: Values) -> Ratio:
    """Pearson's correlation of average ranks; pooled terms are the covariance and the product of the spreads."""
    scores = _average_ranks([hit.score for hit in ranking.listed])
    gains = _average_ranks([hit.gain for hit in ranking.listed])
    if len(set(scores)) < 2 or len(set(gains)) < 2:
        return 0, 0
    spread = math.sqrt(_spread([Fraction(x) for x in scores]) * _spread([Fraction(x) for x in gains]))
    return correlation(scores, gains) * spread, spread


def fcp(ranking: Ranking, v: Values) -> Ratio:
    """Every pair of rated items of unequal rating, by the order of its scores."""
    won = lost = ZERO
    for better in ranking.listed:
        for worse in ranking.listed:
            if better.gain > worse.gain and better.score == worse.score:
                won += {"half": Fraction(1, 2)}.get(v["tied_scores"], ZERO)
                lost += {"half": Fraction(1, 2), "lose": Fraction(1)}.get(v["tied_scores"], ZERO)
            elif better.gain > worse.gain:
                won += better.score > worse.score
                lost += better.score < worse.score
    return won, won + lost


def _spread(values: list[Fraction]) -> Fraction:
    centre = sum(values, ZERO) / max(len(values), 1)
    return sum(((value - centre) ** 2 for value in values), ZERO)


def _errors(ranking: Ranking, v: Values) -> list[Fraction]:
    low, high = ranking.user.lowest, ranking.user.highest
    scores = [hit.score if v["clipped"] == "no" else min(max(hit.score, low), high) for hit in ranking.listed]
    errors = [score - hit.gain for score, hit in zip(scores, ranking.listed, strict=True)]
    return errors + [low - gain for gain in ranking.missing_gains if v.get("missing") == "lowest"]


def _rated(ranking: Ranking, v: Values) -> int:
    return len(ranking.listed) + (ranking.missed if v["missing"] != "left_out" else 0)


def _truths(ranking: Ranking) -> list[Fraction]:
    return [hit.gain for hit in ranking.listed]


def _cross_entropy(hit: Hit, step: float) -> float:
    p, g = min(max(float(hit.score), step), 1 - step), float(hit.gain)
    return -(g * math.log(p) + (1 - g) * math.log(1 - p))


def mae(ranking: Ranking, v: Values) -> Ratio:
    return sum((abs(e) for e in _errors(ranking, v)), ZERO), _rated(ranking, v)


def mse(ranking: Ranking, v: Values) -> Ratio:
    return sum((e * e for e in _errors(ranking, v)), ZERO), _rated(ranking, v)


def nmae(ranking: Ranking, v: Values) -> Ratio:
    return mae(ranking, v)[0], _rated(ranking, v) * (ranking.user.highest - ranking.user.lowest)


def r_squared(ranking: Ranking, v: Values) -> Ratio:
    spread = _spread(_truths(ranking))
    return spread - sum((e * e for e in _errors(ranking, v)), ZERO), spread


def explained_variance(ranking: Ranking, v: Values) -> Ratio:
    spread = _spread(_truths(ranking))
    return spread - _spread(_errors(ranking, v)), spread


def log_loss(ranking: Ranking, v: Values) -> Ratio:
    return math.fsum(_cross_entropy(hit, float(v["clip"])) for hit in ranking.listed), len(ranking.listed)
