"""LensKit 2026: a collector measures collections of item lists, those of recommendations against those of the test.

What its metrics use imports torch, for tensors, which none of them is given here: a module without tensors stands in.
"""

import sys
import types
from types import SimpleNamespace

torch = types.ModuleType("torch")
torch.Tensor = type("Tensor", (), {})
torch.is_tensor = lambda value: isinstance(value, torch.Tensor)
torch.jit = SimpleNamespace(ignore=lambda function: function)
sys.modules["torch"] = torch

import lenskit.metrics.ranking
import pandas as pd
from lenskit.data import ItemListCollection, Vocabulary, from_interactions_df
from lenskit.metrics import MeasurementCollector


def prepare(case):
    shown, truth = case.recommended, case.relevant
    recs = pd.DataFrame({"user_id": shown.user, "item_id": shown.item, "score": shown.score})
    recs["rank"] = recs.groupby("user_id", sort=False).cumcount() + 1  # makes ordered lists of them
    test = pd.DataFrame({"user_id": truth.user, "item_id": truth.item, "rating": truth.gain})
    train = pd.DataFrame({"user_id": case.train.user, "item_id": case.train.item})
    return SimpleNamespace(recs=recs, test=test, train=train, items=case.catalogue)


def measured(data, metric):
    collector = MeasurementCollector()
    collector.add_metric(metric)
    recs, test = (ItemListCollection.from_df(each, ["user_id"]) for each in (data.recs, data.test))
    return collector.measure_run(recs, test)


def ask(name, of_train=False, **options):
    def answer(data, k):
        train = [from_interactions_df(data.train)] if of_train else []
        metric = getattr(lenskit.metrics.ranking, name)(*train, **dict(options, n=k))
        found = measured(data, metric)
        values = found.list_metrics[metric.label]
        return found.summary_metrics[metric.label + ".mean"], values.index.to_numpy(), values.to_numpy(dtype=float)

    return answer


def list_gini(data, k):
    metric = lenskit.metrics.ranking.ListGini(n=k, items=Vocabulary(data.items, "item"))
    return measured(data, metric).summary_metrics[metric.label]


NAME = "lenskit.metrics."
FUNCTIONS = {NAME + name: ask(name) for name in ("Precision", "Recall", "Hit", "RecipRank", "NDCG", "DCG", "RBP")}
FUNCTIONS[NAME + "ranking.AveragePrecision"] = ask("AveragePrecision")
FUNCTIONS.update({NAME + name + "[gain=rating]": ask(name, gain="rating") for name in ("NDCG", "DCG")})
FUNCTIONS[NAME + "MeanPopRank"] = ask("MeanPopRank", of_train=True)
FUNCTIONS[NAME + "ListGini"] = list_gini
FUNCTIONS[NAME + "RBP[normalize=True]"] = ask("RBP", normalize=True)
