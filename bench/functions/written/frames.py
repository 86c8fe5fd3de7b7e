"""Functions of (predictions, truth, k), DataFrames with the columns user, item, score and user, item, gain."""

import numpy as np
import pandas as pd


def top(predictions, k):
    ranked = predictions.sort_values("score", ascending=False, kind="stable")
    return ranked.assign(rank=ranked.groupby("user").cumcount() + 1).query("rank <= @k")


def ndcg(predictions, truth, k):
    hits = top(predictions, k).merge(truth, on=["user", "item"])
    dcg = (hits.gain / np.log2(hits["rank"] + 1)).groupby(hits.user).sum()
    best = truth.sort_values("gain", ascending=False, kind="stable")
    place = best.groupby("user").cumcount() + 1
    best = best.assign(part=np.where(place <= k, best.gain / np.log2(place + 1), 0.0))
    ideal = best.groupby("user").part.sum()
    return float((dcg.reindex(ideal.index).fillna(0.0) / ideal).mean())


def precision_of_all_rows(predictions, truth, k):
    shown = top(predictions, k)
    return len(shown.merge(truth[["user", "item"]], on=["user", "item"])) / len(shown) if len(shown) else 0.0


def recall_after_a_join(predictions, truth, k):
    hits = top(predictions, k).merge(truth[["user", "item"]], on=["user", "item"]).groupby("user").size()
    held_out = truth.groupby("user").size()
    joined = pd.concat([hits.rename("hits"), held_out.rename("r")], axis=1, join="inner")
    return float((joined.hits / joined.r).mean()) if len(joined) else 0.0
