"""RecBole before 1.0: its metric functions, and the pipeline of its Trainer (data loader, then ProxyEvaluator).

Longer than most: the pipeline takes whole batches of scores and a data loader, which is filled here as its own are.
"""

import pkgutil
from types import SimpleNamespace

import numpy as np
import pandas as pd
import torch
import yaml
from audit_harness import Unaskable
from recbole.data.dataloader import GeneralFullDataLoader
from recbole.data.interaction import Interaction
from recbole.evaluator import ProxyEvaluator, metrics
from recbole.trainer.trainer import Trainer

DEFAULTS = yaml.safe_load(pkgutil.get_data("recbole", "properties/overall.yaml"))
LABELS = {  # which pairs a value metric is given in each evaluation setting, and their labels
    "unixxx": lambda shown, truth, threshold: (shown, shown.hit),
    "RO_RS": lambda shown, truth, threshold: (truth, truth.gain >= threshold),
    "RO_RS,LABEL_FIELD=rating": lambda shown, truth, threshold: (truth, truth.gain),
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
    return users, len(items) + 1, shown.assign(hit=hit), truth, case.threshold


def config(name, k, setting):
    return dict(DEFAULTS, metrics=[name], topk=[k or 1], eval_setting=setting, LABEL_FIELD="label")


def loader_of(users, width, truth):
    # What GeneralFullDataLoader keeps of each user; what was rated before has no score here and needs no masking.
    loader = GeneralFullDataLoader.__new__(GeneralFullDataLoader)
    loader.dataset, loader.item_num = SimpleNamespace(uid_field="u"), width
    # No tensor: of one user alone it would be taken for a number, and the lengths for no array.
    loader.uid2items_num, loader.uid_list = np.zeros(len(users), dtype=np.int64), np.arange(len(users))
    for name in ("uid2swap_idx", "uid2rev_swap_idx", "uid2history_item"):
        setattr(loader, name, np.array([None] * len(users)))
    for user, items in truth.groupby("u").i:
        loader._set_user_property(user, set(items.tolist()), set(items.tolist()))
    return loader


def ranked(prepared, name, k):
    users, width, shown, truth, _ = prepared
    # Its models score every item. What has no score would rank somewhere among the -inf if the list has room for it.
    room = shown.groupby("u").size().reindex(range(len(users)), fill_value=0) < (k or np.inf)
    if (room.to_numpy()[truth.u] & ~(truth.u * width + truth.i).isin(shown.u * width + shown.i)).any():
        raise Unaskable("a relevant item without a score cannot be put to its pipeline, which scores every item")
    loader, evaluator = loader_of(users, width, truth), ProxyEvaluator(config(name, k, DEFAULTS["eval_setting"]))
    step, collected = max(DEFAULTS["eval_batch_size"] // width, 1), []
    for start in range(0, len(users), step):
        batch = shown[slice(*shown.u.searchsorted([start, start + step]))]
        # As in its Trainer: what is no candidate scores -inf. Scores stay float64.
        scores = torch.full((min(step, len(users) - start), width), -np.inf, dtype=torch.float64)
        scores[batch.u.to_numpy() - start, batch.i.to_numpy()] = torch.from_numpy(batch.score.to_numpy())
        model = SimpleNamespace(full_sort_predict=lambda _, scores=scores: scores)
        trainer = SimpleNamespace(model=model, device="cpu", tot_item_num=width)
        batched = loader._neg_sampling(Interaction({"u": torch.from_numpy(loader.uid_list[start : start + step])}))
        collected.append(evaluator.collect(*Trainer._full_sort_batch_eval(trainer, batched)))
    return evaluator, collected, loader


def valued(prepared, name, mode):
    _, _, shown, truth, threshold = prepared
    pairs, label = LABELS[mode](shown, truth.merge(shown, on=["u", "i"]), threshold)
    evaluator = ProxyEvaluator(config(name, None, "RO_RS,uni100"))
    label = Interaction({"label": torch.from_numpy(label.to_numpy(float))})
    return evaluator, [evaluator.collect(label, torch.from_numpy(pairs.score.to_numpy()))], None


def topk_info(name):  # pos_index and pos_len, as TopKEvaluator hands them over
    def call(prepared, k):
        users, _, shown, truth, _ = prepared
        place, pos_index = shown.groupby("u").cumcount(), np.zeros((len(users), k), dtype=bool)
        pos_index[shown.u[shown.hit & (place < k)], place[shown.hit & (place < k)]] = True
        pos_len = truth.groupby("u").i.nunique().to_numpy()
        return None, users, getattr(metrics, name)(pos_index, pos_len)[:, k - 1]

    return call


def gauc_info(prepared, k):
    _, collected, loader = ranked(prepared, "GAUC", None)
    sums = torch.cat([sums for (sums,) in collected]).numpy()
    return metrics.gauc_(loader.get_user_len_list(), loader.get_pos_len_list(), sums)


def value_info(name, metric, mode):
    def call(prepared, k):
        _, [[pairs]], _ = valued(prepared, metric, mode)
        return getattr(metrics, name)(*pairs.numpy().T)

    return call


def evaluate(name, mode=None):
    def call(prepared, k):
        evaluator, collected, loader = valued(prepared, name, mode) if mode else ranked(prepared, name, k)
        (mean,) = evaluator.evaluate(collected, loader).values()
        return mean

    return call


PIPELINE = "recbole.evaluator.ProxyEvaluator.evaluate[metrics={}]"
FUNCTIONS = {"recbole.evaluator.metrics.gauc_": gauc_info, PIPELINE.format("GAUC"): evaluate("GAUC")}
for name in ("Hit", "MRR", "Precision", "MAP", "Recall", "NDCG"):
    FUNCTIONS["recbole.evaluator.metrics.{}_".format(name.lower())] = topk_info(name.lower() + "_")
    FUNCTIONS[PIPELINE.format(name)] = evaluate(name)
for name, metric in (("auc_", "AUC"), ("log_loss_", "LogLoss"), ("rmse_", "RMSE"), ("mae_", "MAE")):
    for mode in ("RO_RS,LABEL_FIELD=rating",) if name in ("rmse_", "mae_") else ("unixxx", "RO_RS"):
        FUNCTIONS["recbole.evaluator.metrics.{}[eval_setting={}]".format(name, mode)] = value_info(name, metric, mode)
        FUNCTIONS[PIPELINE.format(metric + ",eval_setting=" + mode)] = evaluate(metric, mode)
