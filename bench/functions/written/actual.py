"""Functions of (actual items, predicted items, k)."""


def average_precision(actual, predicted, k):
    score, found = 0.0, 0
    for place, item in enumerate(predicted[:k]):
        if item in actual and item not in predicted[:place]:
            found += 1
            score += found / (place + 1)
    return score / min(len(actual), k)


def average_precision_over_k(actual, predicted, k):
    score, found = 0.0, 0
    for place, item in enumerate(predicted[:k]):
        if item in actual:
            found += 1
            score += found / (place + 1)
    return score / k


def reciprocal_rank_overwritten(actual, predicted, k):
    value = 0.0
    for rank, item in enumerate(predicted[:k], 1):
        if item in actual:
            value = 1 / rank
    return value
