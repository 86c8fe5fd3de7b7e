"""Right formulas rounded, turned round, or with the sign changed."""

import math


def ndcg4(recommended, relevant, k):
    return round(_n(recommended, relevant, k), 4)


def ndcg3(recommended, relevant, k):
    return round(_n(recommended, relevant, k), 3)


def ndcg2(recommended, relevant, k):
    return round(_n(recommended, relevant, k), 2)


def _n(rec, rel, k):
    d = sum(1 / math.log2(j + 2) for j, i in enumerate(rec[:k]) if i in rel)
    b = sum(1 / math.log2(j + 2) for j in range(min(k, len(rel))))
    return d / b if b else 0.0


def miss_rate(recommended, relevant, k):
    return 1.0 - float(any(i in relevant for i in recommended[:k]))


def one_minus_recall(recommended, relevant, k):
    return 1 - len(set(recommended[:k]) & set(relevant)) / len(relevant) if relevant else 0.0


def neg_ndcg(recommended, relevant, k):
    return -_n(recommended, relevant, k)
