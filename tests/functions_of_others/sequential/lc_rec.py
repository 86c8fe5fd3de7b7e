"""LC-Rec: beams are texts, all of a batch in one list, with their scores; metrics are named like hit@5."""

import math


def get_topk_results(predictions, scores, targets, k, all_items=None):
    predictions = [text.split("Response:")[-1].strip().replace(" ", "") for text in predictions]
    scores = list(scores)
    if all_items is not None:
        for i, text in enumerate(predictions):
            if text not in all_items:
                scores[i] = -1000
    results = []
    for b, target in enumerate(targets):
        beams = list(zip(predictions[b * k : (b + 1) * k], scores[b * k : (b + 1) * k], strict=False))
        beams.sort(key=lambda beam: beam[1], reverse=True)
        results.append([1 if text == target else 0 for text, _ in beams])
    return results


def ndcg_k(topk_results, k):
    ndcg = 0.0
    for row in topk_results:
        for i, hit in enumerate(row[:k]):
            ndcg += hit / math.log(i + 2, 2)
    return ndcg


def hit_k(topk_results, k):
    hit = 0.0
    for row in topk_results:
        if sum(row[:k]) > 0:
            hit += 1
    return hit


def test_results(predictions, scores, targets, num_beams, metrics=("hit@1", "hit@5", "ndcg@5"), all_items=None):
    rows = get_topk_results(predictions, scores, targets, num_beams, all_items)
    res = {}
    for m in metrics:
        k = int(m.split("@")[1])
        res[m] = (hit_k(rows, k) if m.lower().startswith("hit") else ndcg_k(rows, k)) / len(targets)
    return res
