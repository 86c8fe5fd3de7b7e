"""Metrics of aprec (BERT4Rec reproduction): recommendations are (item, score) pairs, actions have an item_id."""

import math
from collections import namedtuple

Action = namedtuple("Action", ["user_id", "item_id", "timestamp"])


class NDCG:
    def __init__(self, k=10):
        self.name = f"ndcg@{k}"
        self.k = k

    def __call__(self, recommendations, actual_actions):
        if len(recommendations) == 0:
            return 0
        actual_set = {action.item_id for action in actual_actions}
        recommended = [pair[0] for pair in recommendations[: self.k]]
        if not set(recommended) & actual_set:
            return 0
        ideal_rec = sorted(recommended, key=lambda item: item not in actual_set)
        return self.dcg(recommended, actual_set) / self.dcg(ideal_rec, actual_set)

    @staticmethod
    def dcg(id_list, relevant_id_set):
        result = 0.0
        for idx in range(len(id_list)):
            if id_list[idx] in relevant_id_set:
                result += 1 / math.log2(idx + 2)
        return result


class MAP:
    def __init__(self, k=10):
        self.name = f"MAP@{k}"
        self.k = k

    def __call__(self, recommendations, actual_actions):
        if len(recommendations) == 0 or len(actual_actions) == 0:
            return 0
        actual_set = {action.item_id for action in actual_actions}
        correct, running = 0, 0
        for i, pair in enumerate(recommendations[: self.k]):
            if pair[0] in actual_set:
                correct += 1
                running += correct / (i + 1)
        return running / len(actual_actions)
