"""rs_metrics on large data: means alone, since users' values would take the same time once more."""

import pandas as pd
import rs_metrics


def prepare(case):
    true = pd.DataFrame(case.relevant.named("user_id", "item_id", "rating"))
    pred = pd.DataFrame(case.recommended.named("user_id", "item_id", "score"))
    return true, pred, pd.DataFrame(case.train.named("user_id", "item_id"))


def ask(name):
    return lambda prepared, k: getattr(rs_metrics, name)(*prepared[:2], k=k)


def coverage(prepared, k):
    return rs_metrics.coverage(prepared[2]["item_id"].unique().tolist(), prepared[1], k=k)


def of_log(name):
    return lambda prepared, k: getattr(rs_metrics, name)(prepared[2], prepared[1], k=k)


NAMES = ("hitrate", "precision", "recall", "ndcg", "mapr", "mar", "mrr")
FUNCTIONS = {"rs_metrics." + name: ask(name) for name in NAMES}
FUNCTIONS["rs_metrics.coverage"] = coverage
FUNCTIONS.update({"rs_metrics." + name: of_log(name) for name in ("popularity", "surprisal")})
