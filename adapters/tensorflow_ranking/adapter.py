"""TensorFlow Ranking: metrics of ragged tensors of labels and scores, a row for each list."""

from types import SimpleNamespace

import numpy as np
import tensorflow as tf
import tensorflow_ranking as tfr
from audit_harness import Unaskable


def prepare(case):
    truth, lists = case.relevant, case.recommended.by_user("item", "score")
    gain = dict(zip(zip(truth.user.tolist(), truth.item.tolist()), truth.gain.tolist()))
    relevant = {row for row, own in gain.items() if own >= case.threshold}
    rows = [[(user, item) for item in items.tolist()] for user, (items, _) in lists.items()]
    every = {row for own in rows for row in own}
    return SimpleNamespace(
        scores=[scores.tolist() for _, scores in lists.values()],
        labels=[[float(row in relevant) for row in own] for own in rows],
        gains=[[gain.get(row, 0.0) for row in own] for own in rows],
        negative=any(own < 0 for own in gain.values()),
        unlisted={"labels": bool(relevant - every), "gains": bool(set(gain) - every)},
        twice=len(every) < sum(map(len, rows)),
    )


def ask(name, truth):
    def answer(data, k):
        if data.unlisted[truth]:
            raise Unaskable("every label has a score: a relevant item that is not recommended has none")
        if data.twice:
            raise Unaskable("an item of a list has one score: one that is recommended twice has two")
        if truth == "gains" and data.negative:
            raise Unaskable("a label below 0 says that an item is left out")
        metric = getattr(tfr.keras.metrics, name)(topn=k, ragged=True)
        labels, scores = (tf.ragged.constant(rows, dtype=tf.float32) for rows in (getattr(data, truth), data.scores))
        return np.float32(metric(labels, scores).numpy())

    return answer


NAME = "tensorflow_ranking.keras.metrics."
NAMES = ("MRRMetric", "HitsMetric", "PrecisionMetric", "RecallMetric", "MeanAveragePrecisionMetric")
FUNCTIONS = {NAME + name: ask(name, "labels") for name in NAMES}
FUNCTIONS.update({NAME + name: ask(name, "gains") for name in ("NDCGMetric", "DCGMetric")})
