"""HSTU: its evaluation of one target for each user among all items, of a model whose products are the scores given.

Items are numbered from 1, as its data sets are: 0 is the padding of past items. Longer than most: a model,
its features and its products are made for each call.
"""

from types import SimpleNamespace

import numpy as np
import torch
from audit_harness import Unaskable
from generative_recommenders.research.data import eval as evaluation
from generative_recommenders.research.modeling.sequential.features import SequentialFeatures
from generative_recommenders.research.rails.indexing.mips_top_k import MIPSBruteForceTopK


def prepare(case):
    users, shown = case.relevant.users, case.recommended
    items = np.unique(np.concatenate([case.catalogue, shown.item, case.relevant.item]))
    listed = shown.by_user("item", "score", users=users)
    scores, targets, unlisted, twice = [], [], False, False
    for user, truth in case.relevant.by_user("item", users=users).items():
        own, values = listed[user]
        row = np.full(len(items), values.min() - 1 - abs(values.min()) if len(values) else 0.0)
        row[np.searchsorted(items, own)] = values
        scores.append(row)
        targets.append([np.searchsorted(items, truth[0]) + 1])
        unlisted = unlisted or truth[0] not in own
        twice = twice or len(set(own.tolist())) < len(own)
    return SimpleNamespace(
        users=users,
        scores=torch.tensor(np.array(scores)),
        targets=torch.tensor(np.array(targets)),
        items=len(items),
        unlisted=unlisted,
        twice=twice,
    )


class Model:
    def __init__(self, scores, items):
        self.scores, self.items = scores, torch.eye(items, dtype=torch.float64)

    def get_item_embeddings(self, ids):
        return self.items[ids - 1]

    def normalize_embeddings(self, embeddings):
        return embeddings

    def encode(self, **past):
        return self.scores


def ask(name):
    def answer(data, k):
        if data.unlisted:
            raise Unaskable("every item has a score: a target that is not recommended has none")
        if data.twice:
            raise Unaskable("every item has one score: an item that is recommended twice has two")
        model = Model(data.scores, data.items)
        state = evaluation.get_eval_state(
            model, list(range(1, data.items + 1)), model, MIPSBruteForceTopK, torch.device("cpu")
        )
        none = torch.zeros((len(data.users), 1), dtype=torch.long)
        past = SequentialFeatures(past_lengths=none[:, 0], past_ids=none, past_embeddings=None, past_payloads={})
        values = evaluation.eval_metrics_v2_from_tensors(state, model, past, data.targets)[name]
        mean = evaluation._avg(values, world_size=1)
        # Hits are yes or no: the precision of their mean would be taken for theirs.
        return mean if values.dtype is torch.bool else (mean, data.users, values)

    return answer


PLACE = "generative_recommenders.research.data.eval.eval_metrics_v2_from_tensors[%s]"
FUNCTIONS = {PLACE % name: ask(name) for name in ("ndcg@10", "hr@10", "mrr")}
