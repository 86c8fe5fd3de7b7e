"""TorchRec: modules of metrics, updated with the predictions, labels and weights of a session, or of all rows.

Longer than most: sessions, groups, lists of one length after another and rated pairs each have an input of their own.
"""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import torch
from audit_harness import Unaskable
from torchrec.metrics.auc import AUCMetric
from torchrec.metrics.gauc import GAUCMetric
from torchrec.metrics.mae import MAEMetric
from torchrec.metrics.metrics_config import RecTaskInfo, SessionMetricDef
from torchrec.metrics.mse import MSEMetric
from torchrec.metrics.ndcg import NDCGMetric
from torchrec.metrics.precision_session import PrecisionSessionMetric
from torchrec.metrics.recall_session import RecallSessionMetric


def prepare(case):
    pred = pd.DataFrame(case.recommended.named("user", "item", "score"))
    true = pd.DataFrame(case.relevant.named("user", "item", "gain"))
    last = true.drop_duplicates(["user", "item"], keep="last")
    rows, rated = pred.merge(last, how="left", on=["user", "item"]), true.merge(pred, on=["user", "item"])
    known = last.merge(pred.drop_duplicates(["user", "item"]), on=["user", "item"])
    return SimpleNamespace(
        rows=batch(rows, rows["gain"].fillna(0)),
        labels=batch(rows, (rows["gain"] >= case.threshold).astype(float)),
        rated=batch(rated, rated["gain"]),
        twice=pred.duplicated(["user", "item"]).any(),
        unlisted=len(known) < len(last),
        unlisted_hit=(known["gain"] >= case.threshold).sum() < (last["gain"] >= case.threshold).sum(),
    )


def batch(rows, labels):
    user, score = torch.tensor(rows["user"].to_numpy()), torch.tensor(rows["score"].to_numpy())
    return SimpleNamespace(user=user, score=score, label=torch.tensor(np.asarray(labels, float)))


def refuse(data, unlisted):
    if data.twice:
        raise Unaskable("a session has one prediction for every candidate: an item that is recommended twice has two")
    if unlisted:
        raise Unaskable("every label has a prediction: an item of the truth that is not recommended has none")


def made(metric, rows, definition=None, **options):
    """Return a metric of one task whose window holds all rows."""
    task = RecTaskInfo(session_metric_def=definition)
    return metric(world_size=1, my_rank=0, batch_size=1, tasks=[task], window_size=max(1, len(rows.user)), **options)


def told(metric, key):
    (value,) = [value for name, value in metric.compute().items() if name.endswith("|" + key)]
    return value.item()


def update(metric, rows, which=slice(None), **more):
    """Update a metric with some rows, each of weight 1."""
    score, label = rows.score[which], rows.label[which]
    given = {"DefaultTask": score}, {"DefaultTask": label}, {"DefaultTask": torch.ones_like(score)}
    metric.update(predictions=given[0], labels=given[1], weights=given[2], **more)


def sessions(metric, rows):
    for user in torch.unique_consecutive(rows.user):
        own = rows.user == user
        update(metric, rows, own, required_inputs={"session_id": rows.user[own]})
    return metric


def ndcg(**options):
    def answer(data, k):
        refuse(data, data.unlisted)
        metric = made(NDCGMetric, data.rows, k=k, **options)
        return told(sessions(metric, data.rows), "lifetime_ndcg")

    return answer


def at_session(metric, key):
    def answer(data, k):
        refuse(data, data.unlisted_hit)
        definition = SessionMetricDef(session_var_name="session_id", top_threshold=k)
        return told(sessions(made(metric, data.labels, definition), data.labels), key)

    return answer


def auc(key, **options):
    def answer(data, k):
        refuse(data, data.unlisted_hit)
        if options and len(data.labels.user) == 1:
            raise Unaskable("grouped, it takes no row alone: squeeze() leaves its group no dimension")
        metric = made(AUCMetric, data.labels, **options)
        update(metric, data.labels, required_inputs={"grouping_keys": data.labels.user})
        return told(metric, key)

    return answer


def gauc(data, k):  # its lists of one length are not implemented in double precision
    refuse(data, data.unlisted_hit)
    rows = SimpleNamespace(score=data.labels.score.float(), label=data.labels.label.float(), user=data.labels.user)
    metric = made(GAUCMetric, rows)
    update(metric, rows, num_candidates=torch.unique_consecutive(rows.user, return_counts=True)[1])
    return told(metric, "lifetime_gauc")


def pairs(metric, key):
    def answer(data, k):
        made_of_all = made(metric, data.rated)
        update(made_of_all, data.rated)
        return told(made_of_all, key)

    return answer


PLACE, CURVE = "torchrec.metrics.", "report_ndcg_as_decreasing_curve=False"
FUNCTIONS = {
    PLACE + "ndcg.NDCGMetric[%s]" % CURVE: ndcg(report_ndcg_as_decreasing_curve=False),
    PLACE + "ndcg.NDCGMetric[%s,exponential_gain=True]" % CURVE: ndcg(
        report_ndcg_as_decreasing_curve=False, exponential_gain=True
    ),
    PLACE + "recall_session.RecallSessionMetric": at_session(RecallSessionMetric, "lifetime_recall_session_level"),
    PLACE + "precision_session.PrecisionSessionMetric": at_session(
        PrecisionSessionMetric, "lifetime_precision_session_level"
    ),
    PLACE + "auc.AUCMetric": auc("window_auc"),
    PLACE + "auc.AUCMetric[grouped_auc=True]": auc("window_grouped_auc", grouped_auc=True),
    PLACE + "gauc.GAUCMetric": gauc,
    PLACE + "mse.MSEMetric[mse]": pairs(MSEMetric, "lifetime_mse"),
    PLACE + "mse.MSEMetric[rmse]": pairs(MSEMetric, "lifetime_rmse"),
    PLACE + "mae.MAEMetric": pairs(MAEMetric, "lifetime_mae"),
}
