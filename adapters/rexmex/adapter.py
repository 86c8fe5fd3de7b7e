"""RexMex: functions of one user's relevant and recommended items, and means over the lists of all users."""

from types import SimpleNamespace

import rexmex.metrics.ranking as ranking


def prepare(case):
    users = case.relevant.users
    truth, shown = (table.by_user("item", users=users) for table in (case.relevant, case.recommended))
    return SimpleNamespace(
        users=users,
        truth=[items.tolist() for items in truth.values()],
        shown=[items.tolist() for items in shown.values()],
    )


def each_user(name, cut=True):
    def answer(data, k):
        call, options = getattr(ranking, name), {"k": k} if cut else {}
        return None, data.users, [call(truth, shown, **options) for truth, shown in zip(data.truth, data.shown)]

    return answer


def all_users(name):
    return lambda data, k: getattr(ranking, name)(data.truth, data.shown, k=k)


NAME = "rexmex.metrics.ranking."
FUNCTIONS = {NAME + n: each_user(n) for n in ("average_precision_at_k", "average_recall_at_k", "hits_at_k")}
FUNCTIONS.update({NAME + n: all_users(n) for n in ("mean_average_precision_at_k", "mean_average_recall_at_k")})
FUNCTIONS[NAME + "mean_reciprocal_rank"] = each_user("mean_reciprocal_rank", cut=False)
