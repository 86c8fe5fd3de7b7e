"""What the user typed is parsed or refused."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.inhouse.shapes import DEFAULT, FRAMES
from recsys_metric_audit.audit.inhouse.target import check_scores_passed, only_cutoff, parse_expected, parse_target


def test_a_method_of_a_file_is_a_target(tmp_path: Path) -> None:
    file = tmp_path / "metrics.py"
    file.touch()
    made = parse_target(f"{file}:Metrics.recall", shape=FRAMES)
    assert (made.file, made.function, made.shape) == (file, "Metrics.recall", FRAMES)
    assert (made.python, made.name) == (Path(sys.executable), f"{file}:Metrics.recall")


@pytest.mark.parametrize("function", ["make().recall", "Metrics().at", "evaluate[ndcg@10]", "several[1]"])
def test_a_factory_and_an_entry_are_targets(tmp_path: Path, function: str) -> None:
    (tmp_path / "metrics.py").touch()
    assert parse_target(f"{tmp_path / 'metrics.py'}:{function}").function == function


@pytest.mark.parametrize(
    "text",
    ["metrics.py:a[", "metrics.py:a()b", "metrics.py", ":ndcg", "metrics.py:", "metrics.py:2d", "metrics.py:a..b"],
)
def test_other_forms_are_refused(text: str) -> None:
    with pytest.raises(UserError, match=r"is not FILE\.py:FUNCTION"):
        parse_target(text)


def test_the_nearest_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "metrics.py").touch()
    with pytest.raises(UserError, match="there is no file") as refused:
        parse_target(f"{tmp_path / 'metric.py'}:ndcg")
    assert refused.value.hint == f"did you mean {tmp_path / 'metrics.py'}?"


@pytest.mark.parametrize("kind", ["folder", "pipe", "loop"])
def test_what_is_no_file_is_told_as_that(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "metrics.py"
    make = {"folder": path.mkdir, "pipe": lambda: os.mkfifo(path), "loop": lambda: path.symlink_to(path)}
    make[kind]()
    with pytest.raises(UserError, match=r"metrics\.py is no file that can be read"):
        parse_target(f"{path}:ndcg")


def test_a_file_that_cannot_be_run_is_no_interpreter(tmp_path: Path) -> None:
    (tmp_path / "metrics.py").touch()
    with pytest.raises(UserError, match="no Python that runs"):
        parse_target(f"{tmp_path / 'metrics.py'}:ndcg", python=tmp_path / "metrics.py")


@pytest.mark.parametrize(
    ("signature", "k", "only"), [("ndcg@5", None, 5), ("ndcg@5", 5, 5), ("ndcg@k", 7, 7), ("ndcg@k", None, None)]
)
def test_the_only_cutoff_is_typed_or_in_the_signature(signature: str, k: int | None, only: int | None) -> None:
    assert only_cutoff(parse_expected(signature), k) == only
    assert only_cutoff(None, k) == k


def test_two_cutoffs_do_not_go_together() -> None:
    with pytest.raises(UserError, match="do not go together"):
        only_cutoff(parse_expected("ndcg@5"), 7)


def test_a_signature_that_does_not_parse_names_the_nearest_axis() -> None:
    with pytest.raises(UserError, match="did you mean 'gain'"):
        parse_expected("ndcg@k|gian:exp2")


def test_metrics_of_scores_need_frames() -> None:
    check_scores_passed("ndcg", DEFAULT)
    check_scores_passed("rmse", FRAMES)
    with pytest.raises(UserError) as refused:
        check_scores_passed("rmse", DEFAULT)
    assert refused.value.hint.startswith("add --frames (as function(predictions, truth, k)")
