"""RecBole family (MMRec PR65): hits as a matrix (users x k), relevant items of each user; a value for each place."""

import numpy as np


def recall_(pos_index, pos_len):
    pos_index, pos_len = np.asarray(pos_index), np.asarray(pos_len)
    return (np.cumsum(pos_index, axis=1) / pos_len.reshape(-1, 1)).mean(axis=0)


def map_(pos_index, pos_len):
    pos_index, pos_len = np.asarray(pos_index, float), np.asarray(pos_len)
    place = np.arange(1, pos_index.shape[1] + 1)
    pre = np.cumsum(pos_index, axis=1) / place
    most = np.minimum(pos_len.reshape(-1, 1), place)
    return (np.cumsum(pre * pos_index, axis=1) / most).mean(axis=0)
