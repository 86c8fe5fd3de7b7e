"""A metric of multi-modal recommendation: hits in rows (users x places) and the number of test items of each user."""

import numpy as np


def recall2_(pos_index, pos_len):
    found = np.cumsum(pos_index, axis=1)
    return found.sum(axis=0) / pos_len.sum()
