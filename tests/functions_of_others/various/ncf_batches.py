"""NCF in MindSpore: a metric object updated by batches: places of the best candidates, candidates, weights."""

import numpy as np


class NCFMetric:
    def __init__(self):
        self.clear()

    def clear(self):
        self.hr = []
        self.ndcg = []

    def hit(self, gt_item, pred_items):
        return 1 if gt_item in pred_items else 0

    def ndcg_function(self, gt_item, pred_items):
        return np.reciprocal(np.log2(pred_items.index(gt_item) + 2)) if gt_item in pred_items else 0

    def update(self, batch_indices, batch_items, metric_weights):
        """(users, topk), (users, candidates), (users,)"""
        for places, candidates, weight in zip(batch_indices, batch_items, metric_weights, strict=True):
            if weight:
                shown = candidates[places].tolist()
                positive = candidates.tolist()[-1]
                self.hr.append(self.hit(positive, shown))
                self.ndcg.append(self.ndcg_function(positive, shown))

    def eval(self):
        return np.mean(self.hr), np.mean(self.ndcg)
