"""What a user types is checked before anything is built: each mistake has a message and a next step."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from recsys_metric_audit.audit import cli
from recsys_metric_audit.audit.cli.shared.run_inputs import (
    UserFiles,
    check_cutoffs,
    check_positive,
    load_dataset,
    parse_canonical,
    parse_recommenders,
    parse_sources,
    refuse_unwritable,
)
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.reference.definitions.definition import parse

NO_FILES = UserFiles(None, None, None, None)


def test_cutoffs_are_kept_once_in_their_order() -> None:
    assert check_cutoffs([20, 5, 20, 1]) == (20, 5, 1)
    with pytest.raises(UserError, match="-k 0: a cut-off is a number of places"):
        check_cutoffs([20, 0])


def test_a_cutoff_beyond_every_list_is_refused() -> None:
    assert check_cutoffs([10**6]) == (10**6,)
    with pytest.raises(UserError, match="-k 10000000000: a cut-off is at most 1,000,000"):
        check_cutoffs([10**10])


@pytest.mark.parametrize("value", [float("inf"), 1e300])
def test_limits_without_end_are_refused_in_their_own_words(value: float) -> None:
    with pytest.raises(UserError, match=r"--timeout .*: must be 1,000,000 or less"):
        check_positive("--timeout", value)


@pytest.mark.parametrize("value", [0, -1.5, float("nan")])
def test_only_numbers_above_0_are_positive(value: float) -> None:
    check_positive("--timeout", 0.1)
    with pytest.raises(UserError, match=r"--timeout .*: must be more than 0"):
        check_positive("--timeout", value)


def test_recommenders_are_kept_once_in_their_order() -> None:
    assert parse_recommenders(None, NO_FILES) == ()
    assert parse_recommenders("itemknn, ease,itemknn", NO_FILES) == ("itemknn", "ease")
    with pytest.raises(UserError, match="no recommender 'nmf'"):
        parse_recommenders("ease,nmf", NO_FILES)
    with pytest.raises(UserError, match="--recommender and --truth exclude each other"):
        parse_recommenders("ease", UserFiles(None, Path("t.csv"), None, None))


@pytest.mark.parametrize(
    ("name", "files", "said"),
    [
        (None, UserFiles(Path("p.csv"), None, None, None), "--predictions was given without --truth"),
        (None, UserFiles(None, None, None, 2.0), "--threshold was given without --predictions"),
        ("synthetic", UserFiles(None, None, Path("r.csv"), None), "--dataset and --train exclude each other"),
        (None, UserFiles(Path("p"), Path("t"), None, float("nan")), "--threshold nan: must be a number"),
    ],
)
def test_options_of_data_that_do_not_go_together(name: str | None, files: UserFiles, said: str) -> None:
    with pytest.raises(UserError) as raised:
        load_dataset(name, files)
    assert said in raised.value.message


def test_a_built_in_dataset_is_loaded_by_name() -> None:
    assert load_dataset("synthetic:5x20", NO_FILES).shape.users == 5
    with pytest.raises(UserError, match="--archive and --truth exclude each other"):
        load_dataset(None, UserFiles(None, Path("t"), None, None),
                     archive=Path("ml-20m.zip"))  # fmt: skip


def test_sources_are_taken_apart() -> None:
    given = parse_sources(["elliot=checkouts/elliot", "neurec==2.00=/a=b"])
    assert [(each.library, each.version, each.folder) for each in given] == [
        ("elliot", None, Path("checkouts/elliot")), ("neurec", "2.00", Path("/a=b")),
    ]  # fmt: skip
    for text in ("elliot", "=folder", "elliot==1.0"):
        with pytest.raises(UserError, match="not of the form NAME=DIR"):
            parse_sources([text])


def test_a_report_may_go_into_a_folder_that_is_not_there_yet(tmp_path: Path) -> None:
    refuse_unwritable(tmp_path / "new" / "report")
    assert not (tmp_path / "new").exists()
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match="is a file, not a folder"):
        refuse_unwritable(tmp_path / "file" / "report")


@pytest.mark.parametrize(
    ("texts", "words", "hint"),
    [
        (["map"], "not of the form METRIC=SIGNATURE", "try --canonical"),
        (["mpa=average_precision"], "there is no metric 'mpa'", "try --canonical"),
        (["map=ndcg"], "a definition of ndcg, not of average_precision", "audit definitions"),
        (["map=average_precision@5"], "the cut-off is chosen with -k", "leave out @5"),
        (["map=average_precision|denominator:q"], "no value 'q'", "audit explain average_precision"),
        (["recall=recall", "recall=recall"], "already", "one for each"),
    ],
)
def test_what_is_no_override_is_refused(texts: list[str], words: str, hint: str) -> None:
    with pytest.raises(UserError) as raised:
        parse_canonical(texts)
    assert words in raised.value.message and hint in raised.value.hint
    shown = CliRunner().invoke(cli.app, ["run", *(part for text in texts for part in ("--canonical", text))])
    assert shown.exit_code == 2 and words in shown.stderr


def test_names_of_tables_are_known() -> None:
    assert parse_canonical(["MAP=average_precision|denominator:r", "recall=recall|denominator:min"]) == {
        "average_precision": parse("average_precision@k|denominator:r"),
        "recall": parse("recall@k|denominator:min"),
    }
