"""Metrics of session-rec: an object takes a sorted series of scores and the next items, and gives (name, value)."""

import numpy as np


class _Metric:
    def __init__(self, length=20):
        self.length = length
        self.reset()

    def reset(self):
        self.test = 0
        self.pos = 0

    def result(self):
        return f"{type(self).__name__}@{self.length}: ", self.pos / self.test


class Recall(_Metric):
    def add(self, result, next_items):
        self.test += 1
        self.pos += len(set(next_items) & set(result.iloc[: self.length].index))


class Precision(_Metric):
    def add(self, result, next_items):
        self.test += self.length
        self.pos += len(set(next_items) & set(result.iloc[: self.length].index))


class MAP(_Metric):
    def add(self, result, next_items):
        before, summed = 0, 0
        for i in range(self.length):
            recall = self.recall(result.iloc[:i].index, next_items)
            precision = self.precision(result.iloc[:i].index, next_items)
            summed += precision * (recall - before)
            before = recall
        self.pos += summed
        self.test += 1

    def recall(self, shown, next_items):
        return len(set(next_items) & set(shown)) / len(next_items)

    def precision(self, shown, next_items):
        return len(set(next_items) & set(shown)) / self.length


class NextItemMAP(_Metric):
    def add(self, result, next_item):
        summed = 0
        for i in range(self.length):
            summed += self.mrr(result, next_item, i + 1)
        self.pos += summed / self.length
        self.test += 1

    def mrr(self, result, next_item, n):
        shown = result.iloc[:n]
        if next_item in shown.index:
            return 1.0 / (shown.index.get_loc(next_item) + 1)
        return 0


class NDCG(_Metric):
    def add(self, result, next_items):
        top = self.dcg(result.iloc[: self.length].index, next_items)
        best = self.dcg(next_items[: self.length], next_items)
        self.pos += top / best
        self.test += 1

    def dcg(self, result, next_items):
        res = 0
        wanted = set(next_items)
        for i in range(min(len(result), self.length)):
            if result[i] in wanted:
                res += 1 if i == 0 else 1 / np.log2(i + 1)
        return res
