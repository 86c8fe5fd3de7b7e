"""Streaming metrics of session-based news recommendation: one ranked list for each click; label 0 is padding."""

import numpy as np


class StreamingMetric:
    def __init__(self, topn):
        self.topn = topn
        self.reset()

    def _clicks(self, predictions, labels):
        for row, session in enumerate(labels):
            for col, item in enumerate(session):
                if item != 0:
                    yield item, predictions[row, col]


class HitRate(StreamingMetric):
    def reset(self):
        self.total, self.matches = 0, 0

    def add(self, predictions, labels):
        """predictions: (sessions, clicks, items); labels: (sessions, clicks)"""
        for item, shown in self._clicks(predictions, labels):
            self.total += 1
            self.matches += int(item in shown[: self.topn])

    def result(self):
        return self.matches / float(self.total)


class NDCG(StreamingMetric):
    def reset(self):
        self.results = []

    @staticmethod
    def _dcg(r, k):
        r = np.asarray(r, float)[:k]
        return np.sum((np.power(2, r) - 1) / np.log2(np.arange(2, r.size + 2))) if r.size else 0.0

    def add(self, predictions, labels):
        for item, shown in self._clicks(predictions, labels):
            right = (item == shown).astype(int)
            best = self._dcg(sorted(right, reverse=True), self.topn)
            self.results.append(self._dcg(right, self.topn) / best if best else 0.0)

    def result(self):
        return np.mean(self.results)
