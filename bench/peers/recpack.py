"""RecPack: metrics of two sparse matrices."""

import numpy as np
from recpack import metrics
from scipy.sparse import csr_matrix

CLASSES = {"ndcg": metrics.NDCGK, "precision": metrics.PrecisionK, "recall": metrics.RecallK,
           "mrr": metrics.ReciprocalRankK}  # fmt: skip
DEFINITIONS = {"ndcg": "ndcg@k", "precision": "precision@k", "recall": "recall@k", "mrr": "reciprocal_rank@k"}


def convert(column, ordered):
    size = tuple(int(max(column[name].max(), column["truth_" + name].max())) + 1 for name in ("user", "item"))
    # A score of 0 or less would be no recommendation in a sparse matrix.
    score = column["score"] - column["score"].min() + 1
    truth = csr_matrix((np.ones(len(column["truth_user"])), (column["truth_user"], column["truth_item"])), shape=size)
    return truth, csr_matrix((score, (column["user"], column["item"])), shape=size)


def usual(data, k):
    values = {}
    for name, kind in CLASSES.items():
        metric = kind(K=k)
        metric.calculate(*data)
        values[name] = metric.value
    return values
