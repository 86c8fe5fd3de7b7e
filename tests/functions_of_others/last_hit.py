"""sentence-transformers #678: 1 / rank is overwritten by each later hit of the first k (a missing break)."""

import numpy as np


def mrr(pred_scores, is_relevant, mrr_at_k=10):
    order = np.argsort(-np.asarray(pred_scores), kind="stable")
    score = 0.0
    for rank, index in enumerate(order[:mrr_at_k]):
        if is_relevant[index]:
            score = 1 / (rank + 1)
    return score
