"""Metrics of a tool that analyses tree ensembles for ranking; each has a method for one query."""

import numpy as np


class Metric:
    def __init__(self, name, cutoff=None):
        self.name = name
        self.cutoff = cutoff

    def _ranking(self, y_pred):
        order = np.argsort(y_pred)[::-1]
        return order if self.cutoff is None else order[: self.cutoff]


class MAP(Metric):
    def __init__(self, name="MAP", cutoff=None):
        super().__init__(name, cutoff)

    def eval_per_query(self, y, y_pred):
        order = self._ranking(y_pred)
        found, total = 0.0, 0.0
        for place, doc in enumerate(order, 1):
            if y[doc] != 0:
                found += 1
                total += found / place
        return total / len(order)


class RBP(Metric):
    def __init__(self, name="RBP", cutoff=None, threshold=1, p=0.5):
        super().__init__(name, cutoff)
        self.threshold = threshold
        self.p = p

    def eval_per_query(self, y, y_pred):
        order = self._ranking(y_pred)
        weights = np.power(self.p, np.arange(len(order)))
        return (1.0 - self.p) * ((y[order] >= self.threshold) * weights).sum()


class ERR(Metric):
    def __init__(self, name="ERR", cutoff=None):
        super().__init__(name, cutoff)

    def eval_per_query(self, y, y_pred):
        top, reads, err = y.max(), 1.0, 0.0
        for place, doc in enumerate(self._ranking(y_pred), 1):
            useful = (pow(2.0, y[doc]) - 1.0) / pow(2.0, top)
            err += reads * useful / place
            reads *= 1.0 - useful
        return err


class Pfound(Metric):
    def __init__(self, name="Pfound", cutoff=None, p_abandonment=0.15):
        super().__init__(name, cutoff)
        self.p_abandonment = p_abandonment

    def eval_per_query(self, y, y_pred):
        top, reads, pfound = y.max(), 1.0, 0.0
        for place, doc in enumerate(self._ranking(y_pred)):
            useful = (pow(2.0, y[doc]) - 1.0) / pow(2.0, top)
            pfound += reads * useful * pow(self.p_abandonment, place)
            reads *= 1.0 - useful
        return pfound
