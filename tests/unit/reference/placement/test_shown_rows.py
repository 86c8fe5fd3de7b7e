"""Checks which items lists show: definitions share a ranking where the axes that they differ on change nothing."""

from __future__ import annotations

import pytest

from recsys_metric_audit.reference.evaluation.evaluate import Problem
from tests.support.generated_inputs import make

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
