"""DL RS Evaluation: functions of a mask of hits, its metric objects, and EvaluatorHoldout on a fixed recommender.

Users and items are the rows and columns of its matrices. The mask is made as the Evaluator makes it. Whom its
functions give a value is who has truth, as in the Evaluator; an item that is in no list has no score. Longer than
most: its functions are called in six ways.
"""

from types import SimpleNamespace

import numpy as np
import scipy.sparse as sps
from Base.BaseRecommender import BaseRecommender
from Base.Evaluation import metrics
from Base.Evaluation.Evaluator import EvaluatorHoldout


class Given(BaseRecommender):
    RECOMMENDER_NAME = "Given"

    def __init__(self, train, scores):
        super().__init__(train, verbose=False)
        self.scores = scores

    def _compute_item_score(self, user_id_array, items_to_compute=None):
        return self.scores[user_id_array].copy()


def prepare(case):
    test = sps.csr_matrix(case.relevant.coordinates("gain"), shape=case.shape)
    train = sps.csr_matrix(case.train.coordinates(), shape=case.shape)
    scores = case.score_matrix()
    truth = case.relevant.by_user("item", "gain", users=case.relevant.users)
    listed = case.recommended.by_user("item", users=truth)
    users = [SimpleNamespace(user=u, listed=listed[u], items=items, gains=gains) for u, (items, gains) in truth.items()]
    seen = sps.csr_matrix(
        (np.ones(len(case.train.item)), (case.train.user, np.searchsorted(case.catalogue, case.train.item))),
        shape=(case.shape[0], len(case.catalogue)),
    )
    return SimpleNamespace(
        test=test, train=train, scores=scores, users=users, scale=case.scale, items=case.catalogue, seen=seen
    )


def mask(own, k):
    return np.in1d(own.listed[:k], own.items, assume_unique=True)


def function(name, *more):
    def answer(data, k):
        call = getattr(metrics, name)
        values = [call(mask(own, k), *(get(own) for get in more)) for own in data.users]
        return None, [own.user for own in data.users], values

    return answer


def ndcg(graded):
    def answer(data, k):
        gains = [own.gains if graded else None for own in data.users]
        values = [metrics.ndcg(own.listed[:k], own.items, relevance=gain, at=k) for own, gain in zip(data.users, gains)]
        return None, [own.user for own in data.users], values

    return answer


def collected(name, *more):
    def answer(data, k):
        metric = getattr(metrics, name)()
        for own in data.users:
            metric.add_recommendations(mask(own, k), *(get(own) for get in more))
        return metric.get_metric_value()

    return answer


def distribution(name):  # of the items that exist, numbered from 0; none is ignored
    return shown(name, lambda data: len(data.items), lambda data: np.array([]))


def shown(name, *given):
    def answer(data, k):
        metric = getattr(metrics, name)(*(get(data) for get in given))
        for own in data.users:
            metric.add_recommendations(np.searchsorted(data.items, own.listed[:k]))
        return metric.get_metric_value()

    return answer


def rmse(data, k):
    metric = metrics.RMSE(SimpleNamespace(data=np.array(data.scale)))  # the clip range is inferred from all ratings
    for own in data.users:
        metric.add_recommendations(data.scores[own.user], own.items, own.gains)
    return metric.get_metric_value()


def holdout(name):
    def answer(data, k):
        evaluator = EvaluatorHoldout(data.test, [k], verbose=False)
        results, _ = evaluator.evaluateRecommender(Given(data.train, data.scores))
        return results[k][name]

    return answer


def items(own):
    return own.items


FUNCTIONS = {"Base.Evaluation.metrics." + name: function(name) for name in ("precision", "rr", "arhr", "roc_auc")}
FUNCTIONS["Base.Evaluation.metrics.recall"] = function("recall", items)
FUNCTIONS["Base.Evaluation.metrics.average_precision"] = function("average_precision", items)
FUNCTIONS["Base.Evaluation.metrics.precision_recall_min_denominator"] = function(
    "precision_recall_min_denominator", lambda own: len(own.items)
)
FUNCTIONS["Base.Evaluation.metrics.ndcg"] = ndcg(graded=True)
FUNCTIONS["Base.Evaluation.metrics.ndcg[relevance=None]"] = ndcg(graded=False)
FUNCTIONS["Base.Evaluation.metrics.MAP"] = collected("MAP", items)
FUNCTIONS["Base.Evaluation.metrics.MRR"] = collected("MRR")
FUNCTIONS["Base.Evaluation.metrics.RMSE"] = rmse
for name in ("Novelty", "AveragePopularity"):
    FUNCTIONS["Base.Evaluation.metrics." + name] = shown(name, lambda data: data.seen)
for name in ("Coverage_Item", "Gini_Diversity", "Shannon_Entropy"):
    FUNCTIONS["Base.Evaluation.metrics." + name] = distribution(name)
NAMES = ["PRECISION", "PRECISION_RECALL_MIN_DEN", "RECALL", "F1", "HIT_RATE", "MRR", "ARHR", "MAP", "NDCG", "ROC_AUC"]
ROUTE = "Base.Evaluation.Evaluator.EvaluatorHoldout.evaluateRecommender[%s]"
FUNCTIONS.update({ROUTE % name: holdout(name) for name in NAMES})
