"""Next-item evaluation (GRU4Rec, SASRec, BERT4Rec): scores of all items, the target as an index."""

import numpy as np


def hr(scores, target, k=10):
    scores = np.asarray(scores, float)
    return float((scores > scores[int(target)]).sum() < k)


def mrr_batch(logits, target_ids, k=10):
    """(batch, items), (batch,)"""
    logits, target_ids = np.asarray(logits, float), np.asarray(target_ids, int)
    own = logits[np.arange(len(logits)), target_ids][:, None]
    rank = (logits > own).sum(1) + 1
    return float(np.where(rank <= k, 1 / rank, 0).mean())


def recall_topk(topk_items, target_ids):
    """(batch, k) item ids, (batch,) the target: batch recall as GRU4Rec forks have it"""
    topk_items, target_ids = np.asarray(topk_items), np.asarray(target_ids)
    return float((topk_items == target_ids[:, None]).any(1).mean())
