"""Tie-aware Retrieval Metrics: one call for all queries, each with lists of scores and labels; four numbers of each."""

from types import SimpleNamespace

import trm
from audit_harness import Unaskable


def prepare(case):
    truth, lists = case.relevant, case.recommended.by_user("item", "score")
    gains = zip(truth.user.tolist(), truth.item.tolist(), truth.gain.tolist())
    relevant = {(user, item) for user, item, gain in gains if gain >= case.threshold}
    rows = [[(user, item) for item in items.tolist()] for user, (items, _) in lists.items()]
    every = {row for own in rows for row in own}
    return SimpleNamespace(
        users=list(lists),
        scores=[scores.tolist() for _, scores in lists.values()],
        labels=[[row in relevant for row in own] for own in rows],
        unlisted=bool(relevant - every),
        twice=len(every) < sum(map(len, rows)),
    )


def ask(name, number):
    def answer(data, k):
        if data.unlisted:
            raise Unaskable("every label has a score: a relevant item that is not recommended has none")
        if data.twice:
            raise Unaskable("a document has one score: an item that is recommended twice has two")
        found = trm.evaluate(data.scores, data.labels, metrics=[name], k_list=[k])
        values = [getattr(own, number) for own in found.per_query[name][k]]
        return getattr(found.metrics[name][k], number), data.users, values

    return answer


NAMES = ("hits", "recall", "precision", "f1", "ndcg", "mrr", "map")
FUNCTIONS = {
    "trm.evaluate[%s,%s]" % (name, number): ask(name, number)
    for name in NAMES
    for number in ("expected", "maximum", "minimum", "oblivious")
}
