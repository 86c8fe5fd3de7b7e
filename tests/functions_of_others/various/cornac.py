"""Cornac, early versions: a metric is an object; one user's test vector over all items, and the ranked item ids."""

import numpy as np


class Measure:
    def __init__(self, name=None, m=None):
        self.type = "ranking"
        self.name = name
        self.m = m

    def compute(self, data_test, reclist):
        raise NotImplementedError


def _held_out(data_test):
    return np.flatnonzero(np.asarray(data_test) > 0)


class NDCG(Measure):
    def __init__(self, m=None):
        Measure.__init__(self, name="NDCG", m=m)

    def compute(self, data_test, reclist):
        held = _held_out(data_test)
        best = (1 / np.log2(np.arange(len(held)) + 2)).sum()
        places = np.flatnonzero(np.isin(reclist, held))
        return (1 / np.log2(places + 2)).sum() / best


class NCRR(Measure):
    def __init__(self, m=None):
        Measure.__init__(self, name="NCRR", m=m)

    def compute(self, data_test, reclist):
        held = _held_out(data_test)
        places = np.flatnonzero(np.isin(reclist, held)) + 1
        return (1 / places).sum() / (1 / (np.arange(len(held)) + 1)).sum()


class Precision(Measure):
    def __init__(self, m=20):
        Measure.__init__(self, name="Precision@" + str(m), m=m)

    def compute(self, data_test, reclist):
        relevant = np.zeros(len(data_test), int)
        relevant[_held_out(data_test)] = 1
        shown = np.zeros(len(data_test), int)
        shown[reclist[: self.m]] = 1
        return (relevant * shown).sum() / shown.sum()
