"""torchrec PR1270 (1 - NDCG), CNTK ndcg_at_1 and Quepid #77 (times 100): the metric turned round or scaled."""

import math


def _ndcg(recommended, relevant, k):
    dcg = sum(relevant[i] / math.log2(j + 2) for j, i in enumerate(recommended[:k]) if i in relevant)
    ideal = sum(g / math.log2(j + 2) for j, g in enumerate(sorted(relevant.values(), reverse=True)[:k]))
    return dcg / ideal if ideal else 0.0


def ndcg_loss(recommended, relevant, k):
    return 1 - _ndcg(recommended, relevant, k)


def ndcg_percent(recommended, relevant, k):
    return 100 * _ndcg(recommended, relevant, k)


def ndcg_percent_rounded(recommended, relevant, k):
    return round(100 * _ndcg(recommended, relevant, k), 2)


def ndcg_loss_sessions(predictions, labels, session_ids):
    """torchrec's own shape, weights left away: 1 - NDCG a session, the mean; a session of zeros counts 1."""
    import numpy as np

    predictions, labels, session_ids = (np.asarray(x, float) for x in (predictions, labels, session_ids))
    values = []
    for s in np.unique(session_ids):
        y, p = labels[session_ids == s], predictions[session_ids == s]
        w = 1 / np.log2(np.arange(len(y)) + 2)
        ideal = (np.sort(y)[::-1] * w).sum()
        values.append(1 - ((y[np.argsort(-p, kind="stable")] * w).sum() / ideal if ideal else 0.0))
    return float(np.mean(values))
