"""Rax: metrics of rows of scores and of labels, a row for each list, and a mask where rows are shorter.

An item that is not recommended is passed as the documentation says: with a score of minus infinity.
Longer than most: rows are filled up, and rated pairs have an input of their own.
"""

from types import SimpleNamespace

import jax.numpy as jnp
import numpy as np
import rax
from audit_harness import Unaskable


def prepare(case):
    shown, truth = case.recommended, case.relevant
    users = sorted(set(truth.users) | set(shown.users))
    gains = {user: dict(zip(items.tolist(), own)) for user, (items, own) in by_user(truth, "gain", users)}
    lists = {user: (items.tolist(), own.tolist()) for user, (items, own) in by_user(shown, "score", users)}
    rows, rated = [], []
    for user, (items, scores) in lists.items():
        unlisted = [item for item in gains[user] if item not in set(items)]
        labels = [gains[user].get(item, 0.0) for item in items + unlisted]
        rows.append((scores + [-np.inf] * len(unlisted), labels))
        pairs = [(score, gains[user][item]) for item, score in zip(items, scores) if item in gains[user]]
        if pairs:
            rated.append(tuple(zip(*pairs)))
    return SimpleNamespace(
        users=users,
        rows=table(rows),
        rated=table(rated),
        twice=any(len(set(items)) < len(items) for items, _ in lists.values()),
        negative=bool((truth.gain < 0).any()),
    )


def by_user(rows, column, users):
    return rows.by_user("item", column, users=users).items()


def table(rows):
    """Return scores, labels and a mask, each with a row for every list.

    The mask is False in filler, which makes few shapes of many small ones: JAX compiles every operation anew for each.
    """
    shape = [8, 16]
    for axis, needed in enumerate((len(rows), max((len(scores) for scores, _ in rows), default=0))):
        while shape[axis] < min(needed, 128):
            shape[axis] *= 2
        shape[axis] = max(shape[axis], needed)  # of large data filler would take memory alone
    scores, labels, where = np.zeros(shape), np.zeros(shape), np.zeros(shape, dtype=bool)
    for place, (own, graded) in enumerate(rows):
        scores[place, : len(own)], labels[place, : len(own)], where[place, : len(own)] = own, graded, True
    return jnp.asarray(scores), jnp.asarray(labels), jnp.asarray(where)


BLOCK = 32  # lists of which ap_metric, which compares all pairs of their places, is asked at once


def ask(name):
    def answer(data, k):
        if data.twice:
            raise Unaskable("an item of a list has one score: one that is recommended twice has two")
        if name == "ndcg_metric" and data.negative:
            raise Unaskable("an item without a gain has label 0, which the ideal order puts above labels below 0")
        metric, users = getattr(rax, name), len(data.users)
        if name == "ap_metric" and users > BLOCK:
            blocks = [[column[first : first + BLOCK] for column in data.rows] for first in range(0, users, BLOCK)]
            values = [metric(*own, where=where, topn=k, reduce_fn=None) for *own, where in blocks]
            return None, data.users, np.concatenate(values)[:users]
        scores, labels, where = data.rows
        values = metric(scores, labels, where=where, topn=k, reduce_fn=None)
        return metric(scores, labels, where=where, topn=k), data.users, values[:users]

    return answer


def pairs(data, k):
    if data.twice:
        raise Unaskable("an item of a list has one score: one that is recommended twice has two")
    scores, labels, where = data.rated
    return rax.opa_metric(scores, labels, where=where)


NAMES = ("mrr_metric", "recall_metric", "precision_metric", "ap_metric", "ndcg_metric", "dcg_metric")
FUNCTIONS = {"rax." + name: ask(name) for name in NAMES}
FUNCTIONS["rax.opa_metric"] = pairs
