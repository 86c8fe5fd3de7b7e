"""Sequential recommenders (SASRec, BERT4Rec, GRU4Rec families): one positive, in the forms of training scripts."""

import numpy as np


def evaluate_batch(pos_scores, neg_scores, k=10):
    """(batch,), (batch, negatives): a negative with the score of the positive stands before it."""
    pos, neg = np.asarray(pos_scores, float), np.asarray(neg_scores, float)
    rank = (neg >= pos[:, None]).sum(1)
    return {"HR": (rank < k).mean(), "NDCG": np.where(rank < k, 1 / np.log2(rank + 2), 0).mean()}


def get_metrics(predictions):
    """(batch, 100), the positive in column 0: (HR@10, NDCG@10); it stands before negatives of its score."""
    predictions = np.asarray(predictions, float)
    rank = (predictions[:, 1:] > predictions[:, :1]).sum(1)
    return (rank < 10).mean(), np.where(rank < 10, 1 / np.log2(rank + 2), 0).mean()


def get_recall(indices, targets):
    """(batch, shown) ids, (batch,) the target."""
    return float((np.asarray(indices) == np.asarray(targets)[:, None]).any(1).mean())


def get_mrr(indices, targets):
    """Do the same with 1 over the first place of the target."""
    hits = np.asarray(indices) == np.asarray(targets)[:, None]
    return float(np.where(hits.any(1), 1 / (hits.argmax(1) + 1), 0).mean())


def mrr(scores, labels, k=10):
    """Labels of one row have one 1: the ranks of several would add up."""
    labels = np.asarray(labels)[np.argsort(-np.asarray(scores, float), kind="stable")]
    rank = (labels * np.arange(len(labels))).sum() + 1
    return 1 / rank if rank <= k else 0.0


def recall_from_1(ranks, k):
    """Count ranks from 1: the share of ranks up to k."""
    return float((np.asarray(ranks) <= k).mean())
