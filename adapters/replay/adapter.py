"""RePlay: its metrics on pandas frames, polars frames and dicts; alone, in OfflineMetrics, in Experiment.

Longer than most: three forms of the data, each by three routes.
"""

from functools import cached_property

import pandas as pd
import polars as pl
from replay import metrics

OF_TRAIN = ("Coverage", "Surprisal", "Novelty")  # they read train data, not the truth
OF_ALL = ("Coverage", "Novelty")  # the one number: Coverage has no other, Novelty averages over users of no list, too
NAMES = ("HitRate", "Precision", "Recall", "MAP", "MRR", "NDCG", "RocAuc") + OF_TRAIN


class Prepared:  # each form is built when it is first asked for
    def __init__(self, case):
        names = ("query_id", "item_id", "rating")
        self.recommended, self.relevant, self.train = case.recommended, case.relevant, case.train
        self.columns = [table.named(*names) for table in (case.recommended, case.relevant, case.train)]

    @cached_property
    def pandas(self):
        return tuple(pd.DataFrame(columns) for columns in self.columns)

    @cached_property
    def polars(self):
        return tuple(pl.DataFrame(columns) for columns in self.columns)

    @cached_property
    def dict(self):
        rows = self.recommended.by_user("item", "score").items()
        recommended = {user: list(zip(items.tolist(), scores.tolist())) for user, (items, scores) in rows}
        relevant, train = (
            {user: items.tolist() for user, items in table.by_user("item").items()}
            for table in (self.relevant, self.train)
        )
        return recommended, relevant, train


prepare = Prepared


def alone(name, form, prepared, k):
    metric, (recommended, truth, train) = getattr(metrics, name), getattr(prepared, form)
    frames = recommended, train if name in OF_TRAIN else truth
    (mean,) = metric(k)(*frames).values()
    if name in OF_ALL:
        return mean
    (each,) = metric(k, mode=metrics.PerUser())(*frames).values()
    return mean, list(each), list(each.values())


def offline(name, form, prepared, k):
    metric, frames = getattr(metrics, name), getattr(prepared, form)
    frames = frames if name in OF_TRAIN else frames[:2]
    if name in OF_ALL:
        (mean,) = metrics.OfflineMetrics([metric(k)])(*frames).values()
        return mean
    mean, each = metrics.OfflineMetrics([metric(k), metric(k, mode=metrics.PerUser())])(*frames).values()
    return mean, list(each), list(each.values())


def experiment(name, form, prepared, k):
    recommended, *others = getattr(prepared, form)
    pipeline = metrics.Experiment([getattr(metrics, name)(k)], *others[: 2 if name in OF_TRAIN else 1])
    pipeline.add_result("model", recommended)
    return pipeline.results.loc["model", "{}@{}".format(name, k)]


def bind(route, name, form):
    return lambda prepared, k: route(name, form, prepared, k)


FUNCTIONS = {}
for name in NAMES:
    for form, mark in (("pandas", ""), ("polars", "polars"), ("dict", "dict")):
        FUNCTIONS["replay.metrics." + name + (mark and "[" + mark + "]")] = bind(alone, name, form)
        inside = name + (mark and "," + mark)
        FUNCTIONS["replay.metrics.OfflineMetrics[" + inside + "]"] = bind(offline, name, form)
        FUNCTIONS["replay.metrics.Experiment[" + inside + "]"] = bind(experiment, name, form)
