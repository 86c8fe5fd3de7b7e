"""PyKEEN: evaluators of triples of a user, one relation and an item, with a model that predicts the scores given.

Longer than most: the model that is replaced, and triples of each user.
"""

from types import SimpleNamespace

import numpy as np
import pykeen.evaluation
import torch
from audit_harness import Unaskable


class Given:
    """Predicts the scores that it was given for all items, as a trained model does."""

    device, num_relations = torch.device("cpu"), 1

    def __init__(self, scores):
        self.scores, self.num_entities = scores, scores.shape[1]

    def eval(self):
        return self

    def to(self, device):
        return self

    def predict(self, hrt_batch, target, **_):
        return self.scores[hrt_batch[:, 0]]


def prepare(case):
    shown, truth = case.recommended, case.relevant
    users = sorted(set(truth.users) | set(shown.users))
    items = np.unique(np.concatenate([case.catalogue, shown.item, truth.item]))
    row, column = np.searchsorted(users, shown.user), np.searchsorted(items, shown.item)
    matrix, listed = np.zeros((len(users), len(items))), np.zeros((len(users), len(items)), dtype=bool)
    matrix[row, column], listed[row, column] = shown.score, True
    if len(shown.user):
        lowest = np.where(listed, matrix, np.inf).min(axis=1)
        matrix = np.where(listed, matrix, np.where(np.isfinite(lowest), lowest - 1 - abs(lowest), 0)[:, None])
    heads, tails = np.searchsorted(users, truth.user), np.searchsorted(items, truth.item)
    return SimpleNamespace(
        scores=torch.tensor(matrix),
        triples=torch.from_numpy(np.stack([heads, np.zeros_like(heads), tails], axis=1)),
        unlisted=not listed[heads, tails].all(),
        twice=int(listed.sum()) < len(shown.user),
    )


def ask(evaluator, metric, rank):
    def answer(data, k):
        if data.unlisted:
            raise Unaskable("every item has a score: a relevant item that is not recommended has none")
        if data.twice:
            raise Unaskable("an item has one score: one that is recommended twice has two")
        options = {"metrics": [metric], "metrics_kwargs": [{} if k is None else {"k": k}], "add_defaults": False}
        own = getattr(pykeen.evaluation, evaluator)(**options)
        found = own.evaluate(Given(data.scores), data.triples, use_tqdm=False, targets=("tail",))
        return found.get_metric("tail.%s.%s" % (rank, metric if k is None else "hits_at_%d" % k))

    return answer


FUNCTIONS = {
    "pykeen.evaluation.%s[%s,%s]" % (evaluator, metric, rank): ask(evaluator, metric, rank)
    for evaluator in ("RankBasedEvaluator", "MacroRankBasedEvaluator")
    for metric in ("hits_at_k", "inverse_harmonic_mean_rank")
    for rank in ("realistic", "optimistic", "pessimistic")
}
