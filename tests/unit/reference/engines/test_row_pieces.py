"""Hold packing and unpacking to the rows that went in: all of them, whole users, in order."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from recsys_metric_audit.reference.engines.row_pieces import PREDICTIONS, TRUTH, pack, unpack

KEYS = np.array([70, 80, 90], dtype=np.int64)


def batch(users: list[object], first: int, kind: pa.DataType | None = None) -> pa.RecordBatch:
    """Return a batch whose items are the numbers of its rows."""
    items = list(range(first, first + len(users)))
    return pa.record_batch({"user": pa.array(users, kind), "item": items, "number": [float(item) for item in items]})


def by_key(*packed: pa.RecordBatch) -> dict[int, list[pa.RecordBatch]]:
    pieces = [made.slice(place, 1) for made in packed for place in range(made.num_rows)]
    return {key: [each for each in pieces if each.column("key")[0].as_py() == key] for key in map(int, KEYS)}


@pytest.mark.parametrize("text", [False, True])
def test_a_bucket_has_all_rows_of_its_users_in_their_order(text: bool) -> None:
    rng = np.random.default_rng(1)
    drawn = rng.integers(-20, 20, 300)
    users = [f"u{user}" if text else int(user) for user in drawn]
    parts = [list(pack([batch(users[at : at + 25], at) for at in (start, start + 25)], PREDICTIONS, number, KEYS, 30))
             for number, start in enumerate(range(0, 300, 50))]  # fmt: skip
    seen: list[object] = []
    for pieces in by_key(*(piece for part in reversed(parts) for piece in part)).values():
        rows = unpack(pieces)[PREDICTIONS].to_pydict()
        assert rows["item"] == [at for at in range(300) if users[at] in set(rows["user"])]
        assert rows["user"] == [users[at] for at in rows["item"]]
        assert rows["number"] == [float(at) for at in rows["item"]]
        seen += rows["item"]
    assert sorted(seen) == list(range(300))


def test_one_user_has_one_bucket_whatever_the_width_of_its_number() -> None:
    users = [-7, 0, 3, 12, 99]
    narrow, wide = (next(pack([batch(users, 0, kind)], TRUTH, 0, KEYS)) for kind in (pa.int8(), pa.int64()))
    for key, pieces in by_key(narrow).items():
        same = by_key(wide)[key]
        assert [unpack([each])[TRUTH]["user"].to_pylist() for each in pieces] == [
            unpack([each])[TRUTH]["user"].to_pylist() for each in same
        ]


def test_missing_users_are_kept_for_who_refuses_them() -> None:
    (made,) = pack([batch([None, 1], 0)], TRUTH, 0, KEYS)
    rows = [row for pieces in by_key(made).values() if pieces for row in unpack(pieces)[TRUTH]["user"].to_pylist()]
    assert sorted(rows, key=str) == [1, None]


def test_no_rows_make_no_piece() -> None:
    assert list(pack([], TRUTH, 0, KEYS)) == []
    assert list(pack([batch([], 0, pa.int64())], TRUTH, 0, KEYS)) == []
    assert unpack([]) == {}
