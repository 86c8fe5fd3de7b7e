"""Hold rows by user: their order, items that repeat, what two files have in common."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from recsys_metric_audit import Columns, FewInCommonWarning, NothingInCommonError, compare, evaluate, which
from recsys_metric_audit.reference.input import grouped_rows
from recsys_metric_audit.reference.input.case import Predictions
from recsys_metric_audit.reference.input.distinct import distinct
from recsys_metric_audit.reference.input.grouped_rows import (
    GroupedRows,
)
from recsys_metric_audit.reference.input.item_numbers import IdIndex, text_rank
from recsys_metric_audit.reference.input.ordering import order_by
from recsys_metric_audit.reference.input.repeated_items import drop_repeats
from tests.support.generated_inputs import make

# Grouping of rows by user, and the search for pairs in them.

NAN = float("nan")


def grouped(*rows: tuple[int, int, float]) -> GroupedRows:
    user, item, score = (np.array(column) for column in zip(*rows, strict=True))
    return GroupedRows.of(Predictions(user, item, score.astype(float)))


def test_grouped_rows_are_not_copied() -> None:
    item = np.array([10, 11, 12])
    rows = GroupedRows.of(Predictions(np.array([2, 2, 1]), item, np.array([3.0, 2.0, 1.0])))
    assert rows.list_as_given is None and rows.item is item
    assert rows.list_of(np.array([0, 1, 2])).tolist() == [0, 0, 1]


@pytest.mark.parametrize("scores", [[NAN], [NAN, 1.0], [2.0, NAN], [2.0, NAN, 1.0], [1.0, 2.0, NAN]])
def test_a_nan_score_is_refused_wherever_it_stands(scores: list[float]) -> None:
    for before in ([], [(0, 9, 3.0)], [(0, 9, 1.0), (0, 8, 3.0)]):
        with pytest.raises(ValueError, match="NaN score"):
            _ = grouped(*before, *((1, item, score) for item, score in enumerate(scores))).unsorted


@pytest.mark.parametrize("size", [1 << 18, 16, 3], ids=["one block", "many blocks", "blocks of three rows"])
@pytest.mark.parametrize("users", [1, 9, 300])
def test_rows_in_any_order_are_grouped_as_a_stable_sort_groups_them(
    monkeypatch: pytest.MonkeyPatch, users: int, size: int
) -> None:
    monkeypatch.setattr(grouped_rows, "_SORTED", size)
    rng = np.random.default_rng(users)
    user, item, score = rng.integers(0, users, 500) * 7, rng.integers(0, 50, 500), rng.random(500).astype(np.float32)
    rows = GroupedRows.of(Predictions(user, item, score))
    order = np.argsort(user, kind="stable")
    assert rows.item.tolist() == item[order].tolist() and rows.score.dtype == np.float32
    assert rows.score.tolist() == score[order].tolist()
    assert rows.given_number(np.arange(500)).tolist() == (order.tolist() if users > 1 else list(range(500)))
    assert np.repeat(rows.user, np.diff(rows.start)).tolist() == user[order].tolist()


def test_more_users_than_16_bits_hold_are_grouped() -> None:
    user = np.random.default_rng(0).permutation(np.concatenate([np.arange(70_000), [5, 69_999]]))
    rows = GroupedRows.of(Predictions(user, np.arange(len(user)), -np.arange(len(user), dtype=np.float64)))
    assert rows.item.tolist() == np.argsort(user, kind="stable").tolist()


def test_one_row_a_user_needs_no_grouping() -> None:
    user = np.random.default_rng(1).permutation(1000)
    rows = GroupedRows.of(Predictions(user, np.arange(1000), np.zeros(1000)))
    assert rows.list_as_given is None and rows.start.tolist() == list(range(1001))
    assert not rows.unsorted.any()


# Distinct values: ascending and each once, whatever the order and the number of columns.

FAR = [2**62, -(2**62), 2**62, 0]


@pytest.mark.parametrize(
    "columns", [([3, 1], [3]), ([],), ([], [2]), ([1, 1, 2],), ([5, 4, 4], [4, 5], [-1]), (FAR, [0]), ([], [])]
)
def test_each_value_once_in_ascending_order(columns: tuple[list[int], ...]) -> None:
    given = [np.array(column, dtype=np.int64) for column in columns]
    assert distinct(*given).tolist() == sorted({value for column in columns for value in column})
    assert [column.tolist() for column in given] == [list(column) for column in columns]  # nothing sorted in place


def test_the_type_of_the_columns_stays() -> None:
    assert distinct(np.array([3, 1, 3], dtype=np.int32)).dtype == np.int32
    assert distinct(np.array([300, 299], dtype=np.int64), np.array([3, 1], dtype=np.int32)).dtype == np.int64
    assert distinct(np.array(["b", "a", "b"])).tolist() == ["a", "b"]


def test_zeros_of_both_signs_are_one_value() -> None:
    assert len(distinct(np.array([0.0, -0.0, 1.0]))) == 2


# Users and items that predictions and truth have in common: none is refused, few are said.

REC = {"user": [1, 2], "item": [10, 20], "score": [1.0, 1.0]}
TRUE = {"user": [1, 2], "item": [10, 20]}
OTHER_USERS = {"user": ["ann", "bob"], "item": [10, 20]}
OTHER_ITEMS = {"user": [1, 2], "item": ["i10", "i20"]}


def stored(path: Path) -> Path:
    parquet.write_table(pa.table(REC), path / "rows.parquet")
    return path / "rows.parquet"


CALLS = {
    "evaluate": lambda path, truth: evaluate(REC, truth, 1),
    "which": lambda path, truth: which(REC, truth, {"recall@1": "0.5"}, changes=0),
    "compare": lambda path, truth: compare(REC, REC, truth, 1),
    "streamed": lambda path, truth: evaluate(stored(path), truth, 1, streamed=True),
}


@pytest.mark.parametrize("call", CALLS)
def test_no_user_in_both_is_refused_with_examples(call: str, tmp_path: Path) -> None:
    with pytest.raises(NothingInCommonError, match=r"no user .* predictions have '1', '2', the truth has 'ann', 'bob'"):
        CALLS[call](tmp_path, OTHER_USERS)


@pytest.mark.parametrize("call", CALLS)
def test_no_item_in_both_is_refused_with_examples(call: str, tmp_path: Path) -> None:
    with pytest.raises(NothingInCommonError, match=r"no item .* have '10', '20', the truth has 'i10', 'i20'; write"):
        CALLS[call](tmp_path, OTHER_ITEMS)


def test_the_second_recommender_is_checked_too() -> None:
    with pytest.raises(NothingInCommonError, match="no item"):
        compare(REC, {1: [7], 2: [8]}, TRUE, 1)


def test_lists_that_only_miss_are_evaluated_where_train_rows_hold_ids_of_both() -> None:
    """Items a and b are recommended, c is relevant; train rows name a and c: both sides write items alike."""
    missed: dict[str, Any] = {"predictions": {"ann": ["a", "b"]}, "truth": {"ann": ["c"]}, "k": 2}
    with pytest.warns(FewInCommonWarning, match="0 of 1 items"):
        assert evaluate(**missed, train={"eve": ["a", "c"]})["recall"].mean == 0
    with pytest.raises(NothingInCommonError, match="pass train rows"):
        evaluate(**missed, train={"eve": ["c"]})


@pytest.mark.parametrize("call", CALLS)
def test_a_small_share_is_said_with_examples(call: str, tmp_path: Path) -> None:
    """Of 30 users of the truth, 2 have predictions: 6.7 %."""
    truth = {"user": [1, 2, *range(100, 128)], "item": [10, 20] * 15}
    with pytest.warns(FewInCommonWarning, match=r"2 of 30 users of the truth \(6\.7%\) .* has 100, 101, 102,"):
        CALLS[call](tmp_path, truth)


@pytest.mark.parametrize("call", ["evaluate", "compare", "streamed"])
def test_results_keep_what_was_said_of_the_data(call: str, tmp_path: Path) -> None:
    """Of 30 users of the truth, 2 have predictions; two recommenders with the same users are one fact."""
    with pytest.warns(FewInCommonWarning):
        found = CALLS[call](tmp_path, {"user": [1, 2, *range(100, 128)], "item": [10, 20] * 15})
    (fact,) = found.facts
    assert fact.startswith("2 of 30 users of the truth (6.7%)")
    assert fact in repr(found) and "6.7%" in found._repr_html_()
    assert CALLS[call](tmp_path, TRUE).facts == ()


def test_intervals_keep_what_was_said_of_the_data() -> None:
    with pytest.warns(FewInCommonWarning):
        assert evaluate(REC, {"user": [1, *range(100, 128)], "item": [10] * 29}, 1, "recall", interval=0.9).facts


def test_a_list_of_popular_items_need_not_name_many_of_the_truth() -> None:
    """All users are shown item 0; in the truth are 20 items, of which that is one."""
    users = range(20)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert evaluate({user: [0] for user in users}, {user: [user] for user in users}, 1)["hr"].mean == 1 / 20


def test_a_warning_points_to_the_line_that_evaluates() -> None:
    with pytest.warns(FewInCommonWarning) as said:
        evaluate({user: [0] for user in range(30)}, {user: [user] for user in range(100, 130)} | {1: [0]}, 1)
    assert said[0].filename == __file__


@pytest.mark.parametrize("tables", [({"user": [], "item": [], "score": []}, TRUE), (REC, {"user": [], "item": []})])
def test_an_empty_side_has_no_ids_that_could_be_written_otherwise(tables: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(evaluate(*tables, 1, "recall|users:all|undefined:0")) == 1


# Numbers for ids, and the order of ids as text.

IDS = st.one_of(st.integers(0, 12), st.sampled_from([-7, -70, 100, 2**45, 2**61, -(2**61)]))


def test_a_wide_range_of_ids_is_numbered_densely() -> None:
    index = IdIndex.of(np.array([5, 2**60]))
    assert not index.narrow and index.span == 2
    assert index.offset(np.array([2**60, 5])).tolist() == [1, 0]


@given(st.lists(st.one_of(st.integers(-(2**63) + 1, 2**63 - 1), st.integers(-200, 200)), unique=True, min_size=1))
def test_text_order_of_ids(ids: list[int]) -> None:
    ids.sort()
    by_text = sorted(range(len(ids)), key=lambda i: str(ids[i]))
    assert np.argsort(text_rank(np.array(ids))).tolist() == by_text


@given(st.lists(IDS, max_size=30))
def test_items_number_what_occurs(ids: list[int]) -> None:
    column = np.array(ids, dtype=np.int64)
    items = IdIndex.of(column, column[:3])
    assert items.distinct.tolist() == sorted(set(ids))
    assert items.distinct[items.code(column)].tolist() == ids
    if ids:
        assert len(np.unique(items.offset(column))) == len(set(ids))
        assert items.offset(column).max() < items.span


# Sorts by several columns, and compares with Python's sort of tuples.

WHOLE = st.one_of(st.integers(-3, 3), st.integers(-(2**62), 2**62))
NUMBER = st.sampled_from([-np.inf, -1.5, -0.0, 0.0, 2.0, 2.5, np.inf])


@given(st.lists(st.tuples(WHOLE, NUMBER, st.integers(-2, 2)), min_size=1, max_size=30))
def test_entries_stand_in_the_order_of_their_columns(rows: list[tuple[int, float, int]]) -> None:
    expected = sorted(range(len(rows)), key=lambda number: rows[number])
    assert order_by(*map(np.array, zip(*rows, strict=True))).tolist() == expected


def test_entries_in_order_stay_and_one_out_of_order_moves() -> None:
    user, score = np.repeat(np.arange(300), 10), np.tile(np.arange(10.0), 300)
    assert order_by(user, score).tolist() == list(range(3_000))
    score[1_234] = -1.0  # to the front of its user's entries
    moved = [*range(1_230), 1_234, 1_230, 1_231, 1_232, 1_233, *range(1_235, 3_000)]
    assert order_by(user, score).tolist() == moved


def test_a_nan_stands_last() -> None:
    many = np.zeros(2_000)
    many[0] = np.nan
    assert order_by(many, np.arange(2_000))[-1] == 0


def test_of_few_entries_and_of_none() -> None:
    assert order_by(np.array([2, 1, 2]), np.array([0.5, 0.0, 0.25])).tolist() == [1, 2, 0]
    assert order_by(np.empty(0, dtype=np.int64), np.empty(0)).tolist() == []


# Removal of repeated items: the first or the last copy of the ranking stays.

REC_OF_REPEATED_ITEMS = [(1, 10, 1.0), (1, 11, 2.0), (1, 10, 3.0), (2, 10, 1.0)]
"""User 1 has item 10 twice: first by row with score 1, first by score in the third row."""


def test_a_case_without_repeats_is_returned_as_it_is() -> None:
    case = make(REC_OF_REPEATED_ITEMS[:2], [])
    assert drop_repeats(case, keep="first", by_rows=False) is case


def test_places_are_no_scores() -> None:
    """As a score the place of the best item is the lowest one: each list would be turned round without a word."""
    for name in ("rank", "Position", " ranks"):
        with pytest.raises(ValueError, match="turn each list round"):
            Columns(score=name)
    lists = {"user": [1, 1, 1, 2], "item": [7, 8, 9, 7], "score": [1, 2, 3, 1]}
    truth = pa.table({"user": [1, 2], "item": [7, 7]})
    with pytest.warns(UserWarning, match="if they are places in a ranking, each list is read from its end"):
        assert evaluate(pa.table(lists), truth, 1)["precision@1"].mean == 0.5
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        turned = lists | {"score": [-score for score in lists["score"]]}
        assert evaluate(pa.table(turned), truth, 1)["precision@1"].mean == 1


def test_a_gain_of_0_that_counts_as_relevant_is_said() -> None:
    lists, truth = {"a": ["x"], "b": ["z"]}, {"a": {"x": 2.0}, "b": {"z": 0.0}}
    with pytest.warns(UserWarning, match="1 of 2 rows of the truth has a gain of 0 or less and counts as relevant"):
        assert evaluate(lists, truth, 1, ["precision", "ndcg|relevance:positive"])["precision@1"].mean == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert evaluate(lists, truth, 1, "hit_rate|relevance:positive")["hit_rate@1|relevance:positive"].by_user() == {
            "a": 1.0
        }


def test_a_column_of_lists_is_refused_with_what_to_do() -> None:
    rows = pa.table({"user": [1], "item": [[7, 8]], "score": [1.0]})
    with pytest.raises(ValueError, match=r"column 'item' holds list<.*: table.explode\('item'\)"):
        evaluate(rows, {1: [7]}, 1)
