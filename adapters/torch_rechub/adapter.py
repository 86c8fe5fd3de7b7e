"""Torch-RecHub: metrics of dictionaries of lists, whose text holds the number, and of labels and scores."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
from torch_rechub.basic import metric


def prepare(case):
    users = sorted(set(case.relevant.users) | set(case.recommended.users))
    truth, shown = (
        {user: items.tolist() for user, items in table.by_user("item", users=users).items()}
        for table in (case.relevant, case.recommended)
    )
    pred = pd.DataFrame(case.recommended.named("user", "item", "score"))
    true = pd.DataFrame(case.relevant.named("user", "item", "gain")).drop_duplicates(["user", "item"])
    gain = pred.merge(true, how="left", on=["user", "item"])["gain"]
    columns = (gain >= case.threshold).astype(int).to_numpy(), pred["score"].to_numpy(), pred["user"].to_numpy()
    listed = {user: items for user, items in shown.items() if items}
    return SimpleNamespace(
        truth=truth, shown=shown, listed=listed, columns=columns, catalogue=np.unique(case.catalogue)
    )


def number(text):  # NDCG@10: 0.1684
    return float(text[0].rpartition(": ")[2])


def lists(name):
    return lambda data, k: number(metric.topk_metrics(data.truth, data.shown, [k])[name])


def labels(name, columns):
    return lambda data, k: getattr(metric, name)(*data.columns[:columns])


def coverage(data, k):
    return number(metric.coverage_score(data.listed, data.catalogue, [k])["Coverage"])


PLACE = "torch_rechub.basic.metric."
NAMES = ("NDCG", "MRR", "Recall", "Precision", "Hit")
FUNCTIONS = {PLACE + "topk_metrics[%s]" % name: lists(name) for name in NAMES}
FUNCTIONS.update({PLACE + "auc_score": labels("auc_score", 2), PLACE + "gauc_score": labels("gauc_score", 3)})
FUNCTIONS.update({PLACE + "log_loss": labels("log_loss", 2), PLACE + "coverage_score": coverage})
