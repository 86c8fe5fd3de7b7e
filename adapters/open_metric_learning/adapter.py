"""OpenMetricLearning: metrics of the indices that were retrieved for each query and of those relevant to it."""

from types import SimpleNamespace

import numpy as np
import torch
from oml.functional.metrics import calc_retrieval_metrics


def prepare(case):
    users = sorted(set(case.relevant.users) | set(case.recommended.users))
    items = np.unique(np.concatenate([case.recommended.item, case.relevant.item]))
    truth, shown = (
        [torch.from_numpy(np.searchsorted(items, own)) for own in table.by_user("item", users=users).values()]
        for table in (case.relevant, case.recommended)
    )
    return SimpleNamespace(users=users, truth=truth, shown=shown)


def ask(name):
    def answer(data, k):
        tops = {"cmc_top_k": (), "precision_top_k": (), "map_top_k": (), name + "_top_k": (k,)}
        done = calc_retrieval_metrics(data.shown, data.truth, reduce=False, verbose=False, **tops)
        return None, data.users, done[name][k].numpy()

    return answer


PLACE = "oml.functional.metrics.calc_retrieval_metrics[%s]"
FUNCTIONS = {PLACE % name: ask(name) for name in ("cmc", "precision", "map")}
