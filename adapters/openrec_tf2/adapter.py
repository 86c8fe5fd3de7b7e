"""OpenRec's tf2 metrics: functions of masks and scores, one row a user and one column an item."""

import numpy as np
import tensorflow as tf
from audit_harness import Unaskable
from openrec.tf2 import metrics


def prepare(case):
    users = np.unique(case.relevant.user)
    items = np.unique(np.concatenate([case.catalogue, case.recommended.item, case.relevant.item]))

    def cells(part):
        known = np.isin(part.user, users)
        return np.searchsorted(users, part.user[known]), np.searchsorted(items, part.item[known]), known

    positive = np.zeros((len(users), len(items)), dtype=bool)
    positive[cells(case.relevant)[:2]] = True
    # A model scores every item, and the user's train items are masked: what is not ranked here is masked. float32, as
    # the metrics multiply by float32.
    scores = np.full((len(users), len(items)), -np.inf, dtype=np.float32)
    row, column, known = cells(case.recommended)
    scores[row[::-1], column[::-1]] = case.recommended.score[known][::-1]
    unscored = np.isneginf(scores)
    excluded = unscored & ~positive
    # The room that a list leaves for relevant items without a score, which would count as found there.
    room = np.where((unscored & positive).any(axis=1), (~positive & ~excluded).sum(axis=1), np.inf).min(initial=np.inf)
    return room, users, tf.constant(positive), tf.constant(scores), tf.constant(excluded)


def values(name, prepared, k):
    room, _, positive, scores, excluded = prepared
    if k and room <= k:
        raise Unaskable("a relevant item without a score cannot be put to it: its models score every item")
    return getattr(metrics, name)(positive, scores, excluded, **({"at": [k]} if k else {}))


def each(name):
    return lambda prepared, k: (None, prepared[1], tf.reshape(values(name, prepared, k), [-1]).numpy())


def averaged(name):
    def answer(prepared, k):
        mean = metrics.DictMean({name: [1] if k else []})
        mean.update_state({name: values(name, prepared, k)})
        return tf.reshape(mean.result()[name], []).numpy()

    return answer


FUNCTIONS = {"openrec.tf2.metrics." + name: each(name) for name in ("AUC", "NDCG", "Recall")}
FUNCTIONS.update({"openrec.tf2.metrics.DictMean[%s]" % name: averaged(name) for name in ("AUC", "NDCG", "Recall")})
