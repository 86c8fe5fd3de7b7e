"""rankerEval: metric objects on a row of labels and a ranking for each user."""

from types import SimpleNamespace

import numpy as np
import rankereval
import scipy.sparse as sp


def prepare(case):
    shown, truth = case.recommended, case.relevant
    users = np.unique(np.concatenate([shown.user, truth.user]))
    items = np.unique(np.concatenate([case.catalogue, shown.item, truth.item]))  # its indices number all items

    def rows(part):
        column, row = np.searchsorted(items, part.item), np.searchsorted(users, part.user)
        return [column[row == user].tolist() for user in range(len(users))]

    gains = np.zeros((len(users), len(items)))
    gains[np.searchsorted(users, truth.user), np.searchsorted(items, truth.item)] = truth.gain
    return SimpleNamespace(
        users=users, true=[sorted(set(row)) for row in rows(truth)], shown=rows(shown), gains=sp.csr_matrix(gains)
    )


def ask(name, numeric=False, **options):
    def answer(data, k):
        if numeric:
            true = rankereval.NumericLabels.from_matrix(data.gains)
        else:
            true = rankereval.BinaryLabels.from_positive_indices(data.true)
        shown = rankereval.Rankings.from_ranked_indices(data.shown)
        metric = getattr(rankereval, name)(k, **options)
        return metric.mean(true, shown), data.users, metric.score(true, shown)

    return answer


NAMES = ("Precision", "Recall", "F1", "HitRate", "ReciprocalRank", "AP", "NDCG", "DCG")
FUNCTIONS = {"rankereval." + name: ask(name) for name in NAMES}
FUNCTIONS.update({"rankereval.%s[truncated=True]" % n: ask(n, truncated=True) for n in ("Precision", "Recall")})
FUNCTIONS["rankereval.DCG[log_base=2]"] = ask("DCG", log_base="2")
FUNCTIONS["rankereval.NDCG[NumericLabels]"] = ask("NDCG", numeric=True)
FUNCTIONS["rankereval.NDCG[NumericLabels,relevance_scaling=power]"] = ask(
    "NDCG", numeric=True, relevance_scaling="power"
)
