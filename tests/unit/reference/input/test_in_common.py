"""Users and items that predictions and truth have in common: none is refused, few are said."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from recsys_metric_audit import FewInCommonWarning, NothingInCommonError, compare, evaluate, which

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
