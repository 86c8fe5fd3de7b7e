"""Write cases for scenarios as short texts: the list of each user, and what is held out and trained on."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from recsys_metric_audit.reference.input.case import Case, Ids, Predictions, Train, Truth

Lists = Mapping[int, str]
"""The items of each user, a letter an item: ``{1: "abc"}``."""


def rows(lists: Lists) -> tuple[Ids, Ids]:
    users = [user for user, items in lists.items() for _ in items]
    items = [ord(letter) - ord("a") for letters in lists.values() for letter in letters]
    return np.array(users, dtype=np.int64), np.array(items, dtype=np.int64)


def case(lists: Lists, truth: Lists, train: Lists | None = None, *, gains: list[float] | None = None) -> Case:
    """Return a case; the scores of a list fall by 1 from rank to rank."""
    listed, true, seen = rows(lists), rows(truth), rows(train or {})
    score = np.concatenate([np.arange(len(items), 0, -1.0) for items in lists.values()])
    gain = np.ones(len(true[0])) if gains is None else np.array(gains)
    return Case(
        "letters", Predictions(*listed, score), Truth(*true, gain),
        Train(*seen), catalogue=np.unique(np.concatenate([listed[1], true[1], seen[1]])),
    )  # fmt: skip


def letters(table: Predictions | Truth | Train) -> dict[int, str]:
    """Return the items of each user as letters, in the order of the rows."""
    found: dict[int, str] = {}
    for user, item in zip(table.user.tolist(), table.item.tolist(), strict=True):
        found[user] = found.get(user, "") + chr(item + ord("a"))
    return found
