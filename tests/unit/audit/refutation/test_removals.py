"""Removals of one feature, by hand: what changes, and what stays as it is."""

from __future__ import annotations

import pytest

from recsys_metric_audit.audit.refutation import removals
from recsys_metric_audit.audit.refutation.draft import Draft, DraftUser

STEP = 1 / 1024
"""The grid of all scores of held-out cases."""


def draft(*users: DraftUser, threshold: float = 2.0, k: int = 2) -> Draft:
    return Draft(users, tuple(range(10, 20)), threshold, k)


def rows(made: Draft, user: int = 0) -> tuple[tuple[int, float], ...]:
    return made.users[user].rows


def truth(made: Draft, user: int = 0) -> tuple[tuple[int, float], ...]:
    return made.users[user].truth


def test_gains_are_rounded_up() -> None:
    made = removals.whole_gains(draft(DraftUser(1, truth=((10, 0.25), (11, 3.0), (12, 2.5)))))
    assert truth(made) == ((10, 1.0), (11, 3.0), (12, 3.0))


def test_gains_and_threshold_become_1() -> None:
    made = removals.gains_of_1(draft(DraftUser(1, truth=((10, 0.25), (11, 3.0)))))
    assert (truth(made), made.threshold) == (((10, 1.0), (11, 1.0)), 1.0)


@pytest.mark.parametrize(
    ("gains", "made"),
    [
        ((1.0, 3.0), (4.0, 5.0)),  # whole gains stay whole, and in their order
        ((0.5, 3.0), (4.0625, 4.375)),  # 4 + gain / 8
        ((4.0, 5.0), (4.0, 5.0)),  # all are relevant already
    ],
)
def test_all_truth_rows_become_relevant(gains: tuple[float, ...], made: tuple[float, ...]) -> None:
    changed = removals.all_relevant(draft(DraftUser(1, truth=tuple(enumerate(gains, 10)))), "at_least_t")
    assert tuple(gain for _, gain in truth(changed)) == made
    assert min(made) > changed.threshold


def test_one_relevant_item_stays_the_first_in_the_truth() -> None:
    made = removals.one_relevant(draft(DraftUser(1, truth=((10, 1.0), (11, 2.0), (12, 5.0)))), "at_least_t")
    assert truth(made) == ((11, 2.0),)
    assert truth(removals.one_relevant(draft(DraftUser(1, truth=((11, 2.0), (12, 5.0)))), "above_t")) == ((12, 5.0),)


def test_a_user_without_a_list_keeps_the_truth() -> None:
    made = removals.listed_truth(
        draft(DraftUser(1, ((10, 1.0),), ((10, 3.0), (11, 3.0))), DraftUser(2, (), ((11, 3.0),)))
    )
    assert [truth(made, user) for user in (0, 1)] == [((10, 3.0),), ((11, 3.0),)]


def test_training_items_of_the_list_and_of_the_truth_are_dropped() -> None:
    made = removals.no_training_items(draft(DraftUser(1, ((10, 1.0),), ((11, 3.0),), (10, 11, 12))))
    assert made.users[0].train == (12,)


def test_scores_are_raised_by_one_amount_just_above_0() -> None:
    made = removals.positive_scores(draft(DraftUser(1, ((10, 0.5), (11, -1.0))), DraftUser(2, ((10, 2.0),))))
    assert rows(made) == ((10, 1.5 + STEP), (11, STEP))
    assert rows(made, 1) == ((10, 3.0 + STEP),)
    positive = draft(DraftUser(1, ((10, 0.5),)))
    assert removals.positive_scores(positive) is positive


def test_tied_scores_go_down_in_the_order_of_rows_and_never_to_the_next_score() -> None:
    # Two rows at 1 and one half below: steps of (1/1024) / 4, as two rows need fewer than four steps.
    made = removals.distinct_scores(draft(DraftUser(1, ((10, 1.0), (11, 1.0), (12, 0.5)))))
    assert rows(made) == ((10, 1.0), (11, 1.0 - STEP / 4), (12, 0.5))


def test_equal_scores_of_different_users_part_too() -> None:
    made = removals.distinct_scores(draft(DraftUser(1, ((10, 1.0),)), DraftUser(2, ((10, 1.0),))))
    assert rows(made)[0][1] > rows(made, 1)[0][1] > 1.0 - STEP


def test_at_most_three_rows_tie_where_long_runs_are_removed() -> None:
    made = removals.short_runs(draft(DraftUser(1, tuple((item, 1.0) for item in range(10, 15)))))
    assert [score for _, score in rows(made)] == [1.0, 1.0, 1.0, 1.0 - STEP / 1024, 1.0 - 2 * STEP / 1024]


def test_rows_are_sorted_and_tied_ones_keep_their_order() -> None:
    made = removals.sorted_rows(draft(DraftUser(1, ((10, 0.5), (11, 1.0), (12, 0.5), (13, 1.0)))))
    assert [item for item, _ in rows(made)] == [11, 13, 10, 12]


def test_short_lists_are_filled_with_items_that_nobody_has() -> None:
    made = removals.filled_lists(draft(DraftUser(1, ((10, 0.5),), ((11, 3.0),), (12,)), DraftUser(2), k=3))
    assert rows(made) == ((10, 0.5), (13, 0.5 - STEP), (14, 0.5 - 2 * STEP))


def users_left(made: Draft) -> list[int]:
    return [user.id for user in made.users]


STATES = draft(
    DraftUser(1, ((10, 1.0), (11, 0.5)), ((10, 3.0),)),  # a hit and a miss
    DraftUser(2, (), ((10, 3.0),)),  # no list
    DraftUser(3, ((10, 1.0),), ((11, 1.0),)),  # nothing relevant from 2 on
    DraftUser(4, ((10, 1.0), (11, 0.5)), ((12, 3.0),)),  # no hit
    DraftUser(5, ((10, 1.0), (11, 0.5)), ((10, 3.0), (11, 3.0))),  # nothing irrelevant
)


@pytest.mark.parametrize(
    ("made", "left"),
    [
        (removals.only_users_with_list(STATES), [1, 3, 4, 5]),
        (removals.only_users_with_relevant(STATES, "at_least_t"), [1, 2, 4, 5]),
        (removals.only_users_with_hit(STATES, "at_least_t", cutoff=False), [1, 2, 3, 5]),
        (removals.only_users_with_irrelevant(STATES, "at_least_t", cutoff=False), [1, 2, 3, 4]),
        # A cut-off of 2 could mean the first row only, which is a hit of user 1.
        (removals.only_users_with_irrelevant(STATES, "at_least_t", cutoff=True), [2, 3, 4]),
    ],
)
def test_users_in_an_unusual_state_are_dropped(made: Draft, left: list[int]) -> None:
    assert users_left(made) == left
