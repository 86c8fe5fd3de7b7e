"""RQ-VAE-Recommender: a class with accumulate and reduce; semantic ids are tuples; the target and the beams."""

from collections import defaultdict

import numpy as np


class TopKAccumulator:
    def __init__(self, ks=(1, 5, 10)):
        self.ks = ks
        self.total, self.metrics = 0, defaultdict(int)

    def accumulate(self, actual, top_k):
        """actual: (batch, d); top_k: (batch, beams, d)."""
        match = (np.asarray(actual)[:, None, :] == np.asarray(top_k)).all(-1)
        rank, found = match.argmax(-1), match.any(-1)
        self.total += len(rank)
        for k in self.ks:
            self.metrics[f"h@{k}"] += int((rank[found] < k).sum())

    def reduce(self):
        return {k: v / self.total for k, v in self.metrics.items()}
