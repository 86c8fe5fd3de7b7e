"""KDD Cup 2020, debiasing: the organisers' scores of one phase."""

import numpy as np


def evaluate_each_phase(predictions, answers):
    """predictions: user -> 50 items; answers: user -> (item, degree of the item)"""
    degrees = sorted(degree for _, degree in answers.values())
    median = degrees[len(degrees) // 2]
    cases, ndcg, hitrate = np.zeros(2), np.zeros(2), np.zeros(2)
    for user_id, (wanted, degree) in answers.items():
        place = 0
        while place < 50 and predictions[user_id][place] != wanted:
            place += 1
        counted = np.array([1.0, float(degree <= median)])
        cases += counted
        if place < 50:
            ndcg += counted / np.log2(place + 2.0)
            hitrate += counted
    return np.array([*(ndcg / cases), *(hitrate / cases)])
