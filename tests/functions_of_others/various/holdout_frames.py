"""recsys_evaluator: an object; data frames of held-out rows and of recommendations; a dict 'hr@10', 'mrr@10'."""

import numpy as np


class Evaluator:
    def __init__(self, metrics=("hr", "mrr"), top_k=(10,), col_user="userid", col_item="itemid", col_score="score"):
        self.metrics = metrics
        self.top_k = top_k
        self.col_user = col_user
        self.col_item = col_item
        self.col_score = col_score

    def compute_metrics(self, holdout, recs):
        ranked = self._array(recs)[:, : max(self.top_k)]
        held = holdout.groupby(self.col_user)[self.col_item].apply(list).tolist()
        assert len(held) == recs[self.col_user].nunique()
        result = {}
        for k in self.top_k:
            hits = np.array([np.isin(items[:k], wanted) for items, wanted in zip(ranked, held, strict=False)])
            for metric in self.metrics:
                result[f"{metric}@{k}"] = np.round(self._value(metric, hits), 6)
        return result

    def _value(self, metric, hits):
        if metric == "hr":
            return hits.any(axis=1).mean()
        first = hits.argmax(axis=1)[hits.any(axis=1)] + 1.0
        return (1 / first).sum() / len(hits)

    def _array(self, recs):
        ordered = recs.sort_values(by=[self.col_user, self.col_score], ascending=[True, False])
        return np.vstack(ordered.groupby(self.col_user)[self.col_item].apply(list).tolist())
