"""Computes slow values of popularity bias: the chances of two groups of items to be shown, counted one by one."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from tests.support.oracle_item_terms import Values, tail

if TYPE_CHECKING:
    from recsys_metric_audit.reference.input.case import Case


def popularity_bias(lists: Mapping[int, Sequence[int]], case: Case, values: Values, places: int) -> float | None:
    """Return the spread of the chances of head and tail over their mean; None where it is 0/0."""
    had = Counter(case.train.item.tolist())
    rec, truth, train = case.predictions, case.truth, case.train
    exist = set(case.catalogue.tolist()) or {*rec.item.tolist(), *truth.item.tolist(), *train.item.tolist()}
    rare = tail(had, values)
    head = set(had) - rare
    if values["unseen"] == "tail":
        rare = rare | (exist - set(had))
    chances = [_chance(lists, case, values, group) for group in (head, rare)]
    known = [chance for chance in chances if chance is not None]
    if len(known) < 2 or sum(known) == 0:
        return None
    spread = statistics.pstdev if values["spread"] == "population" else statistics.stdev
    return spread([float(chance) for chance in known]) / float(sum(known) / 2)


def _chance(lists: Mapping[int, Sequence[int]], case: Case, values: Values, group: set[int]) -> Fraction | None:
    """Return how many items of a group are shown, of those that could be."""
    truth = list(zip(case.truth.user.tolist(), case.truth.item.tolist(), case.truth.gain.tolist(), strict=True))
    train = list(zip(case.train.user.tolist(), case.train.item.tolist(), strict=True))
    over = under = 0
    for user, items in lists.items():
        counted = group
        if values["counted"] == "relevant":
            counted = group & {item for owner, item, gain in truth if owner == user and gain >= case.threshold}
        over += sum(item in counted for item in items)
        has = {item for owner, item in train if owner == user} if values["chances"] == "new" else set()
        under += len(counted - has)
    return Fraction(over, under) if under else None
