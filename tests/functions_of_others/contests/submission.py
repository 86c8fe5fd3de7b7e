"""Trivago (RecSys 2019): a submission is scored against the clicked references, joined by four columns."""

import numpy as np

KEYS = ["user_id", "session_id", "timestamp", "step"]


def get_reciprocal_ranks(ps):
    mask = ps.reference == np.array(ps.item_recommendations)
    if mask.sum() == 1:
        return (1.0 / (np.arange(len(ps.item_recommendations)) + 1))[mask].min()
    return 0.0


def score_submissions(df_subm, df_gt):
    """item_recommendations: ids in a string, best first; reference: the clicked id"""
    joined = df_gt.set_index(KEYS)[["reference"]].join(df_subm.set_index(KEYS), how="inner")
    joined["reference"] = joined["reference"].astype(int)
    joined["item_recommendations"] = [
        [int(item) for item in text.split(" ")] for text in joined["item_recommendations"]
    ]
    return joined.apply(get_reciprocal_ranks, axis=1).mean()
