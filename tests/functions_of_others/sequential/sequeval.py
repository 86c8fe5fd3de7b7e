"""Evaluation of sequences in Sequeval: sequences of ratings (item, user, timestamp); the first one is the seed."""

import numpy as np


class Evaluator:
    def __init__(self, test_set=(), k=5):
        self.test_set = test_set
        self.k = k

    @staticmethod
    def _get_item_list(sequence):
        return [rating[0] for rating in sequence]

    def precision(self, recommended_sequences):
        precision = np.full(len(self.test_set), 0.0, dtype=float)
        for at, (sequence, recommended) in enumerate(zip(self.test_set, recommended_sequences, strict=False)):
            local_k = min(self.k, len(sequence) - 1)
            reference, hit = self._get_item_list(sequence[1:]), 0
            for rating in recommended[: self.k]:
                if rating[0] in reference:
                    reference.remove(rating[0])
                    hit += 1
            precision[at] = hit / local_k
        return precision.mean()


def precision(test_set, recommended_sequences, k):
    return Evaluator(test_set, k).precision(recommended_sequences)
