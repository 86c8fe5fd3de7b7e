"""Evaluators of a modular recommender toolkit: one object a metric, fed with how many negatives beat each positive."""

from math import log

import numpy as np


class Evaluator:
    def __init__(self, etype, name):
        self.etype = etype
        self.name = name


class AUC(Evaluator):
    def __init__(self, name="AUC"):
        super().__init__("rank", name)

    def compute(self, rank_above, negative_num):
        above = np.asarray(rank_above)
        return ((negative_num - above) / negative_num).mean()


class NDCG(Evaluator):
    def __init__(self, ndcg_at=(1, 5, 10), name="NDCG"):
        self._cuts = np.array(ndcg_at)
        super().__init__("rank", name)

    def compute(self, rank_above, negative_num):
        best = sum(1.0 / log(place + 2, 2) for place in range(len(rank_above)))
        got = np.zeros(len(self._cuts))
        for above in rank_above:
            got[above < self._cuts] += 1.0 / log(above + 2, 2)
        return got / best


class Precision(Evaluator):
    def __init__(self, precision_at=(1, 5, 10), name="Precision"):
        self._cuts = np.array(precision_at)
        super().__init__("rank", name)

    def compute(self, rank_above, negative_num):
        got = np.zeros(len(self._cuts))
        for above in rank_above:
            got = got + (above <= self._cuts)
        return got / self._cuts
