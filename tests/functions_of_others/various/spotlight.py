"""Spotlight: a fitted model that scores all items of a user; test and train as dicts user -> item ids."""

import numpy as np

LARGEST = np.finfo(np.float32).max


def _ranks(values):
    values = np.asarray(values, float)
    above = (values[None, :] < values[:, None]).sum(axis=1)
    same = (values[None, :] == values[:, None]).sum(axis=1)
    return above + (same + 1) / 2


def mrr_score(model, test, train=None):
    out = []
    for user, wanted in test.items():
        scores = -np.asarray(model.predict(user), float)
        if train is not None:
            scores[train[user]] = LARGEST
        out.append((1.0 / _ranks(scores)[list(wanted)]).mean())
    return np.array(out)
