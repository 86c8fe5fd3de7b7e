"""Top-k evaluation of a knowledge graph network: score maps of users, records of train and test, lists of metrics."""

import numpy as np


def topk_eval(item_score_maps, user_list, train_record, test_record, item_set, k_list):
    precision_list = {k: [] for k in k_list}
    recall_list = {k: [] for k in k_list}
    for user in user_list:
        asked = item_set - train_record[user]
        pairs = sorted([pair for pair in item_score_maps[user].items() if pair[0] in asked], key=lambda pair: -pair[1])
        ranked = [item for item, _ in pairs]
        for k in k_list:
            found = len(set(ranked[:k]) & test_record[user])
            precision_list[k].append(found / k)
            recall_list[k].append(found / len(test_record[user]))
    return [np.mean(precision_list[k]) for k in k_list], [np.mean(recall_list[k]) for k in k_list]
