"""KerasRS: metrics of rows of labels and scores, a row for each list, on the backend PyTorch."""

import os
from types import SimpleNamespace

import numpy as np
from audit_harness import Unaskable

os.environ["KERAS_BACKEND"] = "torch"
import keras_rs  # noqa: E402 (Keras reads its backend when it is imported)


def prepare(case):
    truth, lists = case.relevant, case.recommended.by_user("item", "score")
    gain = dict(zip(zip(truth.user.tolist(), truth.item.tolist()), truth.gain.tolist()))
    relevant = {row for row, own in gain.items() if own >= case.threshold}
    rows = [[(user, item) for item in items.tolist()] for user, (items, _) in lists.items()]
    every = {row for own in rows for row in own}
    shape = (len(rows), max(map(len, rows), default=0))
    mask, scores, labels, gains = (np.zeros(shape, dtype=kind) for kind in (bool, float, float, float))
    for place, (own, (_, found)) in enumerate(zip(rows, lists.values())):
        mask[place, : len(own)], scores[place, : len(own)] = True, found
        labels[place, : len(own)] = [row in relevant for row in own]
        gains[place, : len(own)] = [gain.get(row, 0.0) for row in own]
    return SimpleNamespace(
        mask=mask, scores=scores, labels=labels, gains=gains,
        unlisted={"labels": bool(relevant - every), "gains": bool(set(gain) - every)},
        twice=len(every) < sum(map(len, rows)),
    )  # fmt: skip


def ask(name, truth, **options):
    def answer(data, k):
        if data.unlisted[truth]:
            raise Unaskable("every label has a score: a relevant item that is not recommended has none")
        if data.twice:
            raise Unaskable("an item of a list has one score: one that is recommended twice has two")
        if (getattr(data, truth) < 0).any():
            raise Unaskable("a label below 0 says that an item is left out")
        metric = getattr(keras_rs.metrics, name)(k=k, **options)
        metric.update_state({"labels": getattr(data, truth), "mask": data.mask}, data.scores)
        return np.float32(metric.result())

    return answer


FUNCTIONS = {}
for each in ("MeanReciprocalRank", "MeanAveragePrecision", "PrecisionAtK", "RecallAtK", "NDCG", "DCG"):
    own = "gains" if each.endswith("DCG") else "labels"
    FUNCTIONS["keras_rs.metrics." + each] = ask(each, own)
    FUNCTIONS["keras_rs.metrics." + each + "[shuffle_ties=False]"] = ask(each, own, shuffle_ties=False)
