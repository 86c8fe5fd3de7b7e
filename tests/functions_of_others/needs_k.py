"""S3-Rec family, second part: every list must have k places; actual is one item or several."""

import math


def ndcg_k(actual, predicted, topk):
    total = 0.0
    for u in range(len(actual)):
        n = min(topk, len(actual[u]))
        ideal = sum(1.0 / math.log(i + 2, 2) for i in range(n)) or 1.0
        total += sum(int(predicted[u][j] in set(actual[u])) / math.log(j + 2, 2) for j in range(topk)) / ideal
    return total / float(len(actual))


def recall_at_k(actual, predicted, topk):
    total = n = 0
    for a, p in zip(actual, predicted, strict=False):
        if len(a):
            total += len(set(a) & set(p[:topk])) / float(len(set(a)))
            n += 1
    return total / n
