"""Metric objects of a matching toolkit: k is given at the start, a call takes one user's top items and true items."""

import numpy as np


class MRR:
    def __init__(self, k=5):
        self.topk = k

    def __call__(self, topk_items, true_items):
        held = set(true_items)
        value = 0
        for at, item in enumerate(topk_items[: self.topk]):
            if item in held:
                value += 1 / (at + 1.0)
        return value


class DCG:
    def __init__(self, k=5):
        self.topk = k

    def __call__(self, topk_items, true_items):
        held = set(true_items)
        value = 0
        for at, item in enumerate(topk_items[: self.topk]):
            if item in held:
                value += 1 / np.log(2 + at)
        return value


class F1:
    def __init__(self, k=5):
        self.topk = k

    def __call__(self, topk_items, true_items):
        found = len(set(true_items) & set(topk_items[: self.topk]))
        p = found / (self.topk + 1e-12)
        r = found / (len(true_items) + 1e-12)
        return 2 * p * r / (p + r + 1e-12)
