"""LibRecommender: its function evaluate, on a model that returns the lists or scores given."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
from libreco.data import TransformedEvalSet
from libreco.evaluation import evaluate


class Given:
    task = "ranking"

    def __init__(self, lists, scores, n_items):
        self.lists, self.scores, self.n_items = lists, scores, n_items

    def recommend_user(self, user, n_rec, **options):
        return {each: self.lists[each][:n_rec] for each in user}

    def predict(self, users, items, **options):
        return self.scores[: len(users)]


def prepare(case):
    users = case.relevant.users
    lists = case.recommended.by_user("item", users=users)
    ones = np.ones(len(case.relevant.user), dtype=int)
    pred = pd.DataFrame(case.recommended.named("user", "item", "score"))
    true = pd.DataFrame(case.relevant.named("user", "item", "gain")).drop_duplicates(["user", "item"])
    gain = pred.merge(true, how="left", on=["user", "item"])["gain"]
    return SimpleNamespace(
        listed=TransformedEvalSet(case.relevant.user, case.relevant.item, ones),
        labelled=TransformedEvalSet(pred["user"], pred["item"], (gain >= case.threshold).astype(int)),
        model=Given(lists, pred["score"].to_numpy(), int(case.relevant.item.max(initial=0)) + 2),
    )


def ask(name, data_of):
    def answer(data, k):
        rows = getattr(data, data_of)
        more = {} if k is None else {"k": k}
        # Lists are evaluated on positive rows, to which it draws negative ones that no list metric reads.
        sampling = data_of == "listed"
        return evaluate(data.model, rows, sampling, 10**9, [name], **more)[name]

    return answer


ROUTE = "libreco.evaluation.evaluate[%s]"
FUNCTIONS = {ROUTE % name: ask(name, "listed") for name in ("precision", "recall", "map", "ndcg")}
FUNCTIONS.update({ROUTE % name: ask(name, "labelled") for name in ("roc_auc", "roc_gauc", "log_loss")})
