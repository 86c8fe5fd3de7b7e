"""Says what an axis asks in one definition, and what a value answers there.

An edge is about a user, but where all rows of all users are one ranking, it is about all rows together. And the axis
``no_hit`` acts where the formula is 0/0, which in one formula is without a hit, in another where no gain is above 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np

from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.input.case import Case, Predictions, Train, Truth
from recsys_metric_audit.reference.space.metric import is_stacked

_OF_ALL_ROWS: Mapping[str, str] = {
    "users": "the users whose rows are in the one ranking",
    "undefined": "all rows together without a relevant item",
    "no_list": "relevant items, and no recommendation to any user",
    "no_negatives": "all rows together without an irrelevant item",
    "no_hit": "all rows together give 0/0",
}
_NO_VALUE = ("skip", "nan")
"""The policies under which one ranking has no value: there is no mean to leave it out of."""


def takes_one_ranking(definition: Definition) -> bool:
    """Return True if the rows of all users are one ranking, so that no edge is about a single user."""
    return definition.family.reads == "relevance" and is_stacked(definition.family, definition.axes)


def axis_question(definition: Definition, axis: str) -> str:
    """Return what an axis of a definition asks.

    >>> from recsys_metric_audit.reference.definitions.definition import parse
    >>> axis_question(parse("ndcg@k|gain:linear"), "no_hit")
    'relevant items exist, but all their gains are 0'
    """
    if takes_one_ranking(definition) and axis in _OF_ALL_ROWS:
        return _OF_ALL_ROWS[axis]
    if axis == "no_hit" and acts_on_zero_gains_only(definition):
        return "relevant items exist, but all their gains are 0"
    return definition.family.axis(axis).meaning


def value_meaning_in(definition: Definition, axis: str, value: str) -> str:
    """Return what a value of an axis means in a definition; empty if the axis does not admit it."""
    known = definition.family.axis(axis)
    if axis in _OF_ALL_ROWS and value in _NO_VALUE and takes_one_ranking(definition):
        return "NaN"
    return known.value(value).meaning if known.admits(value) else ""


def acts_on_zero_gains_only(definition: Definition) -> bool:
    """Return True if ``no_hit`` acts where all gains are 0, be there a hit, and nowhere else."""
    own = definition.with_(k="k")
    return _acts(own, 0.0, shown=(10, 12)) and not _acts(own, 3.0, shown=(10, 11))


@cache
def _acts(definition: Definition, gain: float, shown: tuple[int, int]) -> bool:
    """Return True if ``no_hit`` acts on a user with a list of two items and one relevant item, 12."""
    user, every = np.array([1, 1]), np.array([10, 11, 12])
    listed = Predictions(user, np.array(shown), np.array([2.0, 1.0]))
    truth = Truth(user[:1], every[2:], np.array([gain]))
    problem = Problem.of([Case("no hit", listed, truth, Train(user[:1], np.array([13])), catalogue=every)], 2)
    usual = {name: definition.family.canonical[name] for name in ("relevance", "nobody") if name in definition.axes}
    results = [evaluate(definition.with_(**usual, no_hit=value), problem) for value in ("1", "half")]
    return not np.array_equal(results[0].mean, results[1].mean, equal_nan=True)
