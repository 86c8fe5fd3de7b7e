"""Evaluation of a Keras GRU4Rec: scores and one-hot targets; ((recall, k), (mrr, k))."""

import numpy as np


def get_metrics(preds, target_oh, recall_k=20, mrr_k=20):
    n = rec_sum = mrr_sum = 0
    for pred_row, label_row in zip(np.asarray(preds, float), np.asarray(target_oh), strict=False):
        rec_idx = pred_row.argsort()[-recall_k:][::-1]
        mrr_idx = pred_row.argsort()[-mrr_k:][::-1]
        tru_idx = label_row.argsort()[-1:][::-1]
        n += 1
        if tru_idx[0] in rec_idx:
            rec_sum += 1
        if tru_idx[0] in mrr_idx:
            mrr_sum += 1 / int(np.where(mrr_idx == tru_idx[0])[0][0] + 1)
    return (rec_sum / n, recall_k), (mrr_sum / n, mrr_k)
