"""OTTO (Kaggle): recall@20 of one type: all hits over all of min(20, r). Tables with lists in a column."""


def recall20(sub, labels):
    """sub: session, labels (list of aids); labels: session, ground_truth (list of aids)."""
    both = labels.merge(sub, on="session", how="left")
    both["labels"] = [x if isinstance(x, list) else [] for x in both["labels"]]
    hits = [len(set(t) & set(p[:20])) for t, p in zip(both["ground_truth"], both["labels"], strict=False)]
    return sum(hits) / sum(min(20, len(t)) for t in both["ground_truth"])


def recall20_dicts(ground_truth, prediction, k=20):
    """Do the same for dicts of session -> aids."""
    hits = sum(len(set(t) & set(prediction.get(s, [])[:k])) for s, t in ground_truth.items())
    return hits / sum(min(k, len(t)) for t in ground_truth.values())


def total(ground_truth, prediction):
    """0.1 clicks + 0.3 carts + 0.6 orders; keys are (session, type)."""
    weight = {"clicks": 0.1, "carts": 0.3, "orders": 0.6}
    value = 0.0
    for kind, w in weight.items():
        t = {s: v for (s, x), v in ground_truth.items() if x == kind}
        value += w * recall20_dicts(t, {s: v for (s, x), v in prediction.items() if x == kind})
    return value
