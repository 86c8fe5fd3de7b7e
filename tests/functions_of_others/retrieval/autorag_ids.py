"""Retrieval metrics of an optimiser of RAG pipelines: ids of each query in groups, any of a group is enough."""

import functools
import itertools
import math


def retrieval_metric(func):
    @functools.wraps(func)
    def wrapper(retrieval_gt, pred_ids):
        values = []
        for gt, pred in zip(retrieval_gt, pred_ids, strict=False):
            empty = gt == [[]] or any(not one for group in gt for one in group)
            values.append(None if empty else func(gt, pred))
        return values

    return wrapper


@retrieval_metric
def retrieval_ndcg(gt, pred):
    wanted = set(itertools.chain.from_iterable(gt))
    number = len(list(itertools.chain.from_iterable(gt)))
    gained = sum((2 ** int(one in wanted) - 1) / math.log2(place + 2) for place, one in enumerate(pred))
    best = sum(1 / math.log2(place + 2) for place in range(min(number, len(pred))))
    return gained / best if best > 0 else 0


@retrieval_metric
def retrieval_mrr(gt, pred):
    values = []
    for group in map(frozenset, gt):
        ranks = [rank for rank, one in enumerate(pred, 1) if one in group]
        if ranks:
            values.append(1.0 / ranks[0])
    return sum(values) / len(gt) if values else 0.0
