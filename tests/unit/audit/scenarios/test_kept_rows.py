"""Train items filtered and users capped, worked out by hand on lists of letters."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.scenarios.kept_rows import TrainFiltered, UsersCapped
from tests.support.scenario_cases import case, letters


def test_train_items_of_a_user_leave_the_list_and_the_other_users_keep_theirs() -> None:
    made = TrainFiltered().apply(case({1: "abc", 2: "abc"}, {1: "c", 2: "c"}, {1: "b"}), 0, with_train=True)
    assert letters(made.case.predictions) == {1: "ac", 2: "abc"}
    assert made.case.predictions.score.tolist() == [3.0, 1.0, 3.0, 2.0, 1.0]
    assert made.notes == ("1 of 6 predicted rows are train items of their users.",)


def test_lists_that_were_filtered_stay_and_lists_of_train_items_alone_are_refused() -> None:
    of = case({1: "abc"}, {1: "c"}, {1: "z"})
    made = TrainFiltered().apply(of, 0, with_train=True)
    assert made.case is of and "filtered already" in made.notes[0]
    with pytest.raises(UserError, match="every predicted row is a train item"):
        TrainFiltered().apply(case({1: "ab"}, {1: "c"}, {1: "ab"}), 0, with_train=True)


def test_some_users_stay_with_their_lists_and_the_train_data_stay_whole() -> None:
    everybody = dict.fromkeys(range(10), "ab")
    of = case({**everybody, 77: "ab"}, everybody, {3: "z"})
    made = UsersCapped(4).apply(of, 1, with_train=True).case
    kept = np.unique(made.truth.user)
    assert len(kept) == 4
    assert letters(made.truth) == letters(made.predictions) == dict.fromkeys(kept.tolist(), "ab")
    assert made.train is of.train
    drawn = Counter(
        user for seed in range(400) for user in letters(UsersCapped(4).apply(of, seed, with_train=True).case.truth)
    )
    # binomial of 400 and 4/10: five standard deviations are 49
    assert drawn == {user: pytest.approx(160, abs=49) for user in range(10)}


def test_more_users_than_there_are_cannot_be_kept() -> None:
    of = case({1: "ab", 2: "ab", 3: "ab"}, {1: "a", 2: "a"})
    assert letters(UsersCapped(2).apply(of, 1, with_train=False).case.predictions) == {1: "ab", 2: "ab"}
    with pytest.raises(UserError, match="only 2 users have held-out items"):
        UsersCapped(3).apply(of, 1, with_train=False)
