"""LensKit 2025: RunAnalysis measures collections of item lists, those of recommendations against those of the test."""

from types import SimpleNamespace

import lenskit.metrics.ranking
import pandas as pd
from lenskit.data import ItemListCollection, from_interactions_df
from lenskit.metrics import RunAnalysis


def prepare(case):
    shown, truth = case.recommended, case.relevant
    recs = pd.DataFrame({"user_id": shown.user, "item_id": shown.item, "score": shown.score})
    recs["rank"] = recs.groupby("user_id", sort=False).cumcount() + 1  # makes ordered lists of them
    test = pd.DataFrame({"user_id": truth.user, "item_id": truth.item, "rating": truth.gain})
    train = pd.DataFrame({"user_id": case.train.user, "item_id": case.train.item})
    return SimpleNamespace(recs=recs, test=test, train=train, items=len(case.catalogue))


def ask(name, of_train=False, **options):
    def answer(data, k):
        train = [from_interactions_df(data.train)] if of_train else []
        metric = getattr(lenskit.metrics.ranking, name)(*train, **dict(options, n=k))
        recs, test = (ItemListCollection.from_df(each, ["user_id"]) for each in (data.recs, data.test))
        measured = RunAnalysis(metric).measure(recs, test)
        values = measured.list_metrics()[metric.label]
        return measured.list_summary().loc[metric.label, "mean"], values.index.to_numpy(), values.to_numpy(dtype=float)

    return answer


def list_gini(data, k):
    metric = lenskit.metrics.ranking.ListGini(n=k, items=data.items)
    recs, test = (ItemListCollection.from_df(each, ["user_id"]) for each in (data.recs, data.test))
    return RunAnalysis(metric).measure(recs, test).global_metrics()[metric.label]


NAME = "lenskit.metrics."
FUNCTIONS = {NAME + name: ask(name) for name in ("Precision", "Recall", "Hit", "RecipRank", "NDCG", "DCG", "RBP")}
FUNCTIONS[NAME + "ranking.AveragePrecision"] = ask("AveragePrecision")
FUNCTIONS.update({NAME + name + "[gain=rating]": ask(name, gain="rating") for name in ("NDCG", "DCG")})
FUNCTIONS[NAME + "MeanPopRank"] = ask("MeanPopRank", of_train=True)
FUNCTIONS[NAME + "ListGini"] = list_gini
FUNCTIONS[NAME + "RBP[normalize=True]"] = ask("RBP", normalize=True)
