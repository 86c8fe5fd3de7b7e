"""Million Playlist challenge: metrics at the level of tracks and artists, arrays that may hold an artist twice."""

from collections import Counter
from math import log2

import numpy as np


def r_precision(prediction_t, test_t, prediction_a, test_a):
    """tracks and artists, recommended and held out; (overall, the part that the artists give)"""
    prediction_t, prediction_a = np.asarray(prediction_t), np.asarray(prediction_a)
    assert len(prediction_t) == len(prediction_a)
    depth = len(test_t)
    found = list((Counter(prediction_t[:depth].tolist()) & Counter(list(test_t))).elements())
    missed = np.isin(prediction_t[:depth], found, invert=True)
    artists = list(test_a)
    by_artist = 0.0
    for artist in prediction_a[:depth][missed]:
        if artist in artists:
            by_artist += 0.25
            artists = [each for each in artists if each != artist]
    return (len(found) + by_artist) / len(test_t), by_artist / len(test_t)


def dcg(prediction, test):
    places = np.argsort(prediction, kind="mergesort")
    prediction, test = np.sort(prediction), np.sort(test)
    total, i, j = 0, 0, 0
    while i < len(prediction) and j < len(test):
        if prediction[i] < test[j]:
            i += 1
        elif prediction[i] > test[j]:
            j += 1
        else:
            total += 1 if places[i] == 0 else 1 / log2(places[i] + 1)
            i += 1
            j += 1
    return total


def dcg_sliced(prediction, test):
    total = 0.0
    for i in range(len(test)):
        if np.isin(prediction[i], test):
            total += 1 if i == 0 else 1.0 / log2(i + 1)
    return total


def idcg(num_holdouts):
    return 1 + sum(1 / log2(i + 1) for i in range(1, num_holdouts))


def ndcg(prediction, test):
    return dcg(prediction, test) / idcg(len(test))


def ndcg_sliced(prediction, test):
    return dcg_sliced(prediction, test) / idcg(len(test))
