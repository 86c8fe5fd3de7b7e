"""A fold-out evaluation over threads: cumulative metrics of one user's ranking."""

import numpy as np


def ndcg(rank, ground_truth):
    depth = len(rank)
    ideal = np.cumsum(1.0 / np.log2(np.arange(2, depth + 2)))
    best = min(len(ground_truth), depth)
    ideal[best:] = ideal[best - 1]
    gained = np.cumsum([1.0 / np.log2(place + 2) if item in ground_truth else 0.0 for place, item in enumerate(rank)])
    return gained / ideal
