"""Evaluation of online and counterfactual rankers on data sets of labelled documents."""

import numpy as np


def get_dcg(ordered_labels):
    return np.sum((2**ordered_labels - 1) / np.log2(np.arange(ordered_labels.shape[0]) + 2))


def get_idcg(complete_labels, max_len):
    return get_dcg(np.sort(complete_labels)[::-1][:max_len])


def get_single_ndcg_for_rankers(descending_rankings, document_labels, max_len, idcg=None):
    """descending_rankings: (rankers, documents) of document indices; returns a value for each ranker"""
    if idcg is None:
        idcg = get_idcg(document_labels, max_len)
    if idcg == 0:
        return np.zeros(descending_rankings.shape[0])
    shown = document_labels[descending_rankings[:, :max_len]]
    return np.sum((2**shown - 1) / np.log2(np.arange(shown.shape[1]) + 2)[None, :], axis=1) / idcg


def evaluate_ranking(ranking, labels, idcg, max_len):
    ordered = labels[ranking]
    if idcg == 0.0:
        return 0.0
    return get_dcg(ordered) / idcg


def evaluate(rankings, label_vector, idcg_vector, n_queries, max_len):
    """Take, for each document of all queries, its rank from 0, its label and the ideal of its query."""
    gains = 2.0**label_vector - 1.0
    gains[idcg_vector == 0] = 0
    gains[rankings >= max_len] = 0
    ideals = np.where(idcg_vector == 0, 1, idcg_vector)
    return np.sum(gains / np.log2(rankings + 2.0) / ideals) / n_queries
