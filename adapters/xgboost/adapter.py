"""XGBoost: metrics of learning to rank, evaluated by a model without a tree whose base margin are the scores."""

from types import SimpleNamespace

import numpy as np
import xgboost
from audit_harness import Unaskable


def prepare(case):
    gain = dict(zip(zip(case.relevant.user.tolist(), case.relevant.item.tolist()), case.relevant.gain.tolist()))
    lists = case.recommended.by_user("item", "score")
    rows = [(user, item) for user, (items, _) in lists.items() for item in items.tolist()]
    relevant = {row for row, own in gain.items() if own >= case.threshold}
    return SimpleNamespace(
        sizes=[len(items) for items, _ in lists.values()],
        scores=np.concatenate([scores for _, scores in lists.values()]) if lists else np.empty(0),
        labels=np.array([float(row in relevant) for row in rows]),
        grades=np.array([gain.get(row, 0.0) for row in rows]),
        refused=refusals(gain, rows, relevant),
    )


def refusals(gain, rows, relevant):
    """Return why rows cannot be labelled, and why they cannot be graded."""
    if len(set(rows)) < len(rows):
        twice = "a query lists every candidate once: an item that is recommended twice stands there twice"
        return {"labels": twice, "grades": twice}
    unlisted = "a query lists all its candidates: a relevant item that is not recommended is none"
    whole = all(own >= 0 and own % 1 == 0 for own in gain.values())
    return {
        "labels": unlisted if relevant - set(rows) else "",
        "grades": "a grade is a whole number from 0 up" if not whole else unlisted if set(gain) - set(rows) else "",
    }


def ask(metric, target, cut=True, **options):
    def answer(data, k):
        if data.refused[target]:
            raise Unaskable(data.refused[target])
        rows = xgboost.DMatrix(
            np.zeros((len(data.scores), 1)), label=getattr(data, target), base_margin=data.scores, group=data.sizes
        )
        name = "%s@%d%s" % (metric.rstrip("-"), k, "-" * metric.endswith("-")) if cut else metric
        booster = xgboost.Booster({"objective": "rank:ndcg", "eval_metric": name, "nthread": 1, **options}, [rows])
        return float(booster.eval(rows).rpartition(":")[2])

    return answer


NAME = "xgboost.Booster.eval[%s]"
FUNCTIONS = {NAME % name: ask(name, "labels") for name in ("map", "map-", "pre")}
FUNCTIONS[NAME % "auc"] = ask("auc", "labels", cut=False)
FUNCTIONS.update({NAME % name: ask(name, "grades") for name in ("ndcg", "ndcg-")})
FUNCTIONS[NAME % "ndcg,ndcg_exp_gain=False"] = ask("ndcg", "grades", ndcg_exp_gain=False)
