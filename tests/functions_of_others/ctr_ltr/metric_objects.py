"""Metric objects of a package of learning to rank: evaluate one ranked list, or all queries of a data set."""

import numpy as np

_EPS = np.finfo(np.float64).eps


def _runs(qids):
    start = 0
    for end in range(1, len(qids) + 1):
        if end == len(qids) or qids[end] != qids[start]:
            yield qids[start], start, end
            start = end


class Metric:
    def evaluate(self, qid, targets):
        raise NotImplementedError

    def evaluate_preds(self, qid, targets, preds):
        return self.evaluate(qid, np.asarray(targets)[np.argsort(-np.asarray(preds), kind="mergesort")])

    def calc_mean(self, qids, targets, preds):
        """qids: the rows of a query stand together"""
        return np.mean([self.evaluate_preds(q, targets[a:b], preds[a:b]) for q, a, b in _runs(qids)])


class AP(Metric):
    def __init__(self, k=10, cutoff=0.5):
        self.k = k
        self.cutoff = cutoff

    def evaluate(self, qid, targets):
        found, total = 0, 0.0
        for place, target in enumerate(targets[: self.k]):
            if target >= self.cutoff:
                found += 1
                total += found / (place + 1.0)
        return total / found if found > 0 else 0.0


class DCG(Metric):
    def __init__(self, k=10):
        self.k = k

    def evaluate(self, qid, targets):
        return sum((2.0**t - 1.0) / np.log2(place + 2.0) for place, t in enumerate(targets) if place < self.k)


class NDCG(Metric):
    def __init__(self, k=10):
        self.k = k
        self._dcg = DCG(k=k)
        self._ideals = {}

    def evaluate(self, qid, targets):
        return self._dcg.evaluate(qid, targets) / max(_EPS, self._ideal(qid, targets))

    def _ideal(self, qid, targets):
        if qid not in self._ideals:
            self._ideals[qid] = self._dcg.evaluate(qid, np.sort(targets)[::-1])
        return self._ideals[qid]
