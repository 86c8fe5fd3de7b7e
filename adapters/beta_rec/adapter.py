"""Beta-RecSys: functions of two frames, functions of one user's sequences, and what its engines call."""

from types import SimpleNamespace

import pandas as pd
from beta_rec.core.eval_engine import evaluate
from beta_rec.utils import evaluation, seq_evaluation

PAIR = ["col_user", "col_item"]


def prepare(case):
    true = pd.DataFrame(case.relevant.named(*PAIR, "col_rating"))
    pred = pd.DataFrame(case.recommended.named(*PAIR, "col_prediction"))
    # auc and logloss are documented for binary ratings; its data loaders label every candidate pair 0 or 1
    rated = true.assign(col_rating=(true["col_rating"] >= case.threshold).astype(int))
    labels = pred[PAIR].merge(rated.drop_duplicates(PAIR), how="left", on=PAIR).fillna(0)
    return SimpleNamespace(true=true, pred=pred, rated=rated, candidates=labels)


def frames(name, true="true", ranked=True, **options):
    def answer(data, k):
        cut = dict(options, k=k) if ranked else options
        return getattr(evaluation, name)(getattr(data, true), data.pred, **cut)

    return answer


def sequences(name):
    def answer(data, k):
        shown = {user: items.tolist() for user, items in data.pred.groupby("col_user")["col_item"]}
        values = {}
        for user, items in data.true.groupby("col_user")["col_item"]:
            prediction = [[item] for item in shown.get(user, [])[:k]]
            values[user] = getattr(seq_evaluation, name)([[item] for item in items], prediction)
        return None, list(values), list(values.values())

    return answer


def engine(name):
    def answer(data, k):
        (mean,) = evaluate(data.candidates, data.pred["col_prediction"].to_numpy(), [name], k).values()
        return mean

    return answer


FRAMES, BY_THRESHOLD = evaluation.__name__ + ".", "[relevancy_method=by_threshold]"
FUNCTIONS = {FRAMES + name: frames(name, ranked=False) for name in ("rmse", "mae", "rsquared", "exp_var")}
FUNCTIONS.update({FRAMES + name: frames(name, "rated", ranked=False) for name in ("auc", "logloss")})
FUNCTIONS[FRAMES + "auc[rating_true=all_0_1]"] = frames("auc", "candidates", ranked=False)
for name in ("precision_at_k", "recall_at_k", "ndcg_at_k", "map_at_k"):
    FUNCTIONS[FRAMES + name] = frames(name)
    FUNCTIONS[FRAMES + name + BY_THRESHOLD] = frames(name, relevancy_method="by_threshold")
FUNCTIONS.update({seq_evaluation.__name__ + "." + n: sequences(n) for n in ("precision", "recall", "mrr", "ndcg")})
for name in ("rmse", "mae", "rsquared", "precision", "recall", "ndcg", "map"):
    FUNCTIONS["beta_rec.core.eval_engine.evaluate[%s]" % name] = engine(name)
