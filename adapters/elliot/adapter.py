"""Elliot: metrics as classes over {user: [(item, score), ...]}, and the Evaluator that a model calls.

The data object stands in for elliot.dataset.DataSet, which wants a configuration and files: it has what the
evaluation asks of it, which makes this file longer than 60 lines. A user without train rows has an empty profile
there, as the loader would have refused him.
"""

from types import SimpleNamespace

import numpy as np
from elliot.evaluation import metrics
from elliot.evaluation.evaluator import Evaluator
from elliot.evaluation.popularity_utils.popularity import Popularity
from elliot.evaluation.relevance import Relevance
from scipy.sparse import csr_matrix

SIMPLE = ("HR", "Precision", "Recall", "F1", "MRR", "MAP", "MAR", "nDCG", "nDCGRendle2020", "AUC", "GAUC", "LAUC")
SIMPLE += ("MAE", "MSE", "RMSE")
SHOWN = ("ItemCoverage", "UserCoverage", "GiniIndex", "ShannonEntropy", "ARP", "APLT", "ACLT", "EPC", "EFD")
SHOWN += ("PopRSP", "PopREO")
OF_TRAIN = ("EPC", "EFD")  # they divide by the users of the profiles: those whom the loader knows
GIVEN = {"metric_0": "Precision", "metric_1": "Recall"}
COMPLEX = {"ExtendedF1": {}, "DSC": {}, "ExtendedF1[metric_0=Precision,metric_1=Recall]": GIVEN}


def pairs(table, value):
    rows = table.by_user("item", value).items()
    return {user: list(zip(items.tolist(), values.tolist())) for user, (items, values) in rows}


def prepare(case):
    train = {user: {} for user in case.users.tolist()}
    train.update({user: dict.fromkeys(items.tolist(), 1.0) for user, items in case.train.by_user("item").items()})
    truth = {user: dict(rows) for user, rows in pairs(case.relevant, "gain").items()}
    recommended = pairs(case.recommended, "score")
    known = {user: items for user, items in train.items() if items}
    return SimpleNamespace(train=train, known=known, truth=truth, recommended=recommended, case=case)


def dataset(data, k, **names):
    longest = max([k, *map(len, data.recommended.values())])
    evaluation = SimpleNamespace(cutoffs=[k], relevance_threshold=data.case.threshold, paired_ttest=True, **names)
    config = SimpleNamespace(config_test=True, top_k=longest, evaluation=evaluation)
    items, rows = data.case.catalogue, data.case.train
    cells = np.unique(rows.user, return_inverse=True)[1], np.searchsorted(items, rows.item)
    return SimpleNamespace(
        config=config, get_test=lambda: data.truth, get_validation=lambda: None,
        num_items=len(items), train_dict=data.train, private_items=dict(enumerate(items.tolist())),
        transactions=sum(map(len, data.train.values())),
        sp_i_train=csr_matrix((np.ones(len(rows.item)), cells), shape=(len(rows.item), len(items))),
    )  # fmt: skip


def told(mean, by_user=None):
    return (mean, list(by_user), np.array(list(by_user.values()))) if by_user else mean


def plain(name):
    def answer(data, k):
        own = dataset(data, k or 1)
        own.train_dict = data.known if name in OF_TRAIN else own.train_dict
        relevance = Relevance(data.truth, data.case.threshold)
        objects = SimpleNamespace(relevance=relevance, cutoff=k, num_items=own.num_items, data=own, pop=Popularity(own))
        extra = (COMPLEX[name],) if name in COMPLEX else ()
        metric = getattr(metrics, name.split("[")[0])(data.recommended, own.config, None, objects, *extra)
        (metric,) = metric.get()
        return told(metric.eval(), metric.eval_user_metric() if hasattr(metric, "eval_user_metric") else None)

    return answer


def route(name):
    def answer(data, k):
        names = {"simple_metrics": [name], "complex_metrics": []}
        if name in COMPLEX:
            names = {"simple_metrics": [], "complex_metrics": [dict(COMPLEX[name], metric=name.split("[")[0])]}
        evaluator = Evaluator(dataset(data, k or 1, **names), SimpleNamespace())
        (result,) = evaluator.eval((data.recommended, data.recommended)).values()
        (mean,) = result["test_results"].values()
        users = result["test_statistical_results"]
        return told(mean, *users.values())

    return answer


FUNCTIONS = {"elliot.evaluation.metrics." + name: plain(name) for name in SHOWN}
for name in (*SIMPLE, *COMPLEX):
    FUNCTIONS["elliot.evaluation.metrics." + name] = plain(name)
    FUNCTIONS["elliot.evaluation.evaluator.Evaluator.eval[%s]" % name.replace("[", ",").rstrip("]")] = route(name)
