"""pytrec_eval: trec_eval's measures on dictionaries."""

import pytrec_eval

from peers.frames import dictionaries

DEFINITIONS = {
    "P": "precision@k", "recall": "recall@k", "success": "hit_rate@k",
    "map_cut": "average_precision@k|denominator:r", "ndcg_cut": "ndcg@k|gain:linear",
}  # fmt: skip


def convert(column, ordered):
    return dictionaries(column)


def usual(data, k):
    truth, shown = data
    found = pytrec_eval.RelevanceEvaluator(truth, {"%s.%d" % (name, k) for name in DEFINITIONS}).evaluate(shown)
    return {name: sum(each["%s_%d" % (name, k)] for each in found.values()) / len(found) for name in DEFINITIONS}
