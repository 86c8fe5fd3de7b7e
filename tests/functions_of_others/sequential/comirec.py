"""Evaluation of ComiRec: retrieved items and the next items of each user; a dict of three metrics."""

import math


def evaluate_full(I, item_id, topN=50):  # noqa: E741
    total = 0
    total_recall, total_ndcg, total_hitrate = 0.0, 0.0, 0
    for i, iid_list in enumerate(item_id):
        recall, dcg = 0, 0.0
        retrieved = set(I[i][:topN])
        for no, iid in enumerate(iid_list):
            if iid in retrieved:
                recall += 1
                dcg += 1.0 / math.log(no + 2, 2)
        idcg = 0.0
        for no in range(recall):
            idcg += 1.0 / math.log(no + 2, 2)
        total_recall += recall * 1.0 / len(iid_list)
        if recall > 0:
            total_ndcg += dcg / idcg
            total_hitrate += 1
        total += 1
    return {"recall": total_recall / total, "ndcg": total_ndcg / total, "hitrate": total_hitrate * 1.0 / total}
