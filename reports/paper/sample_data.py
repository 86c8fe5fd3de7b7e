"""Settings in which two definitions are compared: small data that resembles the paper's.

``full`` is the paper's own setting: every user has a ranking of all candidates and at least one relevant item, the
number of relevant items r is from 1 to three times k and mostly below k, gains are 4.5 and 5, no two scores are equal,
nothing is repeated. Each other setting changes one thing. 40 users, 150 items, k = 20; drawn from a fixed seed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np

from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.input.case import Case, Predictions, Truth
from recsys_metric_audit.reports.paper.claims import Setting

K = 20
_USERS, _ITEMS = 40, 150

SETTING_LABELS: dict[Setting, str] = {
    "full": "full rankings",
    "threshold": "data of which the library is told that items are relevant from 4.5 up",
    "short": "lists shorter than k",
    "undefined": "users who lack relevant or irrelevant items",
}


@cache  # 320 means are compared 2,800 times on the page: saves 1.6 of 5.1 seconds
def mean_on(definition: Definition, setting: Setting) -> float:
    """Return the mean over users of ``definition`` on the data of ``setting``; deterministic."""
    return float(evaluate(definition, _problem(setting)).mean[0])


def equal_on(one: Definition, other: Definition, setting: Setting) -> bool:
    """Return True if both definitions have one mean on ``setting``, up to the rounding of sums; NaN equals NaN."""
    first, second = mean_on(one, setting), mean_on(other, setting)
    return math.isclose(first, second, rel_tol=1e-12, abs_tol=1e-12) or (math.isnan(first) and math.isnan(second))


@cache  # drawn once for each setting: saves 0.5 of 4 seconds
def _problem(setting: Setting) -> Problem:
    return Problem.of([_MAKE[setting](_full())], K)


def _full() -> Case:
    draw = np.random.default_rng(2021)
    relevant = np.zeros((_USERS, _ITEMS), dtype=bool)
    for user, r in enumerate(np.minimum(1 + draw.geometric(1 / 13, _USERS), 3 * K)):
        relevant[user, draw.choice(_ITEMS, size=r, replace=False)] = True
    scores = draw.normal(size=relevant.shape) + relevant
    order = np.argsort(-scores, axis=1)
    users, items = np.nonzero(relevant)
    return Case(
        name="full",
        predictions=Predictions(
            np.repeat(np.arange(_USERS), _ITEMS), order.ravel(), np.take_along_axis(scores, order, 1).ravel()
        ),
        truth=Truth(users, items, draw.choice([4.5, 5.0], size=len(users))),
        catalogue=np.arange(_ITEMS),
        scale=(0.5, 5.0),
        why="as in the paper",
    )


def _short(case: Case) -> Case:
    of, keep = case.predictions, np.tile(np.arange(_ITEMS) < 8, _USERS)
    return replace(case, predictions=Predictions(of.user[keep], of.item[keep], of.score[keep]))


def _undefined(case: Case) -> Case:
    """Return ``case`` with no relevant item for user 0 and only relevant items for user 1."""
    of = case.truth
    keep = of.user > 1
    items = np.arange(_ITEMS)
    truth = Truth(
        np.concatenate([np.full(_ITEMS, 1), of.user[keep]]),
        np.concatenate([items, of.item[keep]]),
        np.concatenate([np.full(_ITEMS, 5.0), of.gain[keep]]),
    )
    return replace(case, truth=truth)


_MAKE: dict[Setting, Callable[[Case], Case]] = {
    "full": lambda case: case,
    "threshold": lambda case: replace(case, threshold=4.5),
    "short": _short,
    "undefined": _undefined,
}
