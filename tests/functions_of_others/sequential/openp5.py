"""OpenP5: generated sequences of a batch in one list, with scores; an array with one entry a metric name."""

import math

import numpy as np


def rel_results(predictions, targets, scores, k):
    rows = []
    for b in range(len(targets)):
        pairs = zip(predictions[b * k : (b + 1) * k], scores[b * k : (b + 1) * k], strict=False)
        ranked = sorted(pairs, key=lambda pair: pair[1], reverse=True)
        rows.append([1 if text == targets[b] else 0 for text, _ in ranked])
    return rows


def get_metrics_results(rel_results, metrics):
    res = []
    for m in metrics:
        k = int(m.split("@")[1])
        if m.lower().startswith("hit"):
            res.append(sum(1.0 for row in rel_results if sum(row[:k]) > 0))
        elif m.lower().startswith("ndcg"):
            res.append(sum(rel / math.log(i + 2, 2) for row in rel_results for i, rel in enumerate(row[:k])))
    return np.array(res)


def evaluate(predictions, targets, scores, generate_num=10, metrics=("hit@5", "hit@10", "ndcg@5", "ndcg@10")):
    return get_metrics_results(rel_results(predictions, targets, scores, generate_num), metrics)
