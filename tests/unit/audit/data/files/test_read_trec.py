"""Runs and qrels of TREC are read as predictions and truth."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from recsys_metric_audit.audit.data.files.input_table import PREDICTIONS, TRAIN, TRUTH
from recsys_metric_audit.audit.data.files.read_trec import read_trec
from recsys_metric_audit.audit.data.files.user_files import read_case
from recsys_metric_audit.audit.errors import UserError

RUN = "q1 Q0 d2 1 0.5 mine\nq1\tQ0\td1  2 0.75 mine\n\nq2 Q0 d1 1 3 mine\n"
QRELS = "q1 0 d1 2\nq1 0 d3 0\nq2 0 d2 1\nq2 0 d1 -1\n"


def written(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


def test_a_case_is_read_by_score_and_grade(tmp_path: Path) -> None:
    """The score decides, not the rank; grades 0 and -1 are no rows of the truth, and are told."""
    found = read_case(written(tmp_path, "a.run", RUN), written(tmp_path, "a.qrels", QRELS), None)
    rows = found.case.predictions
    assert [list(found.users.of(rows.user)), list(found.items.of(rows.item))] == [
        ["q1", "q1", "q2"],
        ["d1", "d2", "d1"],
    ]
    assert found.case.predictions.score.tolist() == [0.75, 0.5, 3.0]
    assert found.case.truth.gain.tolist() == [2.0, 1.0]
    assert any(fact.count == 2 and "grade below 1" in fact.text for fact in found.facts)


def test_a_gzipped_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.trec.gz").write_bytes(gzip.compress(RUN.encode()))
    assert read_trec(tmp_path / "a.trec.gz", PREDICTIONS).user.names == ("q1", "q2")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("q1 Q0 d2 1 high mine\n", "row 1: 'high' is no number"), ("q1 Q0 d2 1 0.5\n", "line 1 has 5 words, not 6"),
        ("", "there are no rows"), ("q1 Q0 d 1 nan x\n", "nan is not a finite number"),
    ],
)  # fmt: skip
def test_bad_content_is_refused_with_its_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        read_trec(written(tmp_path, "a.run", text), PREDICTIONS)


def test_other_bytes_and_training_data_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.qrels").write_bytes(b"q1 0 d\xff 1\n")
    with pytest.raises(UserError, match="line 1 is not UTF-8"):
        read_trec(tmp_path / "a.qrels", TRUTH)
    with pytest.raises(UserError, match="TREC has no files of train"):
        read_trec(tmp_path / "a.qrels", TRAIN)
