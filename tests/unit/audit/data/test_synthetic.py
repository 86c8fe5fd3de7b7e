"""Synthetic data: the requested shape, legal rows, equal data for equal seeds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from recsys_metric_audit.audit.data import NAMES, load
from recsys_metric_audit.audit.data.dataset import by_user_best_first, first_repeated_pair
from recsys_metric_audit.audit.data.synthetic import PAPER, synthetic, with_train_rows
from recsys_metric_audit.audit.errors import UserError

# Synthetic data: the requested shape, legal rows, equal data for equal seeds.


@pytest.fixture(scope="module")
def data():
    return synthetic(120, 300)


def test_every_user_ranks_every_item_once_best_first(data):
    rows = data.case.predictions
    assert data.shape.rows == 120 * 300
    assert by_user_best_first(rows.user, rows.score) is None
    assert first_repeated_pair(rows.user, rows.item) is None
    assert np.unique(rows.user).tolist() == list(range(1, 121))
    assert data.case.catalogue.tolist() == list(range(1, 301))


def test_truth_is_legal(data):
    truth = data.case.truth
    assert first_repeated_pair(truth.user, truth.item) is None
    assert set(truth.item.tolist()) <= set(range(1, 301))
    assert set(truth.gain.tolist()) == {4.5, 5.0}
    assert len(np.unique(truth.user)) == 120
    assert data.shape.pairs == round(120 * 38811 / 2733) == len(truth.user)


def test_relevant_items_score_higher_than_chance(data):
    position = {}
    rows = data.case.predictions
    for place, pair in enumerate(zip(rows.user.tolist(), rows.item.tolist(), strict=True)):
        position[pair] = place % 300
    truth = data.case.truth
    mean = np.mean([position[pair] for pair in zip(truth.user.tolist(), truth.item.tolist(), strict=True)])
    assert mean < 0.42 * 300  # 0.5 would be chance


def test_paper_shape_without_ranking_it_all():
    """The paper's users and pairs over fewer items: how r is spread does not hang on the number of items."""
    assert PAPER == (2733, 7811)
    r = np.unique(synthetic(2733, 400).case.truth.user, return_counts=True)[1]
    assert r.sum() == 38811
    assert len(r) == 2733
    assert 7 <= np.median(r) <= 9
    assert 100 < r.max() < 400
    assert 400 < (r > 20).sum() < 700


def test_the_same_seed_gives_the_same_data_and_another_seed_other_data(data):
    assert synthetic(120, 300).digest == data.digest
    assert synthetic(120, 300, seed=1).digest != data.digest


@pytest.mark.parametrize(("users", "items", "pairs"), [(1, 2, 1), (5, 3, 5), (5, 3, 10), (3, 50, 147)])
def test_extreme_shapes_keep_every_user_between_one_and_all_but_one(users, items, pairs):
    r = np.unique(synthetic(users, items, pairs=pairs).case.truth.user, return_counts=True)[1]
    assert r.sum() == pairs
    assert len(r) == users
    assert r.max() <= items - 1


# Train rows of synthetic data.


SMALL = synthetic(40, 90).case


def pairs(part: object) -> set[tuple[int, int]]:
    return set(zip(part.user.tolist(), part.item.tolist(), strict=True))  # type: ignore[attr-defined]


def test_each_user_has_a_tenth_of_the_items_and_is_shown_none_of_them() -> None:
    made = with_train_rows(SMALL)
    assert np.unique(made.train.user, return_counts=True)[1].min() == 9
    assert 40 * 9 <= len(pairs(made.train)) == len(made.train.user) < 40 * 12
    assert pairs(made.predictions) == pairs(SMALL.predictions) - pairs(made.train)
    assert not pairs(made.train) & pairs(SMALL.truth)
    assert made.truth is SMALL.truth and made.catalogue is SMALL.catalogue


def test_some_items_are_had_by_many_and_each_by_somebody() -> None:
    counts = np.bincount(with_train_rows(SMALL).train.item, minlength=91)[1:]
    assert counts.max() > 10 and counts.min() == 1


def test_it_is_the_same_each_time_and_changes_no_other_data() -> None:
    first, second = with_train_rows(SMALL), with_train_rows(SMALL)
    assert pairs(first.train) == pairs(second.train)
    own = replace(SMALL, name="predictions.csv")
    assert with_train_rows(own) is own
    assert with_train_rows(first) is first, "what has train rows keeps them"


# Datasets are loaded by name; an unknown name or size is refused.


def test_load_knows_sizes():
    assert load("synthetic:7x20").shape.rows == 140
    assert load("synthetic").shape.rows == 200 * 500
    assert load("synthetic:7x20").name == "synthetic:7x20"


@pytest.mark.parametrize("name", ["synthetic:7", "synthetic:0x5", "synthetic:5x1", "synthetic:axb", "synthetic:-3x4"])
def test_a_size_that_is_none_is_refused(name):
    with pytest.raises(UserError, match="is no size") as refused:
        load(name)
    assert "synthetic:200x500" in refused.value.hint


@pytest.mark.parametrize(
    ("name", "meant"), [("ml-100K", "ml-100k"), ("ml100k", "ml-100k"), ("ml-100k:globl", "ml-100k:global")]
)
def test_an_unknown_dataset_is_refused_with_the_nearest_and_the_list(name, meant):
    with pytest.raises(UserError, match="no dataset called") as refused:
        load(name)
    assert f"Did you mean {meant}?" in refused.value.hint
    assert all(known in refused.value.hint for known in NAMES)
