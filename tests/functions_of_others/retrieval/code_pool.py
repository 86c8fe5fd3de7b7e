"""Code search in a pool of snippets: what should be found, and the ranked indices that were."""

import math


def ACC(real, predict):
    found = 0.0
    for one in real:
        try:
            predict.index(one)
            found += 1
        except ValueError:
            pass
    return found / len(real)


def MAP(real, predict):
    total = 0.0
    for number, one in enumerate(real):
        place = predict.index(one) if one in predict else -1
        if place >= 0:
            total += (number + 1) / float(place + 1)
    return total / float(len(real))


def MRR(real, predict):
    total = 0.0
    for one in real:
        place = predict.index(one) if one in predict else -1
        if place >= 0:
            total += 1.0 / float(place + 1)
    return total / float(len(real))


def NDCG(real, predict):
    gained = 0.0
    for place, one in enumerate(predict):
        if one in real:
            gained += (math.pow(2, 1) - 1.0) * (math.log(2) / math.log(place + 2))
    return gained / float(IDCG(len(real)))


def IDCG(n):
    return sum((math.pow(2, 1) - 1.0) * (math.log(2) / math.log(place + 2)) for place in range(n))
