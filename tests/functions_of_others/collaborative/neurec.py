"""Python backend of a neural recommender toolkit: from one ranked list, the metric at each of its depths."""

import sys

import numpy as np


def precision(rank, ground_truth):
    found = [1 if item in ground_truth else 0 for item in rank]
    return np.cumsum(found, dtype=np.float32) / np.arange(1, len(rank) + 1)


def map(rank, ground_truth):
    at_hits = [p if item in ground_truth else 0 for p, item in zip(precision(rank, ground_truth), rank, strict=False)]
    running = np.cumsum(at_hits, dtype=np.float32)
    found = np.cumsum([1 if item in ground_truth else 0 for item in rank])
    return [s / n if n != 0 else 0 for s, n in zip(running, found, strict=False)]


def mrr(rank, ground_truth):
    first = sys.maxsize
    for place, item in enumerate(rank):
        if item in ground_truth:
            first = place
            break
    out = np.zeros(len(rank), dtype=np.float32)
    out[first:] = 1.0 / (first + 1)
    return out


def ndcg_loo(rank, ground_truth):
    first = sys.maxsize
    for place, item in enumerate(rank):
        if item == ground_truth:
            first = place
            break
    out = np.zeros(len(rank), dtype=np.float32)
    out[first:] = 1.0 / np.log2(first + 2)
    return out
