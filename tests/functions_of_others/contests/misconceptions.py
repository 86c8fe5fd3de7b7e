"""Misconceptions in mathematics (Kaggle): MAP at 3 of probabilities."""

import numpy as np


def mapk(y_true_int, probas, k=3):
    best = np.argsort(-np.asarray(probas), axis=1)[:, :k]
    total = 0.0
    for row, label in enumerate(y_true_int):
        found = best[row] == label
        if found.any():
            total += np.mean([found[: j + 1].sum() / (j + 1) for j in range(k) if found[j]])
    return total / len(y_true_int)
