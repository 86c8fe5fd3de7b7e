"""RecTools: ``calc_metrics`` of its usual metrics, on frames with ranks."""

from rectools import Columns
from rectools.metrics import MAP, MRR, NDCG, HitRate, Precision, Recall, calc_metrics

from peers.frames import frames

DEFINITIONS = {
    "precision": "precision@k", "recall": "recall@k", "hit_rate": "hit_rate@k", "mrr": "reciprocal_rank@k",
    "map": "average_precision@k|denominator:r", "ndcg": "ndcg@k|ideal:ones",
}  # fmt: skip


def convert(column, ordered):
    shown, truth = frames(column, ordered, user=Columns.User, item=Columns.Item, score=Columns.Score)
    shown[Columns.Rank] = shown.groupby(Columns.User, sort=False).cumcount() + 1
    return shown, truth.rename(columns={"gain": Columns.Weight})


def usual(data, k):
    chosen = {"precision": Precision, "recall": Recall, "hit_rate": HitRate, "mrr": MRR, "map": MAP, "ndcg": NDCG}
    return calc_metrics({name: metric(k=k) for name, metric in chosen.items()}, *data)
