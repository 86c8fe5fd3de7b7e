"""Evaluates definitions on a block of users: on their own rows, truth and train data alone.

A user's value depends on no other user, but for a few definitions: :func:`check_user_by_user` refuses these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.evaluation.evaluate import takes_one_ranking
from recsys_metric_audit.reference.evaluation.prepared import InputRefusedError, PreparedData, Values
from recsys_metric_audit.reference.input.case import Case, Floats, Ids
from recsys_metric_audit.reference.input.conversion import LabelledCase
from recsys_metric_audit.reference.input.rows_error import RowsError
from recsys_metric_audit.reference.placement.tie_ranks import TooManyOrdersError
from recsys_metric_audit.reference.space.averaging import NOBODY, MeanTerms
from recsys_metric_audit.reference.space.lists import Bools

_ACROSS_USERS = ("previous", "ends_all")
"""Edge policies under which one user's value depends on another user."""


class NotUserByUserError(ValueError):
    """Tells that a definition needs the rows of all users at once."""


class RepeatedItemError(RowsError):
    """Tells that an item is listed twice to a user."""


def check_user_by_user(definitions: Sequence[Definition]) -> None:
    """Refuse definitions under which the value of a user depends on other users.

    Raises:
        NotUserByUserError: for the first of them.
    """
    for definition in definitions:
        if not is_user_by_user(definition):
            raise NotUserByUserError(
                f"{definition}: it takes the rows of all users at once, and blocks of users hold only some; "
                "evaluate it on tables in memory"
            )


def is_user_by_user(definition: Definition) -> bool:
    """Return True if the value of a user depends on that user alone."""
    carried = any(value in _ACROSS_USERS for _, value in definition.values)
    return not carried and definition.family.reads == "relevance" and not takes_one_ranking(definition)


@dataclass(frozen=True, eq=False)
class CompactTerms:
    """Holds what users add to a mean; a column that follows from the users' values is None.

    ``numerator`` is then the value of each user who counts, and 0 of others; ``denominator`` 1 and 0.
    """

    numerator: Floats | None
    denominator: Floats | None
    root: bool
    exponential: bool


@dataclass(frozen=True, eq=False)
class PartialValues:
    """Holds one definition on one block: ``values`` of the users who count (``counted``: which, None for all)."""

    values: Floats
    counted: Bools | None
    terms: tuple[CompactTerms, ...]


@dataclass(frozen=True, eq=False)
class BlockValues:
    """Holds all definitions on one block; ``users`` are the ids of all its users, ascending.

    ``parts`` has, for each definition, the values or the error with which the definition refuses the block.
    """

    users: Ids
    parts: tuple[PartialValues | ValueError, ...]


Merged = TypeVar("Merged")


def add_parts(
    merged: list[Merged | ValueError], block: BlockValues, add: Callable[[Merged, PartialValues], None]
) -> None:
    """Add the parts of a block to what is merged of each definition; the first error of one is its result."""
    for number, (held, part) in enumerate(zip(merged, block.parts, strict=True)):
        if isinstance(part, ValueError):
            merged[number] = held if isinstance(held, ValueError) else part
        elif not isinstance(held, ValueError):
            add(held, part)


def evaluate_block(case: Case, definitions: Sequence[Definition], *, unique: bool = False) -> BlockValues:
    """Evaluate definitions on the rows of some users; ``case.catalogue`` holds the items of all users.

    Args:
        case: The rows.
        definitions: What to compute.
        unique: Whether an item listed twice to a user is refused.

    Raises:
        RepeatedItemError: for such an item.
        RowsError: for a score that is no number.
    """
    data = PreparedData.of(LabelledCase(case, None, None))
    if unique and (repeats := int(data.repeats.sum())):
        raise RepeatedItemError(f"{repeats:,} rows list an item that their user has in another row too")
    return BlockValues(data.users, tuple(_part(data, definition) for definition in definitions))


def _part(data: PreparedData, definition: Definition) -> PartialValues | ValueError:
    own = definition.with_(nobody=NOBODY.canonical)  # other blocks may hold somebody
    try:
        made = data.values(own)
    except InputRefusedError as refusal:
        return InputRefusedError(str(refusal).replace(str(own), str(definition)))
    except TooManyOrdersError as refusal:
        return refusal
    assert made.terms is not None  # only a ranking of all rows has none
    every = made.terms.users
    counted = None
    if len(made.users) < len(every):
        counted = np.zeros(len(every), dtype=np.bool_)
        counted[np.searchsorted(every, made.users)] = True
    return PartialValues(made.values, counted, tuple(_compact(term, made, counted) for term in made.terms.terms))


def _compact(term: MeanTerms, made: Values, counted: Bools | None) -> CompactTerms:
    users = len(term.numerator)
    numerator = np.array_equal(term.numerator, scattered(made.values, counted, users), equal_nan=True)
    denominator = np.array_equal(term.denominator, np.ones(users) if counted is None else counted)
    return CompactTerms(
        None if numerator else term.numerator, None if denominator else term.denominator, term.root, term.exponential
    )


def scattered(values: Floats, counted: Bools | None, users: int) -> Floats:
    """Return one number a user: the value of users who count, 0 of others."""
    if counted is None:
        return values
    out = np.zeros(users)
    out[counted] = values
    return out
