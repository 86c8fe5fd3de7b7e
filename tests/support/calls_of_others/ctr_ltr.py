"""Calls of the functions of the area ctr_ltr: click-through models and learning to rank."""

from __future__ import annotations

import io
import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from tests.support.drawn_rankings import Drawn, Ranked


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def _told(value: float) -> float:
    """Return -1 for NaN, which equals nothing."""
    return -1.0 if math.isnan(value) else value


def _columns(d: Drawn) -> tuple[list[float], list[float], list[int]]:
    """Return the label, score and user of each row, the rows of a user in no order."""
    return [row[3] for row in d.rows], [row[2] for row in d.rows], [row[0] for row in d.rows]


def _no_click_first(f: Any, d: Drawn) -> float:
    pairs = [(int(y > 0), s) for user in d.users for y, s in zip(user.labels, user.scores, strict=True)]
    return f([[1 - y, y, s] for y, s in pairs])


def _clicks(f: Any, d: Drawn) -> float:
    labels, scores, _ = _columns(d)
    return f(labels, [1.0] * len(labels), scores)


def _paired(f: Any, d: Drawn) -> float:
    scores = dict(zip(d.one.items, d.one.scores, strict=True))
    own = scores.pop(d.one.target)
    return f(np.array([[own, score] for score in scores.values()]))


def _rechub(f: Any, d: Drawn) -> float:
    truth = {f"u{name}": list(user.truth) for name, user in enumerate(d.users)}
    shown = {f"u{name}": user.items for name, user in enumerate(d.users)}
    (text,) = f(truth, shown, [d.k])
    return float(text.split(": ")[1])


def _steps(d: Drawn) -> float:
    """Sum, from negative to negative of all rows, the mean share of positives above this one and the last one."""
    rows = sorted(((score, label) for _, _, score, label in d.rows), key=lambda row: -row[0])
    positives = [label for _, label in rows if label]
    above, heights = 0, [0.0]
    for _, label in rows:
        above += label > 0
        if not label:
            heights.append(above / len(positives))
    return sum((a + b) / 2 for a, b in itertools.pairwise(heights)) / (len(heights) - 1)


def _unsorted(user: Ranked) -> list[tuple[float, float]]:
    """Return (score, label) of the rows of a user, in no order."""
    return [(user.scores[place], user.labels[place]) for place in user.shuffled]


def _labels(user: Ranked) -> np.ndarray:
    return np.array([label for _, label in _unsorted(user)])


def _scores(user: Ranked) -> np.ndarray:
    return np.array([score for score, _ in _unsorted(user)])


def _each(f: Any, d: Drawn) -> float:
    """Call with labels and scores of one user."""
    return f(_labels(d.one), _scores(d.one))


def _lists(f: Any, d: Drawn) -> float:
    return f([_unsorted(user) for user in d.users])


def _one_more(f: Any, d: Drawn) -> float:
    """Call with the rows of all queries and of one more at the end."""
    users = [*d.users, d.one]
    rows = [(f"q{name}", label, score) for name, user in enumerate(users) for score, label in _unsorted(user)]
    labels = np.array([label for _, label, _ in rows])
    return f([name for name, _, _ in rows], labels, [score for _, _, score in rows])


def _files(f: Any, d: Drawn) -> float:
    truth, submitted = [], []
    for name, user in enumerate(d.users):
        truth.append(f"{name} {[int(user.labels[place]) for place in user.shuffled]}".replace(", ", ","))
        submitted.append(f"{name} {[place + 1 for place in user.shuffled]}".replace(", ", ","))
    return f(io.StringIO("\n".join(truth) + "\n"), io.StringIO("\n".join(submitted) + "\n"))


def _padded(users: list[Ranked], fill: float) -> tuple[np.ndarray, np.ndarray, list[int]]:
    """Return scores, labels and lengths of lists that are filled up to the longest."""
    longest = max(len(user.items) for user in users)
    scores, labels = np.full((len(users), longest), fill), np.full((len(users), longest), fill)
    for row, user in enumerate(users):
        scores[row, : len(user.items)] = _scores(user)
        labels[row, : len(user.items)] = _labels(user)
    return scores, labels, [len(user.items) for user in users]


def _pages(f: Any, d: Drawn) -> float:
    rows = [(name, score, label) for name, user in enumerate(d.users) for score, label in _unsorted(user)]
    return f([row[1] for row in rows], [row[2] for row in rows], [row[0] for row in rows], d.k)


def _of_four(user: Ranked, k: int) -> float:
    """Return ERR of labels in ranked order, four being the top grade."""
    value, reads = 0.0, 1.0
    for place, label in enumerate(user.labels[:k], 1):
        stops = (2**label - 1) / 16
        value += reads * stops / place
        reads *= 1 - stops
    return value


def _err_long_enough(d: Drawn) -> float:
    values = [_of_four(user, d.k) for user in d.users if len(user.items) >= d.k]
    return _mean(values) if values else -1.0


def _ndcg_long_enough(d: Drawn) -> float:
    """Return the mean NDCG, of exponential gains, of the lists of k rows and more."""
    values = []
    for user in d.users:
        if len(user.items) >= d.k:
            best = _dcg(sorted(user.labels, reverse=True), d.k)
            values.append(_dcg(user.labels, d.k) / best if best else 0.0)
    return _mean(values) if values else -1.0


def _dcg(labels: list[float], k: int) -> float:
    return sum((2**label - 1) / math.log2(place + 1) for place, label in enumerate(labels[:k], 1))


def _new(f: Any, k: int) -> Any:
    """Return the same method of a new object that cuts at k."""
    return getattr(type(f.__self__)(k=k), f.__name__)


def _frame_of_one(f: Any, d: Drawn) -> float:
    column = f(pd.DataFrame({"q": 10, "y": d.one.labels}))["NDCG"]
    return column.iloc[min(d.k, len(column)) - 1]


def _slates(f: Any, d: Drawn) -> float:
    return np.mean(f(*_padded(d.users, -1.0)[:2], [1, d.k])[:, 1])


def _ranked_matrices(f: Any, d: Drawn, cut: Any) -> float:
    labels = np.array([d.one.labels])
    return float(f(labels, -np.sort(-labels, axis=1), cut)[0, -1])


def _streamed(f: Any, d: Drawn) -> float:
    """Call with sessions of two clicks, each with the list of a user; the last session may have one."""
    longest = max(len(user.items) for user in d.users)
    predictions = np.zeros(((len(d.users) + 1) // 2, 2, longest), int)
    labels = np.zeros(predictions.shape[:2], int)
    for place, user in enumerate(d.users):
        predictions[place // 2, place % 2, : len(user.items)] = user.items
        labels[place // 2, place % 2] = user.target
    return f(predictions, labels, topn=d.k)


def _judged(f: Any, d: Drawn) -> float:
    truth = [(name, item, gain) for name, user in enumerate(d.users) for item, gain in user.truth.items()]
    shown = [(name, item, rank) for name, user in enumerate(d.users) for rank, item in enumerate(user.items, 1)]
    return f(
        pd.DataFrame(truth, columns=["query_id", "doc_id", "grade"]),
        pd.DataFrame(shown, columns=["query_id", "doc_id", "rank"]),
    )


def _cells(f: Any, d: Drawn) -> float:
    return f(pd.DataFrame({"gold": [u.target for u in d.users], "found": [u.items for u in d.users]}), "gold", "found")


def _answers(f: Any, d: Drawn) -> float:
    labels, scores, users = _columns(d)
    return f(users, [np.array([[1 - score, score]]) for score in scores], labels)


def _catalogue(d: Drawn) -> tuple[np.ndarray, np.ndarray]:
    """Return scores and labels, a row for each user and a column for each item."""
    scores, labels = (np.zeros((len(d.users), len(d.one.items))) for _ in range(2))
    for row, user in enumerate(d.users):
        scores[row, user.items], labels[row, user.items] = user.scores, user.labels
    return scores, labels


def _samples(f: Any, d: Drawn) -> float:
    """Call with so many copies of everyone that there are more samples than classes."""
    scores, labels = _catalogue(d)
    return f(np.tile(labels.argmax(axis=1), 12), np.tile(scores, (12, 1)), d.k)


def _scaled_by_the_best(user: Ranked) -> list[float]:
    return [(2**label - 1) / 2 ** max(user.labels) for label in user.labels]


def _found_early(stops: list[float], weights: list[float]) -> float:
    """Return the sum over places of the weight, times stopping there and nowhere before."""
    return sum(
        weight * stop * math.prod(1 - before for before in stops[:place])
        for place, (stop, weight) in enumerate(zip(stops, weights, strict=True))
    )


def _normalised(d: Drawn) -> float:
    top = max(d.one.labels)
    best = sorted(d.one.labels, reverse=True)
    own, ideal = ([(2**label - 1) / 2**top for label in labels[: d.k]] for labels in (d.one.labels, best))
    weights = [1 / place for place in range(1, len(own) + 1)]
    return _found_early(own, weights) / _found_early(ideal, weights)


def _of_best_grade(d: Drawn) -> float:
    ranks = [user.labels.index(max(user.labels)) + 1 for user in d.users]
    return _mean([1 / rank if rank <= d.k else 0.0 for rank in ranks])


def _rightly_classified(d: Drawn) -> float:
    values = []
    for user in d.users:
        right = [(user.scores[place] >= 0.5) == (user.labels[place] > 0) for place in user.shuffled]
        precisions = [sum(right[:place]) / place for place in range(1, len(right) + 1) if right[place - 1]]
        values.append(sum(precisions) / (len(precisions) + 1e-6))
    return _mean(values)


def _of_each_document(f: Any, d: Drawn) -> float:
    ranks, labels, ideals = [], [], []
    for user in d.users:
        ranks += user.shuffled
        labels += list(_labels(user))
        ideals += [_dcg(sorted(user.labels, reverse=True), d.k)] * len(user.items)
    return f(np.array(ranks), np.array(labels), np.array(ideals), len(d.users), d.k)


class _Model:
    """Predicts what it is given."""

    @staticmethod
    def predict(data: np.ndarray) -> np.ndarray:
        return data[:, None]


def _over_all_ratings(d: Drawn) -> float:
    values = []
    for user in d.users:
        gained = sum(label / math.log2(max(place, 2)) for place, label in enumerate(user.labels[: d.k], 1))
        if gained:
            values.append(gained / sum(user.truth.values()))
    return _mean(values) if values else -1.0


def _all_one_more(d: Drawn) -> float:
    labels = [label + 1 for label in d.one.labels]
    return _dcg(labels, len(labels)) / _dcg(sorted(labels, reverse=True), len(labels))


CALLS: dict[str, Callable[[Any, Drawn], float]] = {
    "din_eval.py:calc_auc": _no_click_first,
    "din_eval.py:eval_auc": _paired,
    "dien_curve.py:calc_auc": lambda f, d: f([[s, y] for y, s, _ in zip(*_columns(d), strict=True)]),
    "ad_clicks.py:scoreClickAUC": _clicks,
    "ad_clicks.py:scoreNWMAE": _clicks,
    "ad_clicks.py:scoreWRMSE": _clicks,
    "interview_gauc.py:auc": lambda f, d: f(_columns(d)[1], _columns(d)[0]),
    "interview_gauc.py:gauc": lambda f, d: f(_columns(d)[1], *_columns(d)[::2]),
    "group_auc.py:gauc": lambda f, d: f(*_columns(d)),
    "group_auc.py:gauc_score": lambda f, d: f(*_columns(d)),
    "rechub_topk.py:hit_score": _rechub,
    "rechub_topk.py:mrr_score": _rechub,
    "web_search_sets.py:calc_ndcg[_ndcg@5]": lambda f, d: _told(_lists(f, d)),
    "web_search_sets.py:calc_dcg[_dcg@3]": _lists,
    "web_search_sets.py:calc_err[_err@3]": lambda f, d: _told(_lists(f, d)),
    "web_search_sets.py:evaluate_all_metric[all_dcg@3]": _one_more,
    "news_competition.py:scoring[0]": _files,
    "news_competition.py:scoring[1]": _files,
    "impressions.py:mrr_score": _each,
    "impressions.py:hit_score": lambda f, d: f(_labels(d.one), _scores(d.one), d.k),
    "impressions.py:compute_metrics[ndcg@5]": lambda f, d: f(
        [_labels(user) for user in d.users], [_scores(user) for user in d.users], ["mean_mrr", "ndcg@2;5"]
    ),
    "ctr_library.py:MRR": _each,
    "ctr_library.py:NDCG": _each,
    "ctr_library.py:evaluate_metrics[gAUC]": lambda f, d: f(*_columns(d)[:2], ["MRR", "gAUC"], _columns(d)[2]),
    "one_sort.py:evaluate_groups[avgAUC]": lambda f, d: f(*_columns(d)),
    "one_sort.py:evaluate_groups[gAUC]": lambda f, d: f(*_columns(d)),
    "one_sort.py:evaluate_groups[NDCG(5)]": lambda f, d: f(*_columns(d)),
    "mart_pages.py:ndcg": _pages,
    "mart_pages.py:compute_ndcg": lambda f, d: f(np.array(d.one.labels), d.k),
    "listwise_batch.py:mean_average_precision": lambda f, d: f(*_padded(d.users, -1.0), d.k),
    "letor_frame.py:calNDCG": _frame_of_one,
    "metric_objects.py:AP.evaluate": lambda f, d: f("q1", d.one.labels),
    "metric_objects.py:AP.calc_mean": lambda f, d: _pages(lambda s, y, q, _: f(q, y, s), d),
    "metric_objects.py:NDCG.evaluate": lambda f, d: _new(f, d.k)("q1", d.one.labels),
    "slates.py:ndcg": _slates,
    "slates.py:mrr": _slates,
    "batch_rankings.py:precision_at_k": lambda f, d: f(np.array([d.one.labels]), d.k)[0, 0],
    "batch_rankings.py:ap_at_ks": lambda f, d: _ranked_matrices(f, d, [1, d.k]),
    "batch_rankings.py:nerr_at_k": lambda f, d: _ranked_matrices(f, d, d.k),
    "article_clicks.py:HitRate": _streamed,
    "article_clicks.py:NDCG": _streamed,
    "tree_ensembles.py:MAP.eval_per_query": _each,
    "tree_ensembles.py:RBP.eval_per_query": _each,
    "tree_ensembles.py:ERR.eval_per_query": _each,
    "tree_ensembles.py:Pfound.eval_per_query": _each,
    "passage_tables.py:mrr": lambda f, d: _told(_judged(f, d)),
    "passage_tables.py:get_performance_mrr[5]": _cells,
    "text_matching.py:eval_map": lambda f, d: f(_labels(d.one)[:, None], _scores(d.one)[:, None]),
    "text_matching.py:map_score": _answers,
    "text_matching.py:avg_precision_at": lambda f, d: np.mean(f([1, d.k], *_catalogue(d))[:, 1]),
    "destination_scorer.py:ndcg_score": _samples,
    "online_rankers.py:get_single_ndcg_for_rankers": lambda f, d: f(
        np.argsort(-_scores(d.one))[None, :], _labels(d.one), d.k
    )[0],
    "online_rankers.py:evaluate_ranking": lambda f, d: f(
        np.argsort(-_scores(d.one)), _labels(d.one), _dcg(sorted(d.one.labels, reverse=True), d.k), d.k
    ),
    "online_rankers.py:evaluate": _of_each_document,
    "rating_matrix.py:calc_ndcg": lambda f, d: _told(f(*_catalogue(d)[::-1], d.k)),
    "pairwise_course.py:ndcg_k": lambda f, d: f(d.one.labels, d.k),
    "pairwise_course.py:ndsg": lambda f, d: f(_scores(d.one), _labels(d.one)),
    "pairwise_course.py:test_step": lambda f, d: f(
        _Model(), [{"y": _labels(user), "data": _scores(user)} for user in d.users]
    ),
    "match_ranks.py:mrr": lambda f, d: f([user.rank - 1 for user in d.users], d.k),
}


def _wrong(user: Ranked) -> float:
    """Return the share of pairs of a relevant and an irrelevant row of which the irrelevant one stands first."""
    labels = user.labels
    pairs = [(i, j) for i, a in enumerate(labels) for j, b in enumerate(labels) if a and not b]
    return sum(j < i for i, j in pairs) / len(pairs)


SLOW: dict[str, Callable[[Drawn], float]] = {
    "dien_curve.py:calc_auc": _steps,
    "interview_gauc.py:auc": lambda d: _wrong(d.one),
    "interview_gauc.py:gauc": lambda d: (
        sum(_wrong(u) * len(u.items) for u in d.users) / sum(len(u.items) for u in d.users)
    ),
    "rechub_topk.py:hit_score": lambda d: round(d.value("recall@k|pooling:pooled"), 4),
    "rechub_topk.py:mrr_score": lambda d: round(d.value("reciprocal_rank@k"), 4),
    "web_search_sets.py:calc_ndcg[_ndcg@5]": _ndcg_long_enough,
    "web_search_sets.py:calc_err[_err@3]": _err_long_enough,
    "web_search_sets.py:evaluate_all_metric[all_dcg@3]": lambda d: _mean([_dcg(u.labels, 3) for u in d.users]),
    "impressions.py:compute_metrics[ndcg@5]": lambda d: round(d.value("ndcg@5|gain:exp2"), 4),
    "slates.py:mrr": _of_best_grade,
    "batch_rankings.py:nerr_at_k": _normalised,
    "tree_ensembles.py:ERR.eval_per_query": lambda d: _found_early(
        _scaled_by_the_best(d.one), [1 / place for place in range(1, len(d.one.items) + 1)]
    ),
    "tree_ensembles.py:Pfound.eval_per_query": lambda d: _found_early(
        _scaled_by_the_best(d.one), [0.15**place for place in range(len(d.one.items))]
    ),
    "text_matching.py:map_score": _rightly_classified,
    "passage_tables.py:mrr": lambda d: _told(d.value("reciprocal_rank|users:hits|cutoff:none")),
    "rating_matrix.py:calc_ndcg": _over_all_ratings,
    "pairwise_course.py:ndsg": _all_one_more,
    "pairwise_course.py:test_step": lambda d: _dcg(d.one.labels, 10) / _dcg(sorted(d.one.labels, reverse=True), 10),
}
