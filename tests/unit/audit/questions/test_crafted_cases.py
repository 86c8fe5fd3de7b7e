"""Crafted cases show the one thing that they are built for."""

from __future__ import annotations

from collections import Counter

import pytest

from recsys_metric_audit.audit.questions import crafted_cases as crafted
from recsys_metric_audit.reference.cases import Probe

Rows = dict[int, list[tuple[int, float]]]


def tables(probe: Probe) -> tuple[Rows, Rows]:
    """Recommended (item, score) and relevant (item, gain), by user."""
    made: list[Rows] = []
    for table, value in (
        (probe.case.predictions, probe.case.predictions.score),
        (probe.case.truth, probe.case.truth.gain),
    ):
        rows: Rows = {}
        for user, item, number in zip(table.user.tolist(), table.item.tolist(), value.tolist(), strict=True):
            rows.setdefault(user, []).append((item, number))
        made.append(rows)
    return made[0], made[1]


@pytest.mark.parametrize("what", crafted.TIED_NAMES)
@pytest.mark.parametrize("number", range(6))
def test_items_with_names_of_unequal_length_tie_across_the_cut(what: str, number: int) -> None:
    probe = crafted.tied_names_case(number, what)
    for rows in tables(probe)[0].values():
        (tie,) = (score for score, count in Counter(score for _, score in rows).items() if count == 3)
        tied = [item for item, score in rows if score == tie]
        above = sum(score > tie for _, score in rows)
        assert above < probe.k < above + len(tied)


@pytest.mark.parametrize("number", range(6))
def test_copies_of_the_relevant_item_tie(number: int) -> None:
    rows, truth = tables(crafted.tied_copies_case(number))
    for user, own in rows.items():
        relevant = truth[user][0][0]
        scores = [score for item, score in own if item == relevant]
        assert len(scores) == 2 and scores[0] == scores[1]


@pytest.mark.parametrize("rated", [False, True])
@pytest.mark.parametrize("number", range(6))
def test_a_miss_stands_twice_above_the_hit(number: int, rated: bool) -> None:
    rows, truth = tables(crafted.repeated_miss_case(number, rated=rated))
    for user, own in rows.items():
        relevant = next(item for item, gain in truth[user] if gain == 4.0)
        items = [item for item, _ in own]
        assert max(Counter(items[: items.index(relevant)]).values()) == 2
        assert (len(truth[user]) > 1) is rated


@pytest.mark.parametrize("number", range(3))
def test_a_hit_has_a_gain_below_zero_beside_an_unusual_user(number: int) -> None:
    rows, truth = tables(crafted.negative_gain_case(number))
    assert dict(truth[1])[rows[1][0][0]] == -1.0
    third = (bool(rows.get(3)), bool(truth.get(3)))
    assert (
        third
        == {"no list": (False, True), "no truth": (True, False), "no hit": (True, True)}[
            crafted.STATE_BESIDE_NEGATIVE_GAIN[number]
        ]
    )


@pytest.mark.parametrize("number", range(len(crafted.WORTHLESS_GAINS)))
def test_what_is_worth_nothing_belongs_to_a_user_without_a_list(number: int) -> None:
    probe = crafted.worthless_case(number, listed=False)
    rows, truth = tables(probe)
    assert 2 not in rows and all(gain < probe.case.threshold for _, gain in truth[2])


@pytest.mark.parametrize("number", range(len(crafted.WORTHLESS_GAINS)))
def test_the_only_hit_is_worth_nothing_but_another_relevant_item_is(number: int) -> None:
    probe = crafted.worthless_case(number, listed=True)
    rows, truth = tables(probe)
    hits = {item for item, _ in rows[2]} & dict(truth[2]).keys()
    assert [dict(truth[2])[item] for item in hits] == [crafted.WORTHLESS_GAINS[number]]
    assert max(gain for _, gain in truth[2]) > probe.case.threshold


@pytest.mark.parametrize("listed", [False, True])
def test_all_items_that_exist_are_relevant_to_one_user(listed: bool) -> None:
    probe = crafted.all_relevant_case(listed=listed)
    rows, truth = tables(probe)
    assert {item for item, _ in truth[2]} == set(probe.case.catalogue.tolist())
    assert (2 in rows) is listed and not len(probe.case.train.user)


@pytest.mark.parametrize("number", range(6))
def test_the_only_relevant_item_is_listed_twice(number: int) -> None:
    rows, truth = tables(crafted.repeated_hit_case(number))
    for user, own in rows.items():
        ((relevant, _),) = truth[user]
        assert [item for item, _ in own].count(relevant) == 2


@pytest.mark.parametrize("number", range(4))
def test_long_lists_have_more_than_ten_items(number: int) -> None:
    for all_relevant in (False, True):
        rows, truth = tables(crafted.long_lists_case(number, all_relevant=all_relevant))
        assert all(len(own) > 10 for own in rows.values())
        assert all((len(truth[user]) == len(own)) is all_relevant for user, own in rows.items())


@pytest.mark.parametrize("unsorted", [False, True])
@pytest.mark.parametrize("number", range(2))
def test_ranks_nine_to_twelve_of_long_lists_tie(number: int, unsorted: bool) -> None:
    rows, truth = tables(crafted.long_tied_lists_case(number, unsorted=unsorted))
    for user, own in rows.items():
        best = sorted(own, key=lambda row: -row[1])
        assert len({score for _, score in best[8:12]}) == 1 and best[7][1] > best[8][1] > best[12][1]
        assert truth[user][0][0] in [item for item, _ in best[8:12]]
    sorted_rows = [own == sorted(own, key=lambda row: -row[1]) for own in rows.values()]
    assert all(sorted_rows) is not unsorted


def test_gains_of_1() -> None:
    probe = crafted.with_gains_of_1(crafted.repeated_hit_case(0))
    assert set(probe.case.truth.gain.tolist()) == {1.0} and probe.case.threshold == 1.0
    assert probe.name == "separating case 1: a hit once more, gains of 1"
