"""PyTorchRec: a metric is called with one flat array, user after user, as many candidates each, the positive first."""

import numpy as np


class NDCG:
    def __init__(self, user_sample_n=100, k=10):
        self.user_sample_n = user_sample_n
        self.k = k
        self.name = f"ndcg@{k}"

    def get_pos_rank(self, prediction):
        rows = np.asarray(prediction).reshape((-1, self.user_sample_n))
        return np.argwhere((-rows).argsort() == 0)[:, 1] + 1

    def __call__(self, prediction, target, *args, **kwargs):
        ranks = self.get_pos_rank(prediction)
        found = ranks[ranks <= self.k]
        return np.sum(1 / np.log2(found + 1)) / len(ranks)
