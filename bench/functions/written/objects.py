"""Classes with ``update`` and ``compute``, and a method of what a factory makes."""

import math


class HitRate:
    def __init__(self, k):
        self.k, self.hits, self.users = k, 0, 0

    def update(self, recommended, relevant):
        self.hits += sum(item in relevant for item in recommended[: self.k])
        self.users += 1

    def compute(self):
        return self.hits / self.users


class Evaluator:
    def __init__(self, beta=1.0):
        self.beta = beta

    def f_score(self, recommended, relevant, k):
        hits = sum(item in relevant for item in recommended[:k])
        if not hits:
            return 0.0
        precision, recall, weight = hits / k, hits / len(relevant), self.beta**2
        return (1 + weight) * precision * recall / (weight * precision + recall)


def make_evaluator():
    return Evaluator(beta=2.0)


class Blend:
    """Return half recall, half NDCG: no metric of its own."""

    def __init__(self, k):
        self.k, self.values = k, []

    def update(self, recommended, relevant):
        hits = [item in relevant for item in recommended[: self.k]]
        dcg = sum(1 / math.log2(rank + 1) for rank, hit in enumerate(hits, 1) if hit)
        ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(self.k, len(relevant)) + 1))
        self.values.append((sum(hits) / len(relevant) + dcg / ideal) / 2)

    def compute(self):
        return sum(self.values) / len(self.values)
