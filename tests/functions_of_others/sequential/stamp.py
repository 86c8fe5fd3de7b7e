"""Recall and MRR of STAMP: one value for each prediction, with the ranks beside them."""


def cau_recall_mrr(preds, labels, cutoff=20):
    recall, mrr, all_ranks = [], [], []
    for scores, label in zip(preds, labels, strict=False):
        place = (scores[label] < scores).sum() + 1
        all_ranks.append(place)
        recall.append(place <= cutoff)
        mrr.append(1 / place if place <= cutoff else 0.0)
    return recall, mrr, all_ranks
