"""AUC from ranks in which tied rows share the highest, the lowest or a dense rank, and where ties lose."""

import numpy as np
import pandas as pd


def _g(labels, probs, users, method):
    df = pd.DataFrame({"u": users, "y": labels, "p": probs})
    df["rn"] = df.groupby("u")["p"].rank(method=method)
    out = []
    for _, g in df.groupby("u"):
        pos = (g.y > 0).sum()
        neg = len(g) - pos
        if pos and neg:
            out.append((g.rn[g.y > 0].sum() - pos * (pos + 1) / 2) / (pos * neg))
    return sum(out) / len(out) if out else float("nan")


def gauc_max(labels, probs, users):
    return _g(labels, probs, users, "max")


def gauc_min(labels, probs, users):
    return _g(labels, probs, users, "min")


def auc_dense_one(labels, scores):
    """one user's list; dense ranks"""
    df = pd.DataFrame({"y": labels, "p": scores})
    r = df.p.rank(method="dense")
    pos = (df.y > 0).sum()
    neg = len(df) - pos
    return (r[df.y > 0].sum() - pos * (pos + 1) / 2) / (pos * neg) if pos and neg else float("nan")


def auc_lose(labels, scores):
    y, s = np.asarray(labels), np.asarray(scores, float)
    a, b = s[y > 0], s[y <= 0]
    return float((a[:, None] > b).mean()) if len(a) and len(b) else float("nan")
