"""What data cannot show, on data made to lack one thing at a time."""

import pytest

from recsys_metric_audit.reference.cases import PROBES, User
from recsys_metric_audit.reference.cases.probe import case_from_rows, case_from_users
from recsys_metric_audit.reference.evaluation.evaluate import Problem
from recsys_metric_audit.reference.evaluation.unidentified_axes import unidentified_axes

ORDINARY = (User((2, 0, 4, 0, 0), (2, 2)), User((0, 2, 0, 0), ()))
SHOWS = {
    "ties": User((0, 2, 0, 0), (), scores=(0.9, 0.5, 0.5, 0.1)),
    "order": User((0, 0, 2, 0), (), scores=(0.2, 0.5, 0.9, 0.1)),
    "duplicates": User((2, 2, 0, 0), (), items=(11, 11, 10, 12)),
    "relevance": User((1, 0, 0, 0), ()),
    "counted_scores": User((2, 0, 0, 0), (), scores=(-0.1, -0.2, -0.3, -0.4)),
    "undefined": User((0, 0, 0, 0), ()),
    "no_list": User((), (2,)),
    "users": User((), (2,)),
    "no_negatives": User((2, 2, 2, 2), ()),
    "denominator:shown": User((2, 0), ()),
    "denominator:min": User((2, 0, 0, 0, 0, 0), (2, 2, 2)),
}


def seen(*users: User, k: int = 3) -> set[str]:
    return set(unidentified_axes([Problem.of([case_from_users("data", users)], k)]))


def test_ordinary_data_are_blind_to_everything_unusual() -> None:
    # gains of 2 and 4 show the gain; user 1 has four relevant items at k = 3, and user 2 one.
    assert seen(*ORDINARY) == {*SHOWS, "truth_duplicates"} - {"denominator:min"}


@pytest.mark.parametrize("axis", sorted(SHOWS))
def test_one_user_is_enough_to_show_an_axis(axis: str) -> None:
    assert axis not in seen(*ORDINARY, SHOWS[axis])


@pytest.mark.parametrize("axis", sorted(SHOWS))
def test_data_in_parts_show_what_they_show_as_a_whole(axis: str) -> None:
    parts = (Problem.of([case_from_users("data", [user])], 3) for user in (*ORDINARY, SHOWS[axis]))
    assert set(unidentified_axes(parts)) == seen(*ORDINARY, SHOWS[axis])


def test_gains_that_differ_between_parts_show_the_gain() -> None:
    parts = [Problem.of([case_from_users("data", [User((gain, 0), ())])], 1) for gain in (1, 2)]
    assert "gain" not in unidentified_axes(parts) and "gain" in unidentified_axes(parts[:1])


def test_a_truth_row_twice_shows_truth_duplicates() -> None:
    case = case_from_rows("twice", [(1, 10, 0.9), (1, 11, 0.5)], [(1, 10, 2), (1, 10, 2)])
    assert "truth_duplicates" not in unidentified_axes([Problem.of([case], 1)])


def test_equal_gains_one_relevant_item_each_and_a_deep_cut_hide_the_rest() -> None:
    found = seen(User((2, 0, 0), ()), User((0, 2, 0), ()), k=3)
    assert {"gain", "truth", "denominator:min"} <= found


def test_each_reason_names_a_probe() -> None:
    for text in unidentified_axes([Problem.of([case_from_users("data", ORDINARY)], 3)]).values():
        assert text.split("a probe that shows it: ")[1] in {probe.name for probe in PROBES}
