"""FuxiCTR: metrics of flat arrays of labels and scores, with the group of each row, and its NDCG of one group.

evaluate_metrics starts a pool of half as many processes as there are cores; of one core that is none, and it raises.
"""

from types import SimpleNamespace

import pandas as pd
from fuxictr import metrics


def prepare(case):
    pred = pd.DataFrame(case.recommended.named("user", "item", "score"))
    true = pd.DataFrame(case.relevant.named("user", "item", "gain")).drop_duplicates(["user", "item"])
    gain = pred.merge(true, how="left", on=["user", "item"])["gain"]
    pred = pred.assign(label=(gain >= case.threshold).astype(int), gain=gain.fillna(0.0))
    return SimpleNamespace(pred=pred)


def route(name):
    def answer(data, k):
        asked = name.replace("(k)", "(%s)" % k)
        columns = (data.pred[column].to_numpy() for column in ("label", "score"))
        return metrics.evaluate_metrics(*columns, [asked], group_id=data.pred["user"].to_numpy())[asked]

    return answer


def ndcg(data, k):
    groups = data.pred.groupby("user", sort=False)
    values = [metrics.NDCG(k)(own["gain"].to_numpy(), own["score"].to_numpy()) for _, own in groups]
    return None, list(groups.groups), values


NAMES = ("AUC", "gAUC", "avgAUC", "logloss", "MRR", "NDCG(k)")
FUNCTIONS = {"fuxictr.metrics.evaluate_metrics[%s]" % name: route(name) for name in NAMES}
FUNCTIONS["fuxictr.metrics.NDCG"] = ndcg
