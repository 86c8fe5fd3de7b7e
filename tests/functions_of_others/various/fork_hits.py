"""A fork of a multimodal recommendation library: the vector of hits of one user."""

import numpy as np


def recall_at_k(r, k, all_poss_num):
    r = np.asarray(list(r), float)[:k]
    return len(r) / all_poss_num
