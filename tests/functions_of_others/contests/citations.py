"""Local citation recommendation: reranked candidates, padded to a matrix of hits, with the number of cited papers."""

import numpy as np


def at_K(hit_matrix, num_positive_ids, K_list=(5, 10, 20)):
    hit_matrix, num_positive_ids = np.asarray(hit_matrix), np.asarray(num_positive_ids)
    precision_at_K, recall_at_K, F_at_K = {}, {}, {}
    for K in K_list:
        recall = (hit_matrix[:, :K].sum(axis=1) / num_positive_ids).mean()
        precision = hit_matrix[:, :K].mean(axis=1).mean()
        recall_at_K[K], precision_at_K[K] = recall, precision
        F_at_K[K] = 2 / (1 / (recall + 1e-12) + 1 / (precision + 1e-12))
    return {"precision": precision_at_K, "recall": recall_at_K, "F1": F_at_K}
