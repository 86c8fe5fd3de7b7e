"""TorchMetrics: retrieval metrics of flat rows, whose targets are looked up in the conversion."""

import numpy as np
import torch
from torchmetrics import retrieval

CLASSES = {
    "precision": retrieval.RetrievalPrecision, "recall": retrieval.RetrievalRecall, "mrr": retrieval.RetrievalMRR,
    "hit_rate": retrieval.RetrievalHitRate, "map": retrieval.RetrievalMAP, "ndcg": retrieval.RetrievalNormalizedDCG,
}  # fmt: skip
# Unlisted items have no prediction; a query without a positive target counts 0 by default.
DEFINITIONS = {
    "precision": "precision@k|truth:listed|users:predictions|undefined:0",
    "recall": "recall@k|truth:listed|users:predictions|undefined:0",
    "mrr": "reciprocal_rank@k|truth:listed|users:predictions|undefined:0",
    "hit_rate": "hit_rate@k|truth:listed|users:predictions|undefined:0",
    "map": "average_precision@k|denominator:hits|truth:listed|users:predictions|undefined:0",
    "ndcg": "ndcg@k|gain:linear|truth:listed|users:predictions|undefined:0",
}


def convert(column, ordered):
    width = int(max(column["item"].max(), column["truth_item"].max())) + 1
    pair, truth = column["user"] * width + column["item"], column["truth_user"] * width + column["truth_item"]
    order = np.argsort(truth)
    spot = np.minimum(np.searchsorted(truth[order], pair), len(truth) - 1)
    gain = np.where(truth[order][spot] == pair, column["truth_gain"][order][spot], 0)
    target = torch.as_tensor(gain.astype(np.int64))
    return torch.as_tensor(column["score"]), target, torch.as_tensor(column["user"].astype(np.int64))


def usual(data, k):
    scores, target, index = data
    labels, values = (target > 0).long(), {}
    for name, metric in CLASSES.items():
        values[name] = metric(top_k=k)(scores, target if name == "ndcg" else labels, indexes=index)
    return values
