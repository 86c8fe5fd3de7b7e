"""Walks over a knowledge graph: rollouts that end at entities, several at the same one, and their rewards."""

import numpy as np


def score_rollouts(log_probs, current_entities, rewards, positive_reward=1.0):
    """all (batch, rollouts)"""
    order = np.argsort(-np.asarray(log_probs), kind="stable")
    hits = dict.fromkeys((1, 3, 5, 10, 20), 0)
    auc = 0.0
    for b in range(len(order)):
        answer_pos, seen, place = None, set(), 0
        for r in order[b]:
            if rewards[b][r] == positive_reward:
                answer_pos = place
                break
            if current_entities[b][r] not in seen:
                seen.add(current_entities[b][r])
                place += 1
        if answer_pos is not None:
            auc += 1.0 / (answer_pos + 1)
            for k in hits:
                hits[k] += answer_pos < k
    return {**{f"Hits@{k}": v / len(order) for k, v in hits.items()}, "auc": auc / len(order)}
