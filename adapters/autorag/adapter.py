"""AutoRAG: metrics of queries that have groups of relevant ids and a list of retrieved ones.

The __init__ of these packages import all models, and LlamaIndex with them; they are passed by.
"""

import sys
import types
from importlib.machinery import PathFinder
from types import SimpleNamespace

folders = None
for name in ("autorag", "autorag.evaluation", "autorag.evaluation.metric"):
    package = types.ModuleType(name)
    package.__path__ = folders = PathFinder.find_spec(name, folders).submodule_search_locations
    sys.modules[name] = package

from autorag.evaluation.metric import retrieval
from autorag.schema.metricinput import MetricInput


def prepare(case):
    truth, shown = (table.by_user("item", users=case.users) for table in (case.relevant, case.recommended))
    return SimpleNamespace(
        users=case.users,
        truth=[list(map(str, items.tolist())) for items in truth.values()],
        shown=[list(map(str, items.tolist())) for items in shown.values()],
    )


def each_alone(ids):
    return [[own] for own in ids]


def all_in_one(ids):
    return [ids]


def metric(name, groups):
    def answer(data, k):
        pairs = zip(data.truth, data.shown)
        inputs = [MetricInput(retrieval_gt=groups(true), retrieved_ids=shown[:k]) for true, shown in pairs]
        values = getattr(retrieval, name)(inputs)
        counted = [(user, value) for user, value in zip(data.users, values) if value is not None]
        return None, [user for user, value in counted], [value for user, value in counted]

    return answer


PLACE = "autorag.evaluation.metric.retrieval.retrieval_"
NAMES = ("ndcg", "precision", "f1", "recall", "mrr", "map")
FUNCTIONS = {PLACE + name: metric("retrieval_" + name, each_alone) for name in NAMES}
for each in NAMES[3:]:
    FUNCTIONS[PLACE + each + "[one group]"] = metric("retrieval_" + each, all_in_one)
