"""Hold where relevant rows are placed: ranks of ties, rows that are read, training rows, tallies."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recsys_metric_audit.reference.evaluation.evaluate import Problem
from recsys_metric_audit.reference.input.case import Case, Ids, Predictions, Train, Truth
from recsys_metric_audit.reference.input.grouped_rows import GroupedRows
from recsys_metric_audit.reference.input.item_numbers import IdIndex
from recsys_metric_audit.reference.placement.batch import CaseBatch, SingleCase, batch
from recsys_metric_audit.reference.placement.joined_ids import JoinedIds, index_in
from recsys_metric_audit.reference.placement.place import place
from recsys_metric_audit.reference.placement.placement import Placement
from recsys_metric_audit.reference.placement.rank_counts import RankCounts, counts_over_all, counts_per_list
from recsys_metric_audit.reference.placement.row_selection import RowSelection, relevant_gains
from recsys_metric_audit.reference.placement.tally import Tally
from recsys_metric_audit.reference.placement.tie_ranks import TooManyOrdersError, pair_starts, tie_ranks
from tests.support.generated_inputs import make

# Joining placements of disjoint users.


def test_join_keeps_users_apart() -> None:
    one, two = make([(1, 1, 1)], [(1, 1, 1)]), make([(1, 2, 1), (1, 1, 0)], [(1, 1, 1), (3, 1, 1)])
    joined = Placement.join([place(one), place(two)])
    assert joined.users.tolist() == [1, 1, 3]
    assert joined.case.tolist() == [0, 1, 1]
    assert joined.user.tolist() == [0, 1, 2]
    assert joined.above.tolist() == [0, 1, -1]
    assert joined.cases == 2


# Placements of several cases made at once.

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


# Ids of several cases as numbers: different cases have different ones, in the order of the ids.


def _case(rec: list[int], truth: list[int], train: list[int]) -> Case:
    def column(items: list[int]) -> tuple[Ids, Ids]:
        return np.ones(len(items), dtype=np.int64), np.array(items, dtype=np.int64)

    return Case(
        "some items", Predictions(*column(rec), np.full(len(rec), 0.5)), Truth(*column(truth), np.ones(len(truth))),
        Train(*column(train)),
    )  # fmt: skip


NOTHING = np.empty(0, dtype=np.int64)


def test_ids_of_different_cases_are_different_numbers_in_the_order_of_the_ids() -> None:
    # All ids in order are -3, 5, 7, 9: case 0 has the numbers 0 to 3, case 1 the numbers 4 to 7.
    joined = JoinedIds.of([_case([7, -3], [5], []), _case([7], [9, 7], [-3])], "item", NOTHING)
    assert joined.predictions.tolist() == [2, 0, 6]
    assert joined.truth.tolist() == [1, 7, 6]
    assert joined.train.tolist() == [4]
    assert joined.case(joined.truth).tolist() == [0, 1, 1]
    assert joined.number(np.array([1, 0]), np.array([5, 9])).tolist() == [5, 3]


def test_distinct_ids_are_counted_in_each_case() -> None:
    joined = JoinedIds.of([_case([7, 7], [7, 5], []), _case([], [], []), _case([7], [], [8])], "item", NOTHING)
    assert joined.count(joined.predictions).tolist() == [1, 0, 1]
    assert joined.count(joined.predictions, joined.truth, joined.train).tolist() == [2, 0, 2]


def test_a_single_case_keeps_its_ids() -> None:
    joined = JoinedIds.of([_case([7, -3], [5], [10**15])], "item", NOTHING)
    assert joined.predictions.tolist() == [7, -3]
    assert joined.train.tolist() == [10**15]
    assert joined.count(joined.predictions, joined.truth).tolist() == [3]


def test_further_ids_can_be_looked_up() -> None:
    joined = JoinedIds.of([_case([7], [], []), _case([9], [], [])], "item", np.array([8]))
    assert joined.number(np.array([1]), np.array([8])).tolist() == [4]  # 7, 8, 9 are 0 to 2 and 3 to 5


def test_what_is_not_there_has_no_index() -> None:
    assert index_in(np.array([-5, 2, 4]), np.array([4, -1, -5, 9, 2])).tolist() == [2, -1, 0, -1, 1]
    assert index_in(NOTHING, np.array([-1, 0])).tolist() == [-1, -1]


# Counts of rows above and tied, within lists and among all rows, on lists counted by hand.

ROWS = GroupedRows.of(
    Predictions(np.array([1, 1, 1, 2, 2]), np.array([30, 4, 20, 4, 30]), np.array([5.0, 7.0, 5.0, 9.0, 5.0]))
)
"""User 1: items 30, 4, 20 with scores 5, 7, 5; user 2: items 4, 30 with scores 9, 5."""


def columns(counts: RankCounts) -> dict[str, list[int]]:
    return {name: column.tolist() for name, column in vars(counts).items()}


def test_counts_within_lists() -> None:
    """As numbers 20 < 30; as text "20" < "30"."""
    items = IdIndex.of(ROWS.item)
    assert columns(counts_per_list(ROWS, items, np.array([0, 2, 4]))) == {
        "above": [1, 1, 1], "tied": [2, 2, 1], "before": [0, 1, 0], "before_item": [1, 0, 0], "before_text": [1, 0, 0],
    }  # fmt: skip


def test_counts_among_all_rows() -> None:
    """Three rows score 5, below 9 and 7; their pairs are numbered 8, 20 and 100: as text "100" < "20" < "8"."""
    pairs = np.array([8, 1, 20, 2, 100])
    made = counts_over_all(ROWS, lambda row: pairs[row], 101, np.array([0, 2, 4]))
    assert columns(made) == {
        "above": [2, 2, 2], "tied": [3, 3, 3], "before": [0, 1, 2], "before_item": [0, 1, 2], "before_text": [2, 1, 0],
    }  # fmt: skip


def test_too_many_pairs_are_refused_where_scores_tie() -> None:
    with pytest.raises(ValueError, match="17 digits"):
        counts_over_all(ROWS, lambda row: row, 10**17, np.array([0]))


# The rows that a definition ranks: copies, candidates, users of one ranking, targets.

CASE = make(
    [(1, 10, 3.0), (1, 11, 2.0), (2, 10, 1.0), (3, 12, 1.0)],
    [(1, 10, 1.0), (2, 11, 5.0), (4, 12, 1.0)],
    [(1, 11), (3, 12)],
)
"""Users 1 and 2 have rows and truth, 3 rows only, 4 truth only; 11 and 12 are in the train data of 1 and 3."""


@pytest.mark.parametrize(
    ("rule", "relevant"),
    [("every_row", [1, 1, 1, 1]), ("positive", [0, 1, 1, 1]), ("at_least_t", [0, 0, 1, 1]), ("above_t", [0, 0, 0, 1]),
     ("equal_1", [0, 1, 0, 0]), ("2", [0, 0, 1, 1]), ("above_2", [0, 0, 0, 1]), ("above_0.5", [0, 1, 1, 1])],
)  # fmt: skip
def test_relevance_of_gains(rule: str, relevant: list[int]) -> None:
    assert relevant_gains(np.array([0.0, 1.0, 2.0, 3.0]), 2.0, rule).tolist() == [bool(each) for each in relevant]


def test_nothing_selected_leaves_the_rows() -> None:
    assert RowSelection.of({"candidates": "all"}, stacked=False) == RowSelection()


@pytest.mark.parametrize(("candidates", "items"), [("test_only", [10]), ("without_train", [10, 10])])
def test_candidates(candidates: str, items: list[int]) -> None:
    made = RowSelection(candidates=candidates).applied_to(CASE)
    assert made.predictions.item.tolist() == items
    assert made.users.tolist() == [1, 2, 3, 4] and made.catalogue.tolist() == [10, 11, 12]


@pytest.mark.parametrize(
    ("users", "left"), [("all", [1, 2, 3, 4]), ("truth", [1, 2, 4]), ("both", [1, 2]), ("predictions", [1, 2, 3])]
)
def test_users_of_one_ranking(users: str, left: list[int]) -> None:
    selection = RowSelection(users=users, relevance="every_row")
    assert selection.applied_to(CASE).users.tolist() == left
    assert selection.drops_users(CASE, np.array([1, 2, 3, 4])) == (users != "all")


def test_a_ranking_of_nobody_keeps_an_empty_user() -> None:
    made = RowSelection(users="both", relevance="above_t").applied_to(make([(1, 10, 1.0)], [(2, 10, 1.0)]))
    assert made.users.tolist() == [1] and not len(made.predictions.user)


def test_rated_pairs_get_targets_of_0_and_1() -> None:
    case = make([(1, 10, 1.0)], [(1, 10, 0.5), (1, 11, 2.0)], threshold=1.0)
    made = RowSelection(pairs="rated_0_1", relevance="at_least_t").applied_to(case)
    assert made.truth.gain.tolist() == [0.0, 1.0]


def test_all_rows_get_targets_of_0_and_1() -> None:
    made = RowSelection(pairs="all_0_1", relevance="every_row").applied_to(CASE)
    assert list(zip(made.truth.user.tolist(), made.truth.item.tolist(), made.truth.gain.tolist(), strict=True)) == [
        (1, 10, 1.0), (1, 11, 0.0), (2, 10, 0.0), (3, 12, 0.0),
    ]  # fmt: skip


# Checks which items lists show: definitions share a ranking where the axes that they differ on change nothing.

Rows = list[tuple[int, int, float]]
PLAIN: Rows = [(1, 12, 3.0), (1, 10, 2.0), (2, 11, 1.0), (1, 11, 1.5)]
TIED: Rows = [(1, 12, 3.0), (1, 10, 3.0), (2, 11, 3.0)]
OUT_OF_ORDER: Rows = [(1, 10, 2.0), (1, 12, 3.0)]
TIED_APART: Rows = [(1, 10, 2.0), (1, 12, 3.0), (1, 11, 2.0)]
REPEATED: Rows = [(1, 12, 3.0), (1, 10, 2.0), (1, 12, 1.0)]


@pytest.mark.parametrize(
    ("rows", "acting"),
    [
        (PLAIN, set()),
        (TIED, {"ties"}),
        (OUT_OF_ORDER, {"order"}),
        (TIED_APART, {"ties", "order"}),
        (REPEATED, {"duplicates"}),
    ],
    ids=["plain", "tied", "out of order", "tied apart", "repeated"],
)
def test_a_ranking_is_shared_where_an_axis_changes_nothing(rows: Rows, acting: set[str]) -> None:
    problem = Problem.of([make(rows, [], [])], None)
    usual = problem.shown({})
    other = {"ties": "item_asc", "order": "rows", "duplicates": "first_closed_up"}
    shared = {axis for axis, value in other.items() if problem.shown({axis: value}) is usual}
    assert shared == set(other) - acting


@pytest.mark.parametrize(
    ("rows", "values", "items"),
    [
        (PLAIN, {"order": "rows"}, [12, 10, 11, 11]),  # of user 1, then of user 2
        (TIED, {"ties": "item_asc"}, [10, 12, 11]),
        (TIED, {"order": "rows", "ties": "item_asc"}, [12, 10, 11]),
        (OUT_OF_ORDER, {"order": "rows"}, [10, 12]),
        (OUT_OF_ORDER, {}, [12, 10]),
        (TIED_APART, {"ties": "item_desc"}, [12, 11, 10]),
        (REPEATED, {"duplicates": "first_closed_up"}, [12, 10]),
        (REPEATED, {}, [12, 10, 12]),
    ],
)
def test_items_stand_as_the_axes_say(rows: Rows, values: dict[str, str], items: list[int]) -> None:
    case = make(rows, [], [])
    shown = Problem.of([case], None).shown(values)
    known = sorted({item for _, item, _ in rows})
    assert [known[place] for place in shown.item.tolist()] == items


def test_one_case_with_ties_is_enough_for_their_rule_to_act() -> None:
    problem = Problem.of([make(PLAIN, [], []), make(TIED, [], [])], None)
    assert problem.shown({"ties": "item_asc"}) is not problem.shown({})


# Counts of values between and on pivots.

NUMBERS = st.lists(st.sampled_from([-np.inf, -1.0, 0.0, 0.5, 0.5000001, 3.0, 1e300, np.inf]), max_size=20)


def test_counts_by_hand() -> None:
    tally = Tally.of(np.array([2.0, 5.0, 2.0]))
    tally.add(np.array([1.0, 2.0, 3.0, 5.0]))
    tally.add(np.array([2.0, 9.0]))
    assert tally.on.tolist() == [2, 1]
    assert tally.below().tolist() == [1, 4]
    assert tally.above().tolist() == [3, 1]


@given(pivots=NUMBERS, values=NUMBERS)
def test_counts_equal_those_by_comparison(pivots: list[float], values: list[float]) -> None:
    tally = Tally.of(np.array(pivots, dtype=float))
    tally.add(np.array(values, dtype=float))
    distinct = sorted(set(pivots))
    assert tally.on.tolist() == [sum(value == pivot for value in values) for pivot in distinct]
    assert tally.below().tolist() == [sum(value < pivot for value in values) for pivot in distinct]
    assert tally.above().tolist() == [sum(value > pivot for value in values) for pivot in distinct]


# Ranks of relevant rows under each rule for equal scores, on one list counted by hand.

CASE_OF_TIE_RANKS = make([(1, 50, 9.0), (1, 9, 5.0), (1, 10, 5.0), (1, 8, 5.0)], [(1, 10, 1.0)])
"""Item 50 on top; items 9, 10, 8 tie at ranks 2 to 4, in that order as given; item 10 is relevant."""


def ranks(ties: str, order: str = "score") -> list[int]:
    placement = place(CASE_OF_TIE_RANKS)
    return tie_ranks(placement, np.flatnonzero(placement.row >= 0), {"order": order, "ties": ties})[2].tolist()


@pytest.mark.parametrize(
    ("rule", "rank"),
    [
        ("given", 3), ("reversed", 3), ("item_asc", 4), ("item_desc", 2), ("text_asc", 2), ("text_desc", 4),
        ("best", 2), ("worst", 4), ("shared", 2),
    ],
)  # fmt: skip
def test_each_rule_ranks_the_relevant_item(rule: str, rank: int) -> None:
    """As text "10" < "8" < "9"."""
    assert ranks(rule) == [rank]


def test_averaged_ties_make_a_list_of_every_rank() -> None:
    assert ranks("average") == [2, 3, 4]


def test_rows_as_ranking_have_no_ties() -> None:
    assert ranks("best", order="rows") == [3]


def test_too_many_orders_are_refused() -> None:
    rows = [(1, item, 1.0) for item in range(8)]
    placement = place(make(rows, [(1, item, 1.0) for item in range(8)]))
    with pytest.raises(TooManyOrdersError, match="40,320 orders"):  # 8!
        tie_ranks(placement, np.flatnonzero(placement.row >= 0), {"order": "score", "ties": "average"})


def test_orders_whose_number_has_thousands_of_digits_are_refused_in_words() -> None:
    rows = [(1, item, 1.0) for item in range(2000)]
    placement = place(make(rows, [(1, item, 1.0) for item in range(2000)]))
    with pytest.raises(TooManyOrdersError, match="at least 1,000,000,000,000,000 orders"):
        tie_ranks(placement, np.flatnonzero(placement.row >= 0), {"order": "score", "ties": "average"})


def test_pairs_start_where_they_differ_from_the_one_before() -> None:
    first, second = np.array([1, 1, 1, 2]), np.array([5, 5, 6, 6])
    assert pair_starts(first, second).tolist() == [True, False, True, True]


# Train rows of several cases: owners, histories and popularity of each item.

FIRST = make([(1, 10, 2.0), (1, 12, 1.0), (2, 11, 1.0)], [(3, 10, 1.0)], [(1, 11), (1, 13), (1, 13), (4, 11), (2, 10)])
SECOND = make([(2, 10, 1.0)], [], [(2, 10), (5, 10), (5, 12)])
SHOWN = Problem.of([FIRST, SECOND], 2).shown({})


def test_items_of_a_case_have_owners_of_that_case_only() -> None:
    train = SHOWN.train
    assert np.diff(train.start).tolist() == [1, 2, 1, 2, 1], "items 10, 11, 13 and 10, 12"
    assert SHOWN.train_item.tolist() == [0, 1, -1, 3], "recommended are 10, 11, 12 and 10"
    assert [SHOWN.had[item] for item in range(4)] == [1, 2, 0, 2]


def test_a_user_of_the_lists_has_a_history_of_distinct_items() -> None:
    train, ends = SHOWN.train, SHOWN.train.history_start
    histories = [train.history[one:other].tolist() for one, other in pairwise(ends.tolist())]
    assert histories == [[1, 2], [0], [], [3]], "users 1, 2 and 3 of the first case, 2 of the second; not 4 and 5"


def test_places_count_rows_and_are_shared() -> None:
    assert SHOWN.train.place.tolist() == [2, 1, 1, 1, 2], "a pair that stands there twice counts twice"
    assert SHOWN.train.above.tolist() == [2, 0, 0, 0, 1]


def test_rows_know_whether_the_truth_of_their_user_has_them() -> None:
    case = make(
        [(1, 10, 3.0), (1, 11, 2.0), (1, 12, 1.0), (2, 10, 1.0)], [(1, 10, 3.0), (1, 12, 0.5), (3, 11, 3.0)], []
    )
    shown = Problem.of([case], None).shown({})
    assert shown.judged.tolist() == [True, False, True, False]
    assert shown.relevant.tolist() == [True, False, False, False]
