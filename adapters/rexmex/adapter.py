"""RexMex: functions of one user's relevant and recommended items, and means over the lists of all users."""

from types import SimpleNamespace

import numpy as np
import rexmex.metrics.ranking as ranking


def prepare(case):
    users = case.relevant.users
    truth, shown = (table.by_user("item", users=users) for table in (case.relevant, case.recommended))
    return SimpleNamespace(
        users=users,
        truth=[items.tolist() for items in truth.values()],
        shown=[items.tolist() for items in shown.values()],
        every=[items.tolist() for items in case.recommended.by_user("item").values()],
        train=case.train,
        catalogue=case.catalogue,
    )


def each_user(name, cut=True):
    def answer(data, k):
        call, options = getattr(ranking, name), {"k": k} if cut else {}
        return None, data.users, [call(truth, shown, **options) for truth, shown in zip(data.truth, data.shown)]

    return answer


def all_users(name):
    return lambda data, k: getattr(ranking, name)(data.truth, data.shown, k=k)


def novelty(data, k):
    items, counts = np.unique(data.train.item, return_counts=True)
    popularity = dict(zip(items.tolist(), counts.tolist()))
    return ranking.novelty([items[:k] for items in data.every], popularity, len(data.train.users), k)


def intra_list_similarity(data, k):
    # A row for each item of the catalogue: 1 for the train users who have it, 0 for others.
    users, place = np.unique(data.train.user), {item: row for row, item in enumerate(data.catalogue.tolist())}
    features = np.zeros((len(place), len(users)))
    features[[place[item] for item in data.train.item.tolist()], np.searchsorted(users, data.train.user)] = 1
    return ranking.intra_list_similarity([[place[item] for item in items[:k]] for items in data.every], features)


NAME = "rexmex.metrics.ranking."
FUNCTIONS = {NAME + n: each_user(n) for n in ("average_precision_at_k", "average_recall_at_k", "hits_at_k")}
FUNCTIONS.update({NAME + n: all_users(n) for n in ("mean_average_precision_at_k", "mean_average_recall_at_k")})
FUNCTIONS.update({NAME + each.__name__: each for each in (novelty, intra_list_similarity)})
FUNCTIONS[NAME + "mean_reciprocal_rank"] = each_user("mean_reciprocal_rank", cut=False)
