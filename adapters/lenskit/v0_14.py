"""LensKit 0.14: RecListAnalysis computes a metric of tables of recommendations and of truth, a value for each user."""

from types import SimpleNamespace

import pandas as pd
from lenskit import topn


def prepare(case):
    shown, truth = case.recommended, case.relevant
    recs = pd.DataFrame({"user": shown.user, "item": shown.item, "score": shown.score})
    ranks = recs.groupby("user", sort=False).cumcount() + 1  # as its recommenders number their lists
    test = pd.DataFrame({"user": truth.user, "item": truth.item, "rating": truth.gain})
    return SimpleNamespace(recs=recs, ranked=recs.assign(rank=ranks), test=test, unrated=test.drop(columns="rating"))


def ask(name, recs="ranked", test="test"):
    def answer(data, k):
        analysis = topn.RecListAnalysis()
        analysis.add_metric(getattr(topn, name), **({"k": k} if k else {}))
        values = analysis.compute(getattr(data, recs), getattr(data, test), include_missing=True)[name]
        return None, values.index.to_numpy(), values.to_numpy(dtype=float)

    return answer


NAMES = ("precision", "recall", "hit", "recip_rank", "ndcg")
FUNCTIONS = {"lenskit.topn." + name: ask(name) for name in NAMES}
FUNCTIONS.update({"lenskit.topn.%s[no ranks]" % name: ask(name, "recs") for name in NAMES})
FUNCTIONS["lenskit.topn.ndcg[no ratings]"] = ask("ndcg", test="unrated")
FUNCTIONS["lenskit.topn.dcg"] = ask("dcg", "recs")
