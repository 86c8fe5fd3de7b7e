"""Metrics of a collection of matching and ranking models in Keras: ranks of the positive item."""


def mrr(rank, k):
    """rank: for each user, how many items stand above the positive one"""
    total = 0.0
    for r in rank:
        if r < k:
            total += 1 / (r + 1)
    return total / len(rank)
