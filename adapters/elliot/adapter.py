"""Elliot: metrics as classes over {user: [(item, score), ...]}, and the Evaluator that a model calls.

The data object stands in for elliot.dataset.DataSet, which wants a configuration and files: it has what the
evaluation asks of it. A user without train rows has an empty profile there, as the loader would have refused him.
"""

from types import SimpleNamespace

import numpy as np
import pandas as pd
from elliot.evaluation import metrics
from elliot.evaluation.evaluator import Evaluator
from elliot.evaluation.relevance import Relevance

SIMPLE = ("HR", "Precision", "Recall", "F1", "MRR", "MAP", "MAR", "nDCG", "nDCGRendle2020", "AUC", "GAUC", "LAUC")
SIMPLE += ("MAE", "MSE", "RMSE")
GIVEN = {"metric_0": "Precision", "metric_1": "Recall"}
COMPLEX = {"ExtendedF1": {}, "DSC": {}, "ExtendedF1[metric_0=Precision,metric_1=Recall]": GIVEN}


def by_user(user, *columns):
    frame = pd.DataFrame(dict(enumerate(columns)))
    return {u: list(zip(*(rows[c] for c in rows))) for u, rows in frame.groupby(user, sort=False)}


def prepare(case):
    train = {user: {} for user in case.users.tolist()}
    train.update({u: {i: 1.0 for (i,) in rows} for u, rows in by_user(case.train.user, case.train.item).items()})
    truth = {u: dict(rows) for u, rows in by_user(case.relevant.user, case.relevant.item, case.relevant.gain).items()}
    recommended = by_user(case.recommended.user, case.recommended.item, case.recommended.score)
    return SimpleNamespace(train=train, truth=truth, recommended=recommended, case=case)


def dataset(data, k, **names):
    longest = max([k, *map(len, data.recommended.values())])
    evaluation = SimpleNamespace(cutoffs=[k], relevance_threshold=data.case.threshold, paired_ttest=True, **names)
    config = SimpleNamespace(config_test=True, top_k=longest, evaluation=evaluation)
    return SimpleNamespace(
        config=config, get_test=lambda: data.truth, get_validation=lambda: None,
        num_items=len(data.case.catalogue), train_dict=data.train,
    )  # fmt: skip


def told(mean, by_user=None):
    return (mean, list(by_user), np.array(list(by_user.values()))) if by_user else mean


def plain(name):
    def answer(data, k):
        own = dataset(data, k or 1)
        relevance = Relevance(data.truth, data.case.threshold)
        objects = SimpleNamespace(relevance=relevance, cutoff=k, num_items=own.num_items, data=own)
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


FUNCTIONS = {}
for name in (*SIMPLE, *COMPLEX):
    FUNCTIONS["elliot.evaluation.metrics." + name] = plain(name)
    FUNCTIONS["elliot.evaluation.evaluator.Evaluator.eval[%s]" % name.replace("[", ",").rstrip("]")] = route(name)
