"""Computes what single items add to slow values of metrics beyond accuracy: self-information, popularity, tail."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

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
