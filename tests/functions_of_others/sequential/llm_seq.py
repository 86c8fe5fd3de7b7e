"""Metrics of LLM-Sequential-Recommendation: objects that evaluate arrays of predictions and of the truth in bulk."""

import numpy as np


class _RankingMetric:
    def __init__(self, top_k=10):
        self.top_k = top_k

    def _hits(self, predictions, ground_truth):
        hits = np.zeros((len(predictions), self.top_k))
        for i, (pred, truth) in enumerate(zip(predictions, ground_truth, strict=False)):
            pred = np.asarray(pred)[: self.top_k]
            hits[i, : len(pred)] = np.isin(pred, np.asarray(truth))
        return hits


class MeanReciprocalRank(_RankingMetric):
    def eval_bulk(self, predictions, ground_truth):
        mask = self._hits(predictions, ground_truth)
        reciprocal = np.reciprocal(np.arange(1, self.top_k + 1, dtype=np.float64))
        count = mask.sum(axis=1)
        return np.divide((reciprocal * mask).sum(axis=1), count, out=np.zeros(len(count)), where=count != 0)


class NormalizedDiscountedCumulativeGain(_RankingMetric):
    def eval_bulk(self, predictions, ground_truth):
        hits = self._hits(predictions, ground_truth)
        test = np.zeros(hits.shape)
        for i, truth in enumerate(ground_truth):
            if hits[i].any():
                test[i, : min(len(truth), self.top_k)] = 1
        discount = 1 / np.log2(np.arange(1, self.top_k + 1) + 1)
        ideal = (test * discount).sum(axis=1)
        return np.divide((hits * discount).sum(axis=1), ideal, out=np.zeros(len(ideal)), where=ideal != 0)
