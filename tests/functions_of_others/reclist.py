"""reclist PR6 (before): precision@k divides by the whole list, 1 for an empty list; lists of all users."""


def precision_at_k(y_preds, y_test, k=3):
    values = [len(set(y) & set(p[:k])) / len(p) if p else 1 for p, y in zip(y_preds, y_test, strict=False)]
    return sum(values) / len(values)
