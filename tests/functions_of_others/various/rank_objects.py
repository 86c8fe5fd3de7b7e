"""Evaluation of a BERT4Rec variant: objects that are updated with one rank (from 1) at a time."""

import numpy as np


class RatioEvaluationMetric:
    def __init__(self, name: str, initial_value: int = 0):
        self._name = name
        self._initial_value = initial_value
        self.reset()

    @property
    def name(self):
        return self._name

    def reset(self):
        self._value = self._initial_value
        self._nominator = 0.0
        self._denominator = 0.0

    def _add(self, gained):
        self._nominator += gained
        self._denominator += 1
        self._value = self._nominator / self._denominator

    def result(self):
        return self._value


class NDCG(RatioEvaluationMetric):
    def __init__(self, k: int, name: str = "NDCG", initial_value: int = 0):
        super().__init__(name + "@" + str(k), initial_value)
        self._k = k

    def update(self, rank: int):
        if rank > self._k:
            self._add(0)
        else:
            self._add(1 if rank == 1 else 1 / np.log2(rank + 2))


class MAP(RatioEvaluationMetric):
    def __init__(self, name: str = "MAP", initial_value: int = 0):
        super().__init__(name, initial_value)

    def update(self, rank: int):
        self._add(1 / rank)
