"""Similar legal cases: grades of the cases that were returned, and of all cases that were judged."""

import math


def ndcg(ranks, gt_ranks, K):
    best = sorted(gt_ranks, reverse=True)
    top = bottom = 0.0
    for place in range(K):
        weight = math.log(place + 2, 2)
        top += ranks[place] / weight
        bottom += best[place] / weight
    return top / bottom
