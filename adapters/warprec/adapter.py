"""WarpRec: modules of metrics, updated with a batch of users' scores of all items and with blocks of their truth.

Its evaluator makes the blocks by functions of its base class, as here; that is imported with all models, and by files
which Python 3.11 cannot read. So the __init__ of three packages are passed by. Longer than most, for both.
"""

import sys
import types
from importlib.machinery import PathFinder
from types import SimpleNamespace

import numpy as np
import torch
from audit_harness import Unaskable

spec = PathFinder.find_spec("warprec")
for name in ("warprec", "warprec.utils", "warprec.evaluation"):
    package = types.ModuleType(name)
    inside = None if name == "warprec" else sys.modules["warprec"].__path__
    package.__path__ = PathFinder.find_spec(name, inside).submodule_search_locations
    sys.modules[name] = package

from warprec.evaluation.metrics import accuracy
from warprec.evaluation.metrics.base_metric import BaseMetric


def prepare(case):
    users, items = case.users, np.unique(case.catalogue)
    scores, truth = np.full((len(users), len(items)), -np.inf), np.zeros((len(users), len(items)), np.float32)
    for matrix, table, value in ((scores, case.recommended, "score"), (truth, case.relevant, "gain")):
        places = np.searchsorted(users, table.user), np.searchsorted(items, table.item)
        matrix[places] = getattr(table, value)
    return SimpleNamespace(users=users, scores=torch.tensor(scores), truth=torch.tensor(truth))


def blocks(data, k):
    """Return what its evaluator hands to every metric, by its own functions."""
    binary, discounted = BaseMetric.binary_relevance(data.truth), BaseMetric.discounted_relevance(data.truth)
    made = {"ground": data.truth, "binary_relevance": binary, "discounted_relevance": discounted}
    made["valid_users"] = BaseMetric.valid_users(data.truth)
    made["user_indices"] = torch.arange(len(data.users))
    if k is not None:
        values, places = BaseMetric.top_k_values_indices(data.scores, k)
        made["top_%d_values" % k], made["top_%d_indices" % k] = values, places
        for name in ("binary", "discounted"):
            best = BaseMetric.top_k_relevance_from_indices(made[name + "_relevance"], places)
            made["top_%d_%s_relevance" % (k, name)] = best
    return made


def ask(name):
    def answer(data, k):
        # What has no score is no candidate, and would rank somewhere among the others if the list has room for it.
        room = torch.isfinite(data.scores).sum(1) < (k or np.inf)
        if ((data.truth > 0) & torch.isneginf(data.scores))[room].any():
            raise Unaskable("a relevant item without a score cannot be put to it: it takes a score for every item")
        options = {"num_users": len(data.users), "num_items": data.scores.shape[1]}
        metric = getattr(accuracy, name)(**({} if name in ("AUC", "GAUC") else {"k": k}), **options)
        metric.update(data.scores, **blocks(data, k if name != "LAUC" else None))
        (found,) = metric.compute().values()
        if not isinstance(found, torch.Tensor):
            return found
        found = torch.atleast_1d(found)  # torchmetrics makes a number of the values of a single user
        counted = ~torch.isnan(found)
        return None, data.users[counted.numpy()], found[counted].numpy()

    return answer


PLACE = "warprec.evaluation.metrics.accuracy."
NAMES = ("nDCG", "nDCGRendle2020", "MAP", "MAR", "MRR", "Precision", "Recall", "F1", "HitRate", "AUC", "GAUC", "LAUC")
FUNCTIONS = {PLACE + name: ask(name) for name in NAMES}
