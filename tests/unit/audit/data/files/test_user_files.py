"""The user's own files become one case: order of rows, gains, and files that are refused."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from recsys_metric_audit.audit.data import Dataset, read_case
from recsys_metric_audit.audit.errors import UserError

PREDICTIONS = "user,item,score\nanna,x,0.9\nanna,y,0.5\nbert,y,0.7\n"

TRUTH = "user,item,gain\nanna,y,5\nbert,x,4\n"


def rows(dataset: Dataset) -> list[tuple]:
    """Predictions as the user would write them."""
    table = dataset.case.predictions
    users, items = dataset.users.of(table.user), dataset.items.of(table.item)
    return list(zip(users, items, table.score.tolist(), strict=True))


def truth_rows(dataset: Dataset) -> list[tuple]:
    table = dataset.case.truth
    users, items = dataset.users.of(table.user), dataset.items.of(table.item)
    return list(zip(users, items, table.gain.tolist(), strict=True))


def facts(dataset: Dataset) -> dict[str, int]:
    return {fact.slug: fact.count for fact in dataset.facts}


def test_rows_are_put_by_user_and_best_first_with_ties_as_given(write):
    text = "user,item,score\n2,1,0.5\n1,9,0.1\n2,3,0.7\n1,4,0.1\n1,2,0.3\n"
    data = read_case(write("p.csv", text), write("t.csv", "user,item\n1,2\n"), None)
    assert rows(data) == [(1, 2, 0.3), (1, 9, 0.1), (1, 4, 0.1), (2, 3, 0.7), (2, 1, 0.5)]
    assert facts(data)["rows-reordered"] == 4  # (1, 9) alone stays in its place
    assert "rows-in-order" not in facts(data)


def test_rows_in_order_stay_and_are_said_to(write):
    data = read_case(write("p.csv", PREDICTIONS), write("t.csv", TRUTH), None)
    assert facts(data)["rows-in-order"] == 3
    assert "rows-reordered" not in facts(data)


def test_a_truth_without_gains_counts_one_each(write):
    data = read_case(write("p.csv", PREDICTIONS), write("t.csv", "item,extra,user\nx,?,anna\n"), None)
    assert truth_rows(data) == [("anna", "x", 1.0)]
    assert data.case.scale == (0.0, 1.0)
    assert facts(data)["no-gains"] == 1


P, T = "user,item,score\n1,1,1\n", "user,item\n1,1\n"


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("p.parquet", b"hello", "no Parquet file"),
        ("p.parquet", b"", "no Parquet file"),
        ("p.csv.gz", b"user,item,score\n", "cannot be read"),
        ("p.csv.gz", gzip.compress(PREDICTIONS.encode() * 5000, mtime=0)[:-40], "cannot be read"),
        ("p.xlsx", b"PK", "suffix .xlsx"),
        ("p", b"user", "suffix none"),
    ],
)
def test_a_file_of_another_kind_is_refused(write, name, content, said):
    with pytest.raises(UserError, match=said) as refused:
        read_case(write(name, content), write("t.csv", T), None)
    assert refused.value.hint


def test_a_missing_file_a_directory_and_a_locked_file_are_refused(write, tmp_path, monkeypatch):
    truth = write("t.csv", T)
    with pytest.raises(UserError, match="no such file"):
        read_case(tmp_path / "none.csv", truth, None)
    with pytest.raises(UserError, match="is a directory"):
        read_case(tmp_path, truth, None)
    locked = write("p.csv", P)

    def refuse(*_args, **_options):
        raise PermissionError(13, "Permission denied")  # a test run as root could read any mode

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(UserError, match="no permission") as refused:
        read_case(locked, truth, None)
    assert "chmod" in refused.value.hint
