"""Calls of the functions of the area various."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from tests.support.drawn_rankings import Drawn, Ranked


def _mean(values: Any) -> float:
    return float(np.mean([*values]))


def _vector(user: Ranked) -> np.ndarray:
    """Return the gain of each item 0 to n - 1 of a whole catalogue."""
    return np.array([user.truth.get(item, 0.0) for item in range(len(user.items))])


def _scores(d: Drawn) -> np.ndarray:
    """Return the matrix of scores, users by items 0 to n - 1."""
    return np.array([[user.scores[user.items.index(item)] for item in range(len(user.items))] for user in d.users])


def _labels(d: Drawn) -> np.ndarray:
    return np.array([_vector(user) for user in d.users])


def _ranks(d: Drawn) -> np.ndarray:
    """Return the matrix of ranks from 0."""
    return np.array([[user.items.index(item) for item in range(len(user.items))] for user in d.users])


def _truths(d: Drawn) -> dict[int, list[int]]:
    return {name: [*user.truth] for name, user in enumerate(d.users)}


def _lists(d: Drawn) -> dict[int, list[int]]:
    return {name: user.items for name, user in enumerate(d.users)}


class _Model:
    """Stands for a fitted model: it knows the scores of each user."""

    def __init__(self, d: Drawn) -> None:
        self.scores = _scores(d)

    def predict(self, user: int) -> np.ndarray:
        return self.scores[user]


def _predictions(d: Drawn) -> list[tuple[str, str, float, float, dict]]:
    """Return what Surprise returns: scores up to 5 are estimates; relevant items are rated 5, others 2."""
    return [
        (f"u{name}", f"i{item}", 5.0 if gain else 2.0, 5 * score, {"was_impossible": False})
        for name, item, score, gain in d.rows
    ]


def _left_out(d: Drawn) -> list[tuple[int, int, float]]:
    return [(name, item, 4.0) for name, user in enumerate(d.users) for item in user.truth]


def _frame(d: Drawn, user: str, item: str, score: str, label: str) -> pd.DataFrame:
    return pd.DataFrame(d.rows, columns=[user, item, score, label])


def _columns(d: Drawn, name: str, shown: str, wanted: str) -> pd.DataFrame:
    """Return a table with a row for each user, with the list in a column, and the only relevant item."""
    rows = [(user, one.items, one.target) for user, one in enumerate(d.users)]
    return pd.DataFrame(rows, columns=[name, shown, wanted])


def _strings(lists: dict[int, list[int]]) -> dict[str, list[str]]:
    """Return the same with texts for the ids of users and items."""
    return {f"u{name}": [f"i{item}" for item in items] for name, items in lists.items()}


def _groups(d: Drawn) -> list[np.ndarray]:
    """Return flat arrays of the scores, labels and users of all rows."""
    users, _, scores, gains = zip(*d.rows, strict=True)
    return [np.array(scores), np.array(gains), np.array(users)]


def _two_frames(d: Drawn) -> list[pd.DataFrame]:
    held = [(name, item) for name, user in enumerate(d.users) for item in user.truth]
    return [
        pd.DataFrame(held, columns=["userid", "itemid"]),
        pd.DataFrame([row[:3] for row in d.rows], columns=["userid", "itemid", "score"]),
    ]


def _reported(made: Any, d: Drawn) -> float:
    metric = made.__wrapped__(k_list=(d.k,))  # the class, which the tool calls by accumulating
    for user in d.users:
        metric.evaluate(user.items, [*user.truth])
    return metric.report()[f"mrr@{d.k}"]


def _flat(f: Any, d: Drawn) -> float:
    """Call with one array, in which the score of the only relevant item is first of each user's."""
    f.user_sample_n = len(d.one.items)
    rows = [[user.scores[user.rank - 1], *user.scores[: user.rank - 1], *user.scores[user.rank :]] for user in d.users]
    return f(np.array(rows).reshape(-1), np.array(rows).reshape(-1))


def _loaded(made: Any, queries: list[tuple[Any, Any]]) -> float:
    metric = made.__wrapped__()
    for query in queries:
        metric.load(*query)
    return metric.compute()


def _models(d: Drawn) -> pd.DataFrame:
    rows = [(name, [*user.truth], user.items, user.items[::-1]) for name, user in enumerate(d.users)]
    return pd.DataFrame(rows, columns=["user_id", "actual", "recommend_als", "recommend_top"])


def _money(d: Drawn) -> float:
    shown = d.one.items[: d.k]
    return sum(item for item in shown if item in d.one.truth) / sum(shown)


def _second_weighs_most(d: Drawn) -> float:
    weights = [1.0] + [1 / math.log(place) for place in range(2, len(d.one.items) + 1)]
    gained = [weight for item, weight in zip(d.one.items, weights, strict=True) if item in d.one.truth]
    return sum(gained) / sum(weights)


def _precisions(d: Drawn, k: int) -> list[float]:
    """Return precision at each hit of the first k."""
    flags = [item in d.one.truth for item in d.one.items[:k]]
    return [sum(flags[:place]) / place for place, hit in enumerate(flags, 1) if hit]


def _down_to_last_hit(d: Drawn) -> float:
    flags = [item in d.one.truth for item in d.one.items]
    while flags and not flags[-1]:
        flags.pop()
    return sum(flags) / len(flags) if flags else 0.0


def _submitted(f: Any, d: Drawn) -> float:
    shown = pd.DataFrame({"item_recommendations": [" ".join(map(str, user.items)) for user in d.users]})
    return f(shown, pd.DataFrame({"reference": [str(user.target) for user in d.users]}))


def _batches(made: Any, d: Drawn) -> float:
    """Update by one user at a time; the candidates of a user are in no order but that the positive is last."""
    metric = made.__wrapped__()
    for user in d.users:
        candidates = [user.items[place] for place in user.shuffled if user.items[place] != user.target] + [user.target]
        best = [candidates.index(item) for item in user.items[: d.k]]
        metric.update(np.array([best]), np.array([candidates]), np.array([1]))
    return metric.eval()[1]


def _told(value: float) -> float:
    """Return -1 for NaN, which equals nothing."""
    return -1.0 if math.isnan(value) else value


def _estimates(d: Drawn, k: int) -> list[tuple[int, int, int]]:
    """Return of each user: liked items among the first k with an estimate of 3.5 and more, these items, liked items."""
    out = []
    for user in d.users:
        chosen = [item for item, score in [*zip(user.items, user.scores, strict=True)][:k] if 5 * score >= 3.5]
        out.append((len([item for item in chosen if item in user.truth]), len(chosen), len(user.truth)))
    return out


def _ranked_first_if_missing(d: Drawn) -> float:
    items = d.one.items
    return _mean(1 / (items.index(item) + 1) if item in items else 1.0 for item in d.one.truth)


CALLS: dict[str, Callable[[Any, Drawn], float]] = {
    "cornac.py:NDCG.compute": lambda f, d: f(_vector(d.one), np.array(d.one.items)),
    "cornac.py:NCRR.compute": lambda f, d: f(_vector(d.one), np.array(d.one.items)),
    "cornac.py:Precision.compute": lambda f, d: f(_vector(d.one), np.array(d.one.items)),
    "rectorch.py:Metrics.recall_at_k": lambda f, d: _mean(f(_scores(d), _labels(d), d.k)),
    "rectorch.py:Metrics.ap_at_k": lambda f, d: _mean(f(_scores(d), _labels(d), d.k)),
    "rectorch.py:Metrics.auc": lambda f, d: _mean(f(_scores(d), _labels(d))),
    "rank_matrix.py:precision_at_k": lambda f, d: _mean(f(_ranks(d), _labels(d), d.k)),
    "rank_matrix.py:recall_at_k": lambda f, d: _mean(f(_ranks(d), _labels(d), d.k)),
    "rank_matrix.py:reciprocal_rank": lambda f, d: _mean(f(_ranks(d), _labels(d))),
    "spotlight.py:mrr_score": lambda f, d: _mean(f(_Model(d), _truths(d))),
    "recmetrics.py:pk": lambda f, d: f([*d.one.truth], d.one.items, d.k),
    "recmetrics.py:mark": lambda f, d: f([*_truths(d).values()], [*_lists(d).values()], d.k),
    "recmetrics.py:mapk": lambda f, d: f([*_truths(d).values()], [*_lists(d).values()], d.k),
    "surprise_knn.py:precision_recall_at_k[0]": lambda f, d: _mean(f(_predictions(d), d.k).values()),
    "surprise_knn.py:precision_recall_at_k[1]": lambda f, d: _mean(f(_predictions(d), d.k).values()),
    "book_club.py:get_hit_rate": lambda f, d: f(_lists(d), _left_out(d)),
    "book_club.py:get_average_reciprocal_hit_rate": lambda f, d: f(_lists(d), _left_out(d)),
    "recoder.py:average_precision": lambda f, d: f(d.one.items, [*d.one.truth], d.k),
    "recoder.py:recall": lambda f, d: f(d.one.items, [*d.one.truth], d.k),
    "rexmex.py:mean_reciprocal_rank": lambda f, d: f([*d.one.truth], d.one.items),
    "rexmex.py:average_percision_at_k": lambda f, d: _told(f([*d.one.truth], d.one.items, d.k)),
    "rexmex.py:hits_at_k": lambda f, d: f([*d.one.truth], d.one.items, d.k),
    "movielens_frame.py:precision_recall_ndcg_at_k[0]": lambda f, d: f(_frame(d, "u", "m", "pred", "label"), d.k),
    "movielens_frame.py:precision_recall_ndcg_at_k[1]": lambda f, d: f(_frame(d, "u", "m", "pred", "label"), d.k),
    "movielens_frame.py:precision_recall_ndcg_at_k[2]": lambda f, d: f(_frame(d, "u", "m", "pred", "label"), d.k),
    "sentence_frame.py:get_performance_mrr[5]": lambda f, d: f(_columns(d, "id", "top", "gold"), "gold", "top"),
    "capri.py:ndcgk": lambda f, d: f([*d.one.truth], d.one.items, d.k),
    "unbiased.py:dcg_at_k": lambda f, d: f(np.array(d.one.labels), np.array(d.one.scores), d.k),
    "unbiased.py:average_precision_at_k": lambda f, d: f(np.array(d.one.labels), np.array(d.one.scores), d.k),
    "study_cases.py:calc_mean_hit_rate": lambda f, d: f(
        [{"recommend_result": user.items, "relevant_items": [*user.truth]} for user in d.users]
    ),
    "taufe.py:topk_accuracy[1]": lambda f, d: f(*_groups(d), [1, 3, 5])[1],
    "taufe.py:topk_accuracy[2]": lambda f, d: f(*_groups(d), [1, 3, 5])[2],
    "rs_metrics.py:ndcg": lambda f, d: f(_strings(_truths(d)), _strings(_lists(d)), d.k),
    "rs_metrics.py:mapr": lambda f, d: f(_strings(_truths(d)), _strings(_lists(d)), d.k),
    "rs_metrics.py:mar": lambda f, d: f(_strings(_truths(d)), _strings(_lists(d)), d.k),
    "holdout_frames.py:Evaluator.compute_metrics[hr@10]": lambda f, d: f(*_two_frames(d)),
    "holdout_frames.py:Evaluator.compute_metrics[mrr@10]": lambda f, d: f(*_two_frames(d)),
    "rankmetrics.py:recall_k_curve": lambda f, d: f(_labels(d), _scores(d))[d.k - 1],
    "rankmetrics.py:ndcg_k_curve": lambda f, d: f(_labels(d), _scores(d), max_k=d.k)[-1],
    "crs.py:RecMetric.compute_ndcg": lambda f, d: f(d.one.items, d.one.target, d.k),
    "crs.py:RecMetric[mrr@k]": lambda f, d: _reported(f.__wrapped__, d),
    "flat_groups.py:NDCG": _flat,
    "pairs_rdd.py:mean_average_precision": lambda f, d: f([(user.items, [*user.truth]) for user in d.users]),
    "pairs_rdd.py:ndcg_at": lambda f, d: f([(user.items, [*user.truth]) for user in d.users], d.k),
    "recohut.py:mean_reciprocal_rank": lambda f, d: f([user.labels for user in d.users]),
    "recohut.py:r_precision": lambda f, d: f(d.one.labels),
    "mrec.py:compute_main_metrics[prec@5]": lambda f, d: f(d.one.items, [*d.one.truth]),
    "mrec.py:compute_main_metrics[mrr]": lambda f, d: f(d.one.items, [*d.one.truth]),
    "python_recsys.py:MeanAveragePrecision": lambda f, d: _loaded(f, [([*u.truth], u.items) for u in d.users]),
    "python_recsys.py:MeanReciprocalRank": lambda f, d: _loaded(f, [(u.items, u.target) for u in d.users]),
    "retail.py:total_precision_at_N": lambda f, d: f(_models(d), N=d.k)["precision_als"],
    "retail.py:money_precision_at_k": lambda f, d: f(d.one.items, [*d.one.truth], d.one.items, d.k),
    "elliot.py:MAP.user_ap": lambda f, d: f([*zip(d.one.items, d.one.scores, strict=True)], d.k, [*d.one.truth]),
    "baskets.py:recall": lambda f, d: f([[item] for item in d.one.truth], [[item] for item in d.one.items]),
    "pipeline.py:get_ndcg": lambda f, d: f(d.one.items, [*d.one.truth]),
    "fism_object.py:Evaluation": lambda f, d: f(d.k, _lists(d), _truths(d)).recall(),
    "playlist.py:calc_r_precision": lambda f, d: f(d.one.items, [*d.one.truth]),
    "submission_strings.py:score_submissions": _submitted,
    "ncf_batches.py:NCFMetric": _batches,
}
SLOW: dict[str, Callable[[Drawn], float]] = {
    "surprise_knn.py:precision_recall_at_k[0]": lambda d: _mean(
        hits / chosen if chosen else 1 for hits, chosen, _ in _estimates(d, d.k)
    ),
    "surprise_knn.py:precision_recall_at_k[1]": lambda d: _mean(hits / liked for hits, _, liked in _estimates(d, d.k)),
    "rexmex.py:mean_reciprocal_rank": _ranked_first_if_missing,
    "capri.py:ndcgk": _second_weighs_most,
    "unbiased.py:average_precision_at_k": lambda d: sum(_precisions(d, d.k)),
    "taufe.py:topk_accuracy[2]": lambda d: d.value("recall@3"),
    "recohut.py:r_precision": _down_to_last_hit,
    "retail.py:money_precision_at_k": _money,
    "rexmex.py:average_percision_at_k": lambda d: _told(d.value("average_precision@k|denominator:hits|no_hit:nan")),
}
