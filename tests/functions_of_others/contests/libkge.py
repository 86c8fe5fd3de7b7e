"""Entity ranking by a histogram of ranks."""

import numpy as np


def get_rank(scores, answers):
    own = scores[np.arange(len(scores)), answers][:, None]
    ranks = (scores + 1e-40 > own).sum(axis=1)
    return ranks - (ranks == scores.shape[1])


def rank_histogram(scores, answers):
    hist = np.zeros(scores.shape[1])
    for rank in get_rank(scores, answers):
        hist[rank - 1] += 1
    return hist


def entity_ranking(scores, answers):
    """scores: (triples, entities); answers: the true entity of each triple"""
    scores, answers = np.asarray(scores, float), np.asarray(answers, int)
    hist = rank_histogram(scores, answers)
    ranks = np.arange(1, scores.shape[1] + 1)
    return {
        "mean_rank": (hist * ranks).sum() / hist.sum(),
        "mean_reciprocal_rank": (hist / ranks).sum() / hist.sum(),
    }


def hits_at_k(scores, answers, max_k=10):
    """Return a list, of each cut-off up to max_k."""
    scores, answers = np.asarray(scores, float), np.asarray(answers, int)
    hist = rank_histogram(scores, answers)
    return (np.cumsum(hist[:max_k]) / hist.sum()).tolist()
