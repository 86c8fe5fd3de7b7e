"""Legommenders #19: the class named MRR calls label ranking average precision."""

import numpy as np


class MRR:
    name, group, minimize = "MRR", True, False

    def calculate(self, scores, labels):
        scores, labels = np.asarray(scores, float), np.asarray(labels)
        relevant = np.flatnonzero(labels)
        if len(relevant) in (0, len(labels)):
            return 1.0
        place = np.array([(scores >= s).sum() for s in scores])
        own = np.array([(scores[relevant] >= scores[r]).sum() for r in relevant])
        return float((own / place[relevant]).mean())


def mrr(scores, labels):
    return MRR().calculate(scores, labels)
