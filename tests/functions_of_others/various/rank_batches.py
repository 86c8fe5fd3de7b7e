"""Rank metrics in the manner of ignite: objects that are updated with an array of ranks (from 1)."""

import numpy as np


class BaseRankMetric:
    def __init__(self, k=None):
        self.k = float("inf") if k is None else k
        self.reset()

    def reset(self):
        self._cum_score = 0.0
        self._n_examples = 1e-9

    def update(self, output):
        output = np.asarray(output, float)
        self._cum_score += self._scores(output[output < self.k + 1]).sum()
        self._n_examples += len(output)

    def compute(self):
        return self._cum_score / self._n_examples


class NDCG(BaseRankMetric):
    def _scores(self, ranks):
        return 1.0 / np.log2(ranks + 1.0)


class MRR(BaseRankMetric):
    def _scores(self, ranks):
        return 1.0 / ranks
