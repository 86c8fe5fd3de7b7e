"""SIGIR eCommerce challenge 2021: next item and all further items of a session, as the organisers score them."""


def mrr_at_k(preds: list, labels: list, topK: int):
    assert len(labels) > 0
    assert len(preds) == len(labels)
    inverse = []
    for shown, viewed in zip([list(each[:topK]) for each in preds], labels, strict=True):
        if len(viewed) == 0 or viewed[0] not in shown:
            inverse.append(0.0)
        else:
            inverse.append(1.0 / (shown.index(viewed[0]) + 1))
    return sum(inverse) / len(labels)


def f1_at_k(preds: list, labels: list, topK: int):
    assert len(labels) > 0
    assert len(preds) == len(labels)
    all_f1 = []
    for shown, viewed in zip(preds, labels, strict=True):
        found = len(set(shown[:topK]).intersection(set(viewed)))
        precision = found / topK
        recall = found / len(set(viewed)) if len(viewed) > 0 else 0.0
        both = precision + recall
        all_f1.append((2 * precision * recall) / both if both > 0 else 0.0)
    return sum(all_f1) / len(labels)
