"""Computes slow values of single lists: the expected novelty of their relevant items, and the share of new items."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tests.support.oracle_item_terms import Values

if TYPE_CHECKING:
    from recsys_metric_audit.reference.input.case import Case


def expected_novelty(
    case: Case, values: Values, user: int, rows: Sequence[tuple[int, int]], cut: int
) -> float | None:  # fmt: skip
    """Return the expected novelty of a list of (rank, item); None if the user is left out."""
    truth = zip(case.truth.user.tolist(), case.truth.item.tolist(), case.truth.gain.tolist(), strict=True)
    relevant = {item for rated, item, gain in truth if rated == user and gain >= case.threshold}
    if values["counted"] == "relevant" and values["undefined"] == "skip" and not relevant:
        return None
    had = dict(Counter(case.train.item.tolist()))
    over = under = 0.0
    for rank, item in rows:
        weight = 1 / math.log2(rank + 1) if values["discount"] == "log2" else 1.0
        under += weight
        if values["counted"] == "all" or item in relevant:
            over += weight * _novelty(item, had, case, values)
    if values["denominator"] == "k":
        under = sum(1 / math.log2(rank + 1) if values["discount"] == "log2" else 1 for rank in range(1, cut + 1))
    return over / under


def _novelty(item: int, had: Mapping[int, int], case: Case, values: Values) -> float:
    if item not in had and values["unseen"] == "zero":
        return 0.0
    users, rows = len(set(case.train.user.tolist())), len(case.train.item)
    count = had.get(item, 1)
    if item not in had and values["unseen"] == "most":
        count = 0 if values["novelty"] == "complement" else min(had.values(), default=1)
    return 1 - count / max(users, 1) if values["novelty"] == "complement" else math.log2(max(rows, 1) / count)


def new_share(case: Case, values: Values, user: int, rows: Sequence[tuple[int, int]], cut: int) -> float | None:
    """Return the share of a list of (rank, item) that the user does not have."""
    train = zip(case.train.user.tolist(), case.train.item.tolist(), strict=True)
    history = {item for owner, item in train if owner == user}
    new = sum(item not in history for _, item in rows)
    return new / (cut if values["denominator"] == "k" else len(rows))
