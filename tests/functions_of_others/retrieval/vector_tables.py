"""Evaluation of nearest-neighbour search: tables of the ids of the neighbours, and counts of results."""

import numpy as np


def knn_intersection_measure(I1, I2):
    nq, rank = I1.shape
    assert I2.shape == (nq, rank)
    return sum(np.intersect1d(I1[i], I2[i]).size for i in range(nq)) / I1.size


def counts_to_PR(ngt, nres, ninter, mode="overall"):
    if mode == "overall":
        ngt, nres, ninter = ngt.sum(), nres.sum(), ninter.sum()
        precision = ninter / nres if nres > 0 else 1.0
        if ngt > 0:
            return precision, ninter / ngt
        return precision, 1.0 if nres == 0 else 0.0
    assert mode == "average"
    recalls = np.where(ngt == 0, nres == 0, ninter / np.maximum(ngt, 1))
    precisions = np.where(nres == 0, 1.0, ninter / np.maximum(nres, 1))
    return precisions.mean(), recalls.mean()
