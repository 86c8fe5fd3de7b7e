"""DaisyRec 2: functions of (test_ur, pred_ur, test_u), and its two ways to them, Metric and calc_ranking_results.

Those beyond accuracy take counts and categories by item number, and lists of one length, as model.rank gives them.
Longer than most: it numbers the items for them.

No function takes a cut-off: ``pred_ur`` is the first k of each user, which is what ``model.rank`` returns in
DaisyRec's own main program. ``test_u`` is the users of ``test_ur`` in its order, as build_candidates_set gives
them, and ``test_ur`` is filled as get_ur fills it (both stand in a module that needs torch).
"""

from collections import defaultdict
from logging import getLogger
from types import SimpleNamespace

import numpy as np
from audit_harness import Unaskable
from daisy.utils import metrics

PLAIN = ("Precision", "Recall", "MRR", "MAP", "NDCG", "HR", "F1", "AUC")
KEYS = ("precision", "recall", "mrr", "map", "ndcg", "hit", "f1", "auc")


def prepare(case):
    test_ur = defaultdict(set)
    for user, items in case.relevant.by_user("item").items():
        test_ur[user].update(items.tolist())
    lists = list(case.recommended.by_user("item", users=test_ur).values())
    return SimpleNamespace(
        test_ur=test_ur, test_u=list(test_ur), lists=lists, item_num=len(case.catalogue), case=case, numbered=None
    )


def number(data):  # its loaders number the items from 0
    if data.numbered is None:
        items, train = data.case.catalogue, data.case.train
        users, column = np.unique(train.user, return_inverse=True)
        held = np.zeros((len(items), len(users)), dtype=int)
        held[np.searchsorted(items, train.item), column] = 1
        test_ur = {user: set(np.searchsorted(items, list(own)).tolist()) for user, own in data.test_ur.items()}
        item_pop = np.bincount(np.searchsorted(items, train.item), minlength=len(items))
        lists = [np.searchsorted(items, own) for own in data.lists]
        every = [np.searchsorted(items, own) for own in data.case.recommended.by_user("item").values()]
        data.numbered = SimpleNamespace(test_ur=test_ur, lists=lists, every=every, item_pop=item_pop, categories=held)
    return data.numbered


def matrix(lists, k):  # model.rank gives as many items for every user
    lists = [items[:k] for items in lists]
    if len({len(items) for items in lists}) > 1:
        raise Unaskable("a list shorter than others has no place in a matrix of ranked items")
    return np.array(lists)


def coverage(data, k):
    return metrics.Coverage(matrix(number(data).every, k), data.item_num)


def popularity(data, k):
    numbered = number(data)
    return metrics.Popularity(numbered.test_ur, matrix(numbered.lists, k), data.test_u, numbered.item_pop)


def diversity(data, k):
    return metrics.Diversity(matrix(number(data).every, k), number(data).categories)


def plain(name):
    def answer(data, k):
        return getattr(metrics, name)(data.test_ur, [items[:k] for items in data.lists], data.test_u)

    return answer


def route(key, run):
    def answer(data, k):
        name = "hr" if key == "hit" and "hr" in metrics.metrics_name_config else key  # "hr" up to 2.1
        config = {"metrics": [name], "item_num": data.item_num, "topk": k}
        config.update(logger=getLogger(), res_path=".")
        return run(data.test_ur, [items[:k] for items in data.lists], data.test_u, config)

    return answer


def metric_run(test_ur, pred_ur, test_u, config):
    return metrics.Metric(config).run(test_ur, pred_ur, test_u)[0]


def results(test_ur, pred_ur, test_u, config):
    shown = matrix(pred_ur, config["topk"])  # it cuts columns
    table = metrics.calc_ranking_results(test_ur, shown, test_u, config)
    return table[config["topk"]].iloc[0]


FUNCTIONS = {"daisy.utils.metrics." + name: plain(name) for name in PLAIN}
FUNCTIONS["daisy.utils.metrics.Coverage"] = coverage
FUNCTIONS["daisy.utils.metrics.Popularity"] = popularity
FUNCTIONS["daisy.utils.metrics.Diversity"] = diversity
FUNCTIONS.update({"daisy.utils.metrics.Metric.run[%s]" % key: route(key, metric_run) for key in KEYS})
FUNCTIONS.update({"daisy.utils.metrics.calc_ranking_results[%s]" % key: route(key, results) for key in KEYS})
