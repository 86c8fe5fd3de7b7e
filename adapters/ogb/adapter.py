"""Open Graph Benchmark: the evaluator of link prediction, given scores of positive and of negative edges of a node.

Longer than most: hits, ranks and AUC take edges in three ways.
"""

from types import SimpleNamespace

import torch
from audit_harness import Unaskable
from ogb.linkproppred import Evaluator


def prepare(case):
    truth = case.relevant
    gains = zip(truth.user.tolist(), truth.item.tolist(), truth.gain.tolist())
    relevant = {}
    for user, item, gain in gains:
        if gain >= case.threshold:
            relevant.setdefault(user, {}).setdefault(item)
    users = list(relevant)
    lists = case.recommended.by_user("item", "score", users=users)
    rows = {user: list(zip(items.tolist(), scores.tolist())) for user, (items, scores) in lists.items()}
    listed = {user: {item for item, _ in own} for user, own in rows.items()}
    first = {user: next(iter(own)) for user, own in relevant.items()}
    return SimpleNamespace(
        users=users,
        all=[edges(rows[user], relevant[user]) for user in users],
        one=[edges(rows[user], {first[user]}) for user in users],
        unlisted=any(set(own) - listed[user] for user, own in relevant.items()),
        twice=any(len(listed[user]) < len(own) for user, own in rows.items()),
    )


def edges(rows, relevant):
    """Return the scores of positive and of negative edges."""
    positive = [score for item, score in rows if item in relevant]
    negative = [score for item, score in rows if item not in relevant]
    return torch.tensor(positive, dtype=torch.float64), torch.tensor(negative, dtype=torch.float64)


def refuse(data):
    if data.unlisted:
        raise Unaskable("every edge has a score: a relevant item that is not recommended has none")
    if data.twice:
        raise Unaskable("an edge has one score: an item that is recommended twice has two")


def hits(data, k):
    refuse(data)
    evaluator = Evaluator(name="ogbl-ddi")
    evaluator.K = k
    found = [evaluator.eval({"y_pred_pos": own, "y_pred_neg": others}) for own, others in data.all]
    return None, data.users, [own["hits@%d" % k] for own in found]


def rocauc(data, k):
    refuse(data)
    evaluator = Evaluator(name="ogbl-vessel")
    found = [evaluator.eval({"y_pred_pos": own, "y_pred_neg": others}) for own, others in data.all]
    return None, data.users, [own["rocauc"] for own in found]


def mrr(data, k):
    refuse(data)
    evaluator = Evaluator(name="ogbl-citation2")
    found = [evaluator.eval({"y_pred_pos": own, "y_pred_neg": others[None]}) for own, others in data.one]
    return None, data.users, [own["mrr_list"][0] for own in found]


PLACE = "ogb.linkproppred.Evaluator[%s]"
FUNCTIONS = {PLACE % "hits@K": hits, PLACE % "mrr_list": mrr, PLACE % "rocauc": rocauc}
