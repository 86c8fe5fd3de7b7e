"""rs_metrics: functions of two frames."""

import rs_metrics

from peers.frames import frames

DEFINITIONS = {
    "hitrate": "hit_rate@k", "precision": "precision@k|denominator:shown", "recall": "recall@k", "ndcg": "ndcg@k",
    "mapr": "average_precision@k|denominator:r", "mrr": "reciprocal_rank@k",
}  # fmt: skip


def convert(column, ordered):
    return frames(column, ordered, user="user_id", item="item_id")


def usual(data, k):
    shown, truth = data
    return {name: getattr(rs_metrics, name)(truth, shown, k=k) for name in DEFINITIONS}
