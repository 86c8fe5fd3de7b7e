"""MS Recommenders: functions of two frames."""

from recommenders.evaluation import python_evaluation as metrics

from peers.frames import frames

FUNCTIONS = {
    "precision": metrics.precision_at_k, "recall": metrics.recall_at_k, "ndcg": metrics.ndcg_at_k,
    "map": metrics.map_at_k,
}  # fmt: skip
DEFINITIONS = {
    "precision": "precision@k", "recall": "recall@k", "ndcg": "ndcg@k", "map": "average_precision@k",
}  # fmt: skip
COLUMNS = {"col_user": "user", "col_item": "item", "col_rating": "gain", "col_prediction": "score"}


def convert(column, ordered):
    return frames(column, ordered)


def usual(data, k):
    shown, truth = data
    return {name: function(truth, shown, k=k, **COLUMNS) for name, function in FUNCTIONS.items()}
