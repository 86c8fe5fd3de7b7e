"""Arize Phoenix: metrics of one query's documents, which are the evaluation scores of a list, best first."""

from types import SimpleNamespace

from phoenix.metrics import RetrievalMetrics


def prepare(case):
    users = sorted(set(case.relevant.users) | set(case.recommended.users))
    shown = case.recommended.by_user("item", users=users)
    gains = dict(zip(zip(case.relevant.user.tolist(), case.relevant.item.tolist()), case.relevant.gain.tolist()))
    listed = [[(user, item) for item in shown[user].tolist()] for user in users]
    return SimpleNamespace(
        users=users,
        gains=[[gains.get(pair, 0.0) for pair in own] for own in listed],
        labels=[[float(pair in gains) for pair in own] for own in listed],
    )


def ask(name, scores):
    def answer(data, k):
        cutoff = [] if k is None else [k]
        return None, data.users, [getattr(RetrievalMetrics(own), name)(*cutoff) for own in getattr(data, scores)]

    return answer


PLACE = "phoenix.metrics.RetrievalMetrics."
FUNCTIONS = {PLACE + name: ask(name, "labels") for name in ("precision", "reciprocal_rank", "hit")}
FUNCTIONS[PLACE + "ndcg"] = ask("ndcg", "gains")
