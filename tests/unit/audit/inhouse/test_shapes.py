"""What each shape of call can hold, and which axes it cannot show."""

from __future__ import annotations

import pytest

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.inhouse.calling import call_parameters, call_shapes
from recsys_metric_audit.audit.inhouse.function_inputs import function_inputs
from recsys_metric_audit.audit.inhouse.shapes import DEFAULT, SHAPES, shape_named
from recsys_metric_audit.reference.cases.probe import case_from_rows

PLAIN = case_from_rows("plain", [(1, 11, 0.9), (1, 12, 0.8)], [(1, 12, 2.0)])
TIED = case_from_rows("tied", [(1, 11, 0.9), (1, 12, 0.9)], [(1, 12, 2.0)])
TWICE = case_from_rows("twice", [(1, 11, 0.9), (1, 11, 0.8)], [(1, 11, 2.0)])
MISSED = case_from_rows("missed", [(1, 11, 0.9)], [(1, 12, 2.0)])
TRUTH_TWICE = case_from_rows("truth twice", [(1, 11, 0.9)], [(1, 11, 2.0), (1, 11, 2.0)])


@pytest.mark.parametrize(
    ("shape", "held"),
    [
        ("recommended", [PLAIN, TWICE, MISSED]), ("frames", [PLAIN, TIED, TWICE, MISSED, TRUTH_TWICE]),
        ("vector", [PLAIN]), ("scores", [PLAIN, TIED]), ("qrels-run", [PLAIN, TIED, MISSED]),
        ("recommended-one", [PLAIN, TWICE, MISSED]), ("matrix", [PLAIN, TIED, MISSED]),
    ],
)  # fmt: skip
def test_what_a_shape_holds(shape: str, held: list[object]) -> None:
    every = [PLAIN, TIED, TWICE, MISSED, TRUTH_TWICE]
    assert [case.name for case in every if SHAPES[shape].holds(case)] == [case.name for case in held]  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["recommended-one", "one-recommended"])
def test_one_relevant_item_is_all_that_a_user_may_have(name: str) -> None:
    rows = [(1, 11, 0.9), (1, 12, 0.8), (2, 11, 0.9)]
    of_both = case_from_rows("one each", rows, [(1, 12, 2.0), (2, 13, 2.0)])
    several = case_from_rows("two of one user, none of the other", rows, [(1, 11, 2.0), (1, 12, 2.0)])
    below = case_from_rows("below the threshold", rows, [(1, 11, 1.0), (2, 11, 2.0)])
    assert [SHAPES[name].holds(case) for case in (of_both, several, below)] == [True, False, False]
    held = SHAPES[name].data(several)
    assert (held.truth.item.tolist(), held.predictions.user.tolist()) == ([11], [1, 1])


def test_every_small_list_with_one_relevant_item_is_asked() -> None:
    users = {probe.k: probe.users for probe in function_inputs(SHAPES["recommended-one"]).further}
    assert sorted(users) == [1, 2, 3, 4, 5]
    # Lists of 1 to 5 items: without the relevant item, or with it at one of their places.
    assert [len(each) for each in users.values()] == [sum(length + 1 for length in range(1, 6))] * 5
    assert all(len(user.missed) + sum(gain > 0 for gain in user.ranked) == 1 for user in users[1])


def test_a_matrix_has_no_user_without_a_list() -> None:
    nobody_listed = case_from_rows("no list", [(1, 11, 0.9)], [(1, 11, 2.0), (2, 11, 2.0)])
    assert not SHAPES["matrix"].holds(nobody_listed)
    assert SHAPES["matrix"].data(nobody_listed).truth.user.tolist() == [1]


def test_labels_do_not_hold_a_relevant_item_of_gain_0() -> None:
    case = case_from_rows("zero", [(1, 11, 0.9), (1, 12, 0.8)], [(1, 11, 0.0), (1, 12, 2.0)], threshold=0.0)
    assert [name for name in ("recommended", "vector", "scores") if SHAPES[name].holds(case)] == ["recommended"]


def test_data_lose_what_labels_of_rows_cannot_tell() -> None:
    case = case_from_rows("two", [(1, 11, 0.9), (2, 12, 0.8)], [(1, 11, 2.0), (1, 13, 2.0), (2, 14, 2.0)])
    left = SHAPES["vector"].data(case)
    assert left.truth.item.tolist() == [11] and left.predictions.user.tolist() == [1]
    assert DEFAULT.data(case) is case


def test_axes_that_no_call_shows() -> None:
    assert "users" in SHAPES["scores"].not_shown and "ties" not in SHAPES["scores"].not_shown
    assert "ties" in DEFAULT.not_shown and "duplicates" not in DEFAULT.not_shown
    assert SHAPES["frames"].not_shown == ()


def test_every_shape_is_called() -> None:
    assert list(SHAPES) and set(SHAPES) == {*call_shapes.OF_ONE_USER, *call_shapes.OF_ALL_USERS}
    assert set(SHAPES) == {name for name, _ in call_parameters.SHAPES}
    assert {name for name, shape in SHAPES.items() if shape.users} == set(call_shapes.OF_ALL_USERS)


def test_a_shape_is_named() -> None:
    assert shape_named("lists") is DEFAULT
    with pytest.raises(UserError, match="no such shape"):
        shape_named("cube")
