"""CAPRI: NDCG of one user of a place recommender, truth first."""

import numpy as np


def ndcgk(actual, predicted, k):
    dcg = float(predicted[0] in actual)
    idcg = 1.0
    for place, item in enumerate(predicted[1:]):
        weight = 1.0 / np.log(place + 2)
        dcg += weight if item in actual else 0.0
        idcg += weight
    return dcg / idcg
