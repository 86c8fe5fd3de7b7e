"""TorchEasyRec PR309: GAUC in SQL with rank(), where tied rows share the lowest rank; one table of all rows."""

import pandas as pd


def gauc(df):
    """df: columns group_name, label, probs."""
    df = df.assign(rn=df.groupby("group_name")["probs"].rank(method="min"))
    rows = []
    for _, g in df.groupby("group_name"):
        pos = (g["label"] > 0).sum()
        neg = len(g) - pos
        if pos and neg:
            rows.append((g.loc[g["label"] > 0, "rn"].sum() - pos * (pos + 1) / 2) / (pos * neg))
    return float(pd.Series(rows).mean()) if rows else 0.0


def gauc_arrays(labels, probs, group_name):
    return gauc(pd.DataFrame({"group_name": group_name, "label": labels, "probs": probs}))
