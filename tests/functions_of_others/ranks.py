"""Sequential recommendation utilities (S3-Rec family): a list of the answers' ranks from 0 up; (HIT, NDCG, MRR)."""

import math


def get_metric(pred_list, topk=10):
    hit = ndcg = mrr = 0.0
    for rank in pred_list:
        mrr += 1.0 / (rank + 1.0)
        if rank < topk:
            ndcg += 1.0 / math.log2(rank + 2.0)
            hit += 1.0
    n = len(pred_list)
    return hit / n, ndcg / n, mrr / n
