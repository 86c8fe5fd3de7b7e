"""LensKit: ``RunAnalysis`` on collections of item lists."""

from lenskit.data import ItemListCollection
from lenskit.metrics import NDCG, Hit, Precision, Recall, RecipRank, RunAnalysis

from peers.frames import frames

METRICS = {"precision": Precision, "recall": Recall, "hit_rate": Hit, "mrr": RecipRank, "ndcg": NDCG}
DEFINITIONS = {
    "precision": "precision@k|denominator:shown", "recall": "recall@k|denominator:min", "hit_rate": "hit_rate@k",
    "mrr": "reciprocal_rank@k", "ndcg": "ndcg@k|discount:log2_clipped",
}  # fmt: skip


def convert(column, ordered):
    shown, truth = frames(column, ordered, user="user_id", item="item_id", gain="rating")
    shown["rank"] = shown.groupby("user_id", sort=False).cumcount() + 1
    return tuple(ItemListCollection.from_df(each, ["user_id"]) for each in (shown, truth))


def usual(data, k):
    metrics = {name: metric(n=k) for name, metric in METRICS.items()}
    found = RunAnalysis(*metrics.values()).measure(*data).list_summary()["mean"]
    return {name: found[metric.label] for name, metric in metrics.items()}
