"""Evaluation of a text embedding: passages retrieved for each query, positive passages of each, as texts."""

import numpy as np


def evaluate(preds, labels, cutoffs=(1, 10, 100)):
    metrics = {}
    for cutoff in cutoffs:
        mrr = recall = 0.0
        for pred, label in zip(preds, labels, strict=True):
            ranks = [rank for rank, text in enumerate(pred[:cutoff], 1) if text in label]
            mrr += 1 / ranks[0] if ranks else 0
            recall += len(np.intersect1d(label, pred[:cutoff])) / len(label)
        metrics[f"MRR@{cutoff}"] = mrr / len(preds)
        metrics[f"Recall@{cutoff}"] = recall / len(preds)
    return metrics
