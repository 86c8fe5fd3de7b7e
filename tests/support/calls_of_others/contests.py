"""Calls of the functions of the area contests."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from tests.support.drawn_rankings import Drawn, Ranked


def _number(value: Any) -> float:
    """Return a number, -1 for NaN: nothing is equal to NaN."""
    return -1.0 if math.isnan(value) else float(value)


def _quiet(call: Callable[[], Any]) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _number(call())


def _clipped(rank: int) -> float:
    return 1.0 / math.log2(max(rank, 2))


def _hits(user: Ranked) -> list[int]:
    """Return the ranks of the hits, from 1."""
    return [rank for rank, item in enumerate(user.items, 1) if item in user.truth]


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def _by_item(user: Ranked) -> list[float]:
    """Return the score of each item of the catalogue, which is listed whole."""
    return [user.scores[user.items.index(item)] for item in range(len(user.items))]


def _scores(d: Drawn) -> np.ndarray:
    return np.array([_by_item(user) for user in d.users])


def _labels(d: Drawn) -> np.ndarray:
    return np.array([[user.truth.get(item, 0.0) for item in range(len(user.items))] for user in d.users])


def _targets(d: Drawn) -> list[int]:
    return [user.target for user in d.users]


def _ranks(d: Drawn) -> list[int]:
    return [user.rank for user in d.users]


# Playlists


def _quick_ndcg(d: Drawn) -> float:
    hits = _hits(d.one)
    places = len(hits) + (1 if 1 not in hits else 0)
    return sum(_clipped(rank) for rank in hits) / sum(_clipped(rank) for rank in range(1, places + 1))


def _sliced_ndcg(d: Drawn) -> float:
    r = len(d.one.truth)
    ideal = sum(_clipped(rank) for rank in range(1, r + 1))
    return sum(_clipped(rank) for rank in _hits(d.one) if rank <= r) / ideal


def _artist(item: int) -> int:
    return item % 5


def _with_artists(f: Any, d: Drawn) -> float:
    items, truth = d.one.items, [*d.one.truth]
    return f(np.array(items), np.array(truth), np.array([*map(_artist, items)]), [*map(_artist, truth)])


def _quarter_for_artists(d: Drawn) -> float:
    truth = d.one.truth
    left = {_artist(item) for item in truth}
    value = 0.0
    for item in d.one.items[: len(truth)]:
        if item in truth:
            value += 1.0
        elif _artist(item) in left:
            value += 0.25
            left.remove(_artist(item))
    return value / len(truth)


# Debiasing


def _degree(item: int) -> int:
    return item % 7


def _phase(f: Any, d: Drawn) -> float:
    predictions = {f"u{name}": user.items for name, user in enumerate(d.users)}
    return f(predictions, {f"u{name}": (user.target, _degree(user.target)) for name, user in enumerate(d.users)})


def _rare(d: Drawn) -> float:
    degrees = sorted(_degree(user.target) for user in d.users)
    median = degrees[len(degrees) // 2]
    return _mean([1 / math.log2(user.rank + 1) for user in d.users if _degree(user.target) <= median])


# Places


def _city(f: Any, d: Drawn) -> float:
    evaluator = f({"metrics": ["Precision", "F1", "MRR"], "topk": d.k})
    for row, target in enumerate(_targets(d)):  # a batch each
        evaluator.collect({"loc_true": [target], "loc_pred": _scores(d)[[row]]})
    return evaluator.evaluate()[f"F1@{d.k}"]


def _or_zero(call: Callable[[], float]) -> float:
    try:
        return _quiet(call)
    except ZeroDivisionError:
        return 0.0


def _maps(f: Any, d: Drawn) -> float:
    return max(0.0, _or_zero(lambda: f(_scores(d), _labels(d), d.k)))


# Citations


def _padded(f: Any, d: Drawn) -> float:
    width = max(len(user.items) for user in d.users)
    hits = [[item in user.truth for item in user.items] + [False] * (width - len(user.items)) for user in d.users]
    return f(np.array(hits), np.array([len(user.truth) for user in d.users]), [d.k])[d.k]


def _in_groups(f: Any, d: Drawn) -> float:
    order = [(user, place) for user in d.users for place in user.shuffled]
    preds = np.array([user.scores[place] for user, place in order])
    labels = np.array([user.labels[place] for user, place in order])
    return f(preds, labels, [len(user.items) for user in d.users])


# Links


def _examples(d: Drawn) -> tuple[list[tuple[int, int, int]], dict[int, dict[int, list[int]]]]:
    """Return triples of the only relevant item of each user, and all answers, which are these."""
    examples = [(name, target, 0) for name, target in enumerate(_targets(d))]
    return examples, {name: {0: [target]} for name, target in enumerate(_targets(d))}


def _multihop(f: Any, d: Drawn) -> float:
    examples, answers = _examples(d)
    return f(examples, _scores(d), answers)


def _link_map(f: Any, d: Drawn) -> float:
    rows = [
        ((name, item, 0), user, "+" if item in user.truth else "-")
        for name, user in enumerate(d.users)
        for item in range(len(user.items))
    ]
    examples, users, labels = zip(*rows, strict=True)
    answers = {name: {0: set(user.truth)} for name, user in enumerate(d.users)}
    return f([*examples], [_by_item(user) for user in users], [*labels], answers)


def _batches(f: Any, d: Drawn) -> float:
    return f([(_scores(d)[[row]], _labels(d)[[row]], [target]) for row, target in enumerate(_targets(d))])


def _libkge_mrr(d: Drawn) -> float:
    entities = len(d.one.items)
    return _mean([1 / (rank - 1) if rank > 1 else 1 / entities for rank in _ranks(d)])


def _lines(f: Any, d: Drawn) -> float:
    rows = [(user, item) for user in d.users for item in user.truth]
    score = f(rows)
    for user, item in rows:
        score.append_line(_by_item(user), item, [*user.truth])
    return score.get_summary().results["Filtered"]["MRR"]


def _against(f: Any, d: Drawn, k: int) -> float:
    pos = [user.scores[user.rank - 1] for user in d.users]
    neg = [[user.scores[place] for place in user.shuffled if place != user.rank - 1] for user in d.users]
    return f(np.array(pos), np.array(neg), k)


def _rollouts(f: Any, d: Drawn) -> float:
    return f(_scores(d), [[*range(len(user.items))] for user in d.users], _labels(d))


def _rank_of_all(d: Drawn) -> int:
    return 1 + sum(rank - 1 for rank in _ranks(d))


# Videos, tags, drugs, experts, papers


def _streamed(f: Any, d: Drawn) -> float:
    calculator = f.__wrapped__(top_n=d.k)  # the class, which the tool calls by accumulating
    for name, user in enumerate(d.users):  # ties between users: in the order given
        calculator.accumulate([score - name * 1e-9 for score in user.scores], user.labels)
    return calculator.peek_ap_at_n()


def _apart(d: Drawn) -> np.ndarray:
    return _scores(d) - 1e-9 * np.arange(len(d.users))[:, None]


def _gap(d: Drawn) -> float:
    rows = [
        (-score, name, gain > 0)
        for name, user in enumerate(d.users)
        for score, gain in [*zip(user.scores, user.labels, strict=True)][: d.k]
    ]
    found, total = 0, 0.0
    for place, (_, _, hit) in enumerate(sorted(rows), 1):
        found += hit
        total += hit * found / place
    return total / sum(len(user.truth) for user in d.users)


def _row(d: Drawn) -> tuple[list[float], list[float]]:
    """Return scores and labels of the rows of the first user, in no order."""
    return [d.one.scores[place] for place in d.one.shuffled], [d.one.labels[place] for place in d.one.shuffled]


def _drugs(f: Any, d: Drawn) -> float:
    pred = {f"DB{item}": score for item, score in zip(d.one.items, d.one.scores, strict=True)}
    lab = {f"DB{item}": int(item in d.one.truth) for item in d.one.items}
    return f(pred | {"DB of training": 2.0}, lab | {"DB of training": -1}, d.k)


def _experts(f: Any, d: Drawn) -> float:
    return f([d.one.items[place] for place in d.one.shuffled], _row(d)[0], d.one.target, d.k)


# News, organisations, hotels


def _submitted(f: Any, d: Drawn) -> float:
    keys = [(f"u{name}", f"s{name}", 1541000000 + name, 3) for name in range(len(d.users))]
    columns = ["user_id", "session_id", "timestamp", "step"]
    shown = [(*key, " ".join(map(str, user.items))) for key, user in zip(keys, d.users, strict=True)]
    clicked = [(*key, str(user.target)) for key, user in zip(keys, d.users, strict=True)]
    return f(
        pd.DataFrame(shown, columns=[*columns, "item_recommendations"]),
        pd.DataFrame(clicked, columns=[*columns, "reference"]),
    )


# More links


def _both_directions(f: Any, d: Drawn) -> float:
    top10 = np.array([[*user.items, *range(100, 110)][:10] for user in d.users])
    tails = {"t_pred_top10": top10, "t_correct_index": np.array(_targets(d))}
    heads = {"h_pred_top10": top10[::-1], "h_correct_index": np.array(_targets(d)[::-1])}
    return f({"h,r->t": tails, "t,r->h": heads})


def _binomial(d: Drawn) -> float:
    """Return the mean probability that fewer than 3 of 50 negatives that are drawn stand above the target."""
    values = []
    for user in d.users:
        share = (user.rank - 1) / (len(user.items) - 1)
        values.append(sum(math.comb(50, i) * share**i * (1 - share) ** (50 - i) for i in range(3)))
    return _mean(values)


CALLS: dict[str, Callable[[Any, Drawn], float]] = {
    "spotify_quick.py:get_r_precision": lambda f, d: f([*d.one.truth], d.one.items),
    "spotify_quick.py:get_ndcg": lambda f, d: f([*d.one.truth], d.one.items),
    "spotify_creamy.py:ndcg": lambda f, d: f(np.array(d.one.items), np.array([*d.one.truth])),
    "spotify_creamy.py:ndcg_sliced": lambda f, d: f(np.array(d.one.items), np.array([*d.one.truth])),
    "spotify_creamy.py:r_precision[0]": _with_artists,
    "debias_track.py:evaluate_each_phase[0]": _phase,
    "debias_track.py:evaluate_each_phase[1]": _phase,
    "debias_track.py:evaluate_each_phase[2]": _phase,
    "clickouts.py:calculate_mean_rec_err": lambda f, d: _quiet(lambda: f([u.items for u in d.users], _targets(d))),
    "clickouts.py:mrr_fast": lambda f, d: f(
        pd.DataFrame(
            [(user, item, score, int(gain > 0)) for user, item, score, gain in d.rows],
            columns=["clickout_id", "item_id", "lgb", "was_clicked"],
        ),
        "lgb",
    ),
    "poi_next.py:top_k_acc": lambda f, d: f(_targets(d), _scores(d), d.k),
    "poi_next.py:mAP_metric": lambda f, d: f(_targets(d), _scores(d), d.k),
    "poi_next.py:MRR_metric_last_timestep": lambda f, d: f(_targets(d), _scores(d)),
    "poi_move.py:get_acc[1]": lambda f, d: f(np.array(_targets(d)), _scores(d))[0],
    "poi_city.py:top_k[1]": lambda f, d: f(_scores(d), _targets(d), d.k),
    "poi_city.py:TrajLocPredEvaluator": _city,
    "poi_city.py:precision_of_maps": _maps,
    "poi_city.py:recall_of_maps": _maps,
    "poi_city.py:f1_of_maps": _maps,
    "poi_city.py:map_of_maps": _maps,
    "groups100.py:mrr": _in_groups,
    "citations.py:at_K[F1]": _padded,
    "citations.py:at_K[precision]": _padded,
    "misconceptions.py:mapk": lambda f, d: f(_targets(d), _scores(d), d.k),
    "ml_metrics.py:mapk": lambda f, d: f([[*u.truth] for u in d.users], [u.items for u in d.users], d.k),
    "sigir_ecom.py:mrr_at_k": lambda f, d: f([u.items for u in d.users], [[*u.truth] for u in d.users], d.k),
    "sigir_ecom.py:f1_at_k": lambda f, d: f([u.items for u in d.users], [[*u.truth] for u in d.users], d.k),
    "rotate.py:test_step[HITS@3]": lambda f, d: f(_scores(d), _targets(d)),
    "rotate.py:test_step[MRR]": lambda f, d: f(_scores(d), _targets(d)),
    "multihop.py:hits_and_ranks[2]": _multihop,
    "multihop.py:hits_at_k[2]": _multihop,
    "multihop.py:link_MAP": _link_map,
    "compgcn.py:predict[hits@3]": _batches,
    "regcn.py:stat_ranks": lambda f, d: f([np.array([rank]) for rank in _ranks(d)], "raw"),
    "ampligraph.py:hits_at_n_score": lambda f, d: f(_ranks(d), d.k),
    "ampligraph.py:mrr_score": lambda f, d: f(_ranks(d)),
    "libkge.py:entity_ranking[mean_reciprocal_rank]": lambda f, d: f(_scores(d), _targets(d)),
    "libkge.py:hits_at_k": lambda f, d: f(_scores(d), _targets(d))[d.k - 1],
    "rgcn.py:Score": _lines,
    "tgb.py:eval_rnk_metrics[mrr]": lambda f, d: _against(f, d, 10),
    "tgb.py:eval_rnk_metrics[hits@5]": lambda f, d: _against(f, d, 5),
    "tgb.py:eval_rnk_metrics_rowwise[mrr]": lambda f, d: _against(f, d, 10),
    "minerva.py:score_rollouts[Hits@5]": _rollouts,
    "minerva.py:score_rollouts[auc]": _rollouts,
    "videos.py:calculate_hit_at_one": lambda f, d: f(_scores(d), _labels(d)),
    "videos.py:calculate_precision_at_equal_recall_rate": lambda f, d: f(_scores(d), _labels(d)),
    "videos.py:AveragePrecisionCalculator": _streamed,
    "videos.py:calculate_gap": lambda f, d: f(_apart(d), _labels(d), d.k),
    "tags.py:evaluate_ori[1]": lambda f, d: f(*_row(d), d.k),
    "tags.py:evaluate_ori[2]": lambda f, d: f(*_row(d), d.k),
    "tags.py:evaluate_map": lambda f, d: f(*_row(d)),
    "drugs.py:evaluate_disease[AP]": _drugs,
    "experts.py:Utils.performance_metrics[0]": _experts,
    "experts.py:Utils.performance_metrics[1]": _experts,
    "papers.py:precision_recall_f1_at_ks[mrr]": lambda f, d: f([*d.one.truth], d.one.items),
    "papers.py:precision_recall_f1_at_ks[f1]": lambda f, d: f([*d.one.truth], d.one.items, None, [d.k])[0],
    "submission.py:score_submissions": _submitted,
    "wikikg.py:WikiKG90MEvaluator.eval[mrr]": _both_directions,
    "nbfnet.py:evaluate[mrr]": lambda f, d: f(_scores(d), _targets(d)),
    "nbfnet.py:evaluate[hits@3]": lambda f, d: f(_scores(d), _targets(d)),
    "nbfnet.py:evaluate_inductive[hits@3_50]": lambda f, d: f(_scores(d), _targets(d), _labels(d) == 0),
}
SLOW: dict[str, Callable[[Drawn], float]] = {
    "spotify_quick.py:get_ndcg": _quick_ndcg,
    "spotify_creamy.py:ndcg_sliced": _sliced_ndcg,
    "spotify_creamy.py:r_precision[0]": _quarter_for_artists,
    "debias_track.py:evaluate_each_phase[1]": _rare,
    "clickouts.py:calculate_mean_rec_err": lambda d: _number(d.value("reciprocal_rank|cutoff:none|users:hits")),
    "poi_next.py:MRR_metric_last_timestep": lambda d: 1 / d.users[-1].rank,
    "poi_move.py:get_acc[1]": lambda d: sum(user.rank <= 5 and user.target != 0 for user in d.users),
    "poi_city.py:top_k[1]": lambda d: sum(1 / rank for rank in _ranks(d) if rank <= d.k),
    "multihop.py:hits_at_k[2]": lambda d: _mean([float(1 < rank <= 5) for rank in _ranks(d)]),
    "compgcn.py:predict[hits@3]": lambda d: sum(rank <= 3 for rank in _ranks(d)),
    "libkge.py:entity_ranking[mean_reciprocal_rank]": _libkge_mrr,
    "libkge.py:hits_at_k": lambda d: _mean([float(1 < rank <= d.k + 1) for rank in _ranks(d)]),
    "tgb.py:eval_rnk_metrics[mrr]": lambda d: 1 / _rank_of_all(d),
    "tgb.py:eval_rnk_metrics[hits@5]": lambda d: float(_rank_of_all(d) <= 5),
    "videos.py:calculate_gap": _gap,
    "nbfnet.py:evaluate[mrr]": lambda d: _mean([1 / (rank + 1) for rank in _ranks(d)]),
    "nbfnet.py:evaluate_inductive[hits@3_50]": _binomial,
}
