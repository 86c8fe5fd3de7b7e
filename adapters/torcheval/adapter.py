"""TorchEval: a precision of labels and scores, one query at a time or by index.

Longer than most: rows are gathered by user, and both ways of calling take them as tensors.
"""

from types import SimpleNamespace

import numpy as np
import torch
import torcheval.metrics
import torcheval.metrics.functional
from audit_harness import Unaskable


def prepare(case):
    truth = case.relevant
    gain = dict(zip(zip(truth.user.tolist(), truth.item.tolist()), truth.gain.tolist()))
    relevant = {row for row, own in gain.items() if own >= case.threshold}
    lists = case.recommended.by_user("item", "score")
    rows = {user: [(user, item) for item in items.tolist()] for user, (items, _) in lists.items()}
    every = [row for own in rows.values() for row in own]
    return SimpleNamespace(
        users=list(lists),
        scores={user: torch.tensor(scores) for user, (_, scores) in lists.items()},
        labels={user: torch.tensor([row in relevant for row in own], dtype=torch.long) for user, own in rows.items()},
        unlisted=bool(relevant - set(every)),
        twice=len(set(every)) < len(every),
    )


def check(data):
    if data.unlisted:
        raise Unaskable("every target has a score: a relevant item that is not recommended has none")
    if data.twice:
        raise Unaskable("every item has one score: an item that is recommended twice has two")


def precision(**options):
    def answer(data, k):
        check(data)
        call = torcheval.metrics.functional.retrieval_precision
        return None, data.users, [call(data.scores[u], data.labels[u], k=k, **options) for u in data.users]

    return answer


def all_users(**options):
    def answer(data, k):
        check(data)
        metric = torcheval.metrics.RetrievalPrecision(k=k, num_queries=len(data.users), avg="macro", **options)
        scores, labels = (torch.cat([part[user] for user in data.users]) for part in (data.scores, data.labels))
        sizes = [len(data.scores[user]) for user in data.users]
        metric.update(scores, labels, torch.tensor(np.repeat(np.arange(len(sizes)), sizes)))
        return metric.compute()

    return answer


NAME = "torcheval.metrics."
FUNCTIONS = {
    NAME + "functional.retrieval_precision": precision(),
    NAME + "functional.retrieval_precision[limit_k_to_size=True]": precision(limit_k_to_size=True),
    NAME + "RetrievalPrecision[avg=macro]": all_users(),
    NAME + "RetrievalPrecision[avg=macro,limit_k_to_size=True]": all_users(limit_k_to_size=True),
}
