"""A library of urban prediction: scores of trajectories, and of maps on which accidents are marked."""

import numpy as np


def top_k(loc_pred, loc_true, topk):
    """loc_pred: (batch, places); (hits, ranks, dcg)"""
    shown = np.argsort(-np.asarray(loc_pred), axis=1)[:, :topk]
    hit, rank, dcg = 0, 0.0, 0.0
    for target, places in zip(loc_true, shown, strict=True):
        if target in places:
            index = list(places).index(target)
            hit += 1
            rank += 1.0 / (index + 1)
            dcg += 1.0 / np.log2(index + 2)
    return hit, rank, dcg


class TrajLocPredEvaluator:
    def __init__(self, config):
        self.metrics, self.topk = config["metrics"], config["topk"]
        self.hit, self.rank, self.dcg, self.total = 0, 0.0, 0.0, 0

    def collect(self, batch):
        """batch: a dict with loc_true and loc_pred"""
        hit, rank, dcg = top_k(batch["loc_pred"], batch["loc_true"], self.topk)
        self.total += len(batch["loc_true"])
        self.hit, self.rank, self.dcg = self.hit + hit, self.rank + rank, self.dcg + dcg

    def evaluate(self):
        precision, recall = self.hit / (self.total * self.topk), self.hit / self.total
        result = {f"Recall@{self.topk}": recall}
        if "Precision" in self.metrics:
            result[f"Precision@{self.topk}"] = precision
        if "F1" in self.metrics:
            both = precision + recall
            result[f"F1@{self.topk}"] = 0.0 if both == 0 else 2 * precision * recall / both
        if "MRR" in self.metrics:
            result[f"MRR@{self.topk}"] = self.rank / self.total
        if "NDCG" in self.metrics:
            result[f"NDCG@{self.topk}"] = self.dcg / self.total
        return result


def _chosen(pred, topk):
    flat = np.asarray(pred).flatten()
    return flat >= np.sort(flat)[::-1][topk - 1]


def precision_of_maps(preds, labels, topk):
    """preds, labels: a map of risks and one of accidents each row"""
    values = []
    for pred, label in zip(preds, labels, strict=True):
        matched = _chosen(pred, topk) & (np.asarray(label).flatten() > 0)
        values.append(int(matched.sum()) / topk)
    return sum(values) / len(values)


def recall_of_maps(preds, labels, topk):
    values = []
    for pred, label in zip(preds, labels, strict=True):
        accidents = np.asarray(label).flatten() > 0
        if accidents.sum() != 0:
            values.append(int((_chosen(pred, topk) & accidents).sum()) / int(accidents.sum()))
    return sum(values) / len(values)


def f1_of_maps(preds, labels, topk):
    precision, recall = precision_of_maps(preds, labels, topk), recall_of_maps(preds, labels, topk)
    return 2 * precision * recall / (precision + recall)


def map_of_maps(preds, labels, topk):
    values = []
    for pred, label in zip(preds, labels, strict=True):
        flat = np.asarray(pred).flatten()
        order = np.argsort(-flat, kind="stable")[:topk]
        matched = (flat >= np.sort(flat)[::-1][topk - 1]) & (np.asarray(label).flatten() != 0)
        found, total = 0, 0.0
        for place, index in enumerate(order):
            if matched[index]:
                found += 1
                total += found / (place + 1)
        values.append(total / len(order))
    return sum(values) / len(values)
