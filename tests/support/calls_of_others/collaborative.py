"""Calls of the functions of the area collaborative."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.support.drawn_rankings import Drawn, Ranked


def _mean(values: list[float]) -> float:
    return float(sum(values) / len(values))


def _above(user: Ranked) -> np.ndarray:
    """Return how many irrelevant items stand above each relevant one."""
    return np.array(
        [sum(other not in user.truth for other in user.items[: user.items.index(item)]) for item in user.truth]
    )


def _misses(user: Ranked) -> int:
    return sum(item not in user.truth for item in user.items)


def _truth_sets(d: Drawn) -> dict[int, set[int]]:
    return {name: set(user.truth) for name, user in enumerate(d.users)}


def _daisy(f: Any, d: Drawn) -> float:
    depth = min(len(user.items) for user in d.users)
    return f(_truth_sets(d), np.array([user.items[:depth] for user in d.users]), list(range(len(d.users))))


def _daisy_each(f: Any, d: Drawn) -> float:
    """Pass a matrix for each user: lists have different lengths."""
    return _mean([f({7: set(user.truth)}, np.array([user.items]), [7]) for user in d.users])


def _origin(d: Drawn) -> dict[str, dict[int, float]]:
    return {f"u{name}": dict(user.truth) for name, user in enumerate(d.users)}


def _pairs(d: Drawn) -> dict[str, list[tuple[int, float]]]:
    return {f"u{name}": list(zip(user.items, user.scores, strict=True)) for name, user in enumerate(d.users)}


def _hits(d: Drawn, k: int | None) -> dict[str, int]:
    return {f"u{name}": len(set(user.items[:k]) & set(user.truth)) for name, user in enumerate(d.users)}


def _positive_last(user: Ranked) -> np.ndarray:
    others = [user.scores[place] for place in user.shuffled if user.items[place] != user.target]
    return np.array([*others, user.scores[user.rank - 1]])


def _matrix(d: Drawn) -> np.ndarray:
    """Return the scores of all items: the columns are the item numbers 0 to n - 1."""
    return np.array([[user.scores[user.items.index(item)] for item in range(len(user.items))] for user in d.users])


def _held(d: Drawn) -> np.ndarray:
    return np.array([[user.truth.get(item, 0.0) for item in range(len(user.items))] for user in d.users])


def _labels(d: Drawn) -> np.ndarray:
    """Return the labels of lists of one length."""
    return np.array([user.labels for user in d.users])


def _positive_first(user: Ranked) -> np.ndarray:
    return np.roll(_positive_last(user), 1)


def _recommended(d: Drawn, k: int | None = None) -> dict[int, list[int]]:
    return {name: user.items[:k] for name, user in enumerate(d.users)}


def _test_set(d: Drawn) -> dict[str, Any]:
    return {
        "users": list(range(len(d.users))),
        "items_seen_by_user": {name: list(user.truth) for name, user in enumerate(d.users)},
    }


def _metron(f: Any, d: Drawn) -> float:
    rows = [(f"u{name}", item, score, gain > 0) for name, item, score, gain in d.rows]
    own, others = [row[:3] for row in rows if row[3]], [row[:3] for row in rows if not row[3]]
    columns = [*map(list, zip(*own, strict=True)), *map(list, zip(*others, strict=True))]
    return f(*columns)


def _parted(user: Ranked) -> tuple[np.ndarray, np.ndarray]:
    """Return the scores of the irrelevant items and those of the relevant ones, in no order."""
    rows = [(user.scores[place], user.labels[place] > 0) for place in user.shuffled]
    return np.array([s for s, good in rows if not good]), np.array([s for s, good in rows if good])


def _embeddings(d: Drawn) -> tuple[np.ndarray, np.ndarray]:
    return np.eye(len(d.users)), _matrix(d).T


def _text(d: Drawn) -> tuple[dict[str, dict[str, float]], dict[str, list[tuple[str, float]]]]:
    held = {f"u{name}": {f"m{item}": 4.0 for item in user.truth} for name, user in enumerate(d.users)}
    shown = {
        f"u{name}": [(f"m{item}", score) for item, score in zip(user.items, user.scores, strict=True)]
        for name, user in enumerate(d.users)
    }
    return held, shown


def _with_train(f: Any, d: Drawn) -> float:
    names = list(range(len(d.users)))
    tops = [[900, *user.items[:2], 901, *user.items[2:], 902] for user in d.users]
    values = f(names, tops, {name: {900, 901, 902, 903} for name in names}, _truth_sets(d), d.k)
    return _mean(values)


def _kgnn(f: Any, d: Drawn) -> float:
    names = list(range(len(d.users)))
    maps = {
        name: {**{user.items[place]: user.scores[place] for place in user.shuffled}, 900: 2.0}
        for name, user in enumerate(d.users)
    }
    every = {item for user in d.users for item in [*user.items, *user.truth]} | {900}
    return f(maps, names, {name: {900} for name in names}, _truth_sets(d), every, [d.k])[0]


def _hits_matrix(d: Drawn, k: int) -> np.ndarray:
    return np.array([[float(gain > 0) for gain in user.labels[:k]] for user in d.users])


def _held_lists(d: Drawn) -> list[list[int]]:
    return [list(user.truth) for user in d.users]


def _left_out(f: Any, d: Drawn) -> float:
    shown = {name: list(zip(user.items, user.scores, strict=True)) for name, user in enumerate(d.users)}
    return f(shown, [(name, item, 4.0, 3.5, {}) for name, user in enumerate(d.users) for item in user.truth])


def _shuffled(user: Ranked) -> tuple[np.ndarray, np.ndarray]:
    """Return labels and scores in no order."""
    return (
        np.array([user.labels[place] for place in user.shuffled]),
        np.array([user.scores[place] for place in user.shuffled]),
    )


def _discounts(user: Ranked, k: int) -> list[float]:
    """Return what each hit of the first k adds to the DCG."""
    return [1 / math.log2(rank + 1) for rank, item in enumerate(user.items, 1) if item in user.truth and rank <= k]


def _found(user: Ranked, k: int) -> int:
    return sum(item in user.truth for item in user.items[:k])


CALLS: dict[str, Callable[[Any, Drawn], float]] = {
    "openrec.py:NDCG.compute[1]": lambda f, d: f(_above(d.one), _misses(d.one)),
    "openrec.py:Precision.compute[1]": lambda f, d: f(_above(d.one), _misses(d.one)),
    "openrec.py:AUC.compute": lambda f, d: f(_above(d.one), _misses(d.one)),
    "daisy.py:MAP": _daisy,
    "daisy.py:NDCG": _daisy_each,
    "daisy.py:AUC": _daisy,
    "daisy.py:F1": _daisy,
    "selfrec.py:Metric.hit_ratio": lambda f, d: f(_origin(d), _hits(d, None)),
    "selfrec.py:Metric.precision": lambda f, d: f(_hits(d, d.k), d.k),
    "selfrec.py:Metric.NDCG": lambda f, d: f(_origin(d), _pairs(d), d.k),
    "selfrec.py:ranking_evaluation[3]": lambda f, d: float(f(_origin(d), _pairs(d), [d.k]).split(":")[1]),
    "neurec.py:map": lambda f, d: f(d.one.items, set(d.one.truth))[d.k - 1],
    "neurec.py:mrr": lambda f, d: f(d.one.items, set(d.one.truth))[d.k - 1],
    "neurec.py:ndcg_loo": lambda f, d: f(d.one.items, d.one.target)[d.k - 1],
    "apr.py:eval_by_user[0]": lambda f, d: f(_positive_last(d.one))[d.k - 1],
    "apr.py:eval_by_user[1]": lambda f, d: f(_positive_last(d.one))[d.k - 1],
    "apr.py:eval_by_user[2]": lambda f, d: f(_positive_last(d.one))[d.k - 1],
    "recpy.py:precision": lambda f, d: f(np.array(d.one.items), np.array(list(d.one.truth)), d.k),
    "recpy.py:map": lambda f, d: f(np.array(d.one.items), np.array(list(d.one.truth)), d.k),
    "recpy.py:ndcg": lambda f, d: f(
        np.array(d.one.items), np.array(list(d.one.truth)), np.array(list(d.one.truth.values())), d.k
    ),
    "polimi.py:roc_auc": lambda f, d: f(np.array(d.one.labels) > 0),
    "polimi.py:arhr": lambda f, d: f(np.array(d.one.labels) > 0),
    "polimi.py:precision_recall_min_denominator": lambda f, d: f(np.array(d.one.labels) > 0, len(d.one.truth)),
    "caserec.py:ItemRecommendationEvaluation.evaluate[NDCG@5]": lambda f, d: f(_recommended(d), _test_set(d)),
    "caserec.py:ItemRecommendationEvaluation.evaluate[MAP@5]": lambda f, d: f(_recommended(d), _test_set(d)),
    "libreco.py:precision_at_k": lambda f, d: f(_truth_sets(d), _recommended(d), list(range(len(d.users))), d.k),
    "libreco.py:ndcg_at_k": lambda f, d: f(_truth_sets(d), _recommended(d, d.k), list(range(len(d.users))), d.k),
    "kgat_torch.py:average_precision": lambda f, d: f(d.one.labels, d.k),
    "kgat_torch.py:ndcg_at_k_batch": lambda f, d: f(_labels(d), d.k).mean(),
    "kgat_torch.py:recall_at_k_batch": lambda f, d: f(_labels(d), d.k).mean(),
    "rechorus.py:evaluate_method[NDCG@k]": lambda f, d: f(
        np.array([_positive_first(user) for user in d.users]), [d.k], ["HR", "NDCG"]
    ),
    "metron.py:evaluate[0]": _metron,
    "metron.py:evaluate[1]": _metron,
    "cmn.py:get_eval[1]": lambda f, d: f([_positive_last(user) for user in d.users], len(d.one.items) - 1, d.k),
    "bpr_script.py:precision_and_recall_k[0]": lambda f, d: f(
        *_embeddings(d), [set() for _ in d.users], [set(user.truth) for user in d.users], [d.k]
    )[0],
    "infinite_ae.py:evaluate[HR@k]": lambda f, d: f(
        _matrix(d), [[] for _ in d.users], [set(user.truth) for user in d.users], [d.k]
    ),
    "infinite_ae.py:fast_auc": lambda f, d: f(*_shuffled(d.one)),
    "mmgcn.py:accuracy[2]": lambda f, d: f([_parted(user) for user in d.users], d.k),
    "deeprec.py:map_mrr_ndcg[2]": lambda f, d: f(d.one.items, list(d.one.truth)),
    "deeprec.py:precision_recall_ndcg_at_k[1]": lambda f, d: f(d.k, d.one.items, list(d.one.truth)),
    "usercf.py:evaluate[1]": lambda f, d: f(*_text(d), d.k),
    "consrec.py:get_ndcg_k": lambda f, d: f(
        np.argsort(-np.array([_positive_first(user) for user in d.users]), axis=1), d.k
    ),
    "bgcn.py:mrr": lambda f, d: f(_matrix(d), _held(d), d.k),
    "bgcn.py:ndcg": lambda f, d: f(_matrix(d), _held(d), d.k),
    "recvae.py:ndcg": lambda f, d: f(_matrix(d), _held(d), d.k).mean(),
    "lightgcn.py:RecallPrecision_ATk[recall]": lambda f, d: f(_held_lists(d), _hits_matrix(d, 5), d.k),
    "lightgcn.py:NDCGatK_r": lambda f, d: f(_held_lists(d), _hits_matrix(d, 5), d.k),
    "cml.py:RecallEvaluator.eval": _with_train,
    "kgnn.py:topk_eval[1]": _kgnn,
    "mmrec.py:recall2_": lambda f, d: f(_labels(d) > 0, np.array([len(user.truth) for user in d.users]))[d.k - 1],
    "movielens_course.py:RecommenderMetrics.HitRate": _left_out,
    "movielens_course.py:RecommenderMetrics.AverageReciprocalHitRank": _left_out,
    "crossdomain.py:calculate_Precision": lambda f, d: f(list(d.one.truth), d.one.items),
    "crossdomain.py:calculate_NDCG": lambda f, d: f(list(d.one.truth), d.one.items),
}
SLOW: dict[str, Callable[[Drawn], float]] = {
    "infinite_ae.py:evaluate[HR@k]": lambda d: round(
        100 * _mean([_found(user, d.k) / min(d.k, len(user.truth)) for user in d.users]), 4
    ),
    "mmgcn.py:accuracy[2]": lambda d: _mean([sum(_discounts(user, d.k)) / len(user.truth) for user in d.users]),
    "lightgcn.py:RecallPrecision_ATk[recall]": lambda d: sum(_found(user, d.k) / len(user.truth) for user in d.users),
    "lightgcn.py:NDCGatK_r": lambda d: sum(
        sum(_discounts(user, d.k)) / sum(1 / math.log2(rank + 1) for rank in range(1, min(d.k, len(user.truth)) + 1))
        for user in d.users
    ),
}
