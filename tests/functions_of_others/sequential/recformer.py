"""Ranker of RecFormer: scores of all items and the label of each row; one flat list of numbers."""

import numpy as np

MAX_VAL = 1e4


class Ranker:
    def __init__(self, metrics_ks=(10, 50)):
        self.ks = metrics_ks

    def __call__(self, scores, labels):
        scores, labels = np.asarray(scores, float), np.asarray(labels).squeeze()
        predicts = scores[np.arange(scores.shape[0]), labels][:, None]
        valid_length = (scores > -MAX_VAL).sum(-1)
        rank = (predicts < scores).sum(-1)
        res = []
        for k in self.ks:
            indicator = (rank < k).astype(float)
            res.append(((1 / np.log2(rank + 2)) * indicator).mean())
            res.append(indicator.mean())
        res.append((1 / (rank + 1)).mean())
        res.append((1 - (rank / valid_length)).mean())
        return res
