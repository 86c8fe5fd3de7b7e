"""Session evaluation after GRU4Rec: a frame of scores with one column an event, and one event alone."""

import numpy as np
import pandas as pd


def evaluate_batch(preds, in_idx, cut_off=20, mode="conservative"):
    """preds: items x events, indexed by the item ids; in_idx: the next item of each event."""
    scores = pd.DataFrame(preds).fillna(0)
    own = np.diag(scores.loc[list(in_idx)].values)
    if mode == "conservative":
        ranks = (scores.values >= own).sum(axis=0)
    elif mode == "standard":
        ranks = (scores.values > own).sum(axis=0) + 1
    else:
        raise NotImplementedError
    within = ranks <= cut_off
    return within.sum() / len(ranks), ((1.0 / ranks) * within).sum() / len(ranks)


def evaluate_event(preds, iid, cut_off=20):
    """preds: a series of scores with the item ids as index; iid: the next item."""
    recall, mrr = 0.0, 0.0
    preds = preds.fillna(0)
    preds = preds + 1e-8 * np.random.rand(len(preds))
    rank = (preds > preds[iid]).sum() + 1
    if rank < cut_off:
        recall += 1
        mrr += 1.0 / rank
    return recall, mrr
