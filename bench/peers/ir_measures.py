"""ir-measures: ``calc_aggregate`` on dictionaries."""

import ir_measures

from peers.frames import dictionaries

DEFINITIONS = {
    "P": "precision@k", "R": "recall@k", "Success": "hit_rate@k", "AP": "average_precision@k|denominator:r",
    "nDCG": "ndcg@k|gain:linear", "RR": "reciprocal_rank@k",
}  # fmt: skip


def convert(column, ordered):
    return dictionaries(column)


def usual(data, k):
    measures = {name: getattr(ir_measures, name) @ k for name in DEFINITIONS}
    found = ir_measures.calc_aggregate(list(measures.values()), *data)
    return {name: found[measure] for name, measure in measures.items()}
