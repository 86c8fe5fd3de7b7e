"""A MovieLens project: one data frame with u, label and pred; precision, recall and NDCG in a tuple."""

import numpy as np


def precision_recall_ndcg_at_k(df, k=10, label="label", score="pred"):
    precisions, recalls, ndcgs = [], [], []
    for _, rows in df.groupby("u", sort=False):
        rows = rows.sort_values(score, ascending=False)
        top = rows.head(k)
        hits, positives = int(top[label].sum()), int(rows[label].sum())
        precisions.append(hits / k)
        if positives > 0:
            recalls.append(hits / positives)

        gained = top[label].to_numpy()
        if gained.size == 0:
            continue
        weights = 1.0 / np.log2(np.arange(2, gained.size + 2))
        best = float((np.sort(gained)[::-1] * weights).sum())
        ndcgs.append(float((gained * weights).sum()) / best if best > 0 else 0.0)
    return tuple(float(np.mean(each)) if each else 0.0 for each in (precisions, recalls, ndcgs))
