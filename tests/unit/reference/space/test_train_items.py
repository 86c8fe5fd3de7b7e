"""Who has both items of a pair."""

from __future__ import annotations

import random
from itertools import product

import numpy as np
import pytest

from recsys_metric_audit.reference.space import train_items
from recsys_metric_audit.reference.space.train_items import TrainItems, spans


def holding(owners: list[list[int]]) -> TrainItems:
    """Return train items whose owners are given; nothing else of them is read here."""
    start = np.cumsum([0, *map(len, owners)])
    none = np.zeros(0, dtype=np.int64)
    return TrainItems(start, np.array([each for own in owners for each in own], np.int64), *[none] * 7)


def test_common_owners_are_counted_whatever_the_order_of_a_pair() -> None:
    train = holding([[0, 1, 4], [1, 4, 7], [], [2]])
    first, second = np.array([0, 1, 0, 2, 3, -1, 1]), np.array([1, 0, 0, 1, 1, 0, -1])
    assert train.common(first, second).tolist() == [2, 2, 3, 0, 0, 0, 0]
    assert train.users(np.array([0, 2, 3, -1])).tolist() == [3, 0, 1, 0]


def test_without_pairs_or_owners_nothing_is_counted() -> None:
    none = np.zeros(0, dtype=np.int64)
    assert holding([[0]]).common(none, none).tolist() == []
    assert holding([[], []]).common(np.array([0]), np.array([1])).tolist() == [0]


@pytest.mark.parametrize("at_once", [1, 7, 10**6])
def test_blocks_of_any_size_count_what_sets_count(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(train_items, "_AT_ONCE", at_once)
    rng = random.Random(5)
    owners = [sorted(rng.sample(range(12), rng.randint(0, 9))) for _ in range(15)]
    first, second = (np.array(column) for column in zip(*product(range(15), repeat=2), strict=True))
    expected = [len(set(owners[one]) & set(owners[other])) for one, other in product(range(15), repeat=2)]
    assert holding(owners).common(first, second).tolist() == expected


def test_spans_stand_one_after_the_other() -> None:
    assert spans(np.array([3, 9, 0]), np.array([2, 0, 3])).tolist() == [3, 4, 0, 1, 2]
    assert spans(np.zeros(0, np.int64), np.zeros(0, np.int64)).tolist() == []
