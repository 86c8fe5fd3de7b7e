"""Cold-start leave-one-out evaluation: a sampled row of user, positive and negatives, and a ranking of all items."""

import numpy as np

idcg_array = 1 / np.log2(np.arange(20000) + 2)


def hr_ndcg_at_k(sample, sorted_items, at_k):
    pos_item, neg_items = sample[1], sample[2:]
    end = sorted_items.tolist().index(pos_item)
    before = np.zeros_like(sorted_items)
    before[sorted_items[:end]] = 1
    asked = np.zeros_like(sorted_items)
    asked[neg_items] = 1
    n_before = np.sum(before * asked)
    hr = 0 if n_before >= at_k else 1
    ndcg = 0 if n_before >= at_k else idcg_array[n_before]
    return [hr, ndcg]
