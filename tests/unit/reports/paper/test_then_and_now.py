"""Tables 1 and 2 beside the paper's: whose value stands where, under which letter, in every form."""

from __future__ import annotations

import csv
import io
import shutil
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner

from recsys_metric_audit.audit.cli import app
from recsys_metric_audit.reports.model.result import Result
from recsys_metric_audit.reports.model.write_result import write_result
from recsys_metric_audit.reports.paper.then_and_now import then_and_now
from recsys_metric_audit.reports.tables.table import KeyEntry, Row, Table
from tests.support.result_samples import differing, finding, library, lost, result


def made() -> Result:
    """rs_metrics in the paper's version and another, RecBole that could not run, a library that the paper has not."""
    entries = (
        library("rs_metrics", "0.6.0", title="rs_metrics"), library("rs_metrics", "0.5.0", title="rs_metrics"),
        library("recbole", "0.2.1", title="RecBole", status="unavailable", reason="Python 3.7 was not found."),
        library("alpha"), library("elliot", "0.3.1", title="Elliot", live=False),
    )  # fmt: skip
    found = (
        differing("average_precision", "rs_metrics", "denominator", "r", 0.0732, version="0.6.0"),
        differing("average_precision", "rs_metrics", "denominator", "r", 0.0733, version="0.5.0"),
        finding("average_precision"),
        lost("auc", "elliot", "failed", "ValueError", version="0.3.1"),
        differing("auc", "alpha", "scope", "stacked", 0.61),
        finding("auc", "elliot", function="elliot.GAUC", version="0.3.1", live=False),
    )
    return result(libraries=entries, findings=found)


def row(table: Table, label: str, detail: str = "") -> Row:
    return next(each for each in table.rows if each.label == label and each.detail.startswith(detail))


def test_the_papers_value_stands_beside_that_of_the_papers_version() -> None:
    first = then_and_now(made(), 1)
    heads = [column.heading for column in first.columns]
    assert heads[:2] == ["MAP", "AUC"] and set(heads[2:]) == {"HitRate", "MRR", "NDCG", "Precision", "Recall"}
    own = row(first, "rs_metrics", "0.5.0").cells[0]
    assert (own.text, own.mark, own.published, own.beside) == ("0.073", "a", "0.032 B", "a [0.032 B]")
    assert row(first, "rs_metrics", "0.6.0").cells[0].published == ""
    assert row(first, "Alpha").cells[0].published == ""


def test_capital_letters_are_the_definitions_that_the_paper_claims() -> None:
    key = then_and_now(made(), 1).key
    assert KeyEntry("MAP", "A", "divides by k, not by min(k, r)", "says the paper") in key
    assert KeyEntry("MAP", "B", "divides by r, not by min(k, r)", "says the paper") in key
    assert KeyEntry("HitRate", "A", "counts the hits, not 1 for any hit", "says the paper") in key
    assert (
        KeyEntry("AUC", "C", "areas of users averaged term by term, in the paper's words (§4.6)", "says the paper")
        in key
    )


def test_a_library_that_did_not_run_or_is_not_in_the_audit_keeps_the_papers_row() -> None:
    first = then_and_now(made(), 1)
    lost_row = row(first, "RecBole", "0.2.1")
    assert (lost_row.note, lost_row.cells[0].text, lost_row.cells[0].published) == ("", "–", "0.039")
    assert any("Python 3.7 was not found." in mark.meaning for mark in first.key)
    paper_only = row(first, "DL RS Evaluation", "14e765bc (paper)")
    assert [cell.published for cell in paper_only.cells[:2]] == ["0.039", "0.283 A"]


def test_in_table_2_the_papers_value_stands_in_the_column_of_its_meaning() -> None:
    second = then_and_now(made(), 2)
    heads = [column.heading for column in second.columns]
    elliot = row(second, "Elliot").cells
    assert elliot[heads.index("GAUC")].published == "0.705"
    assert elliot[heads.index("SAUC")].published.startswith("0.688")
    assert elliot[heads.index("LAUC@20")].published.startswith("0.112")
    recbole = row(second, "RecBole", "0.2.1 (paper)").cells
    assert (recbole[heads.index("SAUC")].published, recbole[heads.index("GAUC")].published) == ("0.687 B", "0.858 C")


def test_of_several_columns_of_one_name_the_papers_value_stands_where_the_row_has_a_number() -> None:
    rated = differing("auc", "elliot", "scope", "stacked", float("nan"), version="0.3.1", function="elliot.rated")
    rated = rated.model_copy(update={"formula": "auc|scope:stacked|unlisted:dropped"})
    every = differing("auc", "elliot", "scope", "stacked", 0.66, version="0.3.1", function="elliot.every")
    second = then_and_now(made().model_copy(update={"findings": (rated, every)}), 2)
    at = [number for number, column in enumerate(second.columns) if column.heading == "SAUC"]
    cells = row(second, "Elliot").cells
    shown = [(cells[number].text, cells[number].published.split(" ")[0]) for number in at]
    assert shown == [("nan", ""), ("0.660", "0.688")]


def test_at_another_cut_off_the_paper_has_no_value() -> None:
    found = tuple(each.model_copy(update={"k": 5}) for each in made().findings)
    table = then_and_now(made().model_copy(update={"k": (5,), "findings": found, "reference": ()}), 1)
    assert not any(cell.published for each in table.rows for cell in each.cells)


@pytest.mark.parametrize("form", ["text", "md", "html"])
def test_the_forms_show_both_values(form: str, tmp_path: Path) -> None:
    write_result(made(), tmp_path)
    done = CliRunner().invoke(app, ["table", "1", "--from", str(tmp_path), "--format", form])
    assert done.exit_code == 0, done.output
    assert {
        "text": "0.073 a [0.032 B]", "md": r"0.073<sup>a</sup> \[0.032 B\]",
        "html": "0.073<sup>a</sup> <small>[0.032 B]</small>",
    }[form] in done.stdout  # fmt: skip
    assert 'href="#' not in done.stdout


def test_csv_holds_every_digit_of_both(tmp_path: Path) -> None:
    write_result(made(), tmp_path)
    done = CliRunner().invoke(app, ["table", "1", "--from", str(tmp_path), "--format", "csv"])
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    own = next(each for each in rows if (each["version"], each["metric"]) == ("0.5.0", "average_precision"))
    assert (own["value"], own["paper_value"]) == ("0.0733", "0.031690245847362415")
    assert own["paper_variant"] == "average_precision@k|denominator:r"


@pytest.mark.parametrize("number", ["1", "2"])
def test_latex_compiles(number: str, tmp_path: Path) -> None:
    if shutil.which("pdflatex") is None:
        pytest.skip("pdflatex is not installed")
    write_result(made(), tmp_path)
    out = tmp_path / "table.tex"
    done = CliRunner().invoke(app, ["table", number, "--from", str(tmp_path), "--format", "latex", "--out", str(out)])
    assert done.exit_code == 0, done.output
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "table.tex"]
    compiled = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace")
    assert compiled.returncode == 0, compiled.stdout[-2000:]


def test_there_is_no_third_table(tmp_path: Path) -> None:
    assert CliRunner().invoke(app, ["table", "3"]).exit_code == 2
