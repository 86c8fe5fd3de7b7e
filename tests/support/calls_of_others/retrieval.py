"""Calls of the functions of the area retrieval."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from tests.support.drawn_rankings import Drawn, Ranked

FOLDER = Path(__file__).parents[2] / "functions_of_others" / "retrieval"


def _corpus(user: Ranked) -> list[int]:
    """Return all items of a user, in no order that says anything."""
    return sorted({*user.items, *user.truth})


def _names(items: list[int] | dict[int, float]) -> list[str]:
    return [f"d{item:02d}" for item in items]


def _in_corpus(f: Any, d: Drawn) -> float:
    """Call with the ranking as indices into the ids of the corpus."""
    corpus = _corpus(d.one)
    return f([corpus.index(item) for item in d.one.items], _names(d.one.truth), _names(corpus), d.k)


def _qrels(f: Any, d: Drawn) -> float:
    """Call with dicts of dicts of grades and scores, and one cut-off in a list."""
    qrels = {f"q{u}": {f"d{i:02d}": int(g) for i, g in user.truth.items()} for u, user in enumerate(d.users)}
    results = {
        f"q{u}": {f"d{user.items[place]:02d}": user.scores[place] for place in user.shuffled}
        for u, user in enumerate(d.users)
    }
    return f(qrels, results, [d.k])


def _named(d: Drawn) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Return the ranked and the relevant items of each user, by name."""
    shown = {f"q{u}": _names(user.items) for u, user in enumerate(d.users)}
    wanted = {f"q{u}": _names(user.truth) for u, user in enumerate(d.users)}
    return shown, wanted


def _annotated(f: Any, d: Drawn) -> float:
    shown, _ = _named(d)
    return f(shown, {f"q{u}": {f"d{i:02d}": g for i, g in user.truth.items()} for u, user in enumerate(d.users)})


def _places(user: Ranked) -> list[int]:
    """Return the places of the listed relevant items, from 0."""
    return [place for place, item in enumerate(user.items) if item in user.truth]


def _reid(f: Any, d: Drawn) -> Any:
    return f(np.array(d.one.items), np.array(list(d.one.truth)), np.array([], dtype=int))


def _matrix_of_ranks(f: Any, d: Drawn) -> float:
    ranks = np.array([user.items for user in d.users]).T
    return f(ranks, [{"ok": list(user.truth), "junk": []} for user in d.users], [d.k])[0]


def _hash_codes(f: Any, d: Drawn) -> float:
    """Call with codes of which each differs from the query's in as many bits as its rank says."""
    codes = np.ones((len(d.one.items), 64))
    for place in range(len(d.one.items)):
        codes[place, : place + 1] = -1
    labels = np.array(d.one.labels)[:, None]
    order = d.one.shuffled
    return f(codes[order], np.ones((1, 64)), labels[order], np.ones((1, 1)), d.k)


def _groups_of_rows(f: Any, d: Drawn) -> float:
    """Call with all rows (score, label), the relevant one first in each group."""
    rows, size = [], len(d.one.items)
    for user in d.users:
        order = [user.rank - 1, *(place for place in user.shuffled if place != user.rank - 1)]
        rows += [(user.scores[place], int(user.labels[place])) for place in order]
    return sum(f(rows, d.k, size, size * number) for number in range(len(d.users))) / len(d.users)


def _padded_grades(f: Any, d: Drawn) -> float:
    grades, every = d.one.labels, list(d.one.truth.values())
    return f(grades + [0.0] * (30 - len(grades)), every + [0.0] * (30 - len(every)), d.k)


def _trec(f: Any, d: Drawn) -> float:
    run = [(f"q{u}", f"d{item:02d}", score) for u, item, score, _ in d.rows]
    qrels = [(f"q{u}", f"d{i:02d}", g) for u, user in enumerate(d.users) for i, g in user.truth.items()]
    names = ["query", "docid"]
    return f(pd.DataFrame(run, columns=[*names, "score"]), pd.DataFrame(qrels, columns=[*names, "rel"]), d.k)


def _padded_candidates(f: Any, d: Drawn) -> float:
    shown = {u: user.items + [0] * (1000 - len(user.items)) for u, user in enumerate(d.users)}
    return f({u: list(user.truth) for u, user in enumerate(d.users)}, shown)


def _recognised(f: Any, d: Drawn) -> float:
    shown = {f"q{u}": {"class": user.items[0], "score": user.scores[0]} for u, user in enumerate(d.users)}
    return f(shown, {f"q{u}": list(user.truth) for u, user in enumerate(d.users)})


def _landmarks(f: Any, d: Drawn) -> Any:
    return f(*_named(d), d.k)


def _documents(f: Any, d: Drawn) -> float:
    """Call with objects of the class of documents that stands beside the evaluators."""
    sys.path.insert(0, str(FOLDER))
    document = importlib.import_module("haystack_docs").Document
    truth = [[document(f"d{i}", score=g) for i, g in user.truth.items()] for user in d.users]
    return f(truth, [[document(f"d{i}") for i in user.items] for user in d.users])


def _expected_ids(f: Any, d: Drawn) -> float:
    return f(expected_ids=_names(d.one.truth), retrieved_ids=_names(d.one.items)).score


def _one_group(f: Any, d: Drawn) -> float:
    return float(np.mean(f([[_names(user.truth)] for user in d.users], [_names(user.items) for user in d.users])))


def _own_groups(f: Any, d: Drawn) -> float:
    truth = [[[name] for name in _names(user.truth)] for user in d.users]
    return float(np.mean(f(truth, [_names(user.items) for user in d.users])))


def _clones(f: Any, d: Drawn) -> float:
    shown = {u: user.items[: len(user.truth)] for u, user in enumerate(d.users)}
    return f({u: list(user.truth) for u, user in enumerate(d.users)}, shown)


def _by_item(user: Ranked) -> np.ndarray:
    """Return the scores of the items 0 to n - 1."""
    row = np.empty(len(user.items))
    row[user.items] = user.scores
    return row


def _square(f: Any, d: Drawn) -> float:
    """Call with a matrix in which each row has the relevant item's score on the diagonal."""
    own = d.one.scores[d.one.rank - 1]
    others = [score for score in d.one.scores if score != own]
    return f(np.array([[*others[:row], own, *others[row:]] for row in range(len(d.one.items))]))


def _both_ways(f: Any, d: Drawn) -> float:
    scores = np.array([_by_item(user) for user in d.users])
    texts = {u: list(user.truth) for u, user in enumerate(d.users)}
    return f(scores, scores.T, dict.fromkeys(range(len(d.one.items)), 0), texts)


def _pairs(f: Any, d: Drawn) -> float:
    scores = np.array([_by_item(user) for user in d.users])
    right = np.array([[item in user.truth for item in range(len(user.items))] for user in d.users])
    return float(f(scores, right, d.k).mean())


def _rows(f: Any, d: Drawn) -> float:
    """Call with labels and scores of one user, in no order."""
    return f([d.one.labels[place] for place in d.one.shuffled], [d.one.scores[place] for place in d.one.shuffled])


def _lines(f: Any, d: Drawn) -> float:
    return f([[label > 0 for label in user.labels] for user in d.users])


def _joined(f: Any, d: Drawn) -> float:
    rows = [
        (u, item, rank, 1 / rank)
        for u, user in enumerate(d.users)
        for rank, item in enumerate(user.items, 1)
        if item in user.truth
    ]
    value = f(pd.DataFrame(rows, columns=["query_id", "doc_id", "rank", "reciprical_rank"]))
    return 0.0 if np.isnan(value) else value


def _list_column(f: Any, d: Drawn) -> float:
    return f(pd.DataFrame([{"gold": user.target, "found": user.items} for user in d.users]), "gold", "found")


def _hundred(f: Any, d: Drawn) -> float:
    labels, logits, ids = [], [], []
    for u, user in enumerate(d.users):
        rows = [(user.labels[place], user.scores[place]) for place in user.shuffled]
        rows += [(0.0, -1.0 - number) for number in range(100 - len(rows))]
        labels += [int(label) for label, _ in rows]
        logits += [(-score, score) for _, score in rows]
        ids += [f"{u}_{number}" for number in range(100)]
    return f(labels, logits, ids)


def _tables_of_five(f: Any, d: Drawn) -> float:
    """Call with five true neighbours of each user, of which those that are not drawn are never found."""
    true = [[*user.truth, *range(-5, 0)][:5] for user in d.users]
    return f(np.array(true), np.array([user.items[:5] for user in d.users]))


def _snippet(item: int) -> dict[str, Any]:
    """Return an item as a dict of three keys, of which two alone do not tell it."""
    return {"domain": ("hotel", "train")[item % 2], "entity_id": item // 2 % 5, "doc_id": item // 10}


def _of_five(d: Drawn) -> float:
    found = sum(item in user.truth for user in d.users for item in user.items[:5])
    return found / (5 * len(d.users))


def _inverse_rank_rounded(d: Drawn) -> float:
    return round(sum(1 / user.rank if user.target in user.items else 0.0 for user in d.users) / len(d.users), 4)


def _all_found(d: Drawn) -> float:
    return float(len([item for item in d.one.items[: d.k] if item in d.one.truth]) == len(d.one.truth))


def _by_order_of_truth(d: Drawn) -> float:
    total = 0.0
    for number, item in enumerate(d.one.truth, 1):
        for rank, shown in enumerate(d.one.items, 1):
            if shown == item:
                total += number / rank
    return total / len(d.one.truth)


def _by_tens(d: Drawn) -> float:
    """Return the share of users with a hit in the first k, where the items stand by their tens, then as given."""
    hits = 0
    for user in d.users:
        given = [user.items[place] for place in user.shuffled]
        places = sorted(range(len(given)), key=lambda place: (-(given[place] // 10), place))
        hits += any(given[place] in user.truth for place in places[: d.k])
    return hits / len(d.users)


def _trapezoids(d: Drawn) -> float:
    total, hits = 0.0, 0
    for rank, item in enumerate(d.one.items, 1):
        if item in d.one.truth:
            before = hits / (rank - 1) if rank > 1 else 1.0
            hits += 1
            total += (before + hits / rank) / 2
    return total / len(d.one.truth)


def _down_to_the_last(d: Drawn) -> float:
    """Return the mean precision at k, or at the rank of the last relevant item if that is less."""
    values = []
    for user in d.users:
        last = max(rank for rank, item in enumerate(user.items, 1) if item in user.truth)
        depth = last if last < d.k else d.k
        values.append(len([item for item in user.items[:depth] if item in user.truth]) / depth)
    return sum(values) / len(values)


def _global(d: Drawn) -> float:
    """Return the precision at each right first item, all users in one ranking by score, over the users."""
    rows = sorted(((-user.scores[0], u, user.items[0] in user.truth) for u, user in enumerate(d.users)))
    total, right = 0.0, 0
    for rank, (_, _, hit) in enumerate(rows, 1):
        if hit:
            right += 1
            total += right / rank
    return total / len(d.users)


def _right_answers_rounded(d: Drawn) -> float:
    values = []
    for user in d.users:
        number = len(user.truth)
        values.append(len([item for item in user.items[:number] if item in user.truth]) / number)
    return round(sum(values) / len(values), 4)


def _percent_of_hits(d: Drawn) -> float:
    return 100 * sum(any(item in user.truth for item in user.items[:5]) for user in d.users) / len(d.users)


def _of_those_with_a_hit(d: Drawn) -> float:
    values = [1 / (_places(user)[0] + 1) for user in d.users if _places(user)]
    return sum(values) / len(values) if values else 0.0


def _over_rows(d: Drawn) -> float:
    return sum(1 / (place + 1) for user in d.users for place in _places(user)) / (100 * len(d.users))


def _first_only(d: Drawn) -> float:
    return (d.one.items[0] in d.one.truth) / (d.k if d.k < len(d.one.truth) else len(d.one.truth))


CALLS: dict[str, Callable[[Any, Drawn], float]] = {
    "memory_bench.py:evaluate_retrieval[0]": _in_corpus,
    "memory_bench.py:evaluate_retrieval[1]": _in_corpus,
    "memory_bench.py:evaluate_retrieval[2]": _in_corpus,
    "kilt_pages.py:compute_rprec": lambda f, d: f([str(i) for i in d.one.truth], [str(i) for i in d.one.items]),
    "kilt_pages.py:compute_map": lambda f, d: f(list(d.one.truth), d.one.items, d.k),
    "kilt_pages.py:recall_at_k": lambda f, d: f(
        {"output": [{"provenance": [{"wikipedia_id": str(i)}]} for i in d.one.truth]},
        [str(i) for i in d.one.items],
        d.k,
    ),
    **{
        f"code_pool.py:{name}": lambda f, d: f(list(d.one.truth), d.one.items) for name in ("ACC", "MAP", "MRR", "NDCG")
    },
    "beir_custom.py:mrr[MRR@k]": _qrels,
    "beir_custom.py:recall_cap[R_cap@k]": _qrels,
    "beir_custom.py:top_k_accuracy[Accuracy@k]": _qrels,
    "reid_ranks.py:compute_mAP[0]": _reid,
    "reid_ranks.py:compute_mAP[1]": lambda f, d: _reid(f, d)[d.k - 1],
    "place_recall.py:compute_recall[5]": lambda f, d: f(
        [list(user.truth) for user in d.users], [user.items for user in d.users], len(d.users), [1, 5]
    ),
    "landmark_revisited.py:compute_ap": lambda f, d: f(_places(d.one), len(d.one.truth)),
    "landmark_revisited.py:compute_map[2]": _matrix_of_ranks,
    "code_relevance.py:ndcg": _annotated,
    "code_relevance.py:coverage_per_language": _annotated,
    "hash_codes.py:CalcTopMap": _hash_codes,
    "response_selection.py:get_p_at_n_in_m": _groups_of_rows,
    "legal_cases.py:ndcg": _padded_grades,
    "trec_frames.py:get_ndcg": _trec,
    "trec_frames.py:get_reciprocal_rank": _trec,
    "cute_lists.py:r_precision": lambda f, d: f(d.one.labels),
    "cute_lists.py:average_precision": lambda f, d: f(d.one.labels),
    "cute_lists.py:ndcg_at_k": lambda f, d: f(d.one.labels, k=d.k),
    "marco_bert.py:average_precision": lambda f, d: f(set(d.one.truth), d.one.items),
    "marco_bert.py:metrics": lambda f, d: f(set(d.one.truth), d.one.items, ["MRR@10"])[0],
    "marco_eval.py:compute_metrics[MRR @10]": _padded_candidates,
    "landmarks.py:GlobalAveragePrecision": _recognised,
    "landmarks.py:MeanAveragePrecision": _landmarks,
    "landmarks.py:MeanPrecisions": lambda f, d: _landmarks(f, d)[d.k - 1],
    "haystack_docs.py:DocumentNDCGEvaluator.run[score]": _documents,
    "haystack_docs.py:DocumentMAPEvaluator.run[score]": _documents,
    "llama_ir.py:NDCG.compute": _expected_ids,
    "llama_ir.py:MRR.compute": _expected_ids,
    "autorag_ids.py:retrieval_ndcg": _one_group,
    "autorag_ids.py:retrieval_mrr": _own_groups,
    "poj_clones.py:calculate_scores[MAP]": _clones,
    "video_text.py:compute_metrics[R5]": _square,
    "image_text.py:itm_eval[txt_r5]": _both_ways,
    "matchzoo_objects.py:dcg_at_5": _rows,
    "matchzoo_objects.py:map_at_3": _rows,
    "clip_pairs.py:recall_at_k": _pairs,
    "zoomcamp_lines.py:hit_rate": _lines,
    "zoomcamp_lines.py:mrr": _lines,
    "marco_frames.py:mrr": _joined,
    "list_columns.py:get_performance_mrr[5]": _list_column,
    "hundred_candidates.py:ranking_eval[3]": _hundred,
    "map_seven.py:apk": lambda f, d: f(list(d.one.truth), d.one.items, d.k),
    "embedding_marco.py:evaluate[Recall@k]": lambda f, d: f(
        [_names(user.items) for user in d.users], [_names(user.truth) for user in d.users], [d.k]
    ),
    "vector_tables.py:knn_intersection_measure": _tables_of_five,
    "vector_tables.py:counts_to_PR[1]": lambda f, d: f(
        np.array([len(user.truth) for user in d.users]),
        np.array([len(user.items) for user in d.users]),
        np.array([len(_places(user)) for user in d.users]),
    ),
    "adverse_search.py:calculate_scores[MRR]": lambda f, d: f(
        {f"u{u}": user.target for u, user in enumerate(d.users)},
        {f"u{u}": user.items for u, user in enumerate(d.users)},
    ),
    "knowledge_turns.py:Metric._reciprocal_rank": lambda f, d: f(
        [_snippet(item) for item in d.one.truth], [_snippet(item) for item in d.one.items], d.k
    ),
}
SLOW: dict[str, Callable[[Drawn], float]] = {
    "memory_bench.py:evaluate_retrieval[1]": _all_found,
    "code_pool.py:MAP": _by_order_of_truth,
    "beir_custom.py:top_k_accuracy[Accuracy@k]": _by_tens,
    "reid_ranks.py:compute_mAP[0]": _trapezoids,
    "landmark_revisited.py:compute_ap": _trapezoids,
    "landmark_revisited.py:compute_map[2]": _down_to_the_last,
    "landmarks.py:GlobalAveragePrecision": _global,
    "poj_clones.py:calculate_scores[MAP]": _right_answers_rounded,
    "image_text.py:itm_eval[txt_r5]": _percent_of_hits,
    "marco_frames.py:mrr": _of_those_with_a_hit,
    "hundred_candidates.py:ranking_eval[3]": _over_rows,
    "map_seven.py:apk": _first_only,
    "vector_tables.py:knn_intersection_measure": _of_five,
    "adverse_search.py:calculate_scores[MRR]": _inverse_rank_rounded,
}
