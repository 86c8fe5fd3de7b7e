"""Joining placements of disjoint users."""

from __future__ import annotations

from recsys_metric_audit.reference.placement.place import place
from recsys_metric_audit.reference.placement.placement import Placement
from tests.support.generated_inputs import make


def test_join_keeps_users_apart() -> None:
    one, two = make([(1, 1, 1)], [(1, 1, 1)]), make([(1, 2, 1), (1, 1, 0)], [(1, 1, 1), (3, 1, 1)])
    joined = Placement.join([place(one), place(two)])
    assert joined.users.tolist() == [1, 1, 3]
    assert joined.case.tolist() == [0, 1, 1]
    assert joined.user.tolist() == [0, 1, 2]
    assert joined.above.tolist() == [0, 1, -1]
    assert joined.cases == 2
