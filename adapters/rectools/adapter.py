"""RecTools: a metric object's `calc` and `calc_per_user`, and `calc_metrics`, on tables of ranks.

Longer than most: metrics read the truth, train data, the catalogue or features of the items, and have options.
"""

import numpy as np
import pandas as pd
from audit_harness import NotOffered
from rectools import Columns, metrics
from rectools.dataset import IdMap, SparseFeatures
from scipy.sparse import csr_matrix

READS = {  # beside recommendations; other metrics read the truth
    "Accuracy": ("interactions", "catalog"),
    "MCC": ("interactions", "catalog"),
    "CatalogCoverage": ("catalog",),
    "MeanInvUserFreq": ("prev_interactions",),
    "AvgRecPopularity": ("prev_interactions",),
    "IntraListDiversity": (),
    "Serendipity": ("interactions", "prev_interactions", "catalog"),
}
DENSE, SPARSE = "PairwiseHammingDistanceCalculator", "SparsePairwiseHammingDistanceCalculator"
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
    ("IntraListDiversity", {"distance_calculator": DENSE}),
    ("IntraListDiversity", {"distance_calculator": SPARSE}),
    ("Serendipity", {}),
]


def prepare(case):
    reco = pd.DataFrame(case.recommended.named(Columns.User, Columns.Item, Columns.Score))
    # The rank column is its input: no metric reads scores. Its own models number the rows of a user 1..n.
    reco[Columns.Rank] = reco.groupby(Columns.User, sort=False).cumcount() + 1
    interactions = pd.DataFrame(case.relevant.named(Columns.User, Columns.Item, Columns.Weight))
    previous = pd.DataFrame(case.train.named(Columns.User, Columns.Item))
    tables = {"reco": reco, "interactions": interactions, "prev_interactions": previous, "catalog": case.catalogue}
    return tables, {}


def calculator(name, prepared):  # of distances by features, one for each train user: 1 for an item that the user has
    tables, made = prepared
    if name not in made:
        items, train = tables["catalog"], tables["prev_interactions"]
        users, column = np.unique(train[Columns.User], return_inverse=True)
        cells = np.searchsorted(items, train[Columns.Item]), column
        held = csr_matrix((np.ones(len(column), np.float32), cells), shape=(len(items), len(users)))
        if name == DENSE:
            made[name] = getattr(metrics, name)(pd.DataFrame(held.toarray(), index=items, columns=users))
        else:
            features = SparseFeatures(values=held, names=tuple((str(user), 1) for user in users))
            made[name] = getattr(metrics, name)(features, IdMap.from_values(items))
    return made[name]


def build(name, k, options, prepared):
    try:
        given = {
            key: calculator(value, prepared) if value in (DENSE, SPARSE) else value for key, value in options.items()
        }
        return getattr(metrics, name)(k=k, **given)
    except (AttributeError, TypeError) as error:  # a metric or an option that this version does not have
        raise NotOffered(str(error)) from error


def class_(name, options):
    def call(prepared, k):
        metric = build(name, k, options, prepared)
        arguments = [prepared[0][each] for each in ("reco", *READS.get(name, ("interactions",)))]
        if not hasattr(metric, "calc_per_user"):
            return metric.calc(*arguments)
        values = metric.calc_per_user(*arguments)
        return metric.calc(*arguments), values.index.to_numpy(), values.to_numpy()

    return call


def calc_metrics(name, options):
    def call(prepared, k):
        metric = build(name, k, options, prepared)
        return metrics.calc_metrics({name: metric}, **prepared[0])[name]

    return call


FUNCTIONS = {}
for name, options in METRICS:
    chosen = ",".join("{}={}".format(*option) for option in options.items())
    FUNCTIONS["rectools.metrics." + name + ("[" + chosen + "]" if chosen else "")] = class_(name, options)
    FUNCTIONS["rectools.metrics.calc_metrics[{}({})]".format(name, chosen)] = calc_metrics(name, options)
