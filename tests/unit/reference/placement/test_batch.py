"""Placements of several cases made at once."""

from __future__ import annotations

from recsys_metric_audit.reference.placement.batch import CaseBatch, SingleCase, batch
from recsys_metric_audit.reference.placement.row_selection import RowSelection
from tests.support.generated_inputs import make

ONE = make([(1, 10, 2.0), (1, 11, 1.0)], [(1, 11, 1.0)], threshold=2.0)
TWO = make([(1, 12, 1.0), (5, 11, 2.0)], [(5, 11, 3.0), (1, 13, 1.0)])


def test_one_case_is_placed_alone_and_several_together() -> None:
    assert isinstance(batch([ONE]), SingleCase) and isinstance(batch([ONE, TWO]), CaseBatch)


def test_equal_ids_of_different_cases_are_different_users() -> None:
    made = CaseBatch.of([ONE, TWO]).placement(RowSelection(), stacked=False)
    assert made.users.tolist() == [1, 1, 5] and made.case.tolist() == [0, 1, 1]
    assert made.row.tolist() == [1, -1, 0] and made.above.tolist() == [1, -1, 0]
    assert made.threshold.tolist() == [2.0, 1.0, 1.0] and made.catalogue.tolist() == [2, 3, 3]


def test_one_ranking_is_made_of_each_case() -> None:
    made = CaseBatch.of([ONE, TWO]).placement(RowSelection(), stacked=True)
    assert made.users.tolist() == [0, 0] and made.length.tolist() == [2, 2]
    assert made.above.tolist() == [1, -1, 0] and made.catalogue.tolist() == [2, 6]


def test_users_without_relevant_items_are_dropped_from_one_ranking() -> None:
    alone = make([(1, 10, 1.0)], [(2, 10, 1.0)])
    together = CaseBatch.of([ONE, alone])
    assert not CaseBatch.of([ONE, TWO]).drops_users(RowSelection(users="truth", relevance="every_row"))
    assert together.drops_users(RowSelection(users="truth", relevance="every_row"))
