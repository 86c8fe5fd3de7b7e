"""Unitxt: metrics of instances, which are users with lists of ids, or pairs with a score and a gain."""

import os
from collections import Counter
from types import SimpleNamespace

os.environ["HF_HUB_OFFLINE"] = "1"

from audit_harness import Unaskable  # noqa: E402
from unitxt import metrics  # noqa: E402


def prepare(case):
    users = sorted(set(case.relevant.users) | set(case.recommended.users))
    truth, shown = (
        {user: list(map(str, items.tolist())) for user, items in table.by_user("item", users=users).items()}
        for table in (case.relevant, case.recommended)
    )
    gains = dict(zip(zip(case.relevant.user.tolist(), case.relevant.item.tolist()), case.relevant.gain.tolist()))
    pairs = list(zip(case.recommended.user.tolist(), case.recommended.item.tolist()))
    return SimpleNamespace(
        users=users,
        truth=truth,
        shown=shown,
        references=[[gains.get(pair, 0.0)] for pair in pairs],
        predictions=case.recommended.score.tolist(),
        queries=[{"query": user} for user, _ in pairs],
    )


def of_lists(name, number=None):
    def answer(data, k):
        metric = getattr(metrics, name)(**({} if number is None else {"k_list": [k]}))
        key = metric.main_score if number is None else "%s_at_%d" % (number, k)
        values = [metric.compute([data.truth[user]], data.shown[user], {})[key] for user in data.users]
        return None, data.users, values

    return answer


def ndcg(data, k):
    if 1 in Counter(each["query"] for each in data.queries).values():
        raise Unaskable("it leaves out a query of one document")
    return metrics.NDCG().compute(data.references, data.predictions, data.queries)["nDCG"]


FUNCTIONS = {"unitxt.metrics." + name: of_lists(name) for name in ("MRR", "MAP")}
for each in ("precision", "recall", "match"):
    FUNCTIONS["unitxt.metrics.RetrievalAtK[%s]" % each] = of_lists("RetrievalAtK", each)
FUNCTIONS["unitxt.metrics.NDCG"] = ndcg
