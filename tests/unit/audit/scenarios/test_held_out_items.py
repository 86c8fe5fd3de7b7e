"""Leave-one-out and relevance thresholds, worked out by hand on lists of letters."""

from __future__ import annotations

from collections import Counter

import pytest

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.scenarios.held_out_items import LeaveOneOut, RelevanceThreshold
from tests.support.scenario_cases import case, letters


def test_one_relevant_item_stays_and_the_others_count_as_seen() -> None:
    of = case({1: "abcd", 2: "dcba"}, {1: "ac", 2: "b"}, {1: "z"})
    for seed in range(10):
        made = LeaveOneOut().apply(of, seed, with_train=True).case
        kept = letters(made.truth)[1]
        other = {"a": "c", "c": "a"}[kept]
        assert letters(made.truth) == {1: kept, 2: "b"}
        assert letters(made.predictions) == {1: "abcd".replace(other, ""), 2: "dcba"}
        assert letters(made.train) == {1: f"z{other}"}


def test_each_relevant_item_is_drawn_equally_often() -> None:
    users = range(2000)
    of = case(dict.fromkeys(users, "abcd"), dict.fromkeys(users, "abcd"))
    made = LeaveOneOut().apply(of, 1, with_train=False).case
    # binomial of 2,000 and 1/4: five standard deviations are 97
    assert Counter("".join(letters(made.truth).values())) == {item: pytest.approx(500, abs=97) for item in "abcd"}


def test_the_gain_of_the_item_that_stays_stays_with_it() -> None:
    of = case({1: "abcd"}, {1: "abcd"}, gains=[1.0, 2.0, 3.0, 4.0])
    drawn = [LeaveOneOut().apply(of, seed, with_train=False).case for seed in range(8)]
    assert [made.truth.gain.tolist() for made in drawn] == [[made.truth.item[0] + 1.0] for made in drawn]
    assert len({letters(made.truth)[1] for made in drawn}) > 1


def test_where_every_user_has_one_relevant_item_nothing_changes() -> None:
    of = case({1: "ab"}, {1: "a"})
    made = LeaveOneOut().apply(of, 1, with_train=False)
    assert made.case is of and made.notes == ("Every user has one relevant item already.",)


def test_items_below_the_threshold_are_candidates_like_any_other() -> None:
    of = case({1: "abc", 2: "abc"}, {1: "abc", 2: "a"}, gains=[5.0, 4.0, 3.0, 3.5])
    made = RelevanceThreshold(4).apply(of, 0, with_train=False).case
    assert letters(made.truth) == {1: "ab"}
    assert (made.truth.gain.tolist(), made.threshold) == ([5.0, 4.0], 4)
    assert made.predictions is of.predictions


def test_a_threshold_above_all_gains_is_refused_and_one_below_all_changes_no_row() -> None:
    of = case({1: "ab"}, {1: "ab"}, gains=[2.0, 3.0])
    with pytest.raises(UserError, match=r"no held-out item has a gain of 3\.5 or more"):
        RelevanceThreshold(3.5).apply(of, 0, with_train=False)
    made = RelevanceThreshold(2).apply(of, 0, with_train=False)
    assert made.case.truth is of.truth and made.case.threshold == 2
    assert made.notes == ("No held-out item has a lower gain.",)
