"""DaisyRec 1: functions of {user: labels of the ranked items}, called as its main program calls them.

That program cuts the lists at k and labels each item by whether it is in the user's test items; the calls on whole
lists are those that the functions' own k invites to.
"""

from collections import defaultdict
from types import SimpleNamespace

from daisy.utils import metrics


def prepare(case):
    test_ur = defaultdict(set)
    for user, items in case.relevant.by_user("item").items():
        test_ur[user].update(items.tolist())
    ranked = case.recommended.by_user("item", users=test_ur)
    preds = {u: [1 if i in test_ur[u] else 0 for i in items.tolist()] for u, items in ranked.items()}
    return SimpleNamespace(test_ur=test_ur, preds=preds)


def cut(data, k):
    return {user: rank_list[:k] for user, rank_list in data.preds.items()}


def by_user(call, lists, k):
    return None, list(lists), [call(r, k) for r in lists.values()]


M = metrics.__name__ + "."
FUNCTIONS = {
    M + "precision_at_k": lambda data, k: by_user(metrics.precision_at_k, cut(data, k), k),
    M + "recall_at_k": lambda data, k: metrics.recall_at_k(cut(data, k), data.test_ur, k),
    M + "hr_at_k": lambda data, k: metrics.hr_at_k(cut(data, k), data.test_ur),
    M + "map_at_k": lambda data, k: metrics.map_at_k(cut(data, k).values()),
    M + "mrr_at_k": lambda data, k: metrics.mrr_at_k(cut(data, k), k),
    M + "ndcg_at_k": lambda data, k: by_user(metrics.ndcg_at_k, cut(data, k), k),
    M + "f1_at_k": lambda data, k: metrics.f1_at_k(cut(data, k), data.test_ur),
    M + "auc_at_k": lambda data, k: metrics.auc_at_k(cut(data, k)),
    M + "map_at_k[rs=dict]": lambda data, k: metrics.map_at_k(cut(data, k)),
    M + "precision_at_k[r=full]": lambda data, k: by_user(metrics.precision_at_k, data.preds, k),
    M + "recall_at_k[rs=full]": lambda data, k: metrics.recall_at_k(data.preds, data.test_ur, k),
    M + "mrr_at_k[rs=full]": lambda data, k: metrics.mrr_at_k(data.preds, k),
    M + "ndcg_at_k[r=full]": lambda data, k: by_user(metrics.ndcg_at_k, data.preds, k),
    M + "auc_at_k[rs=full]": lambda data, k: metrics.auc_at_k(data.preds),
}
