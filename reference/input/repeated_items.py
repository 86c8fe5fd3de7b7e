"""Removal of the copies of items that are recommended twice to a user."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from recsys_metric_audit.reference.input.case import Case, rows_of


def drop_repeats(case: Case, *, keep: str, by_rows: bool) -> Case:
    """Return the case with one row an item in each list: its ``first`` or its ``last`` in the ranking.

    ``by_rows`` takes the rows as the ranking; otherwise it is by score, equal scores as given. The rows that stay
    keep their order, so that a tie rule orders them as if the others had never been there.

    Args:
        case: The case.
        keep: "first" or "last".
        by_rows: Whether the order of the rows, not the score, is the ranking.
    """
    rec = case.predictions
    given = np.arange(len(rec.user))
    ranked = given if by_rows else np.lexsort((given, -rec.score))
    rank = np.empty_like(given)
    rank[ranked] = given
    by_item = np.lexsort((rank, rec.item, rec.user))
    user, item = rec.user[by_item], rec.item[by_item]
    other = (user[1:] != user[:-1]) | (item[1:] != item[:-1])
    edge = np.ones(len(given), dtype=bool)
    edge[slice(1, None) if keep == "first" else slice(0, len(given) - 1)] = other
    stay = np.sort(by_item[edge])
    if len(stay) == len(given):
        return case
    return replace(case, predictions=rows_of(rec, stay))
