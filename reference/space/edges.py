"""Edges: the users for whom a formula is undefined or whose list is empty, and the policies for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from recsys_metric_audit.reference.space.axis import axis
from recsys_metric_audit.reference.space.lists import Bools, Floats, Ints


class Policy(NamedTuple):
    """Says what a user at an edge counts as.

    Attributes:
        meaning: It in words.
        word: It in two or three words, for a cell of a table.
        number: The number as which the user counts; None if it depends on the case, or there is none.
        makes_all: Whether one such user decides the whole result.
    """

    meaning: str
    word: str
    number: float | None = None
    makes_all: bool = False


POLICIES: Mapping[str, Policy] = {
    "skip": Policy("left out of the mean", "left out"),
    "formula": Policy("what the formula gives where it is defined", "by the formula"),
    "0": Policy("counts as 0", "counts 0", 0.0),
    "1": Policy("counts as 1", "counts 1", 1.0),
    "half": Policy("counts as one half", "counts 1/2", 0.5),
    "1/k": Policy("counts as 1/k", "counts 1/k"),
    "nan": Policy("counts as NaN", "NaN", np.nan, makes_all=True),
    "error": Policy("the library raises", "raises", makes_all=True),
    "previous": Policy(
        "carries over the previous user's value; for the first user the library raises", "value before it"
    ),
    "ends_all": Policy("makes the whole result 0", "makes all 0", makes_all=True),
}
"""All policies, by name. Which edges admit one is said at the axes below; the search tries a policy at every edge that
admits it."""
CONSTANTS: Mapping[str, float] = {name: each.number for name, each in POLICIES.items() if each.number is not None}
"""The policies under which a user counts as a number, which may be NaN."""
FINITE = tuple(name for name, number in CONSTANTS.items() if np.isfinite(number))
"""The constants whose number is finite."""
MAKES_ALL = tuple(name for name, each in POLICIES.items() if each.makes_all)
"""The policies under which one user decides the whole result."""


def _table(*names: str) -> dict[str, str]:
    return {name: POLICIES[name].meaning for name in names}


# fmt: off
UNDEFINED = axis("undefined", "a user without relevant items (r = 0)",
    _table("skip", "formula", "0", "1", "half", "nan", "error"),
    slug="undefined-user", part="edges",
    sources={"0": "Spark MLlib, API documentation of RankingMetrics.precisionAt; Tamm et al. 2021, §4.6"})
NO_HIT = axis("no_hit", "relevant items exist, but the formula is 0/0 without a hit",
    _table("0", "formula", "skip", "nan", "error", "1/k", "previous", "ends_all", "1", "half"),
    slug="no-hit", part="edges")
NO_NEGATIVES = axis("no_negatives", "no irrelevant candidate", _table("skip", "0", "1", "half", "nan", "error"),
    slug="no-negatives", part="edges",
    sources={"0": "Tamm et al. 2021, §4.6: other libraries assign 0 in this situation"})
NO_LIST = axis("no_list", "a user with relevant items and no recommendations",
    _table("0", "skip", "formula", "1", "half", "nan", "error", "previous", "ends_all"),
    slug="missing-recommendations", part="edges")
# fmt: on


@dataclass(frozen=True, eq=False)
class UserValues:
    """Per-user values ready for averaging; all arrays have shape (users,).

    ``value`` (may be NaN), ``counted`` (not left out), ``refused`` (the library raises), ``regular`` (at no edge).
    """

    value: Floats
    counted: Bools
    refused: Bools
    regular: Bools


def edge_states(relevant: Ints, length: Ints, negatives: Ints | None, defined: Bools) -> dict[str, Bools]:
    """Tell which users are at which edge; each is at one at most.

    Args:
        relevant: Number of relevant items of each user.
        length: Length of each user's list.
        negatives: Number of irrelevant items of each user, None if the formula needs none.
        defined: Whether the formula's denominator is above 0.
    """
    undefined = relevant == 0
    no_list = ~undefined & (length == 0)
    rest = ~undefined & ~no_list
    no_negatives = rest & (negatives == 0) if negatives is not None else np.zeros_like(rest)
    return {
        "undefined": undefined,
        "no_list": no_list,
        "no_negatives": no_negatives,
        "no_hit": rest & ~no_negatives & ~defined,
    }


def apply_policies(
    formula: Floats, state: Mapping[str, Bools], k: Ints, policy: Mapping[str, str], case: Ints, averaged: Bools
) -> UserValues:
    """Apply the edge policies to the values that the formula gives.

    Args:
        formula: Value of each user, NaN for 0/0.
        state: For each edge the users at it, from :func:`edge_states`.
        k: Cut-off of each user.
        policy: Policy of each edge.
        case: Case of each user, ascending.
        averaged: Users that are averaged over: only their values are carried over, only they can end it all.
    """
    value = formula.copy()
    counted, refused = np.ones(len(value), dtype=bool), np.zeros(len(value), dtype=bool)
    carried, ended = list[Bools](), list[Bools]()
    for name, where in state.items():
        if not where.any():
            continue
        match policy.get(name, "formula"):
            case "formula":
                continue
            case "skip":
                counted &= ~where
            case "error":
                refused |= where
            case "1/k":
                value[where] = 1.0 / np.maximum(k[where], 1)
            case "previous":
                carried.append(where)
            case "ends_all":
                ended.append(where & averaged)
            case constant:
                value[where] = CONSTANTS[constant]
    if carried:
        value, alone = _carried(value, np.logical_or.reduce(carried), averaged & counted, case)
        refused |= alone
    if ended:
        value[np.isin(case, case[np.logical_or.reduce(ended)])] = 0.0
    at_edge = np.zeros(len(value), dtype=bool)
    for where in state.values():
        at_edge |= where
    return UserValues(value, counted, refused, ~at_edge)


def _carried(value: Floats, where: Bools, usable: Bools, case: Ints) -> tuple[Floats, Bools]:
    """Give each user of ``where`` the value of the last usable user before, in the same case.

    Returns:
        The values, and the users who are usable themselves but have no usable user before them.
    """
    out, alone = value.copy(), np.zeros(len(value), dtype=bool)
    last = np.maximum.accumulate(np.where(usable, np.arange(len(value)), -1))
    for user in np.flatnonzero(where):
        before = last[user - 1] if user > 0 else -1
        if before >= 0 and case[before] == case[user]:
            out[user] = out[before]
        else:
            alone[user] = usable[user]
    return out, alone


AXES = (UNDEFINED, NO_HIT, NO_NEGATIVES, NO_LIST)
