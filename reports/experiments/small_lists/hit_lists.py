"""Gives definitions lists of which only the ranks of the hits matter, and returns their values."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.input.case import Case, Floats, Predictions, Truth

Hits = tuple[int, ...]
"""The 1-based ranks of one user's hits, ascending."""


def hit_values(definition: Definition, users: Sequence[tuple[int, Hits]], rows: int) -> Floats:
    """Return the value of each user: the number of relevant items, and the ranks of the hits in ``rows`` rows."""
    truth = [
        (user, item)
        for user, (relevant, hits) in enumerate(users)
        for item in (*hits, *range(rows + 1, rows + 1 + relevant - len(hits)))
    ]
    owner, item = np.array(truth, dtype=np.int64).T
    ranks = np.arange(1, rows + 1)
    case = Case(
        name="hit lists",
        predictions=Predictions(
            np.repeat(np.arange(len(users)), rows),
            np.tile(ranks, len(users)),
            np.tile(-ranks.astype(float), len(users)),
        ),
        truth=Truth(owner, item, np.ones(len(item))),
    )
    return evaluate(definition, Problem.of([case], definition.k if isinstance(definition.k, int) else None)).value
