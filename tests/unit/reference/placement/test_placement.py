"""Placements against a slow oracle that sorts everything, and on lists that can be counted by hand."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recsys_metric_audit.reference.evaluation.evaluate import Problem
from recsys_metric_audit.reference.input import distinct as distinct_module
from recsys_metric_audit.reference.input import grouped_rows as rows_module
from recsys_metric_audit.reference.input import item_numbers as items_module
from recsys_metric_audit.reference.input.case import Case, Predictions, Truth
from recsys_metric_audit.reference.input.grouped_rows import GroupedRows
from recsys_metric_audit.reference.placement import rank_counts as standing_module
from recsys_metric_audit.reference.placement.place import Placer, place
from recsys_metric_audit.reference.placement.placement import Placement
from recsys_metric_audit.reference.placement.rank_counts import counts_over_all
from recsys_metric_audit.reference.placement.row_selection import RowSelection
from recsys_metric_audit.reference.placement.tie_ranks import TooManyOrdersError, tie_ranks
from tests.support import placement_oracle as oracle
from tests.support.generated_inputs import make


def same(fast: Placement, slow: Placement) -> None:
    for entry in fields(Placement):
        left, right = getattr(fast, entry.name), getattr(slow, entry.name)
        assert left.dtype == right.dtype, entry.name
        np.testing.assert_array_equal(left, right, err_msg=entry.name)


def agree(case: Case) -> None:
    placer = Placer(case)
    same(placer.per_user(), oracle.place(case))
    same(placer.stacked(), oracle.place(case, stacked=True))


SCORES = st.one_of(
    st.sampled_from([0.0, -0.0, 1.0, -1.0, 0.5, np.inf, -np.inf, 5e-324, 1e308, -1e308]),
    st.floats(allow_nan=False),
)
USERS = st.one_of(st.integers(0, 3), st.sampled_from([-5, 70_000, 2**62]))
ITEMS = st.one_of(st.integers(0, 12), st.sampled_from([-7, -70, 100, 2**45, 2**61, -(2**61)]))


@st.composite
def cases(draw: st.DrawFn) -> Case:
    level = draw(st.sampled_from([SCORES, st.sampled_from([1.0, 2.0]), st.just(3.0)]))
    rec = draw(st.lists(st.tuples(USERS, ITEMS, level), max_size=40))
    match draw(st.sampled_from(["as it comes", "grouped", "descending"])):
        case "grouped":
            rec.sort(key=lambda row: row[0] % 7)
        case "descending":
            rec.sort(key=lambda row: (row[0] % 7, row[0], -row[2]))
    truth = draw(st.lists(st.tuples(USERS, ITEMS, st.sampled_from([0.0, 1.0, 4.5])), max_size=12))
    train = draw(st.lists(st.tuples(USERS, ITEMS), max_size=5))
    catalogue = draw(st.sampled_from([[], [*range(30)]]))
    return make(rec, truth, train, catalogue=catalogue)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(cases())
def test_equals_the_one_by_sorting(case: Case) -> None:
    agree(case)


@pytest.mark.slow
@settings(max_examples=80, deadline=None)
@given(cases())
def test_blocks_and_hashes_change_nothing(case: Case) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rows_module, "BLOCK", 4)
        patch.setattr(items_module, "BLOCK", 2)
        patch.setattr(distinct_module, "BLOCK", 2)
        patch.setattr(standing_module, "BLOCK", 3)
        patch.setattr(rows_module, "_DIRECT", 0)
        agree(case)
        patch.setattr(rows_module, "_SPREAD", 1)  # many keys with one hash
        agree(case)


@pytest.mark.slow
@settings(max_examples=80, deadline=None)
@given(cases())
def test_long_lists_are_counted_one_by_one(case: Case) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(standing_module, "_COUNTED", 1)
        agree(case)


def synthetic(users: int, items: int, levels: int | None, order: str) -> Case:
    rng = np.random.default_rng(5)
    user = np.repeat(np.arange(users) * 3 + 10, items)
    item = np.concatenate([rng.permutation(items) * 5 + 1 for _ in range(users)])
    score = rng.normal(size=len(user)) if levels is None else rng.integers(0, levels, len(user)).astype(float)
    if order == "descending":
        by_score = np.lexsort((-score, user))
        user, item, score = user[by_score], item[by_score], score[by_score]
    if order == "random":
        mixed = rng.permutation(len(user))
        user, item, score = user[mixed], item[mixed], score[mixed]
    pairs = rng.choice(users * items, size=users * 8, replace=False)
    truth = Truth(pairs // items * 3 + 10, pairs % items * 5 + 1, rng.integers(1, 6, len(pairs)).astype(float))
    return Case("synthetic", Predictions(user, item, score), truth)


@pytest.mark.slow
@pytest.mark.parametrize("order", ["descending", "grouped", "random"])
@pytest.mark.parametrize("levels", [None, 1, 7])
def test_equals_the_one_by_sorting_on_many_rows(order: str, levels: int | None) -> None:
    agree(synthetic(150, 900, levels, order))


@pytest.mark.slow
def test_many_levels_of_ties_among_all_rows() -> None:
    """More (level, row) pairs than 32 bits can number."""
    rng = np.random.default_rng(9)
    user, item = np.repeat(np.arange(300), 500), np.tile(np.arange(500), 300)
    score = rng.integers(0, 50_000, len(user)).astype(float)
    pairs = rng.choice(len(user), size=60_000, replace=False)
    truth = Truth(user[pairs], item[pairs], np.ones(len(pairs)))
    agree(Case("levels", Predictions(user, item, score), truth))


def test_repeats_among_irrelevant_items_are_found_in_long_lists() -> None:
    case = synthetic(150, 900, None, "descending")
    item = case.predictions.item.copy()
    item[5_003] = item[5_000]
    item[123_456] = item[123_400]
    twice = Case("twice", Predictions(case.predictions.user, item, case.predictions.score), case.truth)
    agree(twice)
    placement = place(twice)
    assert placement.repeats.sum() == 2
    assert placement.users[placement.repeats > 0].tolist() == [10 + 3 * (5_003 // 900), 10 + 3 * (123_456 // 900)]


def test_narrow_columns_place_as_wide_ones_do() -> None:
    wide = synthetic(60, 700, 5, "random")
    user, item, score = wide.predictions.user, wide.predictions.item, wide.predictions.score
    narrow = Predictions(user.astype(np.int32), item.astype(np.int32), score.astype(np.float32))
    for stacked in (False, True):
        same(place(Case("narrow", narrow, wide.truth), stacked=stacked), place(wide, stacked=stacked))


def test_user_times_item_beyond_32_bits() -> None:
    rec = [(2**31 - 1, 2**31 - 1 - i, -float(i)) for i in range(5)]
    case = make(rec, [(2**31 - 1, 2**31 - 3, 1.0)])
    narrow = Predictions(*(getattr(case.predictions, name).astype(np.int32) for name in ("user", "item")),
                         case.predictions.score)  # fmt: skip
    assert place(Case("narrow", narrow, case.truth)).above.tolist() == [2]
    agree(case)


def test_float32_scores_tie_as_float32() -> None:
    """0.1 and the next float64 are one float32: two rows tie only once they have been rounded."""
    score = np.array([np.nextafter(0.1, 1), 0.1])
    ids, truth = np.array([0, 0]), Truth(np.array([0]), np.array([1]), np.array([1.0]))
    for dtype, tied in ((np.float64, 1), (np.float32, 2)):
        case = Case("rounded", Predictions(ids, np.array([0, 1]), score.astype(dtype)), truth)
        assert place(case).tied.tolist() == [tied]
        assert place(case, stacked=True).tied.tolist() == [tied]


def test_counts_by_hand() -> None:
    """User 1: scores 9 7 7 7 5 over items 40 10 9 30 20; relevant 9 and 20, and 50, which is not listed."""
    rec = [(1, 40, 9), (1, 10, 7), (1, 9, 7), (1, 30, 7), (1, 20, 5), (2, 9, 8)]
    p = place(make(rec, [(1, 20, 1), (1, 9, 3), (1, 50, 2), (2, 9, 1)]))
    assert p.item.tolist() == [50, 9, 20, 9]
    assert p.row.tolist() == [-1, 2, 4, 0]
    assert p.above.tolist() == [-1, 1, 4, 0]
    assert p.tied.tolist() == [-1, 3, 1, 1]
    assert p.before.tolist() == [-1, 1, 0, 0]
    assert p.before_item.tolist() == [-1, 0, 0, 0]
    assert p.before_text.tolist() == [-1, 2, 0, 0]  # "10" < "30" < "9"
    assert p.truth_row.tolist() == [2, 1, 0, 0]
    assert p.length.tolist() == [5, 1]
    stacked = place(make(rec, [(1, 20, 1), (1, 9, 3), (1, 50, 2), (2, 9, 1)]), stacked=True)
    assert stacked.above.tolist() == [-1, 2, 5, 1]
    assert stacked.length.tolist() == [6]


def test_an_item_three_times_by_hand() -> None:
    """IdIndex 1 2 1 3 1: the relevant 1 stands at rows 0, 2 and 4."""
    rec = [(1, 1, 5), (1, 2, 4), (1, 1, 3), (1, 3, 2), (1, 1, 1)]
    p = place(make(rec, [(1, 1, 1), (1, 3, 1)]))
    assert p.row.tolist() == [0, 2, 3, 4]
    assert p.repeat.tolist() == [0, 1, 0, 2]
    assert p.repeats.tolist() == [2]


@pytest.mark.parametrize("stacked", [False, True])
def test_a_nan_score_is_refused(stacked: bool) -> None:
    with pytest.raises(ValueError, match="NaN score"):
        place(make([(1, 1, 2.0), (1, 2, np.nan)], [(1, 1, 1)]), stacked=stacked)


@pytest.mark.parametrize("rec, truth", [([], []), ([], [(1, 1, 1)]), ([(1, 1, 1.0)], [])])
def test_empty_sides(rec, truth) -> None:
    agree(make(rec, truth))


# What is refused, and when a ranking is shared.


def test_too_many_pairs_are_refused_where_scores_tie() -> None:
    with pytest.raises(ValueError, match="17 digits"):
        counts_over_all(
            GroupedRows.of(make([(1, 1, 5.0), (2, 1, 5.0)], []).predictions), lambda row: row, 10**17, np.array([0])
        )


@pytest.mark.parametrize(
    ("rows", "acting"),
    [
        ([(1, 12, 3.0), (1, 10, 2.0), (2, 11, 1.0), (1, 11, 1.5)], set()),
        ([(1, 12, 3.0), (1, 10, 3.0), (2, 11, 3.0)], {"ties"}),
        ([(1, 10, 2.0), (1, 12, 3.0)], {"order"}),
        ([(1, 10, 2.0), (1, 12, 3.0), (1, 11, 2.0)], {"ties", "order"}),
        ([(1, 12, 3.0), (1, 10, 2.0), (1, 12, 1.0)], {"duplicates"}),
    ],
)
def test_a_ranking_is_shared_where_an_axis_changes_nothing(
    rows: list[tuple[int, int, float]], acting: set[str]
) -> None:
    problem = Problem.of([make(rows, [], [])], None)
    usual = problem.shown({})
    other = {"ties": "item_asc", "order": "rows", "duplicates": "first_closed_up"}
    shared = {axis for axis, value in other.items() if problem.shown({axis: value}) is usual}
    assert shared == set(other) - acting


@pytest.mark.parametrize(
    ("tied", "told"),
    [(8, "40,320 orders"), (2000, "at least 1,000,000,000,000,000 orders")],  # 8!; thousands of digits
)
def test_too_many_orders_are_refused_in_words(tied: int, told: str) -> None:
    placement = place(make([(1, item, 1.0) for item in range(tied)], [(1, item, 1.0) for item in range(tied)]))
    with pytest.raises(TooManyOrdersError, match=told):
        tie_ranks(placement, np.flatnonzero(placement.row >= 0), {"order": "score", "ties": "average"})


# Train rows of several cases: owners, histories and popularity of each item.


@pytest.mark.parametrize(
    ("users", "more", "dropped"),
    [
        ("all", {}, []), ("truth", {}, [3]), ("both", {}, [3, 4]), ("predictions", {}, [4]),
        # Of user 2 the only row is no item of the truth, and the only relevant item is not listed.
        ("predictions", {"candidates": "test_only"}, [2, 3, 4]), ("truth", {"listed": True}, [2, 3, 4]),
    ],
)  # fmt: skip
def test_users_who_are_left_out_of_one_ranking(users: str, more: dict[str, Any], dropped: list[int]) -> None:
    """Users 1 and 2 have rows and truth, 3 rows only, 4 truth only."""
    case = make([(1, 10, 3.0), (2, 10, 1.0), (3, 12, 1.0)], [(1, 10, 1.0), (2, 11, 5.0), (4, 12, 1.0)])
    selection = RowSelection(users=users, relevance="every_row", **more)
    assert {1, 2, 3, 4} - set(selection.applied_to(case).users.tolist()) == set(dropped)
    for number in (1, 2, 3, 4):
        keep = [table.user == number for table in (case.predictions, case.truth)]
        alone = replace(
            case,
            predictions=Predictions(*(column[keep[0]] for column in vars(case.predictions).values())),
            truth=Truth(*(column[keep[1]] for column in vars(case.truth).values())),
        )
        assert selection.drops_users(alone, np.array([number])) is (number in dropped)
