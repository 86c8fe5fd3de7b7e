"""iEvaLM: a metric object of a conversational recommender; one list, the labels of a turn, several cut-offs."""

import math


class RecMetric:
    def __init__(self, k_list=(1, 10, 50)):
        self.k_list = k_list
        self.metric = {}
        self.reset_metric()

    def evaluate(self, preds, labels):
        for label in labels:
            if label == -100:
                continue
            for k in self.k_list:
                for name in ("recall", "ndcg", "mrr"):
                    self.metric[f"{name}@{k}"] += getattr(self, f"compute_{name}")(preds, label, k)
            self.metric["count"] += 1

    def compute_recall(self, pred_list, label, k):
        return int(label in pred_list[:k])

    def compute_mrr(self, pred_list, label, k):
        return 1 / (pred_list.index(label) + 1) if label in pred_list[:k] else 0

    def compute_ndcg(self, pred_list, label, k):
        return 1 / math.log2(pred_list.index(label) + 2) if label in pred_list[:k] else 0

    def reset_metric(self):
        for name in ("recall", "ndcg", "mrr"):
            for k in self.k_list:
                self.metric[f"{name}@{k}"] = 0
        self.metric["count"] = 0

    def report(self):
        return {name: value if name == "count" else value / self.metric["count"] for name, value in self.metric.items()}
