"""Test loop of DHCN: lists of hits and of reciprocal ranks at three fixed cut-offs, in one dict."""

import numpy as np


def test_metrics(scores, tar):
    top_K = [5, 10, 20]
    metrics = {}
    for K in top_K:
        metrics[f"hit{K}"], metrics[f"mrr{K}"] = [], []
    index = np.argsort(-np.asarray(scores), 1)
    for K in top_K:
        for row, target in zip(index[:, :K], tar, strict=False):
            metrics[f"hit{K}"].append(np.isin(target, row))
            where = np.where(row == target)[0]
            metrics[f"mrr{K}"].append(1 / (where[0] + 1) if len(where) else 0)
    return metrics
