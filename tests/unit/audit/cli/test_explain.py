"""Hold audit explain and audit definitions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from recsys_metric_audit import parse
from recsys_metric_audit.reference.catalogue import CATALOGUE
from recsys_metric_audit.reports.model.result_file import result_json
from tests.support.command_line import audit
from tests.support.result_samples import finding, library
from tests.support.result_samples import result as sample

# ``audit explain`` and ``audit definitions`` as a user types them: what is printed, and what is said of bad input.


@pytest.fixture(autouse=True)
def _narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def test_a_signature_is_explained_in_full() -> None:
    shown = audit("explain", "ndcg@20|gain:exp2|ideal:all")
    assert shown.exit_code == 0
    for words in (
        "DCG = the sum of (2^g_j - 1) / log2(j + 1) over the hits", "ideal:all", "Bellei, §6.2",
        "DCG = 1 + 7/2 = 9/2", "value = (9/2) / 10.8235 = 0.415763", "discount:ln",
    ):  # fmt: skip
        assert words in shown.stdout


@pytest.mark.parametrize(
    ("subject", "words", "hint"),
    [
        ("ndgc", ["no metric 'ndgc'", "did you mean 'ndcg'"], "one of: hit_rate"),
        ("ndcg@20|gain:exp", ["no value 'exp'", "allowed: binary", "\n  " + " " * 13 + "^"], "audit explain ndcg"),
        ("precision@5|ideal:all", ["precision has no axis 'ideal'"], "audit explain precision"),
        ("rbp@3|persistence:2", ["probability below 1"], "audit explain rbp"),
        ("P(rel=2)@5", ["P(rel=2)@5: it is not known what this call computes"], "known are P@k (ir_measures)"),
    ],
)
def test_what_does_not_parse_ends_with_place_and_next_step(subject: str, words: list[str], hint: str) -> None:
    shown = audit("explain", subject)
    assert shown.exit_code == 2 and not shown.stdout
    for word in words:
        assert word in shown.stderr
    assert f"→ {hint}" in shown.stderr


def written(tmp_path: Path) -> Path:
    found = finding(function="alpha.metrics.ndcg", signature="ndcg@20|ideal:all", verdict="variant")
    file = tmp_path / "some" / "audit.json"
    file.parent.mkdir()
    file.write_text(result_json(sample(libraries=(library(),), findings=(found,))), encoding="utf-8")
    return file


def test_a_function_is_looked_up_in_the_named_audit(tmp_path: Path) -> None:
    file = written(tmp_path)
    for source in (file, file.parent):
        shown = audit("explain", "alpha:ndcg", "--from", str(source))
        assert shown.exit_code == 0, shown.stderr
        assert "audit.json" in "".join(shown.stdout.split())  # a long path is broken somewhere
        assert "signature: ndcg@20|ideal:all" in shown.stdout
        assert "IDCG = the sum of" in shown.stdout


def test_a_function_is_looked_up_in_the_run_that_ships_where_there_is_no_other() -> None:
    shown = audit("explain", "rs_metrics==0.6.0:rs_metrics.precision")
    assert shown.exit_code == 0, shown.stderr
    assert "the recorded run that comes with this tool" in " ".join(shown.stdout.split())


@pytest.mark.parametrize(
    ("subject", "words"),
    [
        ("alpha:ndgc", ["no function 'ndgc'", "audit explain alpha:alpha.metrics.ndcg"]),
        ("alpha==9:ndcg", ["no version 9 of alpha"]),
        ("beta:ndcg", ["no library 'beta'", "it holds: alpha", "audit run -l beta"]),
    ],
)
def test_what_an_audit_does_not_hold_is_said(tmp_path: Path, subject: str, words: list[str]) -> None:
    shown = audit("explain", subject, "--from", str(written(tmp_path)))
    assert shown.exit_code == 2
    for word in words:
        assert word in shown.stderr


def test_an_audit_that_is_not_there_is_named() -> None:
    shown = audit("explain", "alpha:ndcg", "--from", "nowhere")
    assert shown.exit_code == 2 and "nowhere" in shown.stderr


def test_a_paper_gets_the_texts_of_a_definition() -> None:
    shown = audit("explain", "ndcg@20|gain:exp2", "--paper")
    assert shown.exit_code == 0
    assert "NDCG@20 is DCG / IDCG" in shown.stdout and "@inproceedings{burges2005," in shown.stdout
    assert "\naudit evaluate predictions.csv truth.csv -k 20 --metrics 'ndcg|gain:exp2'\n" in shown.stdout


def test_a_paper_gets_those_of_a_function_and_none_of_the_guide(tmp_path: Path) -> None:
    shown = audit("explain", "alpha==1.0:ndcg", "--from", str(written(tmp_path)), "--paper")
    assert shown.exit_code == 0 and "ndcg|ideal:all" in shown.stdout
    guide = audit("explain", "choosing", "--paper")
    assert guide.exit_code == 2 and "no definition" in guide.stderr


# ``audit definitions``: every documented variant, as text, Markdown and JSON.


def test_definitions_in_three_forms() -> None:
    told = json.loads(audit("definitions", "--metric", "ndcg", "--format", "json").stdout)
    assert told[0]["signature"] == "ndcg@k" and told[0]["canonical"] and told[0]["latex"]
    assert all(parse(each["long"]) == parse(each["signature"]) for each in told)
    table = audit("definitions", "--format", "md").stdout.splitlines()
    assert len(table) == len(CATALOGUE) + 2
    assert "ndcg@k|gain:exp2" in audit("definitions").stdout


def test_a_metric_that_is_not_known_is_named() -> None:
    shown = audit("definitions", "--metric", "ndgc")
    assert shown.exit_code == 2 and "did you mean ndcg?" in shown.stderr
