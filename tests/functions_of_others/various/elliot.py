"""Elliot: average precision of one user from (item, score) pairs, the cut-off and the relevant items."""

import numpy as np


class MAP:
    @staticmethod
    def user_precision(user_recommendations, cutoff, user_relevant_items):
        return sum(1 for item, _ in user_recommendations[:cutoff] if item in user_relevant_items) / cutoff

    @staticmethod
    def user_ap(user_recommendations, cutoff, user_relevant_items):
        shown = user_recommendations[:cutoff]
        return np.average([MAP.user_precision(shown, n + 1, user_relevant_items) for n in range(cutoff)])
