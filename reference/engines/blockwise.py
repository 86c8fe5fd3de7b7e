"""Evaluates definitions a block of users at a time: what is computed on the way takes the memory of one block.

Truth and train data are held in memory, and so are the values of each user.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reference.definitions.definition import Definition
from reference.engines.merged_values import MergedValues
from reference.engines.rows_by_user import RowsByUser
from reference.engines.user_block import evaluate_block, is_user_by_user
from reference.evaluation.prepared import InputRefusedError, NoTrainError, PreparedData, Values
from reference.input.case import Case, Ids, Predictions, Train, Truth
from reference.input.conversion import LabelledCase, Labels
from reference.input.distinct import distinct
from reference.input.grouped_rows import GroupedRows
from reference.input.item_numbers import IdIndex
from reference.placement.tie_ranks import TooManyOrdersError

BLOCK = 1 << 17
"""Users and truth rows in a block; tables with no more are evaluated as a whole."""

Rows = tuple[Ids, Ids, NDArray[Any]]
"""Users, items and scores of some rows."""


@dataclass(frozen=True)
class RowRules:
    """Says what rows mean where that is not what tables in memory mean.

    ``best_first`` ranks the rows of a user by score before anything else, so that their order as given decides ties
    alone; ``unique`` refuses an item listed twice; with ``train_items_exist`` the catalogue holds items of train data.
    """

    best_first: bool = False
    unique: bool = False
    train_items_exist: bool = False


class BlockwiseEvaluation:
    """Evaluates blocks of whole users, one after the other, and puts their values together.

    Args:
        case: Truth, train data, threshold, scale and ``catalogue`` of all users; predictions come block by block.
        users: All users of predictions and truth, ascending.
        definitions: What to compute; each takes the rows of one user at a time.
        rules: What rows mean, if not what tables in memory mean.
    """

    def __init__(self, case: Case, users: Ids, definitions: Sequence[Definition], rules: RowRules) -> None:
        self._case, self._definitions, self._rules = (
            replace(case, name="data", predictions=Predictions()),
            definitions,
            rules,
        )
        self._true = RowsByUser.of(case.truth.user, case.truth.item, case.truth.gain)
        self._seen = RowsByUser.of(case.train.user, case.train.item)
        self._merged = MergedValues(definitions, users)

    @property
    def matched(self) -> int:
        """Return how many users of the truth have been in a block."""
        return int(np.count_nonzero(self._true.asked))

    def add(self, rows: Rows, users: Ids) -> None:
        """Evaluate a block: all rows of the ``users`` (ascending), who were in no block before."""
        if self._rules.best_first:
            order = np.lexsort((-rows[2], rows[0]))
            rows = rows[0][order], rows[1][order], rows[2][order]
        own = replace(self._case, predictions=Predictions(*rows), truth=Truth(*self._true.take(users)),
                      train=Train(*self._seen.take(users)))  # fmt: skip
        self._merged.add(evaluate_block(own, self._definitions, unique=self._rules.unique))

    def results(self, labels: Labels | None) -> list[Values | ValueError]:
        """Evaluate the users without predictions, and return the results as :meth:`MergedValues.results` does."""
        empty = np.empty(0, dtype=np.int64)
        for unlisted in self._true.unasked(BLOCK):
            self.add((empty, empty, np.empty(0)), unlisted)
        return self._merged.results(labels)


def evaluate_tables(held: LabelledCase, definitions: Sequence[Definition]) -> Iterator[Values | ValueError]:
    """Yield the values of each definition on tables in memory, or the error with which it refuses them.

    Many users are evaluated in blocks, where a definition allows it. Cut-offs are numbers or None.

    Raises:
        RowsError: for a score that is no number.
    """
    whole, made = PreparedData.of(held), dict[Definition, Values | ValueError]()
    if len(held.case.truth.user) > BLOCK:
        by_user = [definition for definition in definitions if is_user_by_user(definition)]
        made = dict(zip(by_user, _in_blocks(held, by_user), strict=True))
    for definition in definitions:
        yield made[definition] if definition in made else _on_all(whole, definition)


def _on_all(data: PreparedData, definition: Definition) -> Values | ValueError:
    try:
        return data.values(definition)
    except (InputRefusedError, NoTrainError, TooManyOrdersError) as refusal:
        return refusal


def _in_blocks(held: LabelledCase, definitions: Sequence[Definition]) -> list[Values | ValueError]:
    case = held.case
    catalogue = case.catalogue if len(case.catalogue) else IdIndex.of(case.predictions.item, case.truth.item).distinct
    # Where a row stood among those of other users, only a ranking of all rows asks.
    rows, truth = replace(GroupedRows.of(case.predictions), list_as_given=None), case.truth.user
    users = distinct(rows.user, truth).astype(np.int64)
    made = BlockwiseEvaluation(replace(case, catalogue=catalogue), users, definitions, RowRules())
    size = max(1, BLOCK * len(users) // (len(users) + len(truth)))
    for first in range(0, len(rows.user), size):
        bound, own = rows.start[first : first + size + 1], rows.user[first : first + size]
        here = slice(bound[0], bound[-1])
        made.add((np.repeat(own, np.diff(bound)), rows.item[here], rows.score[here]), np.sort(own))
    return made.results(held.users)
