"""Ranks the rows of lists by score or as they stand, without copies of columns that are in order already."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from recsys_metric_audit.reference.input.case import Case, Ids
from recsys_metric_audit.reference.input.distinct import BLOCK, first_of_runs
from recsys_metric_audit.reference.input.ordering import order_by, stand_in_order
from recsys_metric_audit.reference.input.repeated_items import drop_repeats
from recsys_metric_audit.reference.space.lists import Bools, Ints


@dataclass(frozen=True, eq=False)
class RankedRows:
    """Holds all rows of some cases, list by list, in the order of their ranks.

    Per list: ``user``; list i is ``start[i]:start[i + 1]`` of the rows. Per row: ``item``, and ``again``, which marks
    rows whose item stands higher in the same list; None if there are no such rows. Users and items are ids or indices.
    """

    user: Ints
    start: Ints
    item: Ids
    again: Bools | None


def rank_rows(case: Case, values: Mapping[str, str], *, by_rows: bool, has_repeats: bool) -> RankedRows:
    """Rank the rows of a case; users and items are ids, columns that are in order already are not copied.

    Args:
        case: The case.
        values: Values of the order axes.
        by_rows: Whether the rows of each user stand in the order of their ranks.
        has_repeats: Whether any item stands higher in the same list.
    """
    if values["duplicates"] == "first_closed_up":
        case = drop_repeats(case, keep="first", by_rows=values["order"] == "rows")
    rec = case.predictions
    keys = [] if by_rows else [-np.asarray(rec.score, dtype=np.float64), *_tie_keys(rec.item, values["ties"])]
    user, item = rec.user, rec.item
    if not stand_in_order(user, *keys):
        order = order_by(user, *keys)
        user, item = user[order], item[order]
    start = np.flatnonzero(first_of_runs(user))
    again = _again(user, item) if has_repeats else None
    return RankedRows(user[start], np.append(start, len(user)), item, again)


def compare_neighbours(case: Case, *, by_score: bool = False) -> tuple[bool, bool]:
    """Tell whether a row scores more than the one before it in its list, and whether one scores the same.

    Args:
        case: The case.
        by_score: Whether each list is put into the order of its scores first.
    """
    rec = case.predictions
    keys = [-rec.score] if by_score else []
    order = None if stand_in_order(rec.user, *keys) else order_by(rec.user, *keys)
    rises = ties = False
    for first in range(0, len(rec.user) - 1, BLOCK):
        rows = slice(first, first + BLOCK + 1)
        user, score = (column[rows if order is None else order[rows]] for column in (rec.user, rec.score))
        score = np.asarray(score, dtype=np.float64)
        same = user[1:] == user[:-1]
        rises = rises or bool((same & (score[1:] > score[:-1])).any())
        ties = ties or bool((same & (score[1:] == score[:-1])).any())
    return rises, ties


def _tie_keys(item: Ids, ties: str) -> list[Ints]:
    """Return what orders the rows of equal score, ascending; nothing where they stay as given."""
    match ties:
        case "reversed":
            return [-np.arange(len(item))]
        case "item_asc" | "item_desc":
            return [item if ties == "item_asc" else -item]
        case "text_asc" | "text_desc":
            known, code = np.unique(item, return_inverse=True)
            place = np.argsort(np.argsort(known.astype(str), kind="stable"), kind="stable")[code]
            return [place if ties == "text_asc" else -place]
        case _:
            return []


def _again(user: Ids, item: Ids) -> Bools:
    """Tell which rows hold a pair that an earlier row holds."""
    out = np.zeros(len(user), dtype=np.bool_)
    by_pair = order_by(user, item)
    same = (np.diff(user[by_pair]) == 0) & (np.diff(item[by_pair]) == 0)
    out[by_pair[1:][same]] = True
    return out
