"""Collaborative memory network: a list of score arrays, and the position that the held-out item has in each."""

import numpy as np


def get_eval(scores, index, top_n=10):
    hr = ndcg = 0.0
    for row in scores:
        best = np.argsort(-row)[:top_n].tolist()
        if index in best:
            ndcg += np.log(2.0) / np.log(best.index(index) + 2.0)
            hr += 1.0
    return hr / len(scores), ndcg / len(scores)
