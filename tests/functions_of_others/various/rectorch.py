"""rectorch: static methods of one class; matrices of scores and of 0/1 truth (users x items); a value for each user."""

import numpy as np


class Metrics:
    @staticmethod
    def recall_at_k(pred_scores, ground_truth, k=100):
        assert pred_scores.shape == ground_truth.shape, "both must have the same shape"
        k = min(k, pred_scores.shape[1])
        top = np.argpartition(-pred_scores, k - 1, axis=1)[:, :k]
        taken = np.zeros(pred_scores.shape, dtype=bool)
        np.put_along_axis(taken, top, True, axis=1)
        positive = ground_truth > 0
        return (taken & positive).sum(axis=1) / np.minimum(k, positive.sum(axis=1))

    @staticmethod
    def ap_at_k(pred_scores, ground_truth, k=100):
        assert pred_scores.shape == ground_truth.shape, "both must have the same shape"
        k = min(k, pred_scores.shape[1])
        top = np.argsort(-pred_scores, axis=1)[:, :k]
        hit = np.take_along_axis(pred_scores * ground_truth, top, axis=1) > 0
        precision = np.cumsum(hit, axis=1) / np.arange(1, k + 1)
        return (precision * hit).sum(axis=1) / np.minimum(k, ground_truth.sum(axis=1))

    @staticmethod
    def auc(pred_scores, ground_truth):
        assert pred_scores.shape == ground_truth.shape, "both must have the same shape"
        upwards = np.take_along_axis(ground_truth, np.argsort(pred_scores, axis=1), axis=1)
        below = np.zeros(len(upwards))
        total = np.zeros(len(upwards))
        for column in upwards.T:
            below += 1 - column
            total += column * below
        return total / (below * (upwards.shape[1] - below))
