"""Held-out cases: the same in every run, enough users, and everything unusual in them."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from recsys_metric_audit.audit.data.dataset import input_digest
from recsys_metric_audit.audit.refutation.draft import draft_of
from recsys_metric_audit.audit.refutation.held_out_cases import CASES, RARE, held_out_case
from recsys_metric_audit.audit.refutation.unusual_features import FEATURES, Setting, features_of

SERIES = [held_out_case(0, number) for number in range(CASES)]


def test_there_are_more_than_a_thousand_users() -> None:
    assert sum(len(draft.users) for draft in SERIES) > 1000


@cache
def features_of_cases() -> list[frozenset[str]]:
    return [features_of(draft, Setting()) for draft in SERIES]


@pytest.mark.parametrize("feature", [name for name, feature in FEATURES.items() if feature.told])
def test_what_no_definition_says_anything_of_is_in_rare_cases_alone(feature: str) -> None:
    rare = [features_of(held_out_case(0, CASES + number), Setting()) for number in range(RARE)]
    assert sum(feature in features for features in rare) in (1, 2)  # a pair alone is of a user alone
    assert not any(feature in features for features in features_of_cases())


@pytest.mark.parametrize("feature", [name for name, feature in FEATURES.items() if not feature.told])
def test_every_feature_is_in_most_cases(feature: str) -> None:
    having = [feature in features for features in features_of_cases()]
    assert sum(having) >= CASES / 2, f"{feature} is in {sum(having)} cases"


def test_runs_of_20_to_60_equal_scores_occur_in_every_case() -> None:
    for draft in SERIES:
        runs = [max(Counter(score for _, score in user.rows).values()) for user in draft.users if user.rows]
        assert any(20 <= run <= 60 for run in runs)


def test_thresholds_lie_between_gains_and_on_some() -> None:
    on = [any(gain == draft.threshold for user in draft.users for _, gain in user.truth) for draft in SERIES]
    assert any(on)
    assert not all(on)


def test_some_gains_are_below_1_and_some_scores_below_0() -> None:
    assert any(0 < gain < 1 for draft in SERIES for user in draft.users for _, gain in user.truth)
    assert any(score < 0 for draft in SERIES for user in draft.users for _, score in user.rows)


def test_another_series_draws_other_cases() -> None:
    first, second = (held_out_case(series, 3).probe("one") for series in (0, 1))
    assert input_digest(first.case) != input_digest(second.case)


def test_drawing_again_gives_the_same_case() -> None:
    again = held_out_case.__wrapped__(0, 5)
    assert input_digest(again.probe("one").case) == input_digest(SERIES[5].probe("other").case)


def test_a_cutoff_replaces_that_of_the_case() -> None:
    assert held_out_case(0, 2, 7).k == 7


def test_a_draft_survives_the_way_to_a_case_and_back() -> None:
    draft = SERIES[4]
    again = draft_of(draft.probe("one"))
    assert (again.users, again.threshold, again.k) == (draft.users, draft.threshold, draft.k)
