"""A metric as it may be found in a project: the README asks what it computes."""

from math import log2


def ndcg(recommended, relevant, k):
    """Return NDCG at k: `relevant` maps each relevant item to its gain."""
    dcg = sum((2 ** relevant.get(item, 0) - 1) / log2(rank + 2) for rank, item in enumerate(recommended[:k]))
    ideal = sum((2**gain - 1) / log2(rank + 2) for rank, gain in enumerate(sorted(relevant.values(), reverse=True)))
    return dcg / ideal if ideal else 0.0
