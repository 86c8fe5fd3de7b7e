"""PyTorch Geometric: metrics of link prediction, updated by one row of indices and its edges at a time."""

from types import SimpleNamespace

import numpy as np
import torch
from torch_geometric import metrics


def prepare(case):
    users = sorted(set(case.relevant.users) | set(case.recommended.users))
    items = np.unique(np.concatenate([case.catalogue, case.recommended.item, case.relevant.item, case.train.item]))

    def indices(own):
        return torch.from_numpy(np.searchsorted(items, own))

    truth = case.relevant.by_user("item", "gain", users=users)
    shown = case.recommended.by_user("item", users=users)
    edges = [torch.stack([torch.zeros(len(own), dtype=torch.long), indices(own)]) for own, _ in truth.values()]
    places, counts = np.unique(np.searchsorted(items, case.train.item), return_counts=True)
    popularity = torch.zeros(len(items))
    popularity[torch.from_numpy(places)] = torch.from_numpy(counts).float()
    return SimpleNamespace(
        rows=[indices(own)[None, :] for own in shown.values()],
        edges=edges,
        weights=[torch.from_numpy(np.array(gains)).float() for _, gains in truth.values()],
        popularity=popularity,
        size=len(items),
    )


def accuracy(name, **options):
    def answer(data, k):
        metric = getattr(metrics, name)(k=k, **options)
        for row, edges, weights in zip(data.rows, data.edges, data.weights):
            metric.update(row, edges, weights)
        return metric.compute().item()

    return answer


def of_lists(name, needs):
    def answer(data, k):
        metric = getattr(metrics, name)(k, getattr(data, needs))
        for row, edges in zip(data.rows, data.edges):
            if row.numel():
                metric.update(row, edges)
        return metric.compute().item()

    return answer


PLACE = "torch_geometric.metrics."
NAMES = ("Precision", "Recall", "F1", "MAP", "NDCG", "MRR", "HitRatio")
FUNCTIONS = {PLACE + "LinkPred" + name: accuracy("LinkPred" + name) for name in NAMES}
FUNCTIONS[PLACE + "LinkPredNDCG[weighted=True]"] = accuracy("LinkPredNDCG", weighted=True)
FUNCTIONS[PLACE + "LinkPredCoverage"] = of_lists("LinkPredCoverage", "size")
FUNCTIONS[PLACE + "LinkPredAveragePopularity"] = of_lists("LinkPredAveragePopularity", "popularity")
