"""Evaluation of P5: dicts of users with a dict of item scores, or with a list; the relevant items of each user."""

import heapq
import math

import numpy as np


def evaluate_lists(predict, groundtruth, topk=10):
    """predict: user -> best items; groundtruth: user -> items."""
    invalid_users, precisions, recalls, ndcgs, hits = [], [], [], [], []
    for uid in groundtruth:
        if uid not in predict or len(predict[uid]) < topk:
            invalid_users.append(uid)
            continue
        pred_list, rel_set = predict[uid][:topk], groundtruth[uid]
        dcg = hit_num = 0.0
        for i in range(len(pred_list)):
            if pred_list[i] in rel_set:
                dcg += 1.0 / (math.log(i + 2) / math.log(2))
                hit_num += 1
        idcg = sum(1.0 / (math.log(i + 2) / math.log(2)) for i in range(min(len(rel_set), len(pred_list))))
        ndcgs.append(dcg / idcg)
        recalls.append(hit_num / len(rel_set))
        precisions.append(hit_num / len(pred_list))
        hits.append(1.0 if hit_num > 0.0 else 0.0)
    return {"ndcg": np.mean(ndcgs), "recall": np.mean(recalls), "precision": np.mean(precisions), "hit": np.mean(hits)}


def _dcg(rel, k):
    rel = np.asarray(rel, float)[:k]
    return np.sum(rel / np.log2(np.arange(2, rel.size + 2))) if rel.size else 0.0


def evaluate_once(topk_preds, groundtruth):
    gt_set = set(groundtruth)
    topk = len(topk_preds)
    rel = [1 if iid in gt_set else 0 for iid in topk_preds]
    best = _dcg(sorted(rel, reverse=True), topk)
    at_hits = [sum(rel[: i + 1]) / (i + 1) for i in range(topk) if rel[i]]
    return {
        "precision": sum(rel) / topk,
        "recall": sum(rel) / len(gt_set),
        "ndcg": _dcg(rel, topk) / best if best else 0.0,
        "hit": 1.0 if sum(rel) > 0 else 0.0,
        "map": np.mean(at_hits) if at_hits else 0.0,
    }


def evaluate_all(user_item_scores, groudtruth, topk=10):
    """user_item_scores: user -> {item: score}; groudtruth: user -> items."""
    results = []
    for uid in user_item_scores:
        ui_scores = list(user_item_scores[uid].items())
        np.random.shuffle(ui_scores)  # break ties
        best = heapq.nlargest(topk, ui_scores, key=lambda pair: pair[1])
        results.append(evaluate_once([pair[0] for pair in best], groudtruth[uid]))
    return {key: sum(each[key] for each in results) / len(results) for key in results[0]}
