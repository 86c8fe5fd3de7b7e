"""RecTools: a metric object's `calc` and `calc_per_user`, and `calc_metrics`, on tables of ranks."""

import pandas as pd
from audit_harness import NotOffered
from rectools import Columns, metrics

NEED_CATALOG = ("Accuracy", "MCC")
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
]


def prepare(case):
    reco = pd.DataFrame(case.recommended.named(Columns.User, Columns.Item, Columns.Score))
    # The rank column is its input: no metric reads scores. Its own models number the rows of a user 1..n.
    reco[Columns.Rank] = reco.groupby(Columns.User, sort=False).cumcount() + 1
    interactions = pd.DataFrame(case.relevant.named(Columns.User, Columns.Item, Columns.Weight))
    return reco, interactions, case.catalogue


def build(name, k, options):
    try:
        return getattr(metrics, name)(k=k, **options)
    except (AttributeError, TypeError) as error:  # a metric or an option that this version does not have
        raise NotOffered(str(error)) from error


def class_(name, options):
    def call(prepared, k):
        metric = build(name, k, options)
        arguments = prepared if name in NEED_CATALOG else prepared[:2]
        values = metric.calc_per_user(*arguments)
        return metric.calc(*arguments), values.index.to_numpy(), values.to_numpy()

    return call


def calc_metrics(name, options):
    def call(prepared, k):
        reco, interactions, catalog = prepared
        metric = build(name, k, options)
        return metrics.calc_metrics({name: metric}, reco, interactions, catalog=catalog)[name]

    return call


FUNCTIONS = {}
for name, options in METRICS:
    chosen = ",".join("{}={}".format(*option) for option in options.items())
    FUNCTIONS["rectools.metrics." + name + ("[" + chosen + "]" if chosen else "")] = class_(name, options)
    FUNCTIONS["rectools.metrics.calc_metrics[{}({})]".format(name, chosen)] = calc_metrics(name, options)
