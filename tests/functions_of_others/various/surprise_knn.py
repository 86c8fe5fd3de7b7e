"""Surprise's example: predictions (uid, iid, true rating, estimate, details), and the least rating of a liked item."""

from collections import defaultdict


def precision_recall_at_k(predictions, k=10, threshold=3.5):
    ratings_of = defaultdict(list)
    for uid, _, true_r, est, _ in predictions:
        ratings_of[uid].append((est, true_r))

    precisions, recalls = {}, {}
    for uid, ratings in ratings_of.items():
        ratings.sort(key=lambda pair: pair[0], reverse=True)
        liked = sum(true_r >= threshold for _, true_r in ratings)
        chosen = [true_r for est, true_r in ratings[:k] if est >= threshold]
        both = sum(true_r >= threshold for true_r in chosen)
        precisions[uid] = both / len(chosen) if chosen else 1
        recalls[uid] = both / liked if liked else 1
    return precisions, recalls
