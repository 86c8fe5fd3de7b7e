"""MLflow: metrics of retrievers, called on two series of lists of ids as mlflow.evaluate calls them."""

from types import SimpleNamespace

import mlflow.metrics
import pandas as pd


def prepare(case):
    users = sorted(set(case.relevant.users) | set(case.recommended.users))
    truth, shown = (table.by_user("item", users=users) for table in (case.relevant, case.recommended))
    return SimpleNamespace(
        users=users,
        truth=pd.Series([items.tolist() for items in truth.values()], dtype=object),
        shown=pd.Series([items.tolist() for items in shown.values()], dtype=object),
    )


def ask(name):
    def answer(data, k):
        done = getattr(mlflow.metrics, name)(k)(predictions=data.shown, targets=data.truth)
        return done.aggregate_results["mean"], data.users, done.scores

    return answer


FUNCTIONS = {"mlflow.metrics." + name: ask(name) for name in ("precision_at_k", "recall_at_k", "ndcg_at_k")}
