"""recommenders #1962: what if the ideal ranks ties alike (1, 2, 2, 2)? Frames."""

import numpy as np


def ndcg(rating_true, rating_pred, k=10, method="min"):
    top = rating_pred.sort_values("score", ascending=False, kind="stable").groupby("user").head(k).copy()
    top["rank"] = top.groupby("user").cumcount() + 1
    hit = top.merge(rating_true, on=["user", "item"])
    dcg = (hit["gain"] / np.log2(hit["rank"] + 1)).groupby(hit["user"]).sum()
    ideal = rating_true.copy()
    ideal["rank"] = ideal.groupby("user")["gain"].rank(method=method, ascending=False)
    ideal = ideal[ideal["rank"] <= k]
    idcg = (ideal["gain"] / np.log2(ideal["rank"] + 1)).groupby(ideal["user"]).sum()
    return float((dcg.reindex(idcg.index).fillna(0) / idcg).mean())


def ndcg_first(rating_true, rating_pred, k=10):
    return ndcg(rating_true, rating_pred, k, method="first")
