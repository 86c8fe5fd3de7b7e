"""Test score of unbiased learning to rank by matrix factorisation."""

import numpy as np


def calc_ndcg(ratings, scores, _k=5):
    """ratings, scores: (users, items)"""
    order = np.argsort(-scores, axis=1, kind="mergesort")
    ranked = np.take_along_axis(ratings, order, axis=1)
    top = ranked[:, :_k]
    gained = top[:, 0] + np.sum(top[:, 1:] / np.log2(np.arange(2, top.shape[1] + 1)), axis=1)
    gained = np.where(gained != 0.0, gained, np.nan)
    return np.nanmean(gained / ranked.sum(1))
