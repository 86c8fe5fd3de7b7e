"""MovieLens-20M from an archive of its layout: what is kept, how it is split, and what is refused."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest

from recsys_metric_audit.audit import data
from recsys_metric_audit.audit.data.movielens20m import load_ml20m, read_archive
from recsys_metric_audit.audit.errors import UserError
from tests.support.command_line import audit

HEADER = "userId,movieId,rating,timestamp\n"

# Twelve ratings, ten from 4.5 up; the latest two of those (20 %) are of users 1 and 3.
RATINGS = [
    (1, 10, 5.0, 100), (1, 11, 4.5, 101), (1, 12, 4.0, 999), (2, 10, 5.0, 102), (2, 11, 4.5, 103), (2, 13, 5.0, 104),
    (3, 11, 5.0, 105), (3, 13, 4.5, 106), (4, 10, 4.5, 107), (4, 12, 0.5, 998), (3, 10, 4.5, 200), (1, 13, 5.0, 201),
]  # fmt: skip


def archive(path: Path, text: str | None = None, member: str = "ml-20m/ratings.csv") -> Path:
    rows = "".join(f"{user},{item},{rating},{time}\n" for user, item, rating, time in RATINGS)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("ml-20m/README.txt", "as in the real one")
        made.writestr(member, HEADER + rows if text is None else text)
    return path


def test_ratings_below_four_and_a_half_are_dropped_while_reading(tmp_path: Path) -> None:
    ratings = read_archive(archive(tmp_path / "ml-20m.zip"))
    kept = list(zip(ratings.user, ratings.item, ratings.rating, ratings.timestamp, strict=True))
    assert kept == [row for row in RATINGS if row[2] >= 4.5]
    assert (ratings.user.dtype, ratings.rating.dtype) == (np.int64, np.float64)


def test_the_case_is_that_of_the_papers_protocol(tmp_path: Path) -> None:
    case = load_ml20m(archive(tmp_path / "ml-20m.zip")).case
    assert list(zip(case.truth.user, case.truth.item, case.truth.gain, strict=True)) == [(1, 13, 5.0), (3, 10, 4.5)]
    assert len(case.train.user) == 8
    assert case.catalogue.tolist() == [10, 11, 13]
    assert case.threshold == 4.5
    shown = dict.fromkeys(zip(case.predictions.user.tolist(), case.predictions.item.tolist(), strict=True))
    assert list(shown) == [(1, 13), (3, 10)], "every item that the user has not in train"


def test_what_occurs_only_in_the_test_part_is_removed(tmp_path: Path) -> None:
    late = "".join(f"{user},{item},5.0,{time}\n" for user, item, time in
                   [(1, 10, 1), (1, 11, 2), (2, 10, 3), (2, 11, 4), (3, 10, 5), (4, 11, 6), (4, 10, 7), (1, 99, 8),
                    (3, 11, 90), (7, 10, 91)])  # fmt: skip
    case = load_ml20m(archive(tmp_path / "a.zip", HEADER + late)).case
    assert list(zip(case.truth.user, case.truth.item, strict=True)) == [(3, 11)], "user 7 is new"


@pytest.mark.parametrize(
    ("text", "member", "says"),
    [
        ("userId,movieId,rating\n1,2,5.0\n", "ml-20m/ratings.csv", "is not MovieLens' ratings"),
        (HEADER + "1,2,good,4\n", "ml-20m/ratings.csv", "is not MovieLens' ratings"),
        (HEADER + "1,2,,4\n", "ml-20m/ratings.csv", "is not MovieLens' ratings"),
        ("", "ml-20m/ratings.csv", "is not MovieLens' ratings"),
        (HEADER + "1,2,3.0,4\n", "ml-20m/ratings.csv", "too few ratings"),
        (HEADER, "ml-1m/ratings.csv", "holds no ml-20m/ratings.csv, but ml-20m/README.txt"),
    ],
)
def test_an_archive_that_is_not_movielens_is_refused(tmp_path: Path, text: str, member: str, says: str) -> None:
    with pytest.raises(UserError, match=says):
        load_ml20m(archive(tmp_path / "x.zip", text, member))


def test_a_file_that_is_no_zip_or_is_cut_off_is_refused(tmp_path: Path) -> None:
    (tmp_path / "no.zip").write_text("hello")
    with pytest.raises(UserError, match="no zip archive"):
        read_archive(tmp_path / "no.zip")
    whole = archive(tmp_path / "whole.zip").read_bytes()
    (tmp_path / "cut.zip").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(UserError, match="no zip archive"):
        read_archive(tmp_path / "cut.zip")
    with pytest.raises(UserError, match="cannot be read"):
        read_archive(tmp_path / "none.zip")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--dataset", "ml-20m"], "--archive ml-20m.zip"),
        (["--archive", "x.zip"], "--dataset ml-20m"),
        (["--dataset", "ml-20m", "--archive", "x.zip", "--recommender", "popular"], "ranked by EASE"),
        (["--archive", "x.zip", "--predictions", "p.csv", "--truth", "t.csv"], "exclude each other"),
        (["--dataset", "ml-20m", "--archive", "none.zip"], "cannot be read"),
    ],
)
def test_the_command_ends_with_2_and_says_what_to_type(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = audit("run", "-l", "rs_metrics==0.6.0", *words)
    assert done.exit_code == 2
    assert says in done.output
    assert not (tmp_path / "audit-report").exists()


def test_it_is_loaded_by_name(tmp_path: Path) -> None:
    made = data.load("ml-20m", None, archive(tmp_path / "ml-20m.zip"))
    assert (made.name, made.shape.users, made.shape.pairs) == ("ml-20m", 2, 2)


@pytest.mark.parametrize(("place", "value", "said"), [(8, 1, "is encrypted"), (10, 99, "compression method")])
def test_an_archive_that_is_encrypted_or_packed_otherwise_is_refused(
    tmp_path: Path, place: int, value: int, said: str
) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("ml-20m/ratings.csv", "userId,movieId,rating,timestamp\n")
    content = bytearray((tmp_path / "a.zip").read_bytes())
    content[content.find(b"PK\x01\x02") + place] = content[place - 2] = value  # in the directory, and before the member
    (tmp_path / "a.zip").write_bytes(content)
    with pytest.raises(UserError, match=f"no zip archive that can be read .*{said}"):
        read_archive(tmp_path / "a.zip")
