"""Metrics of BERT4Rec-VAE: scores and 0/1 labels of all candidates; a dict with all cut-offs."""

import numpy as np


def recalls_for_ks(scores, labels, ks):
    scores, labels = np.asarray(scores, float), np.asarray(labels)
    metrics = {}
    answer_count = labels.sum(1).astype(float)
    cut = np.argsort(-scores, axis=1)
    for k in sorted(ks, reverse=True):
        cut = cut[:, :k]
        hits = np.take_along_axis(labels.astype(float), cut, axis=1)
        metrics[f"Recall@{k}"] = (hits.sum(1) / answer_count).mean()
    return metrics
