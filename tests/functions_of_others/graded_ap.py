"""LightGBM #7021: graded average precision: sum of r_i * (sum of r_j down to i) / i over the sum of r."""

import numpy as np


def graded_ap(y_true, y_score):
    y = np.asarray(y_true, float)[np.argsort(-np.asarray(y_score), kind="stable")]
    return float((y * np.cumsum(y) / np.arange(1, len(y) + 1)).sum() / y.sum()) if y.sum() > 0 else 0.0
