"""rs_metrics: functions of two frames, what is relevant and what is recommended, best first."""

import inspect

import pandas as pd
import rs_metrics


def prepare(case):
    true = pd.DataFrame(case.relevant.named("user_id", "item_id", "rating"))
    return true, pd.DataFrame(case.recommended.named("user_id", "item_id", "score"))


def ask(name):
    def answer(prepared, k):
        true, pred = prepared
        metric = getattr(rs_metrics, name)
        mean = metric(true, pred, k=k)
        if "apply_mean" not in inspect.signature(metric).parameters:
            return mean
        users = list(rs_metrics.pandas_to_dict(true))  # the values stand in the order of this dict
        return mean, users, metric(true, pred, k=k, apply_mean=False)

    return answer


NAMES = ("hitrate", "precision", "recall", "ndcg", "mapr", "mar", "mrr")
FUNCTIONS = {"rs_metrics." + name: ask(name) for name in NAMES}
