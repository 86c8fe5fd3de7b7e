"""rs_metrics: functions of two frames, what is relevant, or was seen, and what is recommended, best first."""

import inspect

import pandas as pd
import rs_metrics


def prepare(case):
    true = pd.DataFrame(case.relevant.named("user_id", "item_id", "rating"))
    pred = pd.DataFrame(case.recommended.named("user_id", "item_id", "score"))
    users = list(rs_metrics.pandas_to_dict(true))  # values of users stand in the order of this dict
    return true, pred, pd.DataFrame(case.train.named("user_id", "item_id")), users


def ask(name):
    def answer(prepared, k):
        true, pred, _, users = prepared
        metric = getattr(rs_metrics, name)
        mean = metric(true, pred, k=k)
        if "apply_mean" not in inspect.signature(metric).parameters:
            return mean
        return mean, users, metric(true, pred, k=k, apply_mean=False)

    return answer


def coverage(prepared, k):
    _, pred, log, _ = prepared
    return rs_metrics.coverage(log["item_id"].unique().tolist(), pred, k=k)


def of_log(name):
    def answer(prepared, k):
        _, pred, log, _ = prepared
        return getattr(rs_metrics, name)(log, pred, k=k)

    return answer


NAMES = ("hitrate", "precision", "recall", "ndcg", "mapr", "mar", "mrr")
FUNCTIONS = {"rs_metrics." + name: ask(name) for name in NAMES}
FUNCTIONS["rs_metrics.coverage"] = coverage
FUNCTIONS.update({"rs_metrics." + name: of_log(name) for name in ("popularity", "surprisal")})
