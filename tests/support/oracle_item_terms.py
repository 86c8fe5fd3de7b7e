"""Computes what single items and lists add to slow values of metrics beyond accuracy, counted one by one."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recsys_metric_audit.reference.input.case import Case

Values = Mapping[str, str]
NAN = math.nan
LOGS = {"log2": math.log2, "ln": math.log, "log10": math.log10}


def tail(had: Mapping[int, int], values: Values) -> set[int]:
    """Return the items with train rows that are the long tail."""
    if values["tail"] == "tenth":
        worst_first = sorted((item for item in had if had[item]), key=lambda item: (had[item], item))
        return set(worst_first[: max(len(worst_first) // 10, 1)])
    left = Fraction(8, 10) * sum(had.values())
    tail = set()
    for item in sorted((item for item in had if had[item]), key=lambda item: (-had[item], item)):
        if left <= 0:
            tail.add(item)
        left -= had[item]
    return tail


def quantile(had: Mapping[int, int], item: int) -> float:
    """Return the mean place of an item among those with train rows, the least popular first, over their number."""
    counts = sorted(count for count in had.values() if count)
    places = [place for place, count in enumerate(counts, 1) if count == had[item]]
    return sum(places) / len(places) / len(counts) if places else 0.0


def information(count: int, users: int, rows: int, values: Values) -> float:
    """Return the self-information of an item that ``count`` users have."""
    log = LOGS[values["log"]]
    if count == 0 and values["unseen"] == "zero":
        return 0.0
    if values["scale"] == "log_users" and values["popularity"] == "users" and count == 0:
        return 1.0  # by definition, also where nobody has anything
    whole = users if values["popularity"] == "users" else rows
    information = log(whole / max(count, 1)) if whole else -math.inf
    if values["scale"] == "one":
        return information
    if users > 1:
        return information / log(users)
    return math.inf if information > 0 else NAN


# The expected novelty of relevant items, and the share of new items.


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


# Popularity bias: the chances of two groups of items to be shown.


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
