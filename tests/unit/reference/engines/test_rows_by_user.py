from __future__ import annotations

import numpy as np

from recsys_metric_audit.reference.engines.rows_by_user import RowsByUser


def test_rows_of_users_keep_their_order() -> None:
    rows = RowsByUser.of(np.array([7, 2, 7, 4]), np.array([10, 11, 12, 13]))
    user, item = rows.take(np.array([1, 2, 7, 8]))
    assert (user.tolist(), item.tolist()) == ([2, 7, 7], [11, 10, 12])
    assert [users.tolist() for users in rows.unasked(5)] == [[4]]


def test_users_left_over_come_some_at_a_time() -> None:
    rows = RowsByUser.of(np.array([1, 2, 2, 3]))
    assert [users.tolist() for users in rows.unasked(2)] == [[1, 2], [3]]


def test_no_rows() -> None:
    rows = RowsByUser.of(np.empty(0, dtype=np.int64), np.empty(0))
    assert [column.tolist() for column in rows.take(np.array([1]))] == [[], []]
    assert list(rows.unasked(2)) == []
