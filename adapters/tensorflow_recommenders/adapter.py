"""TensorFlow Recommenders: its metric, of queries and candidates whose products are the scores given."""

from types import SimpleNamespace

import numpy as np
import tensorflow as tf
from audit_harness import Unaskable
from tensorflow_recommenders.layers.factorized_top_k import BruteForce
from tensorflow_recommenders.metrics import FactorizedTopK


def prepare(case):
    shown, truth = case.recommended, case.relevant
    users = np.unique(np.concatenate([shown.user, truth.user]))
    items = np.unique(np.concatenate([case.catalogue, shown.item, truth.item]))
    row, column = np.searchsorted(users, shown.user), np.searchsorted(items, shown.item)
    scores, listed = np.zeros((len(users), len(items))), np.zeros((len(users), len(items)), dtype=bool)
    scores[row, column], listed[row, column] = shown.score, True
    if len(shown.user):
        lowest = np.where(listed, scores, np.inf).min(axis=1)
        scores = np.where(listed, scores, np.where(np.isfinite(lowest), lowest - 1 - abs(lowest), 0)[:, None])
    pairs = np.searchsorted(users, truth.user), np.searchsorted(items, truth.item)
    return SimpleNamespace(
        queries=np.eye(len(users), dtype=np.float32), candidates=scores.T.astype(np.float32),
        items=items, pairs=pairs, unlisted=not listed[pairs].all(), twice=len(shown.user) != listed.sum(),
    )  # fmt: skip


def ask(by_id):
    def answer(data, k):
        if data.unlisted:
            raise Unaskable("every candidate has a score: a relevant item that is not recommended has none")
        if data.twice:
            raise Unaskable("every candidate has one score: an item that is recommended twice has two")
        rows, columns = data.pairs
        index = BruteForce(k=k).index(tf.constant(data.candidates), tf.constant(data.items))
        metric = FactorizedTopK(index, ks=[k])
        ids = {"true_candidate_ids": tf.constant(data.items[columns])} if by_id else {}
        metric.update_state(tf.constant(data.queries[rows]), tf.constant(data.candidates[columns]), **ids)
        return np.float32(metric.result()[0].numpy())

    return answer


NAME = "tensorflow_recommenders.metrics.FactorizedTopK"
FUNCTIONS = {NAME: ask(by_id=False), NAME + "[true_candidate_ids]": ask(by_id=True)}
