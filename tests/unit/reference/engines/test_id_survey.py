from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from recsys_metric_audit.reference.engines.id_survey import IdNumbers, IdSurvey
from recsys_metric_audit.reference.input.parquet_rows import ParquetRows, UnreadableRowsError


def survey(folder: Path, user: object, item: object, size: int = 2) -> IdSurvey:
    path = folder / "rows.parquet"
    parquet.write_table(pa.table({"user": user, "item": item}), path, row_group_size=4)
    return IdSurvey.of(ParquetRows.of(path), "user", "item", size)


@pytest.mark.parametrize(("user", "grouped"), [
    ([5, 5, 5, 1, 1, 9], True), ([5, 5, 5, 1, 1, 5], False), ([1], True), ([3, 2, 3], False),
])  # fmt: skip
@pytest.mark.parametrize("text", [False, True])
def test_distinct_users_and_whether_their_rows_stand_together(
    user: list[int], grouped: bool, text: bool, tmp_path: Path
) -> None:
    made = survey(tmp_path, [str(each) for each in user] if text else user, [2] * len(user))
    assert made.users.tolist() == sorted({str(each) for each in user} if text else set(user))
    assert made.items.tolist() == [2]
    assert made.grouped is grouped


def test_no_rows(tmp_path: Path) -> None:
    made = survey(tmp_path, np.empty(0, np.int32), pa.array([], pa.string()))
    assert (len(made.users), len(made.items), made.grouped) == (0, 0, True)


def test_a_missing_id_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableRowsError, match="'item' has missing ids"):
        survey(tmp_path, [1, 2, 3], [1, 2, None])


def test_numbers_of_text_and_of_numbers() -> None:
    texts = IdNumbers(np.array(["b", "c", "z"], dtype=object), np.array([10, 20, 30]))
    column = pa.array(["z", "b", "z"]).dictionary_encode()
    assert texts.of(column).tolist() == [30, 10, 30]
    assert texts.of(column[1:2]).tolist() == [10]
    assert texts.of(column[:0]).tolist() == []
    assert IdNumbers(np.array([4, 6]), np.array([1, 0])).of(pa.array([6, 4])).tolist() == [0, 1]
    assert IdNumbers(np.array([4, 6]), None).of(pa.array([6, 4])).tolist() == [6, 4]
