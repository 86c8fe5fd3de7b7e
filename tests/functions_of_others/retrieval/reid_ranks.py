"""Person re-identification: gallery indices of a query, best first; good ones, and junk that is taken out."""

import numpy as np


def compute_mAP(index, good_index, junk_index):
    good_index = np.asarray(good_index)
    ap, cmc = 0.0, np.zeros(len(index), dtype=int)
    if good_index.size == 0:
        cmc[0] = -1
        return ap, cmc
    index = np.asarray(index)
    kept = index[~np.isin(index, junk_index)]
    rows = np.flatnonzero(np.isin(kept, good_index))
    cmc[rows[0] :] = 1
    for number in range(len(good_index)):
        now = (number + 1) / (rows[number] + 1)
        before = number / rows[number] if rows[number] else 1.0
        ap += (before + now) / 2 / len(good_index)
    return ap, cmc
