"""recohut: course notes; lists of relevance labels, best first."""

import numpy as np


def mean_reciprocal_rank(rs):
    places = (np.asarray(r).nonzero()[0] for r in rs)
    return np.mean([1.0 / (found[0] + 1) if found.size else 0.0 for found in places])


def r_precision(r):
    r = np.asarray(r) != 0
    found = r.nonzero()[0]
    if not found.size:
        return 0.0
    return r[: found[-1] + 1].mean()
