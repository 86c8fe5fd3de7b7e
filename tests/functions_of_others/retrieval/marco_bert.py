"""Re-ranking of passages: a set of ground-truth ids and the list of predicted ids."""

import numpy as np


def average_precision(gt, pred):
    if not gt:
        return 0.0
    total = hits = 0.0
    for place, one in enumerate(pred):
        if one in gt and one not in pred[:place]:
            hits += 1.0
            total += hits / (place + 1.0)
    return total / max(1.0, len(gt))


def metrics(gt, pred, metrics_map):
    out = np.zeros(len(metrics_map), np.float32)
    if "MAP" in metrics_map:
        out[metrics_map.index("MAP")] = average_precision(gt, pred)
    if "RPrec" in metrics_map:
        out[metrics_map.index("RPrec")] = len(gt & set(pred[: len(gt)])) / max(1.0, float(len(gt)))
    for name, top in (("MRR", pred), ("MRR@10", pred[:10])):
        if name in metrics_map:
            places = [place for place, one in enumerate(top) if one in gt]
            out[metrics_map.index(name)] = 1.0 / (places[0] + 1.0) if places else 0.0
    return out
