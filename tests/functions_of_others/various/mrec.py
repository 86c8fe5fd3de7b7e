"""mrec: the recommended and the known items of one user; a dict of metrics at several cut-offs."""


def prec(predicted, true, k):
    if not predicted:
        return 0
    shown = predicted[:k]
    return float(len(set(shown).intersection(true))) / len(shown)


def mrr(predicted, true):
    for place, item in enumerate(predicted):
        if item in true:
            return 1.0 / (place + 1)
    return 0


def compute_main_metrics(recommended, known):
    if not known:
        return None
    metrics = {f"prec@{k}": prec(recommended, known, k) for k in (5, 10, 15, 20)}
    metrics["mrr"] = mrr(recommended, known)
    return metrics
