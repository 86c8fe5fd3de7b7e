"""PyTorch Metric Learning: AccuracyCalculator, whose labels are users and items and whose neighbours are given."""

from types import SimpleNamespace

import numpy as np
import torch
from pytorch_metric_learning.utils.accuracy_calculator import AccuracyCalculator


def prepare(case):
    users = sorted(set(case.relevant.users) | set(case.recommended.users))
    items = np.unique(np.concatenate([case.catalogue, case.recommended.item, case.relevant.item]))
    shown = case.recommended.by_user("item", users=users)
    relevant = torch.zeros((len(users), len(items) + 1), dtype=torch.bool)
    relevant[np.searchsorted(users, case.relevant.user), np.searchsorted(items, case.relevant.item)] = True
    longest = max([1, *map(len, shown.values())])
    neighbours = torch.full((len(users), longest), len(items))
    for place, own in enumerate(shown.values()):
        neighbours[place, : len(own)] = torch.from_numpy(np.searchsorted(items, own))
    return SimpleNamespace(relevant=relevant, neighbours=neighbours)


def ask(name):
    def answer(data, k):
        users, items = map(torch.arange, data.relevant.shape)

        def found(query, count, reference, ref_includes_query):
            filler = torch.full((len(query), max(0, count - data.neighbours.shape[1])), len(items) - 1)
            indices = torch.cat([data.neighbours, filler], dim=1)[:, :count]
            return torch.zeros(indices.shape), indices

        calculator = AccuracyCalculator(
            include=("precision_at_1", name),
            k=k,
            device=torch.device("cpu"),
            knn_func=found,
            kmeans_func=len,
            label_comparison_fn=lambda user, item: data.relevant[user.long(), item.long()],
        )
        return calculator.get_accuracy(users[:, None], users, items[:, None], items)[name]

    return answer


NAMES = ("mean_average_precision", "mean_average_precision_at_r", "mean_reciprocal_rank", "r_precision")
PLACE = "pytorch_metric_learning.utils.accuracy_calculator.AccuracyCalculator[%s]"
FUNCTIONS = {PLACE % name: ask(name) for name in NAMES}
