"""Every small input is there once, and a batch splits down to single users without losing one."""

from __future__ import annotations

from itertools import product
from math import comb

import pytest

from recsys_metric_audit.reference.cases import EXHAUSTIVE, split_batch, split_users
from recsys_metric_audit.reference.cases.exhaustive import LONGEST, patterns


@pytest.mark.parametrize("relevant", range(1, LONGEST + 1))
def test_patterns_are_all_lists_with_at_most_so_many_hits(relevant: int) -> None:
    """Of the 2^n lists of length n, those with up to r hits are a sum of binomial coefficients."""
    users = patterns(relevant)
    expected = sum(comb(length, hits) for length in range(1, LONGEST + 1) for hits in range(min(relevant, length) + 1))
    assert len(users) == len({user.ranked for user in users}) == expected
    assert all(sum(gain > 0 for gain in user.ranked) + len(user.missed) == relevant for user in users)


def test_a_batch_holds_every_list_with_every_number_of_relevant_items() -> None:
    lists = [hits for length in range(1, LONGEST + 1) for hits in product((False, True), repeat=length)]
    expected = {(hits, r) for hits in lists for r in range(max(sum(hits), 1), LONGEST + 1)}
    for k, probe in enumerate(EXHAUSTIVE, 1):
        found = {(tuple(gain > 0 for gain in user.ranked), _relevant(user.ranked, user.missed)) for user in probe.users}
        assert probe.k == k and found == expected and len(probe.users) == len(expected)
        sizes = [user.rows for user in probe.users]
        assert sizes == sorted(sizes), "smallest first"


def _relevant(ranked: tuple[float, ...], missed: tuple[float, ...]) -> int:
    return sum(gain > 0 for gain in ranked) + len(missed)


def test_a_batch_splits_by_relevant_items_and_then_into_users() -> None:
    whole = EXHAUSTIVE[2]
    parts = split_batch(whole)
    assert [{_relevant(user.ranked, user.missed) for user in part.users} for part in parts] == [
        {r} for r in range(1, LONGEST + 1)
    ]
    assert sum(len(part.users) for part in parts) == len(whole.users)
    single = split_batch(parts[0])
    assert [probe.users for probe in single] == [(user,) for user in parts[0].users]
    assert [probe.name for probe in single] == [probe.name for probe in split_users(parts[0])]
    assert {probe.k for probe in (*parts, *single)} == {whole.k}
