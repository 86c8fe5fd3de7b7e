"""Evaluation of generative recommenders (HSTU): retrieved ids and the target id; a dict of arrays, one entry a row."""

import numpy as np

MAX_K = 2500


def eval_metrics(eval_top_k_ids, target_ids):
    """Take (B, k) ids and (B, 1) ids."""
    top, target_ids = np.asarray(eval_top_k_ids), np.asarray(target_ids)
    k = top.shape[1]
    found = np.concatenate([top, target_ids], axis=1) == target_ids
    index = found.argmax(axis=1)
    eval_ranks = np.where(index == k, MAX_K + 1, index + 1)
    output = {"mrr": 1.0 / eval_ranks}
    for cut in (1, 5, 10, 50):
        output[f"ndcg@{cut}"] = np.where(eval_ranks <= cut, 1.0 / np.log2(eval_ranks + 1), 0.0)
        output[f"hr@{cut}"] = eval_ranks <= cut
    return output
