"""neurec 1.0.0: functions of one user's ranking, and the two evaluators that ask a model for each user's scores.

The package's own __init__ imports all models and TensorFlow with them; it is passed by. The evaluators give the
values of each user, whose mean NeuRec logs. Longer than most: two protocols, each with functions called in three ways.
"""

import importlib.machinery
import sys
import types
from types import SimpleNamespace

import numpy as np
import scipy.sparse as sp

package = types.ModuleType("neurec")
package.__path__ = importlib.machinery.PathFinder.find_spec("neurec").submodule_search_locations
sys.modules["neurec"] = package

from neurec.evaluation.foldout import MAP, MRR, NDCG, FoldOutEvaluate, Precision, Recall
from neurec.evaluation.leaveoneout import AUC, HR, LeaveOneOutEvaluate
from neurec.evaluation.leaveoneout import NDCG as ONE_NDCG


def prepare(case):
    users = case.relevant.users
    truth = {user: items.tolist() for user, items in case.relevant.by_user("item", users=users).items()}
    ranked = {user: items.tolist() for user, items in case.recommended.by_user("item", users=users).items()}
    scores = case.score_matrix()
    test = sp.csr_matrix(case.relevant.coordinates(), shape=case.shape)
    train = sp.csr_matrix(case.train.coordinates(), shape=case.shape)
    return SimpleNamespace(truth=truth, ranked=ranked, scores=scores, test=test, train=train)


class Model:
    def __init__(self, data, k):
        self.dataset = SimpleNamespace(trainMatrix=data.train, testMatrix=data.test)
        self.num_users, self.num_items = data.test.shape
        self.topK, self.scores = k, data.scores

    def predict(self, user, items):
        return self.scores[user, items]


def foldout(call, *more):
    def answer(data, k):
        cut = [k] if more else []
        return None, list(data.truth), [call(data.ranked[u][:k], set(t), *cut) for u, t in data.truth.items()]

    return answer


def leaveoneout(call):
    def answer(data, k):  # of one relevant item the item itself; the evaluator takes the first of several
        return None, list(data.truth), [call(data.ranked[u][:k], t[0]) for u, t in data.truth.items()]

    return answer


def auc(data, k):
    """Its predictions are those of the candidates, the one relevant item last."""
    values = []
    for user, items in data.truth.items():
        others = [item for item in data.ranked[user] if item not in items]
        (value,) = AUC.getAUC(data.scores[user, [*others, items[0]]], 1)
        values.append(value)
    return None, list(data.truth), values


def evaluated(call, place):
    def answer(data, k):
        each = call(Model(data, k or 1), data.test, None, 1)[place]
        values = [value[0] if isinstance(value, list) else value for value in each]  # an AUC stands there once per k
        return None, np.flatnonzero(np.diff(data.test.indptr)), values

    return answer


E = "neurec.evaluation."
FUNCTIONS = {
    E + "foldout.Precision.getPre": foldout(Precision.getPre, "topK"),
    E + "foldout.Recall.getRec": foldout(Recall.getRec),
    E + "foldout.MAP.getAP": foldout(MAP.getAP),
    E + "foldout.NDCG.getNDCG": foldout(NDCG.getNDCG),
    E + "foldout.MRR.getMRR": foldout(MRR.getMRR),
    E + "leaveoneout.HR.getHitRatio": leaveoneout(HR.getHitRatio),
    E + "leaveoneout.NDCG.getNDCG": leaveoneout(ONE_NDCG.getNDCG),
    E + "leaveoneout.AUC.getAUC": auc,
}
for place, name in enumerate(("Precision", "Recall", "MAP", "NDCG", "MRR")):
    path = E + "foldout.FoldOutEvaluate.evaluate_by_foldout[%s]" % name
    FUNCTIONS[path] = evaluated(FoldOutEvaluate.evaluate_by_foldout, place)
for place, name in enumerate(("HR", "NDCG", "AUC")):
    path = E + "leaveoneout.LeaveOneOutEvaluate.evaluate_by_loo[%s]" % name
    FUNCTIONS[path] = evaluated(LeaveOneOutEvaluate.evaluate_by_loo, place)
