"""LensKit 0.14: RecListAnalysis computes a metric of tables of recommendations and of truth, a value for each user.

It calls the metric itself list by list; where the recommendations have ranks, it calls other code in its place, of all
lists together, so that this route has a name of its own.
"""

from types import SimpleNamespace

import pandas as pd
from lenskit import topn


def prepare(case):
    shown, truth = case.recommended, case.relevant
    recs = pd.DataFrame({"user": shown.user, "item": shown.item, "score": shown.score})
    ranks = recs.groupby("user", sort=False).cumcount() + 1  # as its recommenders number their lists
    test = pd.DataFrame({"user": truth.user, "item": truth.item, "rating": truth.gain})
    return SimpleNamespace(recs=recs, ranked=recs.assign(rank=ranks), test=test, unrated=test.drop(columns="rating"))


def ask(name, recs, test="test"):
    def answer(data, k):
        analysis = topn.RecListAnalysis()
        analysis.add_metric(getattr(topn, name), **({"k": k} if k else {}))
        values = analysis.compute(getattr(data, recs), getattr(data, test), include_missing=True)[name]
        return None, values.index.to_numpy(), values.to_numpy(dtype=float)

    return answer


NAMES = ("precision", "recall", "hit", "recip_rank", "ndcg")
FUNCTIONS = {"lenskit.topn.RecListAnalysis[%s]" % name: ask(name, "ranked") for name in NAMES}
FUNCTIONS["lenskit.topn.RecListAnalysis[ndcg,no ratings]"] = ask("ndcg", "ranked", "unrated")
FUNCTIONS.update({"lenskit.topn." + name: ask(name, "recs") for name in (*NAMES, "dcg")})
