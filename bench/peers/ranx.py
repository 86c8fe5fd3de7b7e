"""ranx: ``evaluate`` on Qrels and Run; its functions are compiled before the clock starts."""

import ranx

from peers.frames import dictionaries

DEFINITIONS = {
    "precision": "precision@k", "recall": "recall@k", "hit_rate": "hit_rate@k", "mrr": "reciprocal_rank@k",
    "map": "average_precision@k|denominator:r", "ndcg": "ndcg@k|gain:linear",
}  # fmt: skip


def convert(column, ordered):
    truth, shown = dictionaries(column)
    return ranx.Qrels(truth), ranx.Run(shown)


def usual(data, k):
    found = ranx.evaluate(*data, ["%s@%d" % (name, k) for name in DEFINITIONS])
    return {name: found["%s@%d" % (name, k)] for name in DEFINITIONS}


def warm_up(k):
    usual((ranx.Qrels({"1": {"1": 1}}), ranx.Run({"1": {"1": 1.0}})), k)
