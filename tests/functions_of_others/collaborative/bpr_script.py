"""Evaluation in a BPR training script: embeddings of users and items, and the items of each user."""

import numpy as np


def precision_and_recall_k(user_emb, item_emb, train_user_list, test_user_list, klist):
    shown = np.ones((user_emb.shape[0], item_emb.shape[0]))
    for user, items in enumerate(train_user_list):
        shown[user, list(items)] = 0.0
    scores = shown / (1 + np.exp(-user_emb @ item_emb.T))
    ranked = np.argsort(-scores, axis=1)[:, : max(klist)]
    precisions, recalls = [], []
    for k in klist:
        precision, recall = 0, 0
        for user, held in enumerate(test_user_list):
            found = len(held & set(ranked[user, :k].tolist()))
            precision += found / min([k, len(held)])
            recall += found / len(held)
        precisions.append(precision / user_emb.shape[0])
        recalls.append(recall / user_emb.shape[0])
    return precisions, recalls
