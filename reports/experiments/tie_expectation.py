"""Expected NDCG, recall and precision over all orders of tied items, in closed form.

A place of a group of n tied rows of which m are relevant holds, on average, m / n of a relevant item (McSherry & Najork
2008, Computing information retrieval performance measures efficiently in the presence of tied scores, §3). A metric
that adds a weight for each hit, whatever the others are, has the expectation of the sum over places.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.reference.input.case import Case

Floats = NDArray[np.float64]
LinearMetric = Literal["ndcg", "recall", "precision"]


def expected_shares(scores: Floats, relevant: NDArray[np.bool_], k: int) -> Floats:
    """Return how much of a relevant item each of the first ``k`` places holds on average over orders of ties.

    Args:
        scores: The scores of one user's rows, in any order.
        relevant: Whether each row is relevant.
        k: The cut-off.
    """
    _, group = np.unique(-scores, return_inverse=True)  # groups of equal scores, best first
    share = np.bincount(group, weights=relevant) / np.bincount(group)
    return np.asarray(share[np.sort(group)][:k], dtype=np.float64)


def hit_weights(metric: LinearMetric, relevant: int, k: int) -> Floats:
    """Return what a hit adds at each of the ranks 1 to ``k`` for a user with ``relevant`` relevant items."""
    discount = 1 / np.log2(np.arange(2, k + 2))
    match metric:
        case "ndcg":
            return np.asarray(discount / discount[: min(k, relevant)].sum())
        case "recall":
            return np.full(k, 1 / relevant)
        case "precision":
            return np.full(k, 1 / k)


def expected_values(case: Case, metric: LinearMetric, k: int) -> dict[int, float]:
    """Return the expectation over orders of ties for each user with relevant items and a list; nothing is repeated."""
    truth: dict[int, set[int]] = {}
    for user, item in zip(case.truth.user.tolist(), case.truth.item.tolist(), strict=True):
        truth.setdefault(user, set()).add(item)
    of = case.predictions
    by_user = np.argsort(of.user, kind="stable")
    users, first = np.unique(of.user[by_user], return_index=True)
    out = {}
    for user, rows in zip(users.tolist(), np.split(by_user, first[1:]), strict=True):
        if user in truth:
            shares = expected_shares(of.score[rows], np.isin(of.item[rows], list(truth[user])), k)
            out[user] = float(shares @ hit_weights(metric, len(truth[user]), k)[: len(shares)])
    return out
