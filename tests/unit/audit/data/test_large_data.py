"""Large data: where they begin, and the users of a sample with all that is theirs."""

from __future__ import annotations

import numpy as np
import pytest

from recsys_metric_audit.audit.data import large_data
from recsys_metric_audit.audit.data.large_data import is_large, sample_users
from recsys_metric_audit.reference.input.case import Case, Predictions, Train, Truth


def case(lengths: dict[int, int]) -> Case:
    """Return a case in which user u has so many rows, two relevant items, and one item of train data."""
    user = np.repeat(list(lengths), list(lengths.values()))
    item = np.concatenate([np.arange(length) for length in lengths.values()])
    users = np.array(list(lengths))
    return Case(
        "data", Predictions(user, item, -item.astype(float)),
        Truth(np.repeat(users, 2), np.tile([1, 99], len(users)), np.arange(2.0 * len(users))),
        Train(users, users + 200), np.arange(300),
    )  # fmt: skip


def sample_of(whole: Case, users: int = 2000, rows: int = 1_000_000) -> Case:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(large_data, "SAMPLE_USERS", users)
        patch.setattr(large_data, "SAMPLE_ROWS", rows)
        sample_users.cache_clear()
        return sample_users(whole)


def rows_of(table: Predictions | Truth | Train) -> list[tuple[float, ...]]:
    return list(zip(*(column.tolist() for column in vars(table).values()), strict=True))


def test_large_is_more_than_a_number_of_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large_data, "LARGE", 4)
    assert [is_large(case({1: rows})) for rows in (4, 5)] == [False, True]


def test_a_sample_has_all_rows_of_its_users_in_their_order_and_the_whole_catalogue() -> None:
    whole = case({7: 3, 2: 1, 9: 4, 4: 2, 1: 5})
    part = sample_of(whole, users=3)
    chosen = set(part.truth.user.tolist())
    assert len(chosen) == 3
    for table, of in ((part.predictions, whole.predictions), (part.truth, whole.truth), (part.train, whole.train)):
        rows, every = (
            list(zip(*(column.tolist() for column in vars(each).values()), strict=True)) for each in (table, of)
        )
        assert rows == [row for row in every if row[0] in chosen]
    assert part.catalogue is whole.catalogue
    assert part.why == "3 of 5 users, drawn with the seed 1"


def test_users_are_drawn_until_their_rows_are_too_many_and_one_is_in_any_case() -> None:
    even = case(dict.fromkeys(range(10), 4))
    assert len(set(sample_of(even, rows=13).truth.user.tolist())) == 3  # 4 + 4 + 4 rows; four users have 16
    assert len(set(sample_of(even, rows=1).truth.user.tolist())) == 1


def test_users_without_a_list_can_be_drawn_and_each_user_is_as_likely_as_another() -> None:
    listed = dict.fromkeys(range(0, 1000, 2), 1)
    whole = case(listed)
    unlisted = Truth(np.arange(1000), np.zeros(1000, dtype=np.int64), np.ones(1000))
    drawn = sample_of(Case("data", whole.predictions, unlisted), users=200).truth.user
    assert len(drawn) == 200
    # Hypergeometric with mean 100 and standard deviation 6.3; ranks of the drawn users are uniform likewise.
    assert 75 < int((drawn % 2).sum()) < 125
    assert 425 < drawn.mean() < 575


def test_rows_of_users_that_stand_apart_are_all_taken() -> None:
    user = np.array([3, 5, 3, 5, 3])
    apart = Case("data", Predictions(user, np.arange(5), np.zeros(5)), Truth(np.array([3]), np.array([0]), np.ones(1)))
    (chosen,) = set(sample_of(apart, users=1).predictions.user.tolist())
    assert sample_of(apart, users=1).predictions.item.tolist() == np.flatnonzero(user == chosen).tolist()
