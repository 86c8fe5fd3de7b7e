"""RecBole: each metric's own `metric_info`, and the pipeline of its Trainer (Collector, then Evaluator).

Longer than most: the pipeline takes whole batches of scores, as its data loaders number and collect them.
"""

import pkgutil
from collections import Counter
from types import SimpleNamespace

import numpy as np
import pandas as pd
import torch
import yaml
from audit_harness import Unaskable
from recbole.data.interaction import Interaction
from recbole.evaluator import Collector, Evaluator, metrics

DEFAULTS = yaml.safe_load(pkgutil.get_data("recbole", "properties/overall.yaml"))
LABELS = {  # which pairs a value metric is given in each evaluation mode, and their labels
    "unixxx": lambda shown, truth, threshold: (shown, shown.hit),
    "labeled": lambda shown, truth, threshold: (truth, truth.gain >= threshold),
    "labeled,LABEL_FIELD=rating": lambda shown, truth, threshold: (truth, truth.gain),
}


def prepare(case):
    # Numbered as in its data loaders: the users of the test set, ascending; item 0 is the padding.
    users, items = np.unique(case.relevant.user), np.unique(case.catalogue)
    tables = []
    for part, value in ((case.recommended, "score"), (case.relevant, "gain")):
        table = pd.DataFrame(part.named("u", "i", value))
        table = table[table.u.isin(users)].sort_values("u", kind="stable")
        tables.append(table.assign(u=np.searchsorted(users, table.u), i=np.searchsorted(items, table.i) + 1))
    shown, truth = tables
    hit = (shown.u * (len(items) + 1) + shown.i).isin(truth.u * (len(items) + 1) + truth.i)
    # What its Dataset counts: the tokens of the item field, the padding among them, and the train rows of each.
    counter = Counter((np.searchsorted(items, case.train.item) + 1).tolist())
    dataset = SimpleNamespace(num=lambda field: len(items) + 1, item_counter=counter)
    return users, len(items) + 1, shown.assign(hit=hit), truth, case.threshold, SimpleNamespace(dataset=dataset)


def config(name, k=None):
    # Its Config answers None for a setting that no file names: the metric then takes its own default, 0.1.
    return dict(DEFAULTS, metrics=[name], topk=[k], device="cpu", LABEL_FIELD="label", tail_ratio=None)


def rank(prepared, settings, *, train=None):
    users, width, shown, truth, *_ = prepared
    # Its models score every item. What has no score would rank somewhere among the -inf if the list has room for it.
    room = shown.groupby("u").size().reindex(range(len(users)), fill_value=0) < (settings["topk"][0] or np.inf)
    if (room.to_numpy()[truth.u] & ~(truth.u * width + truth.i).isin(shown.u * width + shown.i)).any():
        raise Unaskable("a relevant item without a score cannot be put to its pipeline, which scores every item")
    collector, step = Collector(settings), max(settings["eval_batch_size"] // width, 1)
    if train is not None:
        collector.data_collect(train)
    for start in range(0, len(users), step):
        batch, liked = (t[slice(*t.u.searchsorted([start, start + step]))] for t in (shown, truth))
        # As in its Trainer: what is no candidate (padding, history) scores -inf. Scores stay float64.
        scores = torch.full((min(step, len(users) - start), width), -np.inf, dtype=torch.float64)
        scores[batch.u.to_numpy() - start, batch.i.to_numpy()] = torch.from_numpy(batch.score.to_numpy())
        positive = (torch.from_numpy(liked.u.to_numpy() - start), torch.from_numpy(liked.i.to_numpy()))
        collector.eval_batch_collect(scores, None, *positive)
    return collector.get_data_struct()


def items(prepared, settings, *, train=None):
    users, _, shown, *_ = prepared
    if shown.groupby("u").size().reindex(range(len(users)), fill_value=0).lt(settings["topk"][0]).any():
        raise Unaskable("a list shorter than k cannot be put to its pipeline, which scores every item")
    if not len(users):
        raise Unaskable("a test set without users cannot be put to its pipeline")
    return rank(prepared, dict(settings, ITEM_ID_FIELD="item_id"), train=train)


def items_and_train(prepared, settings):
    return items(prepared, settings, train=prepared[-1])


def item_metric(name):  # calculate_metric, on what its Collector collects of the lists and of the train data
    def call(prepared, k):
        settings, collected = config(name, k), items(prepared, config(name, k))
        collector = Collector(dict(settings, ITEM_ID_FIELD="item_id"))
        collector.data_collect(prepared[-1])
        for need in ("data.num_items", "data.count_items"):
            if need in collector.data_struct:
                collected.set(need, collector.data_struct.get(need))
        (mean,) = getattr(metrics, name)(settings).calculate_metric(collected).values()
        return mean

    return call


def value(prepared, settings, mode):
    _, _, shown, truth, threshold, _ = prepared
    pairs, label = LABELS[mode](shown, truth.merge(shown, on=["u", "i"]), threshold)
    collector, label = Collector(settings), Interaction({"label": label.to_numpy(float)})
    collector.eval_batch_collect(torch.from_numpy(pairs.score.to_numpy()), label, None, None)
    return collector.get_data_struct()


def topk_info(name, *names):  # pos_index[, pos_len], as the docstring of TopkMetric.metric_info describes them
    def call(prepared, k):
        users, _, shown, truth, *_ = prepared
        place, pos_index = shown.groupby("u").cumcount(), np.zeros((len(users), k), dtype=bool)
        pos_index[shown.u[shown.hit & (place < k)], place[shown.hit & (place < k)]] = True
        given = {"pos_index": pos_index, "pos_len": truth.groupby("u").i.nunique().to_numpy()}
        metric = getattr(metrics, name)(config(name, k))
        return None, users, metric.metric_info(*(given[name] for name in names))[:, k - 1]

    return call


def gauc_info(prepared, k):
    ranks = rank(prepared, config("GAUC")).get("rec.meanrank").numpy()
    return metrics.GAUC(config("GAUC")).metric_info(ranks[:, :1], ranks[:, 1], ranks[:, 2])


def value_info(name, mode):
    metric = getattr(metrics, name)(config(name))
    return lambda prepared, k: metric.metric_info(*metric.used_info(value(prepared, config(name), mode)))


def evaluate(name, collect, *mode):
    def call(prepared, k):
        settings = config(name, k)
        (mean,) = Evaluator(settings).evaluate(collect(prepared, settings, *mode)).values()
        return mean

    return call


FUNCTIONS = {"recbole.evaluator.metrics.GAUC": gauc_info}
for name in ("Hit", "MRR", "Precision", "MAP", "Recall", "NDCG"):
    names = ("pos_index", "pos_len") if name in ("MAP", "Recall", "NDCG") else ("pos_index",)
    FUNCTIONS["recbole.evaluator.metrics." + name] = topk_info(name, *names)
for name in ("Hit", "MRR", "Precision", "MAP", "Recall", "NDCG", "GAUC"):
    FUNCTIONS["recbole.evaluator.Evaluator.evaluate[metrics={}]".format(name)] = evaluate(name, rank)
for name in ("ItemCoverage", "AveragePopularity", "ShannonEntropy", "GiniIndex", "TailPercentage"):
    FUNCTIONS["recbole.evaluator.metrics." + name] = item_metric(name)
    FUNCTIONS["recbole.evaluator.Evaluator.evaluate[metrics={}]".format(name)] = evaluate(name, items_and_train)
for name in ("AUC", "LogLoss", "RMSE", "MAE"):
    modes = ("labeled,LABEL_FIELD=rating",) if name in ("RMSE", "MAE") else ("unixxx", "labeled")
    for mode in modes:
        FUNCTIONS["recbole.evaluator.metrics.{}[mode={}]".format(name, mode)] = value_info(name, mode)
        route = "recbole.evaluator.Evaluator.evaluate[metrics={},mode={}]".format(name, mode)
        FUNCTIONS[route] = evaluate(name, value, mode)
