"""What scikit-learn and trec_eval (pytrec_eval) compute: run by their own Python, JSON on stdin and on stdout.

One entry a user: ``ranked`` and ``scores`` of the items shown, ``relevance`` of items by name, as whole numbers.
"""

import json
import sys

import numpy as np
import pytrec_eval
from sklearn import metrics as sk

K = 3
TREC = {
    f"P.{K}": f"P_{K}", f"recall.{K}": f"recall_{K}", f"map_cut.{K}": f"map_cut_{K}", "map": "map",
    f"ndcg_cut.{K}": f"ndcg_cut_{K}", "ndcg": "ndcg", "recip_rank": "recip_rank", "Rprec": "Rprec",
    f"success.{K}": f"success_{K}", "bpref": "bpref",
}  # fmt: skip


def trec(users):
    truth = {str(number): user["relevance"] for number, user in enumerate(users)}
    lists = {str(n): dict(zip(user["ranked"], user["scores"], strict=True)) for n, user in enumerate(users)}
    found = pytrec_eval.RelevanceEvaluator(truth, set(TREC)).evaluate(lists)
    return {name: [found[str(n)][key] for n in range(len(users))] for name, key in TREC.items()}


def learn(user):
    gains = np.array([user["relevance"].get(item, 0) for item in user["ranked"]])
    labels, scores = (gains > 0).astype(int), np.array(user["scores"])
    shown = np.arange(len(gains)) < K
    ratings = scores + 1.0
    return {
        "roc_auc_score": sk.roc_auc_score(labels, scores),
        "average_precision_score": sk.average_precision_score(labels, scores),
        "ndcg_score": sk.ndcg_score([gains], [scores]),
        "ndcg_score.k": sk.ndcg_score([gains], [scores], k=K),
        "dcg_score.k": sk.dcg_score([gains], [scores], k=K),
        "precision_score": sk.precision_score(labels, shown),
        "recall_score": sk.recall_score(labels, shown),
        "f1_score": sk.f1_score(labels, shown),
        "accuracy_score": sk.accuracy_score(labels, shown),
        "matthews_corrcoef": sk.matthews_corrcoef(labels, shown),
        "balanced_accuracy_score": sk.balanced_accuracy_score(labels, shown),
        "mean_absolute_error": sk.mean_absolute_error(gains, ratings),
        "mean_squared_error": sk.mean_squared_error(gains, ratings),
        "root_mean_squared_error": sk.root_mean_squared_error(gains, ratings),
        "r2_score": sk.r2_score(gains, ratings),
        "explained_variance_score": sk.explained_variance_score(gains, ratings),
        "log_loss": sk.log_loss(labels, scores / 10, labels=[0, 1]),
    }


asked = json.load(sys.stdin)
users = [learn(user) for user in asked["learn"]]
json.dump(
    {"trec": trec(asked["trec"]), "learn": {name: [user[name] for user in users] for name in users[0]}}, sys.stdout
)
