"""Looking things up: what is printed at 80 columns, for every metric and form, and what is said of bad input."""

from __future__ import annotations

import io
import itertools
import json
import math
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner, Result

from audit import cli
from reference import CATALOGUE, METRICS, parse
from reports.handbook import choosing_text, explain_text
from reports.handbook.choosing import QUESTIONS, figures, problem_of, values
from reports.handbook.explanation import explain
from reports.renderers.report_folder import result_text
from tests.support.result_samples import finding, library
from tests.support.result_samples import result as sample


def at_80(show, *what) -> list[str]:
    console = Console(width=80, file=io.StringIO(), highlight=False, legacy_windows=False)
    show(*what, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


def too_wide(lines: list[str]) -> list[str]:
    """Lines that a terminal of 80 columns would break; a signature alone on its line may not be broken."""
    return [line for line in lines if len(line) > 80 and "|" not in line]


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")


def audit(*words: str) -> Result:
    return CliRunner().invoke(cli.app, words, prog_name="audit")


@pytest.mark.slow
@pytest.mark.parametrize("metric", METRICS)
def test_every_metric_reads_at_80_columns(metric: str) -> None:
    lines = at_80(explain_text.show_metric, metric)
    assert not too_wide(lines)
    shown = " ".join(" ".join(lines).split())
    for axis in METRICS[metric].all_axes:
        assert f"{axis.name}: {axis.meaning}" in shown, "told in full, not cut off at the margin"
    assert any(line.startswith("  Canonical: ") for line in lines)
    assert sum(line.startswith("  ") for line in lines) > 20


@pytest.mark.parametrize("signature", [variant.signature for variant in CATALOGUE][::6])
def test_variants_read_at_80_columns(signature: str) -> None:
    lines = at_80(explain_text.show_definition, parse(signature))
    assert not too_wide(lines)
    for head in ("Formula", "What else it equals", "Sources"):
        assert head in lines or not parse(signature).differs_on or "in use" in "".join(lines) or head == "Sources"


def test_a_signature_is_explained_in_full() -> None:
    shown = audit("explain", "ndcg@20|gain:exp2|ideal:all")
    assert shown.exit_code == 0
    for words in (
        "DCG = the sum of (2^g_j - 1) / log2(j + 1) over the hits", "ideal:all", "Bellei, §6.2",
        "DCG = 1 + 7/2 = 9/2", "value = (9/2) / 10.8235 = 0.415763", "discount:ln",
    ):  # fmt: skip
        assert words in shown.stdout


def test_equals_are_found_across_metrics() -> None:
    assert "recall@k" in explain(parse("hit_rate@20|counts:recall")).equals
    assert "miss_rate@k" not in explain(parse("recall@k")).equals
    assert explain(parse("ndcg@5|discount:ln")).simplified == "ndcg@5"
    assert "discount:ln" in explain(parse("ndcg@5")).inactive
    assert "discount:ln" not in explain(parse("ndcg@5|ideal:none")).inactive


def test_what_nobody_states_is_said_to_be_so() -> None:
    assert explain(parse("ndcg@k|gain:square_minus_1")).status == "documented nowhere that we know"
    assert explain(parse("ndcg@k|discount:ln")).status == "canonical"


@pytest.mark.parametrize(
    ("subject", "words", "hint"),
    [
        ("ndgc", ["no metric 'ndgc'", "did you mean 'ndcg'"], "one of: hit_rate"),
        ("ndcg@20|gain:exp", ["no value 'exp'", "allowed: binary", "\n  " + " " * 13 + "^"], "audit explain ndcg"),
        ("precision@5|ideal:all", ["precision has no axis 'ideal'"], "audit explain precision"),
        ("rbp@3|persistence:2", ["probability below 1"], "audit explain rbp"),
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
    file.write_text(result_text(sample(libraries=(library(),), findings=(found,))), encoding="utf-8")
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
    assert "the default run that comes with this tool" in " ".join(shown.stdout.split())


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


def test_definitions_in_three_forms() -> None:
    told = json.loads(audit("definitions", "--metric", "ndcg", "--format", "json").stdout)
    assert told[0]["signature"] == "ndcg@k" and told[0]["canonical"] and told[0]["latex"]
    assert all(parse(each["long"]) == parse(each["signature"]) for each in told)
    table = audit("definitions", "--format", "md").stdout.splitlines()
    assert len(table) == len(CATALOGUE) + 2
    assert "ndcg@k|gain:exp2" in audit("definitions").stdout


def test_a_metric_that_is_not_known_is_named() -> None:
    shown = audit("definitions", "--metric", "ndgc")
    assert shown.exit_code == 2 and "did you mean 'ndcg'" in shown.stderr


def test_choosing_reads_at_80_columns() -> None:
    lines = at_80(choosing_text.show)
    assert not [line for line in lines if len(line) > 80]
    assert sum(line[:1].isdigit() for line in lines) == len(QUESTIONS) == 6


def rising(values: list[float]) -> bool:
    return all(a <= b for a, b in itertools.pairwise(values))


def column(number: int, name: str) -> list[float]:
    figure = figures()[number]
    place = figure.heads.index(name)
    return [row.values[place] for row in figure.rows]


def test_figures_show_what_their_lessons_say() -> None:
    lengths = [value for value in column(0, "inform") if not math.isnan(value)]
    assert rising(column(0, "recall")) and column(0, "prec")[0] > column(0, "prec")[-1]
    assert 0 < lengths.index(max(lengths)) < len(lengths) - 1
    assert len(set(column(1, "prec"))) == len(set(column(1, "recall"))) == 2
    steps = [a - b for a, b in zip(column(1, "AUC"), column(1, "AUC")[1:], strict=False)]
    assert steps == pytest.approx([1 / 9] * 9)
    assert len({round(value, 9) for value in column(1, "LAUC")[4:]}) == 1
    assert max(column(3, "inform")) < 0 and max(column(3, "marked")) < 0 and max(column(3, "prec")) == 0.75
    assert all(a > b for a, b in zip(column(4, "LAUC")[1:4], column(4, "LAUC")[2:5], strict=True))


def test_values_of_figures_by_hand() -> None:
    assert values("auc@k|list:limited", problem_of([([5], 4)])) == pytest.approx([(0 + (0 + 1) / 2 * (9 - 4)) / 9])
    assert values("informedness", problem_of([((1, 2, 4, 7), 4)])) == pytest.approx([3 / 4 + 5 / 6 - 1])
    assert math.isnan(values("markedness", problem_of([((1, 2), 10)]))[0])


def test_the_page_has_the_same_questions_and_figures() -> None:
    from reports.handbook.choosing import SOURCE
    from reports.renderers.html import _environment

    template = _environment().from_string(
        '{% from "choosing.html" import show_choosing %}{{ show_choosing(questions, figures, source) }}'
    )
    page = template.render(questions=QUESTIONS, figures=figures(), source=SOURCE)
    assert page.count("<table") == len(figures()) and page.count("<li>") == len(QUESTIONS)
    assert "●○○○|○○○○○○" in page and "<td>0.89</td>" in page
