"""Composition-based graph convolution: sums over the batches of one direction, to be put together later."""

import numpy as np


def predict(batches):
    """batches: (scores of all entities, labels of those known to be true, the entity asked for)"""
    results = {}
    for pred, label, obj in batches:
        pred, rows = np.array(pred, float), np.arange(len(obj))
        own = pred[rows, obj]
        pred = np.where(np.asarray(label, bool), -10000000.0, pred)
        pred[rows, obj] = own
        ranks = 1.0 + np.argsort(np.argsort(-pred, axis=1), axis=1)[rows, obj]
        results["count"] = ranks.size + results.get("count", 0.0)
        results["mr"] = ranks.sum() + results.get("mr", 0.0)
        results["mrr"] = (1.0 / ranks).sum() + results.get("mrr", 0.0)
        for k in range(10):
            results[f"hits@{k + 1}"] = (ranks <= k + 1).sum() + results.get(f"hits@{k + 1}", 0.0)
    return results
