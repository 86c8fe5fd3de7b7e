"""RQ-VAE Recommender: its accumulator of codes that were generated and of the one that is looked for."""

from types import SimpleNamespace

import torch
from evaluate.metrics import TopKAccumulator


def prepare(case):
    users = case.relevant.users
    truth = case.relevant.by_user("item", users=users)
    shown = case.recommended.by_user("item", users=users)
    return SimpleNamespace(
        actual=[torch.tensor([[items[0]]]) for items in truth.values()],
        beams=[torch.tensor(items.tolist(), dtype=torch.long)[None, :, None] for items in shown.values()],
    )


def ask(name):
    def answer(data, k):
        found = TopKAccumulator(ks=[] if k is None else [k])
        for actual, beams in zip(data.actual, data.beams):
            found.accumulate(actual, beams)
        return found.reduce()[name if k is None else "%s@%d" % (name, k)]

    return answer


FUNCTIONS = {"evaluate.metrics.TopKAccumulator[%s]" % name: ask(name) for name in ("h", "ndcg")}
