"""Functions of (recommended items, relevant items, k)."""

import math


def ndcg_mixed_logarithms(recommended, relevant, k):
    dcg = sum(1 / math.log(rank + 1) for rank, item in enumerate(recommended[:k], 1) if item in relevant)
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(k, len(relevant)) + 1))
    return dcg / ideal


def ndcg_without_ideal(recommended, relevant, k):
    return sum(relevant.get(item, 0) / math.log2(rank + 1) for rank, item in enumerate(recommended[:k], 1))


def recall(recommended, relevant, k):
    return len(set(recommended[:k]) & set(relevant)) / len(relevant)
