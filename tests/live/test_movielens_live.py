"""The default case, from the real file: fetched by hash, the same every time, with the facts it is known for."""

from __future__ import annotations

import numpy as np
import pytest

from recsys_metric_audit.audit.data import load
from recsys_metric_audit.audit.data.movielens import (
    THRESHOLD,
    USERS,
    at_least,
    by_global_time,
    by_user_time,
    ratings_file,
    read_ratings,
)

pytestmark = pytest.mark.live


@pytest.fixture(scope="module")
def ratings():
    return read_ratings(ratings_file())


def test_the_file_is_the_one_its_authors_describe(ratings):
    """100,000 ratings (1–5) from 943 users on 1682 movies (the data's own README)."""
    assert len(ratings.user) == 100_000
    assert len(np.unique(ratings.user)) == 943
    assert len(np.unique(ratings.item)) == 1682
    assert np.unique(ratings.rating).tolist() == [1, 2, 3, 4, 5]


def test_it_is_fetched_into_an_empty_cache_and_needed_no_network_again(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    path = ratings_file()
    assert path.parent == tmp_path / "recsys-metric-audit" / "data"
    assert [left.name for left in path.parent.iterdir()] == ["ml-100k.inter"]
    monkeypatch.setenv("UV_OFFLINE", "1")
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "empty"))
    assert ratings_file() == path


def test_the_default_is_the_split_with_more_users(ratings):
    liked = at_least(ratings, THRESHOLD)
    by_user, by_all = (min(USERS, len(np.unique(split(liked)[1].user))) for split in (by_user_time, by_global_time))
    assert by_user > by_all
    assert load("ml-100k").name == "ml-100k:per-user"
    assert load("ml-100k").digest == load("ml-100k:per-user").digest


@pytest.mark.parametrize("name", ["ml-100k:per-user", "ml-100k:global"])
def test_a_case_is_a_full_ranking_of_unseen_items_with_learned_truth(name, ratings):
    case = load(name).case
    train = set(zip(case.train.user.tolist(), case.train.item.tolist(), strict=True))
    rows = list(zip(case.predictions.user.tolist(), case.predictions.item.tolist(), strict=True))
    assert train.isdisjoint(rows)
    users = np.unique(case.truth.user)
    seen = sum(user in set(users.tolist()) for user, _ in train)
    assert len(set(rows)) == len(rows) == len(users) * len(case.catalogue) - seen
    truth = set(zip(case.truth.user.tolist(), case.truth.item.tolist(), strict=True))
    assert truth <= set(rows)
    assert set(case.truth.gain.tolist()) == {4.0, 5.0}


def test_the_default_case_has_users_on_whom_definitions_differ():
    """Some r above 20 (else r and min(k, r) are one), some r of 1, and no tie where a top-20 is cut."""
    data = load("ml-100k")
    r = np.unique(data.case.truth.user, return_counts=True)[1]
    assert len(r) == USERS
    assert (r > 20).sum() >= 30
    assert (r == 1).sum() >= 10
    user, score = data.case.predictions.user, data.case.predictions.score
    starts = np.flatnonzero(np.r_[True, user[1:] != user[:-1]])
    assert (score[starts + 19] > score[starts + 20]).all()


def test_it_recommends_far_better_than_chance():
    case = load("ml-100k").case
    user, item = case.predictions.user, case.predictions.item
    starts = np.flatnonzero(np.r_[True, user[1:] != user[:-1]])
    top = {(user[start], i) for start in starts for i in item[start : start + 20].tolist()}
    hits = sum(pair in top for pair in zip(case.truth.user.tolist(), case.truth.item.tolist(), strict=True))
    chance = 20 * len(case.truth.user) / len(user)
    assert hits / len(starts) > 5 * chance
