"""Drug repurposing: the drugs of one disease, those of the training data with a label of -1."""

import numpy as np


def average_precision(r):
    r = np.asarray(r) != 0
    out = [np.mean(r[: place + 1]) for place in range(r.size) if r[place]]
    return np.mean(out) if out else 0.0


def evaluate_disease(pred, lab, k):
    """pred: drug -> score; lab: drug -> 1, 0 or -1"""
    drugs = sorted(drug for drug, label in lab.items() if label != -1)
    scores, labels = np.array([pred[drug] for drug in drugs]), np.array([lab[drug] for drug in drugs])
    positive = np.where(labels == 1)[0]
    if len(positive) == 0:
        return {"Recall": -1, "AP": -1, "MRR": -1}
    shown = np.argsort(scores)[::-1][:k]
    relevance = [1 if index in positive else 0 for index in shown]
    first = np.flatnonzero(relevance)
    return {
        "Recall": len(np.intersect1d(shown, positive)) / len(positive),
        "AP": average_precision(relevance),
        "MRR": 1.0 / (first[0] + 1) if first.size else 0.0,
    }
