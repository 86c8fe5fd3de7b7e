"""Calls of the functions of the area sequential."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from statistics import mean
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd

from tests.support.drawn_rankings import Drawn, Ranked


def _row(user: Ranked) -> np.ndarray:
    """Return the scores of all items, in the order of their numbers."""
    return np.array([score for _, score in sorted(zip(user.items, user.scores, strict=True))])


def _rows(drawn: Drawn) -> np.ndarray:
    return np.stack([_row(user) for user in drawn.users])


def _targets(drawn: Drawn) -> list[int]:
    return [user.target for user in drawn.users]


def _series(user: Ranked) -> pd.Series:
    return pd.Series(user.scores, index=user.items)


def _frame(drawn: Drawn) -> pd.DataFrame:
    return pd.DataFrame(_rows(drawn).T)


def _map_of_session(drawn: Drawn) -> float:
    user, hits, total = drawn.one, 0, 0.0
    for item in user.items[: drawn.k - 1]:
        if item in user.truth:
            hits += 1
            total += hits / drawn.k
    return total / len(user.truth)


def _map_of_next_item(drawn: Drawn) -> float:
    user = drawn.one
    return mean(1 / user.rank if user.target in user.items[:k] else 0.0 for k in range(1, drawn.k + 1))


def _labels(drawn: Drawn) -> np.ndarray:
    return np.array([[user.truth.get(item, 0.0) for item in range(len(user.items))] for user in drawn.users])


def _of_catalogue(chosen: Iterable[int]) -> list[int]:
    """Return a 0/1 vector over more items than there are."""
    return [int(item in set(chosen)) for item in range(60)]


def _lists(drawn: Drawn) -> list[list[int]]:
    return [user.items for user in drawn.users]


def _wanted(drawn: Drawn) -> list[list[int]]:
    return [[*user.truth] for user in drawn.users]


def _hit_rows(drawn: Drawn) -> list[list[int]]:
    return [[int(label > 0) for label in user.labels] for user in drawn.users]


def _texts(drawn: Drawn) -> list[str]:
    """Return all beams of all users, each user's in an order that says nothing."""
    return [f"Response: <a_{user.items[i]}> <b_1>" for user in drawn.users for i in user.shuffled]


def _ids(drawn: Drawn) -> list[str]:
    return [f"item_{user.items[i]}" for user in drawn.users for i in user.shuffled]


def _beam_scores(drawn: Drawn) -> list[float]:
    return [user.scores[i] for user in drawn.users for i in user.shuffled]


def _beams(drawn: Drawn) -> int:
    return len(drawn.one.items)


def _sum_of_dcg(drawn: Drawn) -> float:
    places = [j for user in drawn.users for j, item in enumerate(user.items[: drawn.k], 1) if item in user.truth]
    return sum(1 / math.log2(j + 1) for j in places)


def _number_of_hits(drawn: Drawn) -> float:
    return sum(any(item in user.truth for item in user.items[: drawn.k]) for user in drawn.users)


def _ndcg_by_place_in_truth(drawn: Drawn) -> float:
    values = []
    for user in drawn.users:
        found = [j for j, item in enumerate(user.truth, 1) if item in user.items[: drawn.k]]
        ideal = sum(1 / math.log2(j + 1) for j in range(1, len(found) + 1))
        values.append(sum(1 / math.log2(j + 1) for j in found) / ideal if found else 0.0)
    return mean(values)


def _worst_first(drawn: Drawn) -> np.ndarray:
    return np.array([user.items[::-1] for user in drawn.users])


def _dreamrec(function: Any, drawn: Drawn) -> float:
    hits, gains = np.zeros(1), np.zeros(1)
    function(_worst_first(drawn), [drawn.k], _targets(drawn), hits, gains)
    return gains[0]


def _sequeval(function: Any, drawn: Drawn) -> float:
    def sequence(name: int, items: list[int]) -> list[tuple[int, int, int]]:
        return [(item, name, at) for at, item in enumerate(items)]

    test = [sequence(name, [99, *user.truth]) for name, user in enumerate(drawn.users)]
    return function(test, [sequence(name, user.items) for name, user in enumerate(drawn.users)], drawn.k)


def _positive_first(drawn: Drawn) -> np.ndarray:
    rows = []
    for user in drawn.users:
        others = [user.scores[i] for i in user.shuffled if user.items[i] != user.target]
        rows.append([user.scores[user.rank - 1], *others])
    return np.array(rows)


def _padded(drawn: Drawn) -> np.ndarray:
    longest = max(len(user.items) for user in drawn.users)
    return np.array([user.items + [-1] * (longest - len(user.items)) for user in drawn.users])


def _columns(drawn: Drawn) -> np.ndarray:
    return np.array(_targets(drawn))[:, None]


def _aprec(function: Any, drawn: Drawn) -> float:
    actions = [SimpleNamespace(user_id="u", item_id=item, timestamp=0) for item in drawn.one.truth]
    return function(list(zip(drawn.one.items, drawn.one.scores, strict=True)), actions)


def _popularity() -> np.ndarray:
    """Return how popular each item is: the higher its number, the more."""
    return np.arange(60)


def _p5_scores(drawn: Drawn) -> dict[int, dict[int, float]]:
    return {name: {user.items[i]: user.scores[i] for i in user.shuffled} for name, user in enumerate(drawn.users)}


def _p5_truth(drawn: Drawn) -> dict[int, list[int]]:
    return dict(enumerate(_wanted(drawn)))


def _or_none(value: float) -> float:
    """Return -1 for NaN, which the mean of nothing is."""
    return -1.0 if math.isnan(value) else value


def _llara(function: Any, drawn: Drawn) -> float:
    """Have a text name two titles where the first item's number is even."""

    def title(item: int) -> str:
        return f"The Film No. {item};"

    texts = [" ".join(map(title, user.items[: 2 - user.items[0] % 2])) for user in drawn.users]
    real = [title(target) for target in _targets(drawn)]
    return function({"generate": texts, "real": real, "cans": [[*map(title, user.items)] for user in drawn.users]})


def _dcg_from_rank_0(drawn: Drawn) -> float:
    if drawn.k == 1:
        return 1.0
    places = [user.rank for user in drawn.users if user.rank <= drawn.k]
    return math.inf if 1 in places else sum(1 / math.log2(j) for j in places) / len(drawn.users)


def _hits_unless_one(drawn: Drawn) -> float:
    return mean(float(user.rank <= drawn.k or drawn.k == 1) for user in drawn.users)


def _mrr_of_missing(drawn: Drawn) -> float:
    return mean(1 / user.rank if user.target in user.items else 1 / 2501 for user in drawn.users)


def _ndcg_at_2_of_5(drawn: Drawn) -> float:
    values = []
    for user in drawn.users:
        best = sorted(user.labels[:5], reverse=True)
        ideal = best[0] + best[1] / math.log2(3)
        values.append((user.labels[0] + user.labels[1] / math.log2(3)) / ideal if ideal else 0.0)
    return mean(values)


def _hits_of_popular(drawn: Drawn) -> float:
    popular = [user for user in drawn.users if user.target >= 20]
    hits = sum(user.rank <= 10 for user in drawn.users[1:] if user.target >= 20)
    return hits / len(popular) if popular else 0.0


def _ndcg_of_long_lists(drawn: Drawn) -> float:
    values = []
    for user in drawn.users:
        if len(user.items) >= drawn.k:
            gained = [1 / math.log2(j + 1) for j, item in enumerate(user.items[: drawn.k], 1) if item in user.truth]
            ideal = [1 / math.log2(j + 1) for j in range(1, min(drawn.k, len(user.truth)) + 1)]
            values.append(sum(gained) / sum(ideal))
    return mean(values) if values else -1.0


def _hits_of_valid_texts(drawn: Drawn) -> float:
    valid = [user for user in drawn.users if user.items[0] % 2 == 1]
    return mean(float(user.rank == 1) for user in valid) if valid else 0.0


CALLS: dict[str, Callable[[Any, Drawn], float]] = {
    "gru4rec.py:evaluate_batch[0]": lambda f, d: f(_frame(d), _targets(d), d.k),
    "gru4rec.py:evaluate_batch[1]": lambda f, d: f(_frame(d), _targets(d), cut_off=d.k),
    "gru4rec.py:evaluate_event[0]": lambda f, d: f(_series(d.one), d.one.target, d.k),
    "gru4rec.py:evaluate_event[1]": lambda f, d: f(_series(d.one), d.one.target, d.k),
    "stamp.py:cau_recall_mrr[0]": lambda f, d: np.mean(f(_rows(d), _targets(d), d.k)),
    "stamp.py:cau_recall_mrr[1]": lambda f, d: np.mean(f(_rows(d), _targets(d), d.k)),
    "dhcn.py:test_metrics[mrr5]": lambda f, d: np.mean(f(_rows(d), np.array(_targets(d)))),
    "dhcn.py:test_metrics[hit5]": lambda f, d: np.mean(f(_rows(d), np.array(_targets(d)))),
    "sr_gnn.py:evaluate[1]": lambda f, d: f(_rows(d), [target + 1 for target in _targets(d)]) / 100,
    "session_rec.py:Recall[1]": lambda f, d: f(_series(d.one), [*d.one.truth], length=d.k),
    "session_rec.py:Precision[1]": lambda f, d: f(_series(d.one), [*d.one.truth], length=d.k),
    "session_rec.py:MAP[1]": lambda f, d: f(_series(d.one), [*d.one.truth], length=d.k),
    "session_rec.py:NextItemMAP[1]": lambda f, d: f(_series(d.one), d.one.target, length=d.k),
    "session_rec.py:NDCG[1]": lambda f, d: f(_series(d.one), [*d.one.truth], length=d.k),
    "tifuknn.py:get_NDCG1": lambda f, d: f(_labels(d)[0], d.one.items, d.k),
    "tifuknn.py:get_precision_recall_Fscore[2]": lambda f, d: f(_of_catalogue(d.one.truth), _of_catalogue(d.one.items)),
    "next_basket.py:get_HT": lambda f, d: f([*d.one.truth], d.one.items, d.k),
    "next_basket.py:get_Recall": lambda f, d: f([*d.one.truth], d.one.items, d.k),
    "next_basket.py:precision": lambda f, d: f(_rows(d), _labels(d), d.k),
    "dnntsp.py:ndcg_score": lambda f, d: f(_labels(d), _rows(d), d.k),
    "dnntsp.py:PHR": lambda f, d: f(_labels(d), _rows(d), d.k),
    "caser.py:_compute_precision_recall[0]": lambda f, d: f([*d.one.truth], d.one.items, d.k),
    "caser.py:_compute_apk": lambda f, d: f([*d.one.truth], d.one.items, d.k),
    "caser.py:evaluate_user[2]": lambda f, d: f([*d.one.truth], d.one.items),
    "hgn.py:precision_at_k_per_sample": lambda f, d: f([*d.one.truth], d.one.items, d.k),
    "lc_rec.py:ndcg_k": lambda f, d: f(_hit_rows(d), d.k),
    "lc_rec.py:hit_k": lambda f, d: f(_hit_rows(d), d.k),
    "lc_rec.py:test_results[hit@5]": lambda f, d: f(
        _texts(d), _beam_scores(d), [f"<a_{target}><b_1>" for target in _targets(d)], _beams(d)
    ),
    "lc_rec.py:test_results[ndcg@5]": lambda f, d: f(
        _texts(d), _beam_scores(d), [f"<a_{target}><b_1>" for target in _targets(d)], _beams(d)
    ),
    "openp5.py:evaluate[2]": lambda f, d: f(
        _ids(d), [f"item_{target}" for target in _targets(d)], _beam_scores(d), _beams(d)
    ),
    "recformer.py:Ranker[0]": lambda f, d: f(_rows(d), np.array(_targets(d))[:, None]),
    "recformer.py:Ranker[4]": lambda f, d: f(_rows(d), np.array(_targets(d))[:, None]),
    "recformer.py:Ranker[5]": lambda f, d: f(_rows(d), np.array(_targets(d))[:, None]),
    "bert4rec_vae.py:recalls_for_ks[Recall@k]": lambda f, d: f(_rows(d), _labels(d), [d.k]),
    "comirec.py:evaluate_full[ndcg]": lambda f, d: f(_lists(d), _wanted(d), d.k),
    "comirec.py:evaluate_full[hitrate]": lambda f, d: f(_lists(d), _wanted(d), d.k),
    "comirec.py:evaluate_full[recall]": lambda f, d: f(_lists(d), _wanted(d), topN=d.k),
    "dreamrec.py:calculate_hit": _dreamrec,
    "dreamrec.py:evaluate[1][1]": lambda f, d: f(_worst_first(d), _targets(d)),
    "a_llmrec.py:evaluate[0]": lambda f, d: f(_targets(d), _lists(d), d.k),
    "a_llmrec.py:evaluate[1]": lambda f, d: f(_targets(d), _lists(d), d.k),
    "bigrec.py:evaluate[NDCG][2]": lambda f, d: f(-_rows(d), _targets(d)),
    "rechorus.py:evaluate_method[NDCG@k]": lambda f, d: f(_positive_first(d), [d.k], ["HR", "NDCG"]),
    "sequeval.py:precision": _sequeval,
    "keras_gru4rec.py:get_metrics[1][0]": lambda f, d: f(_rows(d), _labels(d), mrr_k=d.k),
    "hstu.py:eval_metrics[ndcg@5]": lambda f, d: np.mean(f(_padded(d), _columns(d))),
    "hstu.py:eval_metrics[hr@10]": lambda f, d: np.mean(f(_padded(d), _columns(d))),
    "hstu.py:eval_metrics[mrr]": lambda f, d: np.mean(f(_padded(d), _columns(d))),
    "aprec.py:NDCG": _aprec,
    "aprec.py:MAP": _aprec,
    "llm_seq.py:MeanReciprocalRank.eval_bulk": lambda f, d: np.mean(f(_lists(d), _wanted(d))),
    "llm_seq.py:NormalizedDiscountedCumulativeGain.eval_bulk": lambda f, d: np.mean(f(_lists(d), _wanted(d))),
    "transformers4rec.py:ndcg_at[0]": lambda f, d: f(_rows(d), _labels(d)),
    "transformers4rec.py:ndcg_at[1]": lambda f, d: f(_rows(d), _labels(d)),
    "transformers4rec.py:recall_at[1]": lambda f, d: f(_rows(d), _labels(d)),
    "llm_esr.py:metric_pop_report[Popular HR@10]": lambda f, d: f(
        [user.rank - 1 for user in d.users], _popularity(), _targets(d)
    ),
    "p5.py:evaluate_all[ndcg]": lambda f, d: f(_p5_scores(d), _p5_truth(d), d.k),
    "p5.py:evaluate_all[map]": lambda f, d: f(_p5_scores(d), _p5_truth(d), d.k),
    "p5.py:evaluate_all[precision]": lambda f, d: f(_p5_scores(d), _p5_truth(d), topk=d.k),
    "p5.py:evaluate_lists[ndcg]": lambda f, d: _or_none(f(dict(enumerate(_lists(d))), _p5_truth(d), d.k)),
    "llara.py:calculate_hr1[1]": _llara,
    "spotlight.py:sequence_mrr_score": lambda f, d: np.mean(f(_rows(d), _columns(d))),
    "coveo.py:mrr_at_k": lambda f, d: f(_lists(d), _wanted(d), d.k),
    "coveo.py:f1_at_k": lambda f, d: f(_lists(d), _wanted(d), d.k),
}
SLOW: dict[str, Callable[[Drawn], float]] = {
    "session_rec.py:MAP[1]": _map_of_session,
    "session_rec.py:NextItemMAP[1]": _map_of_next_item,
    "lc_rec.py:ndcg_k": _sum_of_dcg,
    "lc_rec.py:hit_k": _number_of_hits,
    "openp5.py:evaluate[2]": _sum_of_dcg,
    "comirec.py:evaluate_full[ndcg]": _ndcg_by_place_in_truth,
    "dreamrec.py:calculate_hit": _sum_of_dcg,
    "a_llmrec.py:evaluate[0]": _dcg_from_rank_0,
    "a_llmrec.py:evaluate[1]": _hits_unless_one,
    "hstu.py:eval_metrics[mrr]": _mrr_of_missing,
    "transformers4rec.py:ndcg_at[0]": _ndcg_at_2_of_5,
    "llm_esr.py:metric_pop_report[Popular HR@10]": _hits_of_popular,
    "p5.py:evaluate_lists[ndcg]": _ndcg_of_long_lists,
    "llara.py:calculate_hr1[1]": _hits_of_valid_texts,
}
