"""Item recommendation evaluation of a command-line recommender: rankings by user, a test set as a dict of dicts."""

import numpy as np


def precision_at_k(ranking, k):
    return (np.asarray(ranking)[:k] != 0).mean()


def average_precision(ranking):
    out = [precision_at_k(ranking, n + 1) for n in range(len(ranking)) if ranking[n]]
    return np.mean(out) if out else 0.0


def ndcg_at_k(ranking):
    ranking = np.asarray(ranking, dtype=float)

    def dcg(flags):
        return flags[0] + (flags[1:] / np.log2(np.arange(2, flags.size + 1))).sum()

    return dcg(ranking) / dcg(np.array(sorted(ranking, reverse=True)))


class ItemRecommendationEvaluation:
    def __init__(self, n_ranks=(1, 3, 5, 10)):
        self.n_ranks = n_ranks

    def evaluate(self, predictions, test_set):
        results = {}
        n_users = float(len(test_set["users"]))
        for n in self.n_ranks:
            precision, recall, ndcg, ap = [], [], [], []
            for user in test_set["users"]:
                ranked = list(predictions.get(user, []))
                seen = test_set["items_seen_by_user"].get(user, [])
                common = set(ranked[:n]) & set(seen)
                if common:
                    flags = np.zeros(n)
                    for item in common:
                        flags[ranked.index(item)] = 1
                    precision.append(precision_at_k(flags, n))
                    recall.append(len(common) / float(len(seen)))
                    ap.append(average_precision(flags))
                    ndcg.append(ndcg_at_k(flags))
            results["PREC@" + str(n)] = round(sum(precision) / n_users, 6)
            results["RECALL@" + str(n)] = round(sum(recall) / n_users, 6)
            results["NDCG@" + str(n)] = round(sum(ndcg) / n_users, 6)
            results["MAP@" + str(n)] = round(sum(ap) / n_users, 6)
        return results
