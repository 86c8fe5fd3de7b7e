"""Citing papers: precision, recall, F1 and MRR of one document at several cut-offs."""

import numpy as np


def precision_recall_f1_at_ks(gold_y, predictions, scores=None, k_list=None):
    k_list = [1, 5, 10] if k_list is None else k_list
    if scores is not None:
        ranked = [paper for paper, _ in sorted(zip(predictions, scores, strict=True), key=lambda x: x[1], reverse=True)]
    else:
        ranked = predictions
    gold = set(gold_y)
    correct = [paper in gold for paper in ranked]
    results = {
        "precision": [],
        "recall": [],
        "f1": [],
        "mrr": 1.0 / (correct.index(True) + 1) if True in correct else 0.0,
        "k": k_list,
    }
    for k in k_list:
        found = np.sum(correct[:k])
        p, r = found / k, found / len(gold_y)
        results["precision"].append(p)
        results["recall"].append(r)
        results["f1"].append(0.0 if found == 0 else 2 * p * r / (p + r))
    return results
