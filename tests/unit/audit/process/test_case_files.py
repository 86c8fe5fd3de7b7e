"""Write equal columns of cases once, wherever the cases are kept."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from recsys_metric_audit.audit.process import case_files
from recsys_metric_audit.audit.process.case_files import CASES, FILES, CaseWriter, keep_in_memory
from tests.support.control_samples import CASE, ids

OTHER = replace(CASE, predictions=replace(CASE.predictions, score=np.array([0.75, 0.5, 0.125])))


def content(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def written(folder: Path, name: str, case: object = CASE) -> dict[str, bytes]:
    CaseWriter(folder).write(name, case)  # type: ignore[arg-type]
    return content(folder / name)


def test_equal_columns_of_two_cases_are_one_file_and_others_are_not(tmp_path: Path) -> None:
    writer = CaseWriter(tmp_path)
    writer.write("one", CASE)
    writer.write("other", OTHER)
    one, other = tmp_path / "one", tmp_path / "other"
    assert {file.name for file in one.iterdir()} == set(FILES) == {file.name for file in other.iterdir()}
    shared = {name for name in FILES if (one / name).samefile(other / name)}
    assert shared == set(FILES) - {"recommended_score.npy", "case.json"}
    assert np.load(other / "recommended_score.npy").tolist() == [0.75, 0.5, 0.125]
    assert np.load(other / "recommended_item.npy").tolist() == [10, 11, 10]


def test_columns_of_equal_bytes_and_another_type_are_two_files(tmp_path: Path) -> None:
    zeros = replace(CASE, predictions=replace(CASE.predictions, item=ids(0, 0, 0), score=np.zeros(3)))
    CaseWriter(tmp_path).write("zeros", zeros)
    item, score = (np.load(tmp_path / "zeros" / f"recommended_{name}.npy") for name in ("item", "score"))
    assert (item.dtype, score.dtype) == (np.int64, np.float64)


def test_a_file_system_without_further_names_holds_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    linked = written(tmp_path / "linked", "tiny")

    def refuse(self: Path, target: Path) -> None:
        raise PermissionError(1, "Operation not permitted", str(self))

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    assert written(tmp_path / "plain", "tiny") == linked


def test_a_long_column_is_not_kept_to_be_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = written(tmp_path / "short", "tiny")
    monkeypatch.setattr(case_files, "_SHARED_UP_TO", 8)
    assert written(tmp_path / "long", "tiny") == expected
    # Users 1 1 2 take 24 bytes, and so do items and scores; users of train and their items take 8.
    assert not (tmp_path / "long/tiny/recommended_user.npy").samefile(tmp_path / "long/tiny/recommended_item.npy")


def test_a_case_written_again_leaves_files_under_other_names_alone(tmp_path: Path) -> None:
    CaseWriter(tmp_path).write("tiny", CASE)
    (tmp_path / "kept.npy").hardlink_to(tmp_path / "tiny" / "recommended_score.npy")
    CaseWriter(tmp_path).write("tiny", OTHER)
    assert np.load(tmp_path / "kept.npy").tolist() == [0.75, 0.5, 0.25]
    assert np.load(tmp_path / "tiny" / "recommended_score.npy").tolist() == [0.75, 0.5, 0.125]


def test_cases_are_written_through_a_link_to_memory(tmp_path: Path) -> None:
    memory, control = tmp_path / "memory", tmp_path / "scratch" / "control-1"
    memory.mkdir()
    keep_in_memory(control, memory, [CASE])
    there = written(control / CASES, "tiny")
    assert there == content(memory / "control-1" / "tiny") == written(tmp_path / "disk", "tiny")


@pytest.mark.parametrize(("name", "value"), [("_MOST_IN_MEMORY", 100), ("_LEFT_FREE", 2**62)])
def test_too_many_cases_or_too_little_memory_leave_them_on_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: int
) -> None:
    # 3 rows and 2 relevant items of 24 bytes, 16 of train, 32 of the catalogue: 168 bytes.
    monkeypatch.setattr(case_files, name, value)
    memory = tmp_path / "memory"
    memory.mkdir()
    keep_in_memory(tmp_path / "control", memory, [CASE])
    assert not (tmp_path / "control" / CASES).exists() and not list(memory.iterdir())
