"""Cut both lists at k: the first k relevant rows count only."""


def recall_cut(actual, predicted, k):
    a = actual[:k]
    return len(set(a) & set(predicted[:k])) / len(a) if a else 0.0


def precision_cut(actual, predicted, k):
    return len(set(actual[:k]) & set(predicted[:k])) / k
