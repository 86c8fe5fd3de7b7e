"""Worked examples of definitions that read which items are shown."""

from __future__ import annotations

import pytest

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.evaluation.worked_example import work
from tests.support.hand_computed.item_cases import SHOP


def test_one_user_is_worked_with_the_users_who_have_each_item() -> None:
    made = work(parse("average_popularity@2"), SHOP, 2)
    assert made.columns == ("train rows", "shown")
    assert [(row.rank, row.item, row.cells) for row in made.rows] == [(1, "12", ("1", "2")), (2, "10", ("4", "1"))]
    assert made.value == 5 / 2 and made.lines[-1] == "value = 5 / 2 = 2.5"
    assert made.lines[0].startswith("k = 2, n = 2, items that exist = 8")


def test_all_users_together_are_worked_with_the_items_shown_most_first() -> None:
    made = work(parse("catalogue_coverage@2"), SHOP, 1)
    assert [row.item for row in made.rows] == ["12", "10", "11", "20"]
    assert made.value == 4 / 8 and made.lines[-1] == "value = 4 / 8 = 0.5"


def test_a_user_who_is_left_out_has_no_value() -> None:
    made = work(parse("novelty@2|users:both"), SHOP, 2)
    assert made.value is None and made.lines[-1] == "the user is left out of the mean"


def test_a_user_who_does_not_occur_is_refused() -> None:
    with pytest.raises(ValueError, match="has no user 77"):
        work(parse("novelty@2"), SHOP, 77)


def test_rows_say_what_they_add_where_a_metric_compares_items() -> None:
    made = work(parse("intra_list_diversity@2"), SHOP, 2)
    assert made.columns == ("train rows", "shown", "adds")
    assert [row.cells[-1] for row in made.rows] == ["0", "1/2"], "12 stands alone; 10 is 1/2 from it"
    made = work(parse("serendipity@2"), SHOP, 1)
    assert [row.cells[-1] for row in made.rows] == ["3/4", "0"] and made.value == 0.375
