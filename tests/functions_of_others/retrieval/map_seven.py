"""Average precision with a cut-off, copied from a book on contests."""


def apk(actual, predicted, k=7, default=0.0):
    predicted = predicted[:k]
    total = hits = 0.0
    for place, one in enumerate(predicted):
        if one in actual and one not in predicted[:place]:
            hits += 1.0
            total += hits / (place + 1.0)

        if not actual:
            return default

        return total / min(len(actual), k)
    return None
