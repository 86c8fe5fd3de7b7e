"""Engine of a PyTorch version of neural collaborative filtering: six lists of rows, ranked in a data frame."""

import math

import pandas as pd


class MetronAtK:
    def __init__(self, top_k):
        self.top_k = top_k
        self._subjects = None

    @property
    def subjects(self):
        return self._subjects

    @subjects.setter
    def subjects(self, subjects):
        users, items, scores, neg_users, neg_items, neg_scores = subjects
        held = pd.DataFrame({"user": users, "test_item": items, "test_score": scores})
        rows = pd.DataFrame({"user": neg_users + users, "item": neg_items + items, "score": neg_scores + scores})
        rows = rows.merge(held, on=["user"], how="left")
        rows["rank"] = rows.groupby("user")["score"].rank(method="first", ascending=False)
        self._subjects = rows.sort_values(["user", "rank"])

    def _found(self):
        top = self._subjects[self._subjects["rank"] <= self.top_k]
        return top[top["test_item"] == top["item"]]

    def cal_hit_ratio(self):
        return len(self._found()) / self._subjects["user"].nunique()

    def cal_ndcg(self):
        gains = self._found()["rank"].apply(lambda rank: math.log(2) / math.log(1 + rank))
        return gains.sum() / self._subjects["user"].nunique()


def evaluate(test_users, test_items, test_scores, negative_users, negative_items, negative_scores):
    metron = MetronAtK(top_k=10)
    metron.subjects = [test_users, test_items, test_scores, negative_users, negative_items, negative_scores]
    return metron.cal_hit_ratio(), metron.cal_ndcg()
