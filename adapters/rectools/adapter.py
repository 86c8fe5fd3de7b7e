"""RecTools: a metric object's `calc` and `calc_per_user`, and `calc_metrics`, on tables of ranks.

Longer than most: metrics read the truth, train data or the catalogue, and have options.
"""

import pandas as pd
from audit_harness import NotOffered
from rectools import Columns, metrics

READS = {  # beside recommendations; other metrics read the truth
    "Accuracy": ("interactions", "catalog"),
    "MCC": ("interactions", "catalog"),
    "CatalogCoverage": ("catalog",),
    "MeanInvUserFreq": ("prev_interactions",),
    "AvgRecPopularity": ("prev_interactions",),
}
PLAIN = ("Precision", "Recall", "F1Beta", "Accuracy", "MCC", "HitRate", "MAP", "NDCG", "MRR", "PartialAUC", "PAP")
METRICS = [
    *((name, {}) for name in PLAIN),
    ("Precision", {"r_precision": True}),
    ("F1Beta", {"beta": 2.0}),
    ("MAP", {"divide_by_k": True}),
    ("NDCG", {"divide_by_achievable": True}),
    ("NDCG", {"log_base": 10}),
    ("PartialAUC", {"insufficient_handling": "exclude"}),
    ("PAP", {"insufficient_handling": "exclude"}),
    ("CatalogCoverage", {}),
    ("CatalogCoverage", {"normalize": True}),
    ("MeanInvUserFreq", {}),
    ("AvgRecPopularity", {}),
    ("AvgRecPopularity", {"normalize": True}),
    ("CoveredUsers", {}),
]


def prepare(case):
    reco = pd.DataFrame(case.recommended.named(Columns.User, Columns.Item, Columns.Score))
    # The rank column is its input: no metric reads scores. Its own models number the rows of a user 1..n.
    reco[Columns.Rank] = reco.groupby(Columns.User, sort=False).cumcount() + 1
    interactions = pd.DataFrame(case.relevant.named(Columns.User, Columns.Item, Columns.Weight))
    previous = pd.DataFrame(case.train.named(Columns.User, Columns.Item))
    return {
        "reco": reco,
        "interactions": interactions,
        "prev_interactions": previous,
        "catalog": case.catalogue,
    }


def build(name, k, options):
    try:
        return getattr(metrics, name)(k=k, **options)
    except (AttributeError, TypeError) as error:  # a metric or an option that this version does not have
        raise NotOffered(str(error)) from error


def class_(name, options):
    def call(prepared, k):
        metric = build(name, k, options)
        arguments = [prepared[each] for each in ("reco", *READS.get(name, ("interactions",)))]
        if not hasattr(metric, "calc_per_user"):
            return metric.calc(*arguments)
        values = metric.calc_per_user(*arguments)
        return metric.calc(*arguments), values.index.to_numpy(), values.to_numpy()

    return call


def calc_metrics(name, options):
    def call(prepared, k):
        metric = build(name, k, options)
        return metrics.calc_metrics({name: metric}, **prepared)[name]

    return call


FUNCTIONS = {}
for name, options in METRICS:
    chosen = ",".join("{}={}".format(*option) for option in options.items())
    FUNCTIONS["rectools.metrics." + name + ("[" + chosen + "]" if chosen else "")] = class_(name, options)
    FUNCTIONS["rectools.metrics.calc_metrics[{}({})]".format(name, chosen)] = calc_metrics(name, options)
