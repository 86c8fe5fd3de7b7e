"""Ranking evaluation of Caser, one user: targets first, then the predictions."""


def _compute_apk(targets, predictions, k):
    if len(predictions) > k:
        predictions = predictions[:k]
    score, num_hits = 0.0, 0.0
    for i, item in enumerate(predictions):
        if item in targets and item not in predictions[:i]:
            num_hits += 1.0
            score += num_hits / (i + 1.0)
    if not list(targets):
        return 0.0
    return score / min(len(targets), k)


def _compute_precision_recall(targets, predictions, k):
    shown = predictions[:k]
    num_hit = len(set(shown).intersection(set(targets)))
    return float(num_hit) / len(shown), float(num_hit) / len(targets)


def evaluate_user(targets, predictions, ks=(1, 5, 10)):
    """Return the precisions, the recalls and the average precision."""
    pairs = [_compute_precision_recall(targets, predictions, k) for k in ks]
    return [p for p, _ in pairs], [r for _, r in pairs], _compute_apk(targets, predictions, k=float("inf"))
