"""Evaluates definitions a block of users at a time: what is computed on the way takes the memory of one block.

Truth and train data are held in memory, and so are the values of each user.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.engines.merged_values import MergedValues
from recsys_metric_audit.reference.engines.user_block import evaluate_block, is_user_by_user
from recsys_metric_audit.reference.engines.user_blocks import Rows, UserBlocks, blocks_of, has_many_users
from recsys_metric_audit.reference.evaluation.prepared import InputRefusedError, NoTrainError, PreparedData, Values
from recsys_metric_audit.reference.input.case import Case, Ids
from recsys_metric_audit.reference.input.conversion import LabelledCase, Labels
from recsys_metric_audit.reference.input.distinct import distinct
from recsys_metric_audit.reference.placement.tie_ranks import TooManyOrdersError


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
        self._definitions, self._rules, self._blocks = definitions, rules, UserBlocks(case)
        self._merged = MergedValues(definitions, users)

    @property
    def matched(self) -> int:
        """Return how many users of the truth have been in a block."""
        return self._blocks.matched

    def add(self, rows: Rows, users: Ids) -> None:
        """Evaluate a block: all rows of the ``users`` (ascending), who were in no block before."""
        if self._rules.best_first:
            order = np.lexsort((-rows[2], rows[0]))
            rows = rows[0][order], rows[1][order], rows[2][order]
        self._evaluate(self._blocks.block(rows, users))

    def results(self, labels: Labels | None) -> list[Values | ValueError]:
        """Evaluate the users without predictions, and return the results as :meth:`MergedValues.results` does."""
        for block in self._blocks.unlisted():
            self._evaluate(block)
        return self._merged.results(labels)

    def _evaluate(self, block: Case) -> None:
        self._merged.add(evaluate_block(block, self._definitions, unique=self._rules.unique))


def evaluate_tables(held: LabelledCase, definitions: Sequence[Definition]) -> Iterator[Values | ValueError]:
    """Yield the values of each definition on tables in memory, or the error with which it refuses them.

    Many users are evaluated in blocks, where a definition allows it. Cut-offs are numbers or None.

    Raises:
        RowsError: for a score that is no number.
    """
    whole, made = PreparedData.of(held), dict[Definition, Values | ValueError]()
    if has_many_users(held.case):
        by_user = [definition for definition in definitions if is_user_by_user(definition)]
        made = dict(zip(by_user, _in_blocks(held, by_user), strict=True))
    for definition in definitions:
        yield made[definition] if definition in made else _on_all(whole, definition)


def _in_blocks(held: LabelledCase, definitions: Sequence[Definition]) -> list[Values | ValueError]:
    merged = MergedValues(definitions, distinct(held.case.predictions.user, held.case.truth.user).astype(np.int64))
    for block in blocks_of(held.case):
        merged.add(evaluate_block(block, definitions))
    return merged.results(held.users)


def _on_all(data: PreparedData, definition: Definition) -> Values | ValueError:
    try:
        return data.values(definition)
    except (InputRefusedError, NoTrainError, TooManyOrdersError) as refusal:
        return refusal
