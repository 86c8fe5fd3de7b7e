"""Deep hashing: binary codes and one-hot or many-hot labels of the database and of the queries."""

import numpy as np


def CalcHammingDist(B1, B2):
    return (B2.shape[1] - B1 @ B2.T) / 2


def CalcTopMap(rB, qB, retrievalL, queryL, topk):
    total = 0
    for query in range(len(queryL)):
        same = (queryL[query] @ retrievalL.T > 0).astype(float)
        order = np.argsort(CalcHammingDist(qB[query], rB))
        top = same[order][:topk]
        hits = int(top.sum())
        if hits == 0:
            continue
        places = np.flatnonzero(top == 1) + 1.0
        total += np.mean(np.arange(1, hits + 1) / places)
    return total / len(queryL)
