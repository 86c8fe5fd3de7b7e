"""One table with all rows, columns as people name them."""

import numpy as np


def gauc(df):
    v = []
    for _, g in df.groupby("user_id"):
        a, b = g.loc[g.label > 0, "pred"].to_numpy(), g.loc[g.label <= 0, "pred"].to_numpy()
        if len(a) and len(b):
            v.append(((a[:, None] > b) + 0.5 * (a[:, None] == b)).mean())
    return float(np.mean(v)) if v else float("nan")


def hitrate(df, k=10):
    df = df.sort_values(["user_id", "score"], ascending=[True, False], kind="stable")
    top = df.groupby("user_id").head(k)
    return float((top.groupby("user_id")["label"].max() > 0).mean())


def precision(predictions, k=10):
    """columns user, item, score, gain (0 where irrelevant)"""
    top = predictions.sort_values("score", ascending=False, kind="stable").groupby("user").head(k)
    return float((top["gain"] > 0).groupby(top["user"]).sum().div(k).mean())
