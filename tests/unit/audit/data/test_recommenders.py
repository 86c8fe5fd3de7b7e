"""The recommenders, against the properties that define them."""

from __future__ import annotations

import numpy as np
import pytest

from recsys_metric_audit.audit.data import recommenders
from recsys_metric_audit.audit.data.movielens20m import L2
from recsys_metric_audit.audit.data.recommenders import RECOMMENDERS, ease, full_ranking, itemknn, popular
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.reference.input.case import Train

# The recommenders, against the properties that define them.


@pytest.fixture
def seen():
    return (np.random.default_rng(3).random((40, 9)) < 0.4).astype(float)


@pytest.mark.parametrize("l2", [0.5, 100.0])
def test_ease_is_the_ridge_regression_of_each_item_on_all_others(seen, l2):
    """Column j of B minimises ‖x_j − X b‖² + l2‖b‖² with b_j = 0: solve that by itself for each j."""
    expected = np.empty_like(seen)
    for j in range(seen.shape[1]):
        others = np.delete(np.arange(seen.shape[1]), j)
        stacked = np.vstack([seen[:, others], np.sqrt(l2) * np.eye(len(others))])
        target = np.r_[seen[:, j], np.zeros(len(others))]
        weights = np.linalg.lstsq(stacked, target, rcond=None)[0]
        expected[:, j] = seen[:, others] @ weights
    np.testing.assert_allclose(ease(seen, l2), expected, rtol=0, atol=1e-12)


def test_ease_by_hand():
    # XᵀX + I = [[3, 1], [1, 2]], P = [[2, −1], [−1, 3]] / 5, B = [[0, 1/3], [1/2, 0]]
    seen = np.array([[1.0, 1.0], [1.0, 0.0]])
    np.testing.assert_allclose(ease(seen, 1.0), [[1 / 2, 1 / 3], [0, 1 / 3]], atol=1e-15)


def test_itemknn_by_hand():
    # cosines: (0, 1) = 1/√2, (0, 2) = 0, (1, 2) = 1/√2; one neighbour each, the lower id of a tie
    seen = np.array([[1.0, 1.0, 0.0], [0.0, 1.0, 1.0]])
    root = 1 / np.sqrt(2)
    np.testing.assert_allclose(itemknn(seen, 1), [[root, root, root], [root, 0, root]], atol=1e-15)


def test_itemknn_with_all_neighbours_is_the_plain_cosine(seen):
    expected = np.zeros_like(seen)
    for j in range(seen.shape[1]):
        for i in range(seen.shape[1]):
            if i != j:
                cosine = seen[:, i] @ seen[:, j] / np.sqrt(seen[:, i].sum() * seen[:, j].sum())
                expected[:, j] += seen[:, i] * cosine
    np.testing.assert_allclose(itemknn(seen, 100), expected, atol=1e-12)


def test_popular_counts_users():
    assert popular(np.array([[1.0, 0.0], [1.0, 1.0]])).tolist() == [[2.0, 1.0], [2.0, 1.0]]


TRAIN = Train(np.array([10, 10, 20, 30, 30]), np.array([7, 5, 7, 3, 9]))


@pytest.mark.parametrize("name", RECOMMENDERS)
def test_a_full_ranking_has_every_unseen_item_once_best_first(name):
    got = full_ranking(TRAIN, np.array([30, 10]), name)
    assert got.user.tolist() == [10, 10, 30, 30]
    assert sorted(got.item[:2].tolist()) == [3, 9]
    assert sorted(got.item[2:].tolist()) == [5, 7]
    assert got.score[0] >= got.score[1]
    assert got.score[2] >= got.score[3]


def test_a_full_ranking_is_by_score_and_then_by_item_id():
    got = full_ranking(TRAIN, np.array([10, 20]), "popular")
    assert list(zip(got.user.tolist(), got.item.tolist(), got.score.tolist(), strict=True)) == [
        (10, 3, 1.0),
        (10, 9, 1.0),
        (20, 3, 1.0),
        (20, 5, 1.0),
        (20, 9, 1.0),
    ]


def test_train_items_are_ranked_as_well_where_that_is_wanted():
    got = full_ranking(TRAIN, np.array([10]), "popular", with_train_items=True)
    assert list(zip(got.item.tolist(), got.score.tolist(), strict=True)) == [(7, 2.0), (3, 1.0), (5, 1.0), (9, 1.0)]


def test_a_user_without_train_data_gets_every_item():
    got = full_ranking(TRAIN, np.array([15]), "popular")
    assert got.user.tolist() == [15] * 4
    assert got.item.tolist() == [7, 3, 5, 9]
    assert got.score.tolist() == [2.0, 1.0, 1.0, 1.0]


def test_items_with_the_same_users_tie_exactly():
    """In exact arithmetic they do; rounding takes the noise of the inverse away."""
    rng = np.random.default_rng(0)
    seen = rng.random((60, 20)) < 0.3
    seen[:, 19] = seen[:, 4]
    users, items = np.nonzero(seen)
    got = full_ranking(Train(users, items), np.arange(60), "ease")
    score = {(u, i): s for u, i, s in zip(got.user, got.item, got.score, strict=True)}
    unseen = [u for u in range(60) if not seen[u, 4]]
    assert len(unseen) > 30
    assert all(score[u, 4] == score[u, 19] for u in unseen)
    learned = [u for u in unseen if seen[u].sum() > 2]
    distinct = [len({score[u, i] for i in range(20) if (u, i) in score}) for u in learned]
    assert distinct == [int((~seen[u]).sum()) - 1 for u in learned]  # and no other items tie


def test_an_unknown_recommender_is_refused_with_the_list():
    with pytest.raises(UserError, match="'magic'") as refused:
        full_ranking(TRAIN, np.array([10]), "magic")
    assert "ease, itemknn, popular, random" in refused.value.hint


# EASE in blocks ranks as EASE on the whole matrix.


def test_blocks_give_what_all_users_at_once_give(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = np.random.default_rng(3)
    seen = (draw.random((40, 15)) < 0.3).astype(float)
    seen[:, 0], seen[0] = 1.0, 0.0
    seen[0, :2] = 1.0
    users, items = np.nonzero(seen)
    monkeypatch.setattr(recommenders, "BLOCK", 7)
    found = recommenders.rank_in_blocks(Train(users * 3, items + 100), np.array([0, 9, 60, 117]), L2)
    scores = ease(seen, L2)
    expected = [
        (user * 3, item + 100, scores[user, item])
        for user in (0, 3, 20, 39)
        for item in sorted(np.flatnonzero(seen[user] == 0), key=lambda i: (-round(scores[user, i], 9), i))
    ]
    assert list(zip(found.user, found.item, strict=True)) == [row[:2] for row in expected]
    assert found.score == pytest.approx([row[2] for row in expected], abs=1e-9)
