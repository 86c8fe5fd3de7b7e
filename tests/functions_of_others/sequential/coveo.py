"""Session metrics of a data challenge: lists of predicted items and lists of all that was viewed next."""


def mrr_at_k(preds: list, labels: list, topK: int):
    assert len(labels) > 0
    assert len(preds) == len(labels)
    rr = []
    for shown, viewed in zip([items[:topK] for items in preds], labels, strict=True):
        if len(viewed) == 0 or viewed[0] not in shown:
            rr.append(0.0)
        else:
            rr.append(1.0 / (shown.index(viewed[0]) + 1))
    return sum(rr) / len(labels)


def f1_at_k(preds: list, labels: list, topK: int):
    assert len(labels) > 0
    assert len(preds) == len(labels)
    all_f1 = []
    for shown, viewed in zip([items[:topK] for items in preds], labels, strict=True):
        nb_hits = len(set(shown).intersection(set(viewed)))
        precision = nb_hits / topK
        recall = nb_hits / len(set(viewed)) if len(viewed) > 0 else 0.0
        all_f1.append((2 * precision * recall) / (precision + recall) if (precision + recall) > 0 else 0.0)
    return sum(all_f1) / len(labels)
