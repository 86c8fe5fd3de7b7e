"""Train rows of synthetic data."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from recsys_metric_audit.audit.data.synthetic import synthetic
from recsys_metric_audit.audit.data.synthetic_train import with_train_rows

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
