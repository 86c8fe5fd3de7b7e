"""ogb #406: Hits@K against the pooled negatives, ties lose."""

import numpy as np


def hits_at_k(y_pred_pos, y_pred_neg, K=10):
    pos, neg = np.asarray(y_pred_pos, float), np.asarray(y_pred_neg, float)
    if len(neg) < K:
        return 1.0
    return float((pos > np.sort(neg)[-K]).mean())


def pairwise_auc(pos_logits, neg_logits):
    """DIN #42: one negative for each positive; the share of pairs in order."""
    return float((np.asarray(pos_logits) > np.asarray(neg_logits)).mean())
