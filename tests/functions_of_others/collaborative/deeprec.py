"""Top-n metrics of a toolkit for deep recommenders: one user's ranked list and test items; tuples of metrics."""

import math


def precision_recall_ndcg_at_k(k, rankedlist, test_matrix):
    best = sum(1 / math.log(i + 2, 2) for i in range(min(k, len(test_matrix))))
    held = set(test_matrix)
    found = [place for place, item in enumerate(rankedlist) if item in held]
    got = sum(1 / math.log(place + 2, 2) for place in found)
    return len(found) / k, len(found) / len(test_matrix), got / best


def map_mrr_ndcg(rankedlist, test_matrix):
    best = sum(1 / math.log(i + 2, 2) for i in range(len(test_matrix)))
    held = set(test_matrix)
    found = [place for place, item in enumerate(rankedlist) if item in held]
    ap = got = 0
    for n, place in enumerate(found):
        ap += (n + 1) / (place + 1)
        got += 1 / math.log(place + 2, 2)
    if not found:
        return 0, 0, got / best
    return ap / len(found), 1 / (found[0] + 1), got / best
