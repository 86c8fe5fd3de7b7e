"""Measures of one ranked list of relevance marks, as a library of multimodal documents has them."""

import numpy as np


def _precision_at_k(marks, k=None):
    return float(np.mean(np.array(marks)[:k] != 0)) if len(marks) else 0.0


def r_precision(binary_relevance, **kwargs):
    marks = np.array(binary_relevance) != 0
    number = int(marks.sum())
    return float(marks[:number].mean()) if number else 0.0


def average_precision(binary_relevance, **kwargs):
    marks = np.array(binary_relevance) != 0
    values = [_precision_at_k(marks, place + 1) for place in np.flatnonzero(marks)]
    return float(np.mean(values)) if values else 0.0


def dcg_at_k(relevance, method=0, k=None, **kwargs):
    top = np.asarray(relevance, dtype=float)[:k]
    if not top.size:
        return 0.0
    places = np.arange(1, top.size + 1)
    if method == 0:
        return np.sum(top / np.log2(np.maximum(places, 2)))
    if method == 1:
        return np.sum(top / np.log2(places + 1))
    raise ValueError("method must be 0 or 1.")


def ndcg_at_k(relevance, method=0, k=None, **kwargs):
    best = dcg_at_k(sorted(relevance, reverse=True), method=method, k=k)
    return dcg_at_k(relevance, method=method, k=k) / best if best else 0.0
