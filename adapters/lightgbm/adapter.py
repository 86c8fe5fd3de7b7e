"""LightGBM: metrics of learning to rank, recorded in a round of training that moves no score."""

from types import SimpleNamespace

import lightgbm
import numpy as np
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


def ask(metric, target, **options):
    def answer(data, k):
        if data.refused[target]:
            raise Unaskable(data.refused[target])
        rows = lightgbm.Dataset(
            np.zeros((len(data.scores), 1)), label=getattr(data, target), group=data.sizes, init_score=data.scores
        )
        params = {"objective": "lambdarank", "metric": metric, "num_threads": 1, "verbose": -1, **options}
        if k is not None:
            params["eval_at"] = [k]
        recorded = {}
        lightgbm.train(
            params, rows, num_boost_round=1, valid_sets=[rows], valid_names=["all"],
            callbacks=[lightgbm.record_evaluation(recorded)],
        )  # fmt: skip
        return recorded["all"][metric if k is None else "%s@%d" % (metric, k)][0]

    return answer


NAME = "lightgbm.train[%s]"
FUNCTIONS = {NAME % name: ask(name, "labels") for name in ("map", "auc", "average_precision")}
FUNCTIONS[NAME % "ndcg"] = ask("ndcg", "grades")
FUNCTIONS[NAME % "ndcg,label_gain=range(31)"] = ask("ndcg", "grades", label_gain=list(range(31)))
