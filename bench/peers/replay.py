"""RePlay: ``OfflineMetrics`` on Polars frames."""

import polars as pl
from replay.metrics import MAP, MRR, NDCG, HitRate, OfflineMetrics, Precision, Recall

from peers.frames import frames

METRICS = {"hit_rate": HitRate, "map": MAP, "mrr": MRR, "ndcg": NDCG, "precision": Precision, "recall": Recall}
DEFINITIONS = {
    "hit_rate": "hit_rate@k", "map": "average_precision@k", "mrr": "reciprocal_rank@k", "ndcg": "ndcg@k",
    "precision": "precision@k", "recall": "recall@k",
}  # fmt: skip


def convert(column, ordered):
    return tuple(
        pl.DataFrame({name: each[name].to_numpy() for name in each}) for each in frames(column, True)
    )  # it sorts by itself


def usual(data, k):
    shown, truth = data
    offline = OfflineMetrics(
        [metric(k) for metric in METRICS.values()], query_column="user", item_column="item", rating_column="score"
    )
    found = offline(shown, truth)
    return {name: found["%s@%d" % (metric.__name__, k)] for name, metric in METRICS.items()}
