"""rs_metrics on large data: means alone, since users' values would take the same time once more."""

import pandas as pd
import rs_metrics


def prepare(case):
    true = pd.DataFrame(case.relevant.named("user_id", "item_id", "rating"))
    return true, pd.DataFrame(case.recommended.named("user_id", "item_id", "score"))


def ask(name):
    return lambda prepared, k: getattr(rs_metrics, name)(*prepared, k=k)


NAMES = ("hitrate", "precision", "recall", "ndcg", "mapr", "mar", "mrr")
FUNCTIONS = {"rs_metrics." + name: ask(name) for name in NAMES}
